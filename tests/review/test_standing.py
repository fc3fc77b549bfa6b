"""What several decisions about one report amount to."""

from citeval_assets.review.agreement import judges_upheld, reviewer_agreement
from citeval_assets.review.standing import ItemState, standing_of, standings
from tests.review.reviewing import decided


def test_without_a_decision_an_item_is_open():
    assert standing_of([]).state is ItemState.OPEN
    assert standing_of([decided("note", note="look here")]).state is ItemState.OPEN


def test_an_override_counts_instead_of_the_judge():
    standing = standing_of([decided(score="0.9")])
    assert (standing.state, standing.override) == (ItemState.DECIDED, 0.9)


def test_confirming_and_dismissing_leave_the_score_of_the_judge():
    for kind in ("confirm", "dismiss"):
        standing = standing_of([decided(kind)])
        assert (standing.state, standing.override) == (ItemState.DECIDED, None)


def test_a_decision_that_was_taken_back_opens_the_item_again():
    first = decided()
    undo = decided("undo", before=[first], undoes=first.decision_id)
    assert standing_of([first, undo]).state is ItemState.OPEN


def test_taking_back_the_newer_decision_lets_the_own_earlier_one_stand_again():
    first, second = decided(score="0.2"), decided(score="0.9")
    undo = decided("undo", before=[first, second], undoes=second.decision_id)
    assert standing_of([first, second, undo]).override == 0.2


def test_a_reviewer_who_decides_again_replaces_only_the_own_position():
    standing = standing_of([decided(score="0.2"), decided("confirm", "bob"), decided(score="0.6")])
    assert [p.reviewer for p in standing.positions] == ["bob", "ada"]
    assert standing.override == 0.6


def test_two_reviewers_far_apart_are_in_dispute_and_nobody_is_outvoted():
    standing = standing_of([decided(score="1"), decided(score="0", reviewer="bob")])
    assert standing.state is ItemState.DISPUTED
    assert standing.override is None
    assert len(standing.positions) == 2


def test_a_kind_of_a_newer_citeval_decides_nothing():
    from dataclasses import replace

    assert standing_of([replace(decided(), decision="delegate")]).state is ItemState.OPEN


def test_agreement_counts_pairs_of_reviewers():
    from dataclasses import replace

    agreeing = [decided(score="1"), decided(score="0.9", reviewer="bob")]
    differing = [
        replace(decision, case_hash="d" * 64)
        for decision in (decided("confirm"), decided(score="1", reviewer="bob"))
    ]
    found = reviewer_agreement(standings([*agreeing, *differing]).values())
    assert (found.items, found.pairs, found.agreed, found.disputed) == (2, 2, 1, 1)
    assert found.share.mean == 0.5


def test_the_judge_is_upheld_by_confirmations_and_dismissals_say_nothing():
    (found,) = judges_upheld(
        list(
            standings(
                [decided("confirm"), decided(reviewer="bob"), decided("dismiss", "eve")]
            ).values()
        )
    )
    assert (found.decided, found.upheld, found.overridden, found.dismissed) == (2, 1, 1, 1)
