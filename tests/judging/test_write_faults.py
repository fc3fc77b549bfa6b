"""The ledger failing at its first, second, third ... write while cases are judged."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from citeval_assets.judging.session import run_session
from citeval_assets.ledger.audit import verify
from citeval_assets.ledger.errors import LedgerError
from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.vocabulary import Reason, Status

from .toy import (
    MALFORMED,
    TEMPLATE,
    TOY,
    ScriptedClient,
    completion,
    fault,
    model,
    policy,
    tasks,
)

FAULTS = ("database or disk is full", "disk I/O error", "database is locked")
WRITES = ("INSERT", "UPDATE", "DELETE", "BEGIN IMMEDIATE")


@contextmanager
def failing_write(ledger: Ledger, number: int, said: str, *, for_good: bool) -> Iterator[list[int]]:
    """Let the ``number``-th write or commit fail, and all after it where ``for_good``."""
    seen: list[int] = []

    def count(*given: object) -> None:
        statement = given[2] if len(given) > 2 else "COMMIT"
        if statement != "COMMIT" and not str(statement).lstrip().upper().startswith(WRITES):
            return
        seen.append(1)
        if len(seen) == number or (for_good and len(seen) > number):
            raise OperationalError("", None, sqlite3.OperationalError(said))

    event.listen(ledger.engine, "before_cursor_execute", count)
    event.listen(ledger.engine, "commit", count)
    try:
        yield seen
    finally:
        event.remove(ledger.engine, "before_cursor_execute", count)
        event.remove(ledger.engine, "commit", count)


def client() -> ScriptedClient:
    """A provider that also needs a re-ask and a second try."""
    return ScriptedClient(
        {
            "About case-001": [completion(MALFORMED), completion()],
            "About case-002": [fault(), completion()],
        }
    )


def judged(ledger: Ledger, provider: ScriptedClient, cases: int):
    return run_session(
        playbook=TOY,
        template=TEMPLATE,
        model=model(),
        client=provider,
        ledger=ledger,
        policy=policy(max_concurrency=2),
        run_id="run-1",
        tasks=tasks(cases),
    )


def settled_by_what_is_on_record(ledger: Ledger, outcomes) -> bool:
    """Whether every case that counts as judged has its replies in the ledger."""
    for outcome in outcomes:
        stored = ledger.calls(outcome.call_ids)
        if outcome.report.status.scored and len(stored) != len(outcome.call_ids):
            return False
    return True


def fault_at_every_write(tmp_path, said: str, *, for_good: bool, cases: int, step: int = 1):
    number = 1
    while True:
        with Ledger.open(f"sqlite:///{tmp_path / f'{number}.db'}") as ledger:
            provider, outcomes = client(), []
            with failing_write(ledger, number, said, for_good=for_good) as seen:
                try:
                    outcomes = judged(ledger, provider, cases)
                except LedgerError as error:
                    assert said in str(error)
            reached = len(seen) >= number
            assert verify(ledger).ok
            assert settled_by_what_is_on_record(ledger, outcomes)
            known = len(list(ledger.calls_of_run("run-1"))) + len(ledger.maybe_paid())
            assert known >= len(provider.requests), "every request that went out is on record"
            again = judged(ledger, ScriptedClient(), cases)
            assert {o.report.status for o in again} <= {Status.VALID, Status.VALID_AFTER_RETRY}
            assert verify(ledger).ok
        if not reached:
            return number
        number += step


@pytest.mark.parametrize("said", FAULTS)
def test_a_write_that_fails_loses_nothing_silently(tmp_path, said):
    assert fault_at_every_write(tmp_path, said, for_good=False, cases=3, step=5) > 20


@pytest.mark.slow
@pytest.mark.parametrize("for_good", [False, True], ids=["once", "for good"])
@pytest.mark.parametrize("said", FAULTS)
def test_every_single_write_may_fail(tmp_path, said, for_good):
    assert fault_at_every_write(tmp_path, said, for_good=for_good, cases=4) > 20


async def test_an_answer_whose_reply_could_not_be_kept_is_no_answer(judge, monkeypatch):
    """Nothing is judged by a reply that is not on disk, and what it cost is told."""
    real = judge.ledger.add_calls

    def full(intents, replies, *more):
        if replies:
            raise LedgerError("disk full")
        return real(intents, replies, *more)

    monkeypatch.setattr(judge.ledger, "add_calls", full)
    seen = []
    with pytest.raises(LedgerError, match="disk full"):
        async for outcome in judge.session(ScriptedClient()).run(tasks(3)):
            seen.append(outcome)
    assert all(outcome.report.reason is Reason.INTERRUPTED for outcome in seen)
    assert len(judge.ledger.maybe_paid()) > 0
