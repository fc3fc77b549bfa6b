import random

import pytest

from citeval_assets.statistics.falls import FULL_REFERENCE, watch_trend


def series(mean: float, evaluations: int, per: int = 20, seed: int = 1) -> list[list[float]]:
    rng = random.Random(seed)
    return [[float(rng.random() < mean) for _ in range(per)] for _ in range(evaluations)]


def watch(evaluations):
    return watch_trend(evaluations, tolerance=0.02, between_false_alarms=500)


def test_an_unchanged_trend_is_not_reported():
    assert all(not watch(series(0.9, 60, seed=seed)).falls for seed in range(10))


def test_a_sudden_fall_is_reported_where_it_happens():
    (fall,) = watch(series(0.9, 10) + series(0.4, 3, seed=2)).falls
    assert fall.position in (10, 11)
    assert fall.mean < fall.bound < fall.reference_mean


def test_after_a_fall_the_series_begins_anew():
    state = watch(series(0.9, 10) + series(0.4, 12, seed=2))
    assert len(state.falls) == 1
    assert not state.fallen_now


def test_the_newest_evaluation_is_told_apart_from_an_old_fall():
    found = next(
        state
        for n in range(1, 4)
        if (state := watch(series(0.9, 10) + series(0.2, n, seed=3))).falls
    )
    assert found.fallen_now


def test_the_same_cases_judged_the_same_again_are_no_evidence():
    (once,) = series(0.8, 1, per=40)
    assert watch([once] * 200).evidence < 10


def test_too_few_scores_make_no_reference():
    assert watch([[1.0], [0.0], []]).bound is None


def test_a_perfect_reference_falls_with_the_first_miss_that_no_tolerance_covers():
    perfect = [[1.0] * FULL_REFERENCE]
    state = watch_trend([*perfect, [0.0]], tolerance=0.0, between_false_alarms=500)
    assert len(state.falls) == 1


@pytest.mark.parametrize(
    ("evaluations", "tolerance", "wanted"),
    [([[1.2]], 0.1, 100), ([[0.5]], -1, 100), ([[0.5]], 0.1, 0), ([[float("nan")]], 0.1, 10)],
)
def test_nonsense_is_refused(evaluations, tolerance, wanted):
    with pytest.raises(ValueError):
        watch_trend(evaluations, tolerance=tolerance, between_false_alarms=wanted)
