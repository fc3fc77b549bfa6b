import pytest

from citeval_assets.ledger.audit import verify
from citeval_assets.ledger.errors import LedgerConflict
from citeval_assets.ledger.store import Ledger
from ledger.builders import case, offer, trace

PLAYBOOK = "citation_accuracy"


def take(ledger: Ledger, *numbers: int) -> int:
    return ledger.take_traces([trace(n) for n in numbers], [case(n) for n in numbers])


def waiting(ledger: Ledger, until: str = "2026-11-29") -> list[str]:
    return [found.test_case_id for found in ledger.waiting_traces(PLAYBOOK, until)]


def test_a_trace_is_taken_once(ledger: Ledger):
    assert take(ledger, 1, 2) == 2
    assert take(ledger, 2, 3) == 1
    assert waiting(ledger) == ["case-1", "case-2", "case-3"]
    assert verify(ledger).ok


def test_another_content_under_a_known_name_is_refused_with_all_its_batch(ledger: Ledger):
    take(ledger, 1)
    with pytest.raises(LedgerConflict):
        ledger.take_traces([trace(4), trace(5, test_case_id="case-1")], [case(4), case(5)])
    assert waiting(ledger) == ["case-1"]


def test_traces_are_found_by_name(ledger: Ledger):
    take(ledger, 1, 2)
    assert ledger.traces_named(PLAYBOOK, ["case-2", "case-9"]) == {
        ("case-2", "prod-2026-10"): "hash-2"
    }


def test_later_days_wait(ledger: Ledger):
    ledger.take_traces([trace(1), trace(2, day="2026-11-30")], [case(1), case(2)])
    assert waiting(ledger) == ["case-1"]
    assert waiting(ledger, "2026-11-30") == ["case-1", "case-2"]


def test_what_was_offered_once_waits_no_more_drawn_or_not(ledger: Ledger):
    take(ledger, 1, 2, 3)
    ledger.record_offers([offer(1), offer(2, drawn=0)])
    assert waiting(ledger) == ["case-3"]
    assert [o.drawn for o in ledger.offers(PLAYBOOK, "production@2026-11-30")] == [1, 0]
    assert ledger.sampled_datasets() == [(PLAYBOOK, "production@2026-11-30")]


def test_a_trace_is_offered_to_one_draw_only(ledger: Ledger):
    take(ledger, 1)
    ledger.record_offers([offer(1)])
    with pytest.raises(LedgerConflict):
        ledger.record_offers([offer(1, dataset="production@2026-12-01")])
