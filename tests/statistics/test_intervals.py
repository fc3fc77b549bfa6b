"""Intervals against published values."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeval_assets.statistics.intervals import (
    Interval,
    incomplete_beta,
    mean_interval,
    t_distribution,
    t_quantile,
    wilson_interval,
)


@pytest.mark.parametrize(
    ("probability", "degrees", "quantile"),
    [
        (0.975, 1, 12.7062),
        (0.975, 2, 4.3027),
        (0.975, 10, 2.2281),
        (0.975, 30, 2.0423),
        (0.995, 5, 4.0321),
        (0.95, 120, 1.6577),
        (0.975, 1e6, 1.95997),
        (0.025, 10, -2.2281),
        (0.5, 3, 0.0),
    ],
)
def test_t_quantiles_are_those_of_the_tables(
    probability: float, degrees: float, quantile: float
) -> None:
    assert t_quantile(probability, degrees) == pytest.approx(quantile, abs=5e-5)


def test_the_mean_has_a_t_interval() -> None:
    found = mean_interval([0.6, 0.7, 0.8])
    half = 4.302653 * 0.1 / math.sqrt(3)
    assert found.mean == pytest.approx(0.7)
    assert found.low == pytest.approx(0.7 - half, abs=1e-6)
    assert found.high == pytest.approx(0.7 + half, abs=1e-6)


def test_the_interval_is_clipped_to_the_range_of_scores() -> None:
    assert mean_interval([0.5, 1, 1, 0]) == Interval(0.625, 0.0, 1.0)


def test_equal_scores_have_no_width() -> None:
    found = mean_interval([1.0] * 20)
    assert (found.low, found.mean, found.high) == (1.0, 1.0, 1.0)


def test_too_few_scores_have_no_bounds() -> None:
    assert mean_interval([]) == Interval(None, None, None)
    assert mean_interval([0.4]) == Interval(0.4, None, None)


def test_a_wilson_interval() -> None:
    found = wilson_interval(8, 10)
    assert found.mean == 0.8
    assert found.low == pytest.approx(0.4902, abs=1e-4)
    assert found.high == pytest.approx(0.9433, abs=1e-4)
    assert wilson_interval(0, 20).low == 0
    assert wilson_interval(20, 20).high == 1
    assert wilson_interval(0, 0) == Interval(None, None, None)


@pytest.mark.parametrize(
    "call",
    [
        lambda: mean_interval([math.nan]),
        lambda: mean_interval([math.inf, 1]),
        lambda: mean_interval([1], confidence=1),
        lambda: wilson_interval(3, 2),
        lambda: wilson_interval(-1, 2),
        lambda: t_quantile(1, 3),
        lambda: t_quantile(0.5, 0),
    ],
)
def test_senseless_input_is_refused(call: object) -> None:
    with pytest.raises(ValueError, match=r"\d|finite"):
        call()  # type: ignore[operator]


@given(st.lists(st.floats(0, 1), min_size=2, max_size=50))
@settings(max_examples=100, deadline=None)
def test_the_mean_lies_in_its_interval(scores: list[float]) -> None:
    found = mean_interval(scores)
    assert found.mean is not None
    assert found.low is not None
    assert found.high is not None
    assert 0 <= found.low <= found.mean + 1e-12
    assert found.mean - 1e-12 <= found.high <= 1


@given(st.floats(0.001, 0.999), st.floats(0.5, 500))
@settings(max_examples=100, deadline=None)
def test_quantile_and_distribution_undo_each_other(probability: float, degrees: float) -> None:
    quantile = t_quantile(probability, degrees)
    assert t_distribution(quantile, degrees) == pytest.approx(probability, abs=1e-9)


def test_the_beta_function_has_its_symmetry() -> None:
    assert incomplete_beta(0.3, 2, 5) == pytest.approx(1 - incomplete_beta(0.7, 5, 2))
    assert (incomplete_beta(-1, 2, 2), incomplete_beta(2, 2, 2)) == (0, 1)
