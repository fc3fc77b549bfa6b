import pytest

from citeval_assets.statistics.drift import drift_test


def test_a_judge_that_says_the_same_has_not_drifted():
    found = drift_test([0.5, 1.0] * 20, [0.5, 1.0] * 20, alpha=0.01)
    assert (found.drifted, found.shift, found.p_direction) == (False, 0.0, 1.0)


def test_small_changes_that_go_one_way_are_drift():
    found = drift_test([0.8] * 40, [0.7] * 12 + [0.8] * 28, alpha=0.01)
    assert found.drifted and (found.up, found.down, found.flips) == (0, 12, 0)


def test_changes_that_go_both_ways_are_noise_until_verdicts_flip():
    back_and_forth = [0.7, 0.9] * 10 + [0.8] * 20
    assert not drift_test([0.8] * 40, back_and_forth, alpha=0.01).drifted
    flipped = [1.0, 0.0] * 5 + [0.0, 1.0] * 15
    assert drift_test([0.0, 1.0] * 20, flipped, alpha=0.01).drifted


def test_p_values_are_exact():
    found = drift_test([0.0] * 3 + [0.5] * 7, [1.0] * 3 + [0.5] * 7, alpha=0.01)
    assert found.p_direction == pytest.approx(0.25)
    assert found.p_flips == pytest.approx(0.01150, abs=1e-5)


def test_no_case_says_nothing():
    assert not drift_test([], [], alpha=0.01).drifted


def test_scores_must_be_paired():
    with pytest.raises(ValueError, match="pair them"):
        drift_test([0.1], [], alpha=0.01)
