"""Decisions become human labels, and stop being labels when they are taken back."""

import json
from dataclasses import replace

from citeval_assets.ledger.records import HumanLabel
from citeval_assets.review.labels import label_of, standing_labels
from tests.review.reviewing import REPORT, decided


def labels(*decisions) -> list[HumanLabel]:
    return [label for one in decisions if (label := label_of(one)) is not None]


def test_confirmations_overrides_and_scored_answers_are_labels():
    made = labels(decided("confirm"), decided(), decided("answer", answer="42", score="0"))
    assert [label.score for label in made] == [0.5, 1.0, 0.0]
    assert {label.label_source for label in made} == {"human"}


def test_dismissals_notes_and_unscored_answers_are_none():
    assert (
        labels(decided("dismiss"), decided("note", note="?"), decided("answer", answer="42")) == []
    )


def test_confirming_what_has_no_score_is_no_label():
    assert labels(decided("confirm", report=replace(REPORT, score=None))) == []


def test_the_output_of_a_target_model_is_not_the_case():
    assert labels(decided(report=replace(REPORT, playbook="cite_or_abstain", units=()))) == []


def test_labels_of_units_stand_as_in_a_golden_row():
    (label,) = labels(decided(units={0: "unsupported", 1: "fully_supported"}, note="see 2"))
    assert json.loads(label.labels_json) == {
        "decision": "override",
        "score": 0.5,
        "citations": [
            {"unit": 0, "claim_support_strength": "unsupported"},
            {"unit": 1, "claim_support_strength": "fully_supported"},
        ],
        "why": "see 2",
    }


def test_a_label_whose_decision_was_taken_back_counts_no_longer():
    first = decided()
    undo = decided("undo", before=[first], undoes=first.decision_id)
    assert standing_labels(labels(first), [first, undo]) == {}


def test_two_people_close_together_count_by_their_mean_and_far_apart_not_at_all():
    close = [decided(score="0.8"), decided(score="1", reviewer="bob")]
    assert standing_labels(labels(*close), close)[REPORT.case_hash].score == 0.9
    apart = [decided(score="0"), decided(score="1", reviewer="bob")]
    assert standing_labels(labels(*apart), apart) == {}


def test_constructed_labels_and_labels_without_a_score_do_not_count():
    (label,) = labels(decided())
    others = [replace(label, label_source="constructed"), replace(label, score=None)]
    assert standing_labels(others, []) == {}
