"""What a set can see, and how often the bare rule fires for nothing."""

import pytest

from citeval_assets.statistics.paired import paired_difference
from citeval_assets.statistics.power import detectable_drop, false_alarm_rate


def even(pairs: int, changed: int, step: float = 1.0):
    """Return a comparison with as many wins as losses."""
    half = changed // 2
    return paired_difference([step] * half + [-step] * half + [0.0] * (pairs - 2 * half))


def test_the_smallest_detectable_drop_shrinks_with_the_set():
    drops = [detectable_drop(even(n, n // 10)) for n in (50, 200, 800, 3200)]
    assert drops == sorted(drops, reverse=True)
    assert drops[-1] == pytest.approx(drops[-2] / 2, rel=0.1)


def test_much_noise_gives_the_textbook_value():
    found = even(1000, 400, 0.5)
    textbook = 2.8 * (0.4 * 0.25 / 1000) ** 0.5
    assert detectable_drop(found) == pytest.approx(textbook, rel=0.1)


def test_where_nothing_changed_a_drop_needs_about_six_lost_cases():
    assert detectable_drop(even(200, 0)) == pytest.approx(5.7 / 200, rel=0.05)


def test_too_few_cases_detect_nothing():
    assert detectable_drop(paired_difference([0.0, 0.0])) is None


@pytest.mark.parametrize(
    ("pairs", "deviation", "rate"),
    [(50, 0.10, 0.08), (200, 0.15, 0.03), (100, 0.20, 0.16), (400, 0.20, 0.02)],
)
def test_false_alarms_of_the_two_point_rule(pairs, deviation, rate):
    # Unequal steps, so that the rate is the plain normal one.
    fours = pairs // 10
    step = (deviation**2 * pairs / (fours * 10)) ** 0.5
    moves = [step, 2 * step, -step, -2 * step] * fours
    found = paired_difference(moves + [0.0] * (pairs - len(moves)))
    assert false_alarm_rate(found, 0.02) == pytest.approx(rate, abs=0.015)


def test_pass_fail_data_is_counted_in_whole_cases():
    # Two net losses of 50 are the first to exceed 2 points.
    found = even(50, 2)
    assert false_alarm_rate(found, 0.02) == pytest.approx(0.144, abs=0.002)


def test_without_a_change_nothing_is_known_of_the_false_alarms():
    assert false_alarm_rate(even(100, 0), 0.02) is None
