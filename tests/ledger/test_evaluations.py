from dataclasses import replace

import pytest

from citeval_assets.ledger.audit import anchor
from citeval_assets.ledger.errors import LedgerConflict, LedgerError
from citeval_assets.ledger.records import (
    GateDecision,
    HumanLabel,
    JudgeMeasurement,
    ReviewDecision,
)
from citeval_assets.ledger.store import Ledger
from ledger.builders import evaluation, item


def test_an_evaluation_and_its_items_come_back_as_issued(ledger: Ledger):
    items = [item("e-1", 1), item("e-1", 2, score=None, status="error", reason="timeout")]
    assert ledger.record_evaluation(evaluation("e-1"), items) == evaluation("e-1")
    assert ledger.evaluation("e-1") == evaluation("e-1")
    assert list(ledger.items("e-1")) == items


def test_an_unknown_evaluation_is_none(ledger: Ledger):
    assert ledger.evaluation("e-1") is None
    assert list(ledger.items("e-1")) == []


def test_recording_again_returns_the_first_with_its_times(ledger: Ledger):
    items = [item("e-1", number) for number in range(3)]
    first = ledger.record_evaluation(evaluation("e-1"), items)
    before = anchor(ledger)
    rerun = evaluation("e-1", run_id="run-2", started_at="later", finished_at="later")
    assert ledger.record_evaluation(rerun, items[::-1]) == first
    assert anchor(ledger) == before


@pytest.mark.parametrize("change", [{"score": 0.9}, {"routing": "deliver"}, {"call_ids": ()}])
def test_other_results_under_the_same_id_are_refused(ledger: Ledger, change: dict[str, object]):
    ledger.record_evaluation(evaluation("e-1"), [item("e-1", 1)])
    with pytest.raises(LedgerConflict, match="items_sha256"):
        ledger.record_evaluation(evaluation("e-1"), [item("e-1", 1, **change)])
    assert list(ledger.items("e-1")) == [item("e-1", 1)]


def test_another_epoch_under_the_same_id_is_refused(ledger: Ledger):
    ledger.record_evaluation(evaluation("e-1"), [])
    with pytest.raises(LedgerConflict, match="epoch"):
        ledger.record_evaluation(evaluation("e-1", epoch="other"), [])


def test_an_item_of_another_evaluation_is_refused(ledger: Ledger):
    with pytest.raises(LedgerError, match="names evaluation e-2"):
        ledger.record_evaluation(evaluation("e-1"), [item("e-2", 1)])


def test_the_latest_evaluation_is_that_of_its_partition_and_scope(ledger: Ledger):
    for name, changes in {
        "old": {},
        "new": {},
        "subset": {"scope": "tag:legal"},
        "other prompt": {"prompt_version": "v2"},
    }.items():
        ledger.record_evaluation(evaluation(name, **changes), [])
    latest = ledger.latest_evaluation("citation_accuracy", "judge-a", "v1")
    assert latest is not None
    assert latest.evaluation_id == "new"
    subset = ledger.latest_evaluation("citation_accuracy", "judge-a", "v1", "tag:legal")
    assert subset is not None
    assert subset.evaluation_id == "subset"
    assert ledger.latest_evaluation("citation_accuracy", "judge-b", "v1") is None


def test_evaluations_are_walked_oldest_first(ledger: Ledger):
    for name in ("c", "a", "b"):
        ledger.record_evaluation(evaluation(name), [])
    assert [found.evaluation_id for found in ledger.evaluations()] == ["c", "a", "b"]


def test_a_large_evaluation_is_walked_whole(ledger: Ledger):
    items = [item("e-1", number) for number in range(1234)]
    ledger.record_evaluation(evaluation("e-1"), items)
    assert list(ledger.items("e-1")) == items


MOMENT = "2026-11-30T12:00:00.000000+00:00"
GATE = GateDecision(
    "d-1", "migration", "citation_faithfulness", "score", "e-1", "e-2", "pass", "{}", MOMENT
)
REVIEW = ReviewDecision(
    "d-1", "citation_accuracy", "case-1", "s", "h", "judge-a", "v1", "override", "Ada",
    "misread", '{"score":1}', None, "e-1", MOMENT,
)  # fmt: skip
LABEL = HumanLabel(
    "l-1",
    "citation_accuracy",
    "case-1",
    "s",
    "h",
    "human",
    '{"score":1}',
    1.0,
    "Ada",
    "d-1",
    MOMENT,
)
MEASUREMENT = JudgeMeasurement(
    "m-1", "qualification", "citation_accuracy", "judge-a", "v1", "epoch-1", "{}", "run-1", MOMENT
)  # fmt: skip


def test_what_was_found_out_about_a_judge_comes_back_as_recorded(ledger: Ledger):
    ledger.record_measurement(MEASUREMENT)
    ledger.record_measurement(replace(MEASUREMENT, run_id="run-2", created_at=""))
    assert list(ledger.measurements()) == [MEASUREMENT]


def test_decisions_and_labels_come_back_as_recorded(ledger: Ledger):
    ledger.record_gate_decision(GATE)
    ledger.record_review_decision(REVIEW)
    ledger.record_human_label(LABEL)
    assert list(ledger.gate_decisions()) == [GATE]
    assert list(ledger.review_decisions()) == [REVIEW]
    assert list(ledger.human_labels()) == [LABEL]


def test_a_decision_recorded_twice_is_one(ledger: Ledger):
    for _ in range(2):
        ledger.record_review_decision(REVIEW)
    assert list(ledger.review_decisions()) == [REVIEW]


def test_a_decision_cannot_be_rewritten(ledger: Ledger):
    ledger.record_gate_decision(GATE)
    with pytest.raises(LedgerConflict, match="verdict"):
        ledger.record_gate_decision(replace(GATE, verdict="fail"))


def test_what_was_selected_last_is_current(ledger: Ledger):
    assert ledger.current("dataset", "citation_accuracy") is None
    for value in ("v-1", "v-2", "v-1"):
        assert ledger.make_current("dataset", "citation_accuracy", value)
    ledger.make_current("evaluation", "citation_accuracy", "e-1")
    assert ledger.current("dataset", "citation_accuracy") == "v-1"


def test_selecting_what_is_current_changes_nothing(ledger: Ledger):
    ledger.make_current("dataset", "citation_accuracy", "v-1")
    before = anchor(ledger)
    assert not ledger.make_current("dataset", "citation_accuracy", "v-1")
    assert anchor(ledger) == before
