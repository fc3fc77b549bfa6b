"""The simulation in short: the interval holds what it promises, the modes keep their error."""

import numpy as np
import pytest

from benchmarks.interval_simulation import (
    MARGIN,
    SCENARIOS,
    TWO_WORSE,
    UNCHANGED,
    coverage,
    detected,
    false_alarms,
    false_passes,
)

DRAWS = 500
ERROR = 0.02
"""About two standard errors of a share near 5 % over so many draws."""


def seeded() -> np.random.Generator:
    return np.random.default_rng(20261)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda s: s.name)
def test_the_interval_of_500_pairs_covers_as_promised(scenario):
    found = coverage(scenario, 500, DRAWS, 0, seeded(), methods={})
    assert 0.93 - ERROR <= found["score"] <= 0.97 + ERROR


@pytest.mark.parametrize("pairs", [50, 200])
def test_few_changed_cases_are_covered_where_t_misses(pairs):
    rare = SCENARIOS[2]
    found = coverage(rare, pairs, DRAWS, 0, seeded(), methods=("t",))
    assert found["score"] >= 0.93
    assert found["score"] > found["t"]


@pytest.mark.parametrize("scenario", TWO_WORSE, ids=lambda s: s.name)
@pytest.mark.parametrize("pairs", [50, 500])
def test_a_candidate_at_the_margin_rarely_passes(scenario, pairs):
    assert scenario.mean == pytest.approx(-MARGIN)
    shown, both = false_passes(scenario, pairs, DRAWS, seeded())
    assert shown <= 0.025 + ERROR
    assert both <= shown


@pytest.mark.parametrize("scenario", UNCHANGED, ids=lambda s: s.name)
def test_the_printed_false_alarm_rate_is_the_one_that_occurs(scenario):
    fired, told = false_alarms(scenario, 100, DRAWS, seeded())
    assert told == pytest.approx(fired, abs=0.04)


def test_the_detectable_drop_is_detected_four_times_in_five():
    _, seen = detected(UNCHANGED[1], 200, DRAWS, seeded())
    assert seen == pytest.approx(0.8, abs=0.07)
