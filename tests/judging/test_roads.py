"""Both roads to a provider: the same bytes go out, the same reading comes back.

For every provider that may take the lean road, one question goes out on each road to a provider
on loopback that records what it receives. Three wire formats are played: OpenAI's (and all who
follow it), Anthropic's messages and Ollama's chat and generate.
"""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from wire_server import Recorded, WireServer

from citeval_assets.config import ModelConfig, Road
from citeval_assets.judging import litellm_arguments, litellm_quiet
from citeval_assets.judging.form import CallForm, ResponseFormat
from citeval_assets.judging.lean_road import PROVEN, LeanRoad
from citeval_assets.judging.litellm_client import LitellmClient
from citeval_assets.judging.request import (
    Answer,
    CallFailure,
    Completion,
    ModelRequest,
    ReplySchema,
)
from citeval_assets.judging.schemas import strict
from citeval_assets.playbooks.view import ModelView
from citeval_assets.playbooks.vocabulary import Reason, RiskLevel
from citeval_assets.templates.model import Message

from .toy import ToyReply

KEY = "canary-secret-000222"
TEXTS = (
    ("Judge strictly.", "Is the kiln hot?"),
    (
        "Grüße, 判断せよ \U0001f98a",
        'A "quoted" line\nwith \\ and\ttabs, \u2028 and </s> {"verdict": 1}',
    ),
    ("  blanks around  ", "x" * 9_000 + " end\n\n"),
)

MODELS = {
    "anthropic": "claude-sonnet-4-5",
    "fireworks_ai": "accounts/fireworks/models/llama-v3p1-8b-instruct",
    "groq": "llama-3.3-70b-versatile",
    "mistral": "mistral-small-latest",
    "openrouter": "openai/gpt-4o-mini",
    "perplexity": "sonar",
    "xai": "grok-3",
}
WIRE = {"anthropic": "anthropic", "ollama": "generate", "ollama_chat": "ollama"}


def wire_of(provider: str) -> str:
    return WIRE.get(provider, "openai")


def request_with(texts: tuple[str, str], **parameters: Any) -> ModelRequest:
    return ModelRequest(
        model="m",
        endpoint="e",
        messages=(Message("system", texts[0]), Message("user", texts[1])),
        view=ModelView("toy", "q", RiskLevel.STANDARD, ()),
        schema=ReplySchema("toy", strict(ToyReply.model_json_schema())),
        parameters={"temperature": 0.0, "max_output_tokens": 300, **parameters},
    )


@dataclass
class Trip:
    """One question on one road: what went out, and what came of it."""

    sent: list[Recorded] = field(default_factory=list)
    answer: Answer | None = None
    forms: tuple[CallForm, ...] = ()
    road: Any = None


def travel(
    server: WireServer,
    provider: str,
    road: Road,
    request: ModelRequest,
    *,
    deadline_s: float = 20.0,
    form: Mapping[str, Any] | None = None,
) -> Trip:
    """Ask once over one road."""
    name = MODELS.get(provider, "some-model")
    model = ModelConfig(
        id="m", model=f"{provider}/{name}", roles=("judge",), api_base=server.base, road=road
    )

    async def main() -> Trip:
        client = LitellmClient(model, KEY)
        before = len(server.requests)
        try:
            assert await client.ready(request) is None
            chosen = replace(client.form(request), **form) if form else client.form(request)
            answer = await client.call(request, chosen, deadline_s)
            trip = Trip(server.requests[before:], answer, (chosen, client.form(request)))
            trip.road = client._road
            return trip
        finally:
            await client.close()

    return asyncio.run(main())


def told(answer: Answer | None) -> Any:
    """Return what must agree: an answer without the name of the road, or the kind of a fault."""
    if isinstance(answer, Completion):
        return replace(answer, notes=tuple(n for n in answer.notes if not n.startswith("road:")))
    assert isinstance(answer, CallFailure)
    return (
        answer.reason,
        answer.http_status,
        answer.retry_after_s,
        answer.retryable,
        answer.form,
        answer.cost,
    )


@pytest.fixture(scope="module")
def server():
    with WireServer() as running:
        yield running


@pytest.mark.parametrize("provider", sorted(PROVEN))
def test_both_roads_send_the_same_request_and_read_the_same_reply(server, provider):
    server.wire = wire_of(provider)
    for texts in TEXTS:
        request = request_with(texts)
        stock, lean = (travel(server, provider, r, request) for r in (Road.STOCK, Road.LEAN))
        assert len(stock.sent) == len(lean.sent) == 1
        assert lean.sent == stock.sent
        assert told(lean.answer) == told(stock.answer)
        assert isinstance(lean.answer, Completion)
        assert lean.answer.text == '{"verdict": "yes"}'
        assert isinstance(lean.road, LeanRoad)
        assert lean.road.played == 0, "a plain success is read without litellm's whole machinery"


@pytest.mark.parametrize("provider", sorted(PROVEN))
def test_no_provider_is_asked_twice_by_the_library(server, provider):
    server.wire = wire_of(provider)
    with server.answering(500, {"error": {"message": "oops"}}, {}):
        trips = [
            travel(server, provider, r, request_with(TEXTS[0])) for r in (Road.STOCK, Road.LEAN)
        ]
    assert [len(trip.sent) for trip in trips] == [1, 1]
    assert told(trips[0].answer) == told(trips[1].answer)


@pytest.mark.parametrize("response_format", list(ResponseFormat)[1:])
@pytest.mark.parametrize("provider", ["openai", "hosted_vllm", "anthropic", "ollama_chat"])
def test_weaker_forms_and_further_parameters_go_out_alike(server, provider, response_format):
    server.wire = wire_of(provider)
    request = request_with(TEXTS[0], top_p=0.5)
    form = {"response_format": response_format, "without_temperature": True}
    stock, lean = (travel(server, provider, r, request, form=form) for r in (Road.STOCK, Road.LEAN))
    assert lean.sent == stock.sent
    assert told(lean.answer) == told(stock.answer)


FAULTS = {
    "400 bad request": (400, {"error": {"message": "bad", "type": "invalid_request_error"}}, {}),
    "400 context": (
        400,
        {
            "error": {
                "message": "This model's maximum context length is 8192 tokens.",
                "code": "context_length_exceeded",
            }
        },
        {},
    ),
    "400 filter": (400, {"error": {"message": "blocked", "code": "content_filter"}}, {}),
    "400 temperature": (
        400,
        {
            "error": {
                "message": "'temperature' does not support 0.0",
                "param": "temperature",
                "code": "unsupported_value",
            }
        },
        {},
    ),
    "400 response_format": (
        400,
        {"error": {"message": "response_format json_schema is not supported"}},
        {},
    ),
    "401": (401, {"error": {"message": f"Incorrect API key provided: {KEY}"}}, {}),
    "402": (402, {"error": {"message": "Insufficient credit"}}, {}),
    "403": (403, {"error": {"message": "forbidden"}}, {}),
    "404": (404, {"error": {"message": "model not found"}}, {}),
    "408": (408, {"error": {"message": "timeout"}}, {}),
    "413": (413, {"error": {"message": "too large"}}, {}),
    "422": (422, {"error": {"message": "odd"}}, {}),
    "429": (429, {"error": {"message": "slow down"}}, {"Retry-After": "3"}),
    "429 quota": (
        429,
        {"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}},
        {},
    ),
    "429 page": (429, "<html>busy</html>", {"Content-Type": "text/html"}),
    "500": (500, {"error": {"message": "oops"}}, {}),
    "502 page": (502, "<html>bad gateway</html>", {"Content-Type": "text/html"}),
    "503": (503, {"error": {"message": "overloaded"}}, {"Retry-After": "2"}),
    "529": (
        529,
        {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}},
        {},
    ),
    "200 error body": (200, {"error": {"message": "rate limit", "type": "rate_limit_error"}}, {}),
    "200 no JSON": (200, "not json at all", {"Content-Type": "application/json"}),
    "200 cut": (200, '{"id": "x", "choices": [{"mess', {"Content-Type": "application/json"}),
    "200 list": (200, [1, 2], {}),
    "200 empty": (200, "", {"Content-Type": "application/json"}),
    "200 page": (200, "<html>login</html>", {"Content-Type": "text/html"}),
    "200 null": (200, None, {}),
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("provider", ["openai", "hosted_vllm", "anthropic", "ollama_chat"])
def test_every_fault_is_the_same_fault_on_both_roads(server, provider, fault):
    server.wire = wire_of(provider)
    request = request_with(TEXTS[0])
    with server.answering(*FAULTS[fault]):
        stock, lean = (travel(server, provider, r, request) for r in (Road.STOCK, Road.LEAN))
    assert len(stock.sent) == len(lean.sent) == 1
    assert lean.sent == stock.sent
    assert told(lean.answer) == told(stock.answer)
    assert lean.forms == stock.forms
    assert KEY not in repr(lean.answer)


@pytest.mark.parametrize(
    ("behaviour", "reason"), [("silent", Reason.TIMEOUT), ("reset", Reason.UNREACHABLE)]
)
@pytest.mark.parametrize("provider", ["openai", "hosted_vllm", "anthropic", "ollama_chat"])
def test_a_line_that_fails_is_the_same_fault_on_both_roads(server, provider, behaviour, reason):
    server.wire = wire_of(provider)
    request = request_with(TEXTS[0])
    with server.behaving(behaviour):
        trips = [
            travel(server, provider, r, request, deadline_s=0.5) for r in (Road.STOCK, Road.LEAN)
        ]
    for trip in trips:
        assert isinstance(trip.answer, CallFailure)
        assert (trip.answer.reason, trip.answer.retryable) == (reason, True)
        assert len(trip.sent) == 1
    assert told(trips[0].answer) == told(trips[1].answer)


def with_its_own_log(monkeypatch, *arguments, **more):
    """Travel the stock road with all the logging litellm does when left to itself."""
    with monkeypatch.context() as patched:
        patched.setattr(litellm_arguments, "quiet_log", lambda *_: {})
        return travel(*arguments, **more)


@pytest.mark.parametrize("provider", [*sorted(PROVEN), "gemini"])
def test_the_stock_road_sends_and_reads_what_litellm_does_with_its_own_log(
    server, monkeypatch, provider
):
    server.wire = "gemini" if provider == "gemini" else wire_of(provider)
    arguments = (server, provider, Road.STOCK, request_with(TEXTS[1]))
    quiet, logging = travel(*arguments), with_its_own_log(monkeypatch, *arguments)
    assert quiet.sent == logging.sent
    assert told(quiet.answer) == told(logging.answer)
    assert isinstance(quiet.answer, Completion)


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_a_fault_is_the_same_fault_whoever_logs_it(server, monkeypatch, provider, fault):
    server.wire = wire_of(provider)
    arguments = (server, provider, Road.STOCK, request_with(TEXTS[0]))
    with server.answering(*FAULTS[fault]):
        quiet, logging = travel(*arguments), with_its_own_log(monkeypatch, *arguments)
    assert len(quiet.sent) == 1
    assert told(quiet.answer) == told(logging.answer)
    assert quiet.forms == logging.forms
    assert KEY not in repr(quiet.answer)


def test_litellm_neither_logs_nor_prices_a_call(server, monkeypatch):
    from litellm.litellm_core_utils import litellm_logging

    done: list[str] = []
    for name in ("response_cost_calculator", "async_success_handler", "pre_call"):
        real = getattr(litellm_logging.Logging, name)

        def watched(*arguments, _name=name, _real=real, **more):
            done.append(_name)
            return _real(*arguments, **more)

        monkeypatch.setattr(litellm_logging.Logging, name, watched)
    server.wire = "openai"
    arguments = (server, "openai", Road.STOCK, request_with(TEXTS[0]))
    travel(*arguments)
    assert done == []
    with_its_own_log(monkeypatch, *arguments)
    assert {"response_cost_calculator", "pre_call"} <= set(done)


def test_a_litellm_whose_log_has_changed_logs_for_itself(server, monkeypatch):
    monkeypatch.setattr(litellm_quiet, "_quiet_class", lambda: None)
    server.wire = "openai"
    trip = travel(server, "openai", Road.STOCK, request_with(TEXTS[0]))
    assert isinstance(trip.answer, Completion)


def test_nothing_goes_out_while_litellm_is_asked_how_it_would_ask(server):
    server.wire = "openai"
    for _ in range(3):
        trip = travel(server, "openai", Road.AUTO, request_with(TEXTS[0]))
        assert len(trip.sent) == 1


@pytest.mark.parametrize("provider", ["gemini", "azure", "bedrock"])
def test_a_provider_without_proof_takes_the_stock_road(server, provider):
    assert provider not in PROVEN
    model = ModelConfig(id="m", model=f"{provider}/x", roles=("judge",), road=Road.LEAN)

    async def main() -> CallFailure | None:
        client = LitellmClient(model, KEY)
        try:
            return await client.ready(request_with(TEXTS[0]))
        finally:
            await client.close()

    unusable = asyncio.run(main())
    assert unusable is not None
    assert "road: auto" in unusable.detail


def test_gemini_is_asked_and_read_by_the_stock_road(server):
    server.wire = "gemini"
    trip = travel(server, "gemini", Road.AUTO, request_with(TEXTS[0]), deadline_s=30)
    [sent] = trip.sent
    body = json.loads(sent.body)
    assert sent.path.endswith(":generateContent")
    assert body["generationConfig"]["temperature"] == 0.0
    assert body["generationConfig"]["max_output_tokens"] == 300
    assert isinstance(trip.answer, Completion)
    assert trip.answer.text == '{"verdict": "yes"}'
    assert (trip.answer.usage.prompt, trip.answer.usage.completion) == (100, 20)
    with server.answering(
        429, {"error": {"message": "Quota exceeded", "status": "RESOURCE_EXHAUSTED"}}, {}
    ):
        fault = travel(server, "gemini", Road.AUTO, request_with(TEXTS[0]))
    assert isinstance(fault.answer, CallFailure)
    assert fault.answer.http_status == 429
    assert len(fault.sent) == 1
