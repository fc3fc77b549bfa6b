"""The ledger failing at a chosen write while cases are judged, and what must hold after it."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from citeval_assets.judging.session import run_session
from citeval_assets.ledger.audit import verify
from citeval_assets.ledger.errors import LedgerError
from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.vocabulary import Status
from tests.judging.toy import (
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
GOOD = (Status.VALID, Status.VALID_AFTER_RETRY)
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


@dataclass
class FaultsSeen:
    """What came of a fault at write 1, 2, 3 ... until there was none left to fail.

    Attributes:
        writes: Writes that failed, one run each.
        wrongly_done: Cases judged by a reply that is not on record.
        unrecorded: Requests that went out without an intent on record.
        broken_chains: Ledgers the audit was not content with.
        not_resumed: Runs the next one could not bring to their end.
    """

    writes: int = 0
    wrongly_done: int = 0
    unrecorded: int = 0
    broken_chains: int = 0
    not_resumed: int = 0

    def check(self) -> None:
        """Say what must hold."""
        wrong = (self.wrongly_done, self.unrecorded, self.broken_chains, self.not_resumed)
        assert wrong == (0, 0, 0, 0), self


def fault_at_every_write(
    folder: Path, said: str, *, for_good: bool, cases: int, step: int = 1
) -> FaultsSeen:
    """Judge again and again, each time with a later write failing."""
    found, number = FaultsSeen(), 1
    fresh = folder / "fresh.db"
    Ledger.open(f"sqlite:///{fresh}").close()
    while True:
        place = folder / f"{number}.db"
        shutil.copy(fresh, place)
        with Ledger.open(f"sqlite:///{place}") as ledger:
            provider, outcomes = client(), []
            with failing_write(ledger, number, said, for_good=for_good) as seen:
                try:
                    outcomes = judged(ledger, provider, cases)
                except LedgerError as error:
                    assert said in str(error)
            found.wrongly_done += not settled_by_what_is_on_record(ledger, outcomes)
            known = len(list(ledger.calls_of_run("run-1"))) + len(ledger.maybe_paid())
            found.unrecorded += known < len(provider.requests)
            found.broken_chains += not verify(ledger).ok
            again = judged(ledger, ScriptedClient(), cases)
            found.not_resumed += not all(o.report.status in GOOD for o in again)
            found.broken_chains += not verify(ledger).ok
        if len(seen) < number:
            return found
        found.writes += 1
        number += step
