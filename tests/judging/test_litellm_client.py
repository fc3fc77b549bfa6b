"""Sessions over the real client library and a stand-in provider on loopback.

All tests that import litellm stand in this one module: the import takes seconds.
"""

import base64
import json
import logging
import os
import socket
import time
from decimal import Decimal

import pytest
from stand_in_server import (
    ERROR_BODY,
    NO_CHOICES,
    OVERLOADED,
    RESET,
    SERVER_ERROR,
    SILENT,
    Scripted,
    StandInServer,
    rate_limited,
    refuses_with,
    says,
)

from citeval_assets.judging.backoff import Backoff
from citeval_assets.judging.clients import client_for
from citeval_assets.judging.session import run_session
from citeval_assets.playbooks.vocabulary import Reason, Status

from .toy import MALFORMED, TEMPLATE, TOY, VALID, model, policy, task, tasks

CANARY = "canary-secret-000222"
ENVIRON = {"JUDGE_KEY": CANARY}
GOOD = says(VALID)


@pytest.fixture(scope="module", autouse=True)
def addresses_contacted():
    """Every address litellm connects to from its import on."""
    seen: list[str] = []
    real = socket.socket.connect

    def watched(self, address):
        seen.append(str(address[0]) if isinstance(address, tuple) else str(address))
        return real(self, address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", watched)
        yield seen


class Run:
    """One session against the stand-in, with what it left behind."""

    def __init__(self, server, ledger, cases, *, model_settings=None, **settings):
        before = server.count
        judge = model(api_base=server.url, api_key_env="JUDGE_KEY", **model_settings or {})
        known = {row.intent.call_id for row in ledger.calls_of_run("run-1")}
        self.outcomes = run_session(
            playbook=TOY,
            template=TEMPLATE,
            model=judge,
            client=client_for(judge, ENVIRON),
            ledger=ledger,
            policy=policy(**{"call_deadline_s": 20.0, **settings}),
            run_id="run-1",
            tasks=cases,
            secret=b"s" * 32,
        )
        self.rows = [r for r in ledger.calls_of_run("run-1") if r.intent.call_id not in known]
        self.requests = server.requests[before:]
        assert len(self.requests) == len(self.rows) == sum(o.calls for o in self.outcomes)
        assert ledger.maybe_paid() == []

    @property
    def report(self):
        [outcome] = self.outcomes
        return outcome.report


def judged(ledger, *script, **settings):
    with StandInServer({"About a": script}) as server:
        return Run(server, ledger, [task("a")], **settings)


EVERY_WAY = {
    "valid": ([GOOD], Status.VALID, None, 1),
    "malformed once": ([says(MALFORMED), GOOD], Status.VALID_AFTER_RETRY, None, 2),
    "malformed always": (
        [says(MALFORMED)],
        Status.VALIDATION_FAILED,
        Reason.VALIDATION_FAILED,
        2,
    ),
    "other fields than asked": (
        [says({"opinion": "fine"})],
        Status.VALIDATION_FAILED,
        Reason.VALIDATION_FAILED,
        2,
    ),
    "refusing": (
        [says("I'm sorry, but I can't help with that.")],
        Status.INDETERMINATE,
        Reason.REFUSAL,
        1,
    ),
    "429 with Retry-After": ([rate_limited("0"), GOOD], Status.VALID, None, 2),
    "429 always": ([rate_limited(None)], Status.ERROR, Reason.RATE_LIMITED, 3),
    "500 once": ([SERVER_ERROR, GOOD], Status.VALID, None, 2),
    "503 always": ([OVERLOADED], Status.ERROR, Reason.UNREACHABLE, 3),
    "silence always": ([SILENT], Status.ERROR, Reason.TIMEOUT, 3),
    "reset once": ([RESET, GOOD], Status.VALID, None, 2),
    "reset always": ([RESET], Status.ERROR, Reason.UNREACHABLE, 3),
    "error body with 200": ([ERROR_BODY, GOOD], Status.VALID, None, 2),
    "error body always": ([ERROR_BODY], Status.ERROR, Reason.RATE_LIMITED, 3),
    "no choices once": ([NO_CHOICES, GOOD], Status.VALID_AFTER_RETRY, None, 2),
    "no choices always": (
        [NO_CHOICES],
        Status.VALIDATION_FAILED,
        Reason.EMPTY_RESPONSE,
        2,
    ),
    "cut at the limit once": (
        [says('{"verd', finish="length"), GOOD],
        Status.VALID_AFTER_RETRY,
        None,
        2,
    ),
    "cut at the limit always": (
        [says(None, finish="length")],
        Status.INDETERMINATE,
        Reason.TRUNCATED,
        2,
    ),
    "content filter": (
        [says("", finish="content_filter")],
        Status.INDETERMINATE,
        Reason.CONTENT_FILTER,
        1,
    ),
    "400": ([refuses_with(400, "bad")], Status.ERROR, Reason.BAD_REQUEST, 1),
    "401": ([refuses_with(401, "no")], Status.ERROR, Reason.BAD_KEY, 1),
    "403": ([refuses_with(403, "no")], Status.ERROR, Reason.BAD_KEY, 1),
    "404": ([refuses_with(404, "gone")], Status.ERROR, Reason.MODEL_GONE, 1),
    "422": ([refuses_with(422, "odd")], Status.ERROR, Reason.BAD_REQUEST, 1),
    "no credit": (
        [refuses_with(429, "quota", code="insufficient_quota")],
        Status.ERROR,
        Reason.NO_CREDIT,
        1,
    ),
    "context too long": (
        [refuses_with(400, "too long", code="context_length_exceeded")],
        Status.INDETERMINATE,
        Reason.CONTEXT_TOO_LONG,
        1,
    ),
}


@pytest.mark.parametrize("way", EVERY_WAY)
def test_every_way_a_provider_behaves_has_its_status_and_each_request_its_row(ledger, way):
    script, status, reason, requests = EVERY_WAY[way]
    patience = {"call_deadline_s": 0.4} if SILENT in script else {}
    run = judged(ledger, *script, tries=3, **patience)
    assert (run.report.status, run.report.reason) == (status, reason)
    assert (run.report.score is not None) == status.scored
    assert len(run.requests) == requests


def test_a_mixed_set_is_judged_whole_and_a_second_run_makes_no_call(ledger):
    cases = tasks(24)
    ways = [
        [says(VALID, delay_s=0.05)],
        [rate_limited("0"), GOOD],
        [says(MALFORMED), GOOD],
        [SERVER_ERROR, RESET, GOOD],
        [ERROR_BODY, says(MALFORMED), OVERLOADED, GOOD],
        [says(MALFORMED)],
    ]
    scripts = {f"About case-{n:03}": ways[n % len(ways)] for n in range(24)}
    with StandInServer(scripts) as server:
        first = Run(server, ledger, cases, max_concurrency=8)
        second = Run(server, ledger, cases, max_concurrency=8)
    assert server.max_in_flight > 1
    assert [o.report for o in second.outcomes] == [o.report for o in first.outcomes]
    assert second.requests == []
    assert sum(o.reused_calls for o in second.outcomes) == 4 * (1 + 1 + 2 + 1 + 2 + 2)


def test_an_error_body_is_recorded_as_a_failure_and_not_reused(ledger):
    with StandInServer({"About a": [ERROR_BODY, GOOD]}) as server:
        first = Run(server, ledger, [task("a")], tries=1)
        second = Run(server, ledger, [task("a")], tries=1)
    assert first.report.status is Status.ERROR
    assert first.rows[0].reply.outcome == "failure"
    assert second.report.status is Status.VALID
    assert len(second.requests) == 1


def test_a_silent_provider_is_left_after_the_deadline(ledger):
    started = time.perf_counter()
    run = judged(ledger, SILENT, tries=1, call_deadline_s=0.4)
    assert time.perf_counter() - started < 20, "the provider would be silent for thirty seconds"
    [row] = run.rows
    assert row.reply.failure_reason == Reason.TIMEOUT
    assert row.reply.cost_note == "unknown whether billed"
    assert row.reply.cost_usd is None


def test_the_retry_after_of_the_provider_is_recorded_and_waited_for(ledger):
    started = time.perf_counter()
    run = judged(ledger, rate_limited("0.6"), GOOD, backoff=Backoff(0.0, 0.0))
    assert time.perf_counter() - started > 0.6
    assert run.rows[0].reply.retry_after_s == pytest.approx(0.6)
    assert run.rows[0].reply.http_status == 429


def test_what_was_sent_and_who_answered_is_on_record(ledger):
    run = judged(ledger, GOOD, model_settings={"params": {"seed": 7, "top_p": 0.5}})
    [request], [row] = run.requests, run.rows
    assert request["body"]["temperature"] == 0.0
    assert request["body"]["seed"] == 7
    assert request["body"]["max_tokens"] == 4096
    assert request["body"]["response_format"]["json_schema"]["strict"] is True
    assert request["headers"]["Authorization"] == f"Bearer {CANARY}"
    reply, parameters = row.reply, json.loads(row.intent.parameters_json)
    assert reply.answered_model == "stand-in-2026-11"
    assert reply.fingerprint == "fp_stand_in"
    assert reply.provider == "openai"
    assert (reply.prompt_tokens, reply.completion_tokens) == (100, 20)
    assert parameters["temperature"] == 0.0
    assert parameters["seed"] == 7
    assert parameters["sent"]["response_format"] == "json_schema"
    assert json.loads(row.intent.messages_json) == request["body"]["messages"]
    assert row.intent.response_schema_sha256


def test_the_cost_follows_the_configured_price_with_cached_tokens_billed_once(ledger):
    usage = {
        "prompt_tokens": 1000,
        "completion_tokens": 10,
        "total_tokens": 1010,
        "prompt_tokens_details": {"cached_tokens": 900},
    }
    price = {"input_per_million": 2, "output_per_million": 10, "cached_input_per_million": "0.5"}
    run = judged(ledger, says(VALID, usage=usage), model_settings={"price": price})
    assert run.rows[0].reply.cost_usd == Decimal("0.00075")
    assert run.rows[0].reply.cached_tokens == 900
    assert run.outcomes[0].cost_usd == Decimal("0.00075")


def test_a_listed_model_is_priced_by_the_bundled_list(ledger):
    run = judged(ledger, GOOD, model_settings={"model": "openai/gpt-4o-mini"})
    assert run.rows[0].reply.cost_usd == 100 * Decimal("1.5e-07") + 20 * Decimal("6e-07")


def test_an_unknown_price_is_unknown_and_never_zero(ledger):
    run = judged(ledger, GOOD)
    assert run.rows[0].reply.cost_usd is None
    assert run.rows[0].reply.cost_note == "no price"
    assert run.outcomes[0].cost_usd is None
    assert run.outcomes[0].unpriced_calls == 1


def test_a_model_that_refuses_the_temperature_is_asked_without_it(ledger):
    refusal = refuses_with(
        400, "'temperature' does not support 0.0", param="temperature", code="unsupported_value"
    )
    with StandInServer({"About case": [refusal, GOOD]}) as server:
        run = Run(server, ledger, tasks(3), max_concurrency=1)
        again = Run(server, ledger, tasks(3), max_concurrency=1)
    sent = ["temperature" in request["body"] for request in run.requests]
    assert sent == [True, False, False, False]
    assert {o.report.status for o in run.outcomes} == {Status.VALID}
    assert "different condition" in run.rows[-1].reply.notes_json
    assert again.requests == []


def test_a_temperature_the_library_itself_refuses_costs_no_request(ledger):
    run = judged(ledger, GOOD, model_settings={"model": "openai/o3-mini"})
    [request] = run.requests
    assert "temperature" not in request["body"]
    assert run.report.status is Status.VALID
    assert "different condition" in run.rows[0].reply.notes_json


def test_a_server_without_schemas_is_asked_in_the_next_weaker_format(ledger):
    refuses_schema = refuses_with(400, "json_schema is not supported", param="response_format")
    refuses_more = refuses_with(400, "Unknown parameter", param="response_format.schema")
    refuses_object = refuses_with(400, "json_object is not supported", param="response_format")
    run = judged(ledger, refuses_schema, refuses_more, refuses_object, GOOD, tries=1)
    formats = [sorted(r["body"].get("response_format", {}).items()) for r in run.requests]
    assert [[name for name, _ in one] for one in formats] == [
        ["json_schema", "type"],
        ["schema", "type"],
        ["type"],
        [],
    ]
    assert dict(formats[1])["type"] == dict(formats[2])["type"] == "json_object"
    assert run.report.status is Status.VALID
    assert "response format: plain" in run.rows[-1].reply.notes_json


def test_a_parameter_the_provider_does_not_know_is_said_before_anything_is_sent(ledger):
    run = judged(
        ledger,
        GOOD,
        model_settings={"model": "anthropic/claude-sonnet-4-5", "params": {"seed": 1}},
    )
    assert (run.report.status, run.report.reason) == (Status.ERROR, Reason.BAD_REQUEST)
    assert "seed" in run.report.message
    assert run.requests == []


def test_a_structured_refusal_is_a_refusal(ledger):
    body = json.loads(json.dumps(GOOD.body))
    body["choices"][0]["message"] = {"role": "assistant", "content": None, "refusal": "I won't."}
    run = judged(ledger, Scripted(body=body))
    assert (run.report.status, run.report.reason) == (Status.INDETERMINATE, Reason.REFUSAL)
    assert len(run.requests) == 1


def test_a_missing_key_is_said_without_a_call_or_a_row(ledger):
    with StandInServer(default=GOOD) as server:
        judge = model(api_base=server.url, api_key_env="NOT_SET")
        [outcome] = run_session(
            playbook=TOY,
            template=TEMPLATE,
            model=judge,
            client=client_for(judge, ENVIRON),
            ledger=ledger,
            policy=policy(),
            run_id="run-1",
            tasks=[task("a")],
        )
    assert outcome.report.reason is Reason.BAD_KEY
    assert "NOT_SET" in outcome.report.message
    assert server.count == outcome.calls == 0


def test_no_key_is_looked_for_in_the_environment(ledger, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "from-the-environment-000")
    with StandInServer(default=GOOD) as server:
        judge = model(api_base=server.url)
        run_session(
            playbook=TOY,
            template=TEMPLATE,
            model=judge,
            client=client_for(judge, {}),
            ledger=ledger,
            policy=policy(),
            run_id="run-1",
            tasks=[task("a")],
        )
    assert "from-the-environment" not in server.requests[0]["headers"]["Authorization"]


LEAKING = {
    "401 that repeats the key": refuses_with(401, f"Incorrect API key provided: {CANARY}"),
    "404 that repeats the address": Scripted(
        404, {"error": {"message": f"no such path /v1/x?key={CANARY}"}}
    ),
    "500 that repeats the header": refuses_with(500, f"upstream: Authorization: Bearer {CANARY}"),
    "body that is no JSON object": Scripted(body=f"proxy error {CANARY}"),
}


@pytest.mark.parametrize("kind", LEAKING)
def test_a_key_the_provider_repeats_is_found_nowhere(ledger, kind, caplog, capfd, tmp_path):
    caplog.set_level(logging.DEBUG)
    run = judged(ledger, LEAKING[kind], tries=1)
    told = [caplog.text, *capfd.readouterr(), repr(run.outcomes), run.report.model_dump_json()]
    stored = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert run.report.status is Status.ERROR
    assert not [text for text in told if CANARY in text]
    assert CANARY.encode() not in stored


def test_the_client_does_not_show_its_key():
    client = client_for(model(api_key_env="JUDGE_KEY"), ENVIRON)
    assert CANARY not in repr(client)


def test_the_library_calls_nobody_but_the_provider(ledger, addresses_contacted):
    judged(ledger, GOOD)
    contacted = {a for a in addresses_contacted if not a.startswith("/")}
    assert contacted <= {"127.0.0.1", "::1"}
    assert os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] == "True"


SPELLINGS = {
    "plain": CANARY,
    "URL": "".join(f"%{byte:02X}" for byte in CANARY.encode()),
    "base64": base64.b64encode(CANARY.encode()).decode(),
    "hex": CANARY.encode().hex(),
    "bearer": f"Authorization: Bearer {CANARY}",
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_reply_that_repeats_the_key_is_kept_without_it(ledger, spelling):
    body = json.loads(json.dumps(GOOD.body))
    body["choices"][0]["message"]["content"] = f'{{"verdict": "yes", "x": "{SPELLINGS[spelling]}"}}'
    body["model"] = f"model of {CANARY}"
    run = judged(ledger, Scripted(body=body))
    [row] = run.rows
    assert SPELLINGS[spelling] not in (row.reply.text or "")
    assert CANARY not in repr(row.reply)
    assert run.report.status is Status.VALID
    assert "removed" in row.reply.notes_json


def test_a_key_may_stand_in_a_file_named_by_the_environment(ledger, tmp_path):
    file = tmp_path / "key"
    file.write_text("key-from-a-file-000\n")
    with StandInServer(default=GOOD) as server:
        judge = model(api_base=server.url, api_key_env="JUDGE_KEY")
        client = client_for(judge, {"JUDGE_KEY_FILE": str(file)})
        run_session(
            playbook=TOY,
            template=TEMPLATE,
            model=judge,
            client=client,
            ledger=ledger,
            policy=policy(),
            run_id="run-1",
            tasks=[task("a")],
        )
    assert server.requests[0]["headers"]["Authorization"] == "Bearer key-from-a-file-000"


def test_a_key_file_that_cannot_be_read_is_said_without_a_call(ledger, tmp_path):
    with StandInServer(default=GOOD) as server:
        judge = model(api_base=server.url, api_key_env="JUDGE_KEY")
        [outcome] = run_session(
            playbook=TOY,
            template=TEMPLATE,
            model=judge,
            client=client_for(judge, {"JUDGE_KEY_FILE": str(tmp_path / "none")}),
            ledger=ledger,
            policy=policy(),
            run_id="run-1",
            tasks=[task("a")],
        )
    assert outcome.report.reason is Reason.BAD_KEY
    assert "JUDGE_KEY_FILE" in outcome.report.message
    assert server.count == 0
