"""What runs in a process that is about to die."""

import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from citeval_assets.evaluation import evaluate, partition, service
from citeval_assets.judging.backoff import Backoff
from citeval_assets.judging.policy import JudgingPolicy
from citeval_assets.judging.session import run_session
from citeval_assets.ledger.store import Ledger
from citeval_assets.warehouse.writers import PartitionWriter
from tests.crashes.plain_client import PlainClient
from tests.judging.toy import TEMPLATE, TOY, model, tasks

POINTS = (
    "intent committed",
    "request sent",
    "reply received",
    "reply committed",
    "evaluation recorded",
    "warehouse written",
    "published",
)
"""Between any two of them a process may die."""


@dataclass(frozen=True)
class Crash:
    """Where a process dies: at the ``at``-th passing of a point, by this signal.

    At ``request sent`` nobody dies here: the server sees the request, and whoever runs it kills.
    """

    point: str
    at: int = 1
    signal: int = signal.SIGKILL


class _Countdown:
    def __init__(self, crash: Crash | None, point: str):
        self._left = crash.at if crash is not None and crash.point == point else 0
        self._signal = crash.signal if crash is not None else 0

    def __call__(self, passings: int = 1) -> None:
        if 0 < self._left <= passings:
            self._left = 0
            os.kill(os.getpid(), self._signal)
        elif self._left:
            self._left -= passings


def _after(owner: Any, name: str, passed: Callable[..., None]) -> None:
    """Let ``passed`` be called, with the arguments, whenever a function of ``owner`` returned."""
    real = getattr(owner, name)

    def wrapped(*given: Any, **named: Any) -> Any:
        result = real(*given, **named)
        passed(*given, **named)
        return result

    setattr(owner, name, wrapped)


def _plant(crash: Crash | None) -> None:
    asked = _Countdown(crash, "intent committed")
    answered = _Countdown(crash, "reply committed")

    def calls(_: Ledger, intents: Any, replies: Any, *more: Any) -> None:
        if intents:
            asked(len(intents))
        if replies:
            answered(len(replies))

    _after(Ledger, "add_calls", calls)
    for owner, name, point in (
        (Ledger, "record_evaluation", "evaluation recorded"),
        (PartitionWriter, "finish", "warehouse written"),
        (service, "publish", "published"),
    ):
        countdown = _Countdown(crash, point)
        _after(owner, name, lambda *_, passed=countdown, **__: passed())


def _silently() -> None:
    """Leave the output of whoever started us alone, also when we die."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.dup2(null, sys.stderr.fileno())


def run_evaluation(folder: Path, home: Path, url: str, crash: Crash | None) -> None:
    """Evaluate a project whose model is asked over loopback."""
    _silently()
    _plant(crash)
    received = _Countdown(crash, "reply received")
    partition.client_for = lambda *_: PlainClient(url, received)  # type: ignore[assignment]
    evaluate(
        folder,
        playbooks=["citation_faithfulness"],
        models=["paid"],
        prompts=["v1"],
        environ={"DAGSTER_HOME": str(home)},
    )


@dataclass(frozen=True)
class SessionPlan:
    """A session over the toy playbook."""

    ledger_url: str
    server_url: str
    cases: int = 60
    concurrency: int = 8
    run_id: str = "run-1"


def run_toy_session(plan: SessionPlan, crash: Crash | None = None) -> None:
    """Judge the cases of the toy playbook over loopback."""
    _silently()
    _plant(crash)
    policy = JudgingPolicy(max_concurrency=plan.concurrency, backoff=Backoff(0.01, 0.05), tries=3)
    with Ledger.open(plan.ledger_url) as ledger:
        run_session(
            playbook=TOY,
            template=TEMPLATE,
            model=model(),
            client=PlainClient(plan.server_url, _Countdown(crash, "reply received")),
            ledger=ledger,
            policy=replace(policy, output_tokens=100),
            run_id=plan.run_id,
            tasks=tasks(plan.cases),
        )


__all__ = ["POINTS", "Crash", "SessionPlan", "run_evaluation", "run_toy_session"]
