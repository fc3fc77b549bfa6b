"""Handed cases about calling models: retries, deadlines, cost, identity, keys that come back.

They run through the real client library against a stand-in provider on loopback, by way of one
small adapter for each kind of case.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from judging.toy import TEMPLATE, TOY, VALID, model, policy, task
from stand_in_server import ERROR_BODY, SERVER_ERROR, SILENT, Scripted, StandInServer, says

from citeval_assets.config.settings import UnknownModel
from citeval_assets.judging.backoff import Backoff
from citeval_assets.judging.clients import client_for
from citeval_assets.judging.pricing import TokenPrice
from citeval_assets.judging.request import ModelRequest, ReplySchema, Usage
from citeval_assets.judging.session import run_session
from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.vocabulary import Reason, Status
from citeval_assets.templates.model import Message

from .loader import load_cases

CASES = [
    *load_cases("bug_reports", "model_client"),
    *(
        case
        for case in load_cases("bug_reports", "ledger_cache")
        if case["kind"] in ("cache_identity", "bad_entry_reused", "reuse_metadata")
    ),
    *(
        case
        for case in load_cases("adversarial", "secret_leak")
        if case["kind"] in ("provider_echo", "header_dump")
    ),
]


class Scene:
    """A ledger and a stand-in provider, and one case judged between them."""

    def __init__(self, ledger: Ledger, tmp_path: Any):
        self.ledger = ledger
        self.folder = tmp_path
        self.outcomes: list[Any] = []

    def judge(
        self, script: Sequence[Scripted], *, key: str = "unused-key-000", runs: int = 1, **settings
    ) -> StandInServer:
        quick = {"backoff": Backoff(0.01, 0.01), "call_deadline_s": 20.0}
        with StandInServer({"About a": script}) as server:
            judge = model(api_base=server.url, api_key_env="KEY")
            for _ in range(runs):
                self.outcomes = run_session(
                    playbook=TOY,
                    template=TEMPLATE,
                    model=judge,
                    client=client_for(judge, {"KEY": key}),
                    ledger=self.ledger,
                    policy=policy(**{**quick, **settings}),
                    run_id="run-1",
                    tasks=[task("a")],
                )
        return server

    @property
    def report(self) -> Any:
        return self.outcomes[0].report

    @property
    def rows(self) -> list[Any]:
        return list(self.ledger.calls_of_run("run-1"))

    def hits(self, canary: str, *told: str) -> int:
        """Count places where the canary shows: ledger files, report, outcomes, what was told."""
        files = [file.read_bytes() for file in self.folder.iterdir() if file.is_file()]
        shown = [*told, repr(self.outcomes), self.report.model_dump_json()]
        return sum(canary.encode() in data for data in files) + sum(canary in s for s in shown)


def retry_control(case, scene, told):
    status = 500 if "500" in case["input"]["server"] else 400
    script = [replace(SERVER_ERROR, status=status)]
    server = scene.judge(script, tries=case["input"]["configured_attempts"])
    assert server.count == case["expect"]["requests"]
    assert len(scene.rows) == case["expect"].get("ledger_attempts", server.count)
    assert all(row.reply.failure_reason for row in scene.rows)


def cost_accounting(case, scene, told):
    given = case["input"]
    usage = given["usage"]
    if "price" in given:
        names = {"in": "input_cost_per_token", "cached": "cache_read_input_token_cost"}
        names["out"] = "output_cost_per_token"
        entry = {names[key]: float(value) for key, value in given["price"].items()}
        price = TokenPrice.listed(entry, usage["prompt_tokens"], "list")
        assert price is not None
        counted = Usage(usage["prompt_tokens"], usage["cached_tokens"], usage["completion_tokens"])
        assert price.cost(counted).usd == Decimal(case["expect"]["cost"])
    else:
        scene.judge([says(VALID, usage={**usage, "total_tokens": 15})])
        assert scene.rows[0].reply.cost_usd is None
        assert scene.rows[0].reply.cost_note == "no price"
        assert scene.outcomes[0].unpriced_calls == 1


def schema_enforcement(case, scene, told):
    server = scene.judge([says(case["input"]["reply"])])
    assert server.count == 2
    assert not scene.report.status.scored
    assert "verdict" in server.prompts()[1]
    assert "response format" in scene.rows[0].reply.notes_json


def deadline(case, scene, told):
    limit, tries = case["input"]["timeout_s"], case["input"]["configured_attempts"]
    scene.judge([says(VALID)])
    started = time.perf_counter()
    server = scene.judge([SILENT], call_deadline_s=limit / 4, tries=tries)
    spent = time.perf_counter() - started
    assert server.count == case["expect"]["requests"]
    # Ten seconds for a slow machine: the provider would be silent for thirty at each try.
    assert spent < limit / 4 + case["expect"]["max_wall_s"] - limit + 10
    assert scene.report.reason is Reason.TIMEOUT
    assert scene.rows[-1].reply.cost_note == "unknown whether billed"


def secret_leak(case, scene, told):
    if "config" in case["input"]:
        return unknown_model(case, scene, told)
    canary = case["input"]["canary"]
    error = {"error": {"message": f"no such address /v1/chat/completions?key={canary}"}}
    scene.judge([Scripted(404, error)], key=canary)
    assert scene.report.status is Status.ERROR
    assert scene.hits(canary, *told()) == 0
    return None


def unknown_model(case, scene, told):
    names = tuple(entry["model"] for entry in case["input"]["config"])
    error = UnknownModel("c", names)
    assert "'c'" in str(error)
    assert all(name in str(error) for name in names)
    configured = [model(id=name, api_key_env="KEY") for name in names]
    for entry in case["input"]["config"]:
        clients = [client_for(one, {"KEY": entry["api_key"]}) for one in configured]
        assert entry["api_key"] not in f"{error}{configured!r}{clients!r}"


def provider_echo(case, scene, told):
    canary = case["input"]["canary"]
    body = {"error": {"message": f"Incorrect API key provided: {canary}"}}
    scene.judge([Scripted(401, body)], key=canary)
    assert (scene.report.status, scene.report.reason) == (Status.ERROR, Reason.BAD_KEY)
    assert scene.hits(canary, *told()) == 0


def header_dump(case, scene, told):
    scene.judge([says(VALID)], key=case["input"]["canary"])
    assert scene.report.status is Status.VALID
    assert scene.hits(case["input"]["canary"], *told()) == 0


def cache_identity(case, scene, told):
    keys = set()
    for call in case["input"]["calls"]:
        name = call.get("model", "prov/a")
        endpoint = call.get("api_base", "provider default")
        given = {k: v for k, v in call.items() if k not in ("model", "prompt", "api_base")}
        request = ModelRequest(
            model=name,
            endpoint=endpoint,
            messages=(Message("user", call.get("prompt", "p")),),
            view=task("a").prepared.view,
            schema=ReplySchema("toy", {}),
            parameters=given,
        )
        keys.add(request.call_key)
    assert len(keys) == case["expect"]["distinct_keys"]


def bad_entry_reused(case, scene, told):
    server = scene.judge([ERROR_BODY, says(VALID)], runs=2, tries=1)
    assert server.count == 2
    assert [row.reply.outcome for row in scene.rows] == ["failure", "reply"]
    assert scene.report.status is Status.VALID


def reuse_metadata(case, scene, told):
    script = [says(VALID, delay_s=0.2)]
    server = scene.judge(script, runs=2)
    [outcome], [row] = scene.outcomes, scene.rows
    assert server.count == 1
    assert (outcome.reused_calls, outcome.cost_usd) == (1, Decimal(0))
    assert outcome.call_ids == (row.intent.call_id,)
    assert row.reply.latency_ms >= 200


ADAPTERS: dict[str, Callable[..., None]] = {
    "retry_control": retry_control,
    "cost_accounting": cost_accounting,
    "schema_enforcement": schema_enforcement,
    "timeout": deadline,
    "secret_leak": secret_leak,
    "provider_echo": provider_echo,
    "header_dump": header_dump,
    "cache_identity": cache_identity,
    "bad_entry_reused": bad_entry_reused,
    "reuse_metadata": reuse_metadata,
}


@pytest.mark.skipif(not CASES, reason="the handed cases are not beside the project")
@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_client_case(case, tmp_path, caplog, capfd, monkeypatch):
    caplog.set_level("DEBUG")
    monkeypatch.setenv("LITELLM_LOG", "DEBUG")

    def told() -> list[str]:
        return [caplog.text, *capfd.readouterr()]

    with Ledger.open(f"sqlite:///{tmp_path / 'ledger.db'}") as ledger:
        ADAPTERS[case["kind"]](case, Scene(ledger, tmp_path), told)
