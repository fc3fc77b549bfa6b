"""McNemar, Holm, repeated judgements, shares inside cases."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from citeval_assets.statistics.holm import holm
from citeval_assets.statistics.mcnemar import exact_mcnemar
from citeval_assets.statistics.ratios import CasePart, paired_ratio_difference
from citeval_assets.statistics.repeats import judge_noise

counts = st.integers(min_value=0, max_value=120)


@settings(max_examples=60, deadline=None)
@given(counts, counts)
def test_mcnemar_is_the_two_sided_binomial_test(worse, better):
    changed = worse + better
    expected = stats.binomtest(worse, changed, 0.5).pvalue if changed else 1.0
    assert exact_mcnemar(worse, better) == pytest.approx(expected)


def test_mcnemar_takes_ten_thousand_changed_cases():
    assert exact_mcnemar(5200, 4800) == pytest.approx(6.6e-5, rel=0.05)


def test_mcnemar_refuses_negative_counts():
    with pytest.raises(ValueError):
        exact_mcnemar(-1, 3)


def test_holm_multiplies_the_smallest_most_and_never_orders_anew():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])


def test_holm_leaves_out_what_was_not_tested():
    assert holm([None, 0.02, None, 0.9]) == [None, 0.04, None, 0.9]


@settings(max_examples=50)
@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_lies_between_the_value_itself_and_bonferroni(values):
    for value, adjusted in zip(values, holm(values), strict=True):
        assert value <= adjusted <= min(1.0, value * len(values)) + 1e-12


def test_holm_refuses_what_is_no_p_value():
    with pytest.raises(ValueError):
        holm([0.5, 1.2])


def test_judge_noise_is_the_spread_around_each_cases_own_mean():
    noise = judge_noise([(0.5, 0.7), (1.0,), (0.2, 0.2, 0.5)])
    assert noise is not None
    assert (noise.cases, noise.measurements) == (2, 5)
    assert noise.variance == pytest.approx((0.02 + 0.06) / 3)
    assert noise.largest_spread == pytest.approx(0.3)


def test_without_a_repetition_nothing_is_known_of_the_noise():
    assert judge_noise([(1.0,), ()]) is None


def test_a_share_inside_cases_is_weighted_by_their_size():
    parts = [CasePart(0, 10, 5, 10), CasePart(1, 2, 1, 2)] * 20
    found = paired_ratio_difference(parts)
    assert found.difference == pytest.approx(6 / 12 - 1 / 12)
    assert found.low < found.difference < found.high


def test_shares_of_single_things_agree_with_the_comparison_of_cases():
    parts = [CasePart(0, 1, 1, 1)] * 6 + [CasePart(1, 1, 0, 1)] * 3 + [CasePart(0, 1, 0, 1)] * 400
    found = paired_ratio_difference(parts)
    assert found.difference == pytest.approx(3 / 409)
    assert found.low == pytest.approx(3 / 409 - 1.966 * (9 / 409**2) ** 0.5, abs=2e-4)


def test_shares_without_a_hit_keep_bounds():
    found = paired_ratio_difference([CasePart(0, 3, 0, 2)] * 50)
    assert found.difference == 0.0
    assert found.high > 0.03


def test_a_side_with_nothing_to_share_is_refused():
    with pytest.raises(ValueError):
        paired_ratio_difference([CasePart(0, 0, 1, 2)])
