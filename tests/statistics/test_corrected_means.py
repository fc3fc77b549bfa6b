import random
import sys
from pathlib import Path

import pytest

from citeval_assets.statistics.corrected_means import (
    Correction,
    KnownErrors,
    ppi_mean,
    rogan_gladen,
)

REPOSITORY = Path(__file__).resolve().parents[2]


def test_a_judge_that_is_always_too_strict_is_set_right():
    labels = [1.0] * 30 + [0.0] * 10
    judged = [0.5] * 30 + [0.0] * 10
    rest = [0.5] * 300 + [0.0] * 100
    found = ppi_mean(labels, judged, rest)
    assert found.method is Correction.PPI
    assert found.raw == pytest.approx(0.375)
    assert found.mean == pytest.approx(0.75)
    assert found.low < 0.75 < found.high


def test_a_judge_that_says_nothing_is_not_used():
    labels = [1.0, 0.0] * 20
    found = ppi_mean(labels, [0.7] * 40, [0.7] * 400)
    assert found.weight == 0
    assert found.mean == 0.5


def test_a_judge_that_always_agrees_narrows_the_interval():
    draw = random.Random(1)
    labels = [float(draw.random() < 0.7) for _ in range(40)]
    rest = [float(draw.random() < 0.7) for _ in range(4_000)]
    with_judge = ppi_mean(labels, labels, rest)
    alone = ppi_mean(labels, labels, [])
    assert with_judge.high - with_judge.low < (alone.high - alone.low) / 2


def test_labels_that_never_differ_leave_room_for_doubt():
    found = ppi_mean([1.0] * 30, [1.0] * 30, [1.0] * 100)
    assert found.mean == 1.0
    assert found.low < 0.95


def test_with_few_labels_the_raw_mean_stands_and_says_so():
    found = ppi_mean([1.0] * 19, [0.5] * 19, [0.5] * 100)
    assert found.method is Correction.RAW
    assert found.mean == found.raw == 0.5
    assert found.note == "not corrected: 19 labelled cases, 20 are needed"


def test_without_any_score_there_is_no_mean():
    assert ppi_mean([], [], []).mean is None


@pytest.mark.parametrize("odd", [float("nan"), float("inf")])
def test_odd_numbers_are_refused(odd: float):
    with pytest.raises(ValueError, match="not a finite number"):
        ppi_mean([1.0], [odd], [])


def test_lists_of_unequal_length_are_refused():
    with pytest.raises(ValueError, match="2 labels, but 1 judged"):
        ppi_mean([1.0, 0.0], [1.0], [])


def test_the_known_error_rates_are_taken_out_of_a_share():
    # Of 1000 cases 700 are good: 80 % of them pass, and 10 % of the bad ones.
    found = rogan_gladen(700 * 8 // 10 + 30, 1000, KnownErrors(80, 100, 90, 100))
    assert found.method is Correction.ROGAN_GLADEN
    assert found.raw == 0.59
    assert found.mean == pytest.approx(0.7)
    assert found.low < 0.7 < found.high


def test_few_errors_known_or_a_judge_like_a_coin_leave_the_share_raw():
    few = rogan_gladen(50, 100, KnownErrors(5, 5, 90, 100))
    coin = rogan_gladen(50, 100, KnownErrors(50, 100, 50, 100))
    assert few.method is coin.method is Correction.RAW
    assert "10 of each are needed" in few.note
    assert "no better than chance" in coin.note
    assert few.mean == coin.mean == 0.5


def test_counts_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="found 3 of 2"):
        rogan_gladen(3, 2, KnownErrors(10, 10, 10, 10))


def test_corrected_intervals_hold_the_truth_where_the_judge_is_off(monkeypatch):
    """The simulation of the benchmark in short; 250 runs are within 3 points of its rate."""
    monkeypatch.syspath_prepend(str(REPOSITORY / "benchmarks"))
    sys.modules.pop("correction_simulation", None)
    from correction_simulation import simulate

    for row in simulate(250, ((60, 240),)):
        assert 4 <= abs(row.bias_points) <= 15
        assert 0.92 <= row.coverage <= 0.995
        assert row.raw_coverage < 0.6
        assert row.error_points < abs(row.bias_points)
