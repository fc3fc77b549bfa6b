"""A decision is checked before it is recorded."""

import pytest

from citeval_assets.review.decisions import DecisionRefused, labels_of
from tests.review.reviewing import decided


def test_a_confirmation_takes_the_score_of_the_judge():
    decision = decided("confirm")
    assert decision.decision == "confirm"
    assert labels_of(decision).score == 0.5


def test_labels_of_all_units_make_the_score():
    units = {0: "fully_supported", 1: "unsupported"}
    labels = labels_of(decided(units=units))
    assert labels.score == 0.5
    assert labels.units == units


def test_a_score_that_is_given_comes_before_the_labels():
    assert labels_of(decided(score="0,25", units={0: "unsupported"})).score == 0.25


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"reviewer": " "}, "reviewer"),
        ({"reviewer": "x" * 100}, "reviewer"),
        ({"kind": "approve"}, "decision"),
        ({"score": "2"}, "score"),
        ({"score": "nan"}, "score"),
        ({"score": "", "units": {0: "unsupported"}}, "score"),
        ({"units": {7: "unsupported"}}, "units"),
        ({"units": {0: "wonderful"}}, "units"),
        ({"kind": "note"}, "note"),
        ({"kind": "answer", "answer": "  "}, "answer"),
        ({"kind": "undo", "undoes": "nothing"}, "undoes"),
        ({"kind": "confirm", "blind": True}, "score"),
        ({"note": "x" * 30_000}, "note"),
    ],
)
def test_what_cannot_be_recorded_is_refused_with_the_field_to_mend(given, field):
    with pytest.raises(DecisionRefused) as refused:
        decided(**given)
    assert refused.value.field == field


def test_a_blind_verdict_that_comes_to_the_score_of_the_judge_confirms_it():
    decision = decided(score="0.5", blind=True)
    assert decision.decision == "confirm"
    assert labels_of(decision).blind


def test_a_blind_verdict_that_differs_overrides_it():
    assert decided(score="1", blind=True).decision == "override"


def test_only_the_reviewer_takes_a_decision_back_and_only_once():
    first = decided()
    with pytest.raises(DecisionRefused, match="Only ada"):
        decided("undo", "bob", [first], undoes=first.decision_id)
    undo = decided("undo", "ada", [first], undoes=first.decision_id)
    assert labels_of(undo).undoes == first.decision_id
    with pytest.raises(DecisionRefused, match="already"):
        decided("undo", "ada", [first, undo], undoes=first.decision_id)
    with pytest.raises(DecisionRefused, match="Only a decision"):
        decided("undo", "ada", [first, undo], undoes=undo.decision_id)
