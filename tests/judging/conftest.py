from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from citeval_assets.judging import concurrency
from citeval_assets.judging.examiner import CaseOutcome, CaseTask
from citeval_assets.judging.session import Session
from citeval_assets.ledger.store import Ledger
from tests.postgresql import fresh_ledger_url

from .toy import TEMPLATE, TOY, FakeTime, model, policy

SECRET = b"s" * 32


@pytest.fixture
def time() -> FakeTime:
    return FakeTime()


@pytest.fixture
def ledger_url(tmp_path: Path) -> Iterator[str]:
    with fresh_ledger_url(tmp_path) as url:
        yield url


@pytest.fixture
def ledger(ledger_url: str, time: FakeTime) -> Iterator[Ledger]:
    """A ledger that goes by the time of the test, as the sessions do."""
    with Ledger.open(ledger_url, now=time.timing().now) as opened:
        yield opened


@pytest.fixture(autouse=True)
def _nothing_learnt_of_providers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(concurrency, "_LEARNT", {})


class Judge:
    """Runs sessions of the toy playbook over one ledger."""

    def __init__(self, ledger: Ledger, time: FakeTime):
        self.ledger = ledger
        self.time = time

    def session(self, client: Any, **settings: Any) -> Session:
        named = {key: settings.pop(key) for key in ("progress", "total") if key in settings}
        chosen = settings.pop("model", None) or model()
        return Session(
            settings.pop("playbook", TOY),
            TEMPLATE,
            chosen,
            client,
            self.ledger,
            policy(**settings),
            "run-1",
            secret=SECRET,
            timing=self.time.timing(),
            **named,
        )

    async def run(
        self, client: Any, tasks: Iterable[CaseTask], **settings: Any
    ) -> list[CaseOutcome]:
        found = [outcome async for outcome in self.session(client, **settings).run(tasks)]
        return sorted(found, key=lambda outcome: outcome.position)


@pytest.fixture
def judge(ledger: Ledger, time: FakeTime) -> Judge:
    return Judge(ledger, time)


@pytest.fixture
def rows(ledger: Ledger) -> Callable[[], list[Any]]:
    return lambda: list(ledger.calls_of_run("run-1"))
