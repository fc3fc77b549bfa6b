"""The paired comparison: exact on pass/fail data, honest about ties and shared questions."""

import math
from statistics import NormalDist

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from citeval_assets.statistics.margins import Standing, non_inferiority
from citeval_assets.statistics.paired import paired_difference
from citeval_assets.statistics.score_interval import Changes, score_interval, score_statistic

Z = NormalDist().inv_cdf(0.975)


def likelihood_score(losses: int, wins: int, pairs: int, difference: float) -> float:
    """Tango's statistic with the constrained likelihood maximised numerically, as an oracle."""

    def minus_likelihood(share: float) -> float:
        shares = (share, share + difference, 1 - 2 * share - difference)
        counts = (losses, wins, pairs - losses - wins)
        if any(p < 0 or (p == 0 and count) for p, count in zip(shares, counts, strict=True)):
            return math.inf
        return -sum(count * math.log(p) for p, count in zip(shares, counts, strict=True) if count)

    low, high = max(0.0, -difference), (1 - difference) / 2
    found = optimize.minimize_scalar(
        minus_likelihood, bounds=(low, high), method="bounded", options={"xatol": 1e-12}
    )
    variance = pairs * (2 * found.x + difference * (1 - difference))
    return (wins - losses - pairs * difference) / math.sqrt(variance)


@pytest.mark.parametrize(
    ("losses", "wins", "pairs"), [(9, 3, 44), (1, 0, 44), (12, 12, 100), (0, 7, 50), (30, 2, 60)]
)
def test_the_bounds_of_pass_fail_data_are_those_of_tangos_score_test(losses, wins, pairs):
    for bound in score_interval(Changes(losses, wins, 1.0, pairs), Z):
        assert abs(likelihood_score(losses, wins, pairs, bound)) == pytest.approx(Z, abs=2e-3)


def test_without_a_change_the_bounds_still_allow_for_unseen_ones():
    low, high = score_interval(Changes(0, 0, 1.0, 200), Z)
    assert high == pytest.approx(Z**2 / (200 + Z**2))
    assert low == -high


def test_at_no_difference_the_statistic_is_mcnemars():
    assert score_statistic(Changes(9, 3, 1.0, 44), 0.0) == pytest.approx((3 - 9) / math.sqrt(12))


def test_many_graded_pairs_give_the_interval_of_the_t_test():
    differences = [-0.5, 0.25, 0.0, 0.0, 0.5, 0.25, -0.25, 0.0] * 250
    ours = paired_difference(differences)
    t = stats.ttest_1samp(differences, 0.0).confidence_interval(0.95)
    assert (ours.low, ours.high) == pytest.approx((t.low, t.high), abs=5e-4)
    assert ours.p_value == pytest.approx(stats.ttest_1samp(differences, 0.0).pvalue, abs=0.01)


def test_worse_better_and_same_are_counted_and_the_mean_is_plain():
    found = paired_difference([-1.0, 0.5, 0.0, 0.0])
    assert (found.worse, found.better, found.same, found.pairs) == (1, 1, 2, 4)
    assert found.difference == -0.125


def test_cases_that_share_a_question_widen_the_interval():
    alike = [-1.0, -1.0, -1.0] * 5 + [0.0, 0.0, 0.0] * 45
    questions = [n // 3 for n in range(150)]
    apart, together = paired_difference(alike), paired_difference(alike, questions)
    assert together.clusters == 50
    assert together.design_effect == pytest.approx(3.0, rel=0.05)
    assert together.low < apart.low
    assert together.difference == apart.difference


def test_one_case_a_question_is_the_same_as_no_questions():
    differences = [-0.5, 0.0, 0.25, 0.0, 1.0, 0.0]
    named = paired_difference(differences, list("abcdef"))
    assert named == paired_difference(differences)


def test_the_judges_own_noise_widens_what_would_seem_certain():
    quiet = paired_difference([0.0] * 400)
    noisy = paired_difference([0.0] * 400, noise_variance=0.04)
    assert noisy.high > quiet.high
    same = [0.5, -0.5] * 50
    assert paired_difference(same, noise_variance=0.01) == paired_difference(same)


def test_one_pair_has_a_difference_and_no_bounds():
    found = paired_difference([0.5])
    assert found.difference == 0.5
    assert (found.low, found.high, found.p_value) == (None, None, None)
    assert non_inferiority(found, 0.02) is Standing.STRADDLES


@pytest.mark.parametrize("bad", [[], [math.nan], [0.1, math.inf]])
def test_nothing_and_what_is_not_finite_are_refused(bad):
    with pytest.raises(ValueError):
        paired_difference(bad)


@pytest.mark.parametrize(
    ("differences", "standing"),
    [
        ([0.0] * 400, Standing.ABOVE),
        ([0.0] * 60, Standing.STRADDLES),
        ([-0.5, 0.0] * 100, Standing.BELOW),
        ([-0.25, 0.25, -0.25, 0.0] * 10, Standing.STRADDLES),
    ],
)
def test_the_whole_interval_must_lie_above_the_margin(differences, standing):
    assert non_inferiority(paired_difference(differences), 0.02) is standing


scores = st.sampled_from([-1.0, -0.5, -1 / 3, 0.0, 0.0, 0.0, 0.25, 0.5, 1.0])


@settings(max_examples=60, deadline=None)
@given(st.lists(scores, min_size=2, max_size=80))
def test_bounds_hold_the_mean_and_mirror_with_the_signs(differences):
    found = paired_difference(differences)
    mirrored = paired_difference([-d for d in differences])
    assert found.low <= found.difference + 1e-9
    assert found.high >= found.difference - 1e-9
    assert mirrored.low == pytest.approx(-found.high, abs=1e-9)
    assert mirrored.p_value == pytest.approx(found.p_value)


@settings(max_examples=30, deadline=None)
@given(st.lists(scores, min_size=2, max_size=40), st.floats(0.5, 0.98))
def test_more_confidence_never_narrows_the_interval(differences, confidence):
    narrow = paired_difference(differences, confidence=confidence)
    wide = paired_difference(differences, confidence=0.99)
    assert wide.low <= narrow.low + 1e-9
    assert wide.high >= narrow.high - 1e-9
