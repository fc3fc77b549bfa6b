"""Settled cases are kept compactly, and come back as they were."""

from dataclasses import replace
from decimal import Decimal

from citeval_assets.evaluation import kept as kept_module
from citeval_assets.evaluation.kept import EvaluationItems, SettledCase, SettledCases
from citeval_assets.judging.identity import Answerer
from citeval_assets.playbooks.vocabulary import Reason, Routing, Status


def settled(position: int, **changes: object) -> SettledCase:
    case = SettledCase(
        case_hash=f"{position:064x}",
        test_case_id=f"case-{position}",
        system="prod",
        status=Status.VALID,
        reason=None,
        score=1 / 3,
        routing=Routing.DELIVER,
        escalations=("low_score",),
        validation_problems=(),
        call_ids=(f"{position:032x}",),
        answered_by=(Answerer("judge-1", "fp", False, True),),
        calls=1,
        cost_usd=Decimal("0.000001875"),
        position=position,
    )
    return replace(case, **changes)  # type: ignore[arg-type]


CASES = (
    settled(0),
    settled(1, case_hash="no hash", call_ids=("first", "AB", ""), cost_usd=None, score=None),
    settled(2, status=Status.ERROR, reason=Reason.TIMEOUT, message="no reply\ud800", score=None),
    settled(3, validation_problems=("one", "two"), unpriced_calls=2, reused_calls=3),
)


def test_cases_come_back_as_they_were():
    kept = SettledCases(CASES)
    assert tuple(kept) == CASES
    assert kept[-1] == CASES[3]
    assert kept[1:3] == list(CASES[1:3])
    assert kept[2].status is Status.ERROR


def test_sorting_puts_them_in_the_order_of_the_dataset_and_further_ones_behind():
    kept = SettledCases(reversed(CASES))
    kept.sort()
    kept.add(settled(0, test_case_id="canary"))
    assert [case.test_case_id for case in kept] == [
        "case-0",
        "case-1",
        "case-2",
        "case-3",
        "canary",
    ]
    assert kept.positions() == {0, 1, 2, 3}


def test_items_are_made_as_they_are_asked_for():
    items = EvaluationItems("e1", SettledCases(CASES))
    assert [item.case_hash for item in items] == [case.case_hash for case in CASES]
    assert items[2:4] == [case.item("e1") for case in CASES[2:4]]


def test_what_cases_have_in_common_is_kept_once():
    kept = SettledCases(settled(number) for number in range(1000))
    assert len(kept._packed) < 130 * len(kept)
    assert len(kept._shared) == 1


def test_the_reasons_among_them_are_known_without_a_look_at_each():
    kept = SettledCases(CASES)
    assert kept.reasons() == {Reason.TIMEOUT}
    kept.add(settled(4, status=Status.INDETERMINATE, reason=Reason.INTERRUPTED, score=None))
    assert kept.reasons() == {Reason.TIMEOUT, Reason.INTERRUPTED}


def test_what_is_packed_in_several_pieces_comes_back_as_it_was(monkeypatch):
    monkeypatch.setattr(kept_module, "_PIECE_BYTES", 300)
    cases = [settled(position) for position in range(20)]
    assert list(SettledCases(cases)) == cases
