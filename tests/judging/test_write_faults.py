"""The ledger failing at its first, second, third ... write while cases are judged."""

import pytest

from citeval_assets.ledger.errors import LedgerError
from citeval_assets.playbooks.vocabulary import Reason

from .toy import ScriptedClient, tasks
from .write_faults import FAULTS, fault_at_every_write


@pytest.mark.parametrize("said", FAULTS)
def test_a_write_that_fails_loses_nothing_silently(tmp_path, said):
    found = fault_at_every_write(tmp_path, said, for_good=False, cases=3, step=9)
    found.check()
    assert found.writes > 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("said", "for_good"), [*((said, False) for said in FAULTS), (FAULTS[0], True)]
)
def test_every_single_write_may_fail(tmp_path, said, for_good):
    found = fault_at_every_write(tmp_path, said, for_good=for_good, cases=3)
    found.check()
    assert found.writes > 20


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
