"""A paired comparison across two epochs, with the known offset between them taken out."""

import math
from dataclasses import dataclass, replace

from citeval_assets.statistics.intervals import t_distribution, t_quantile
from citeval_assets.statistics.paired import PairedDifference


@dataclass(frozen=True, slots=True)
class Offset:
    """How far scores of the newer epoch lie above those of the older, with its bounds (0..1)."""

    value: float
    low: float
    high: float


def without_offset(result: PairedDifference, offset: Offset) -> PairedDifference:
    """Return a difference (newer minus older side) less the offset between the epochs.

    Both are estimates of their own cases; their errors add in squares, as in the linking of two
    tests by anchor items (Kolen and Brennan, *Test Equating, Scaling, and Linking*, 2014, ch. 7).
    Bounds are not symmetric, so each side of the interval is joined with the opposite side of the
    offset's. The p-value follows from the wider interval.
    """
    difference = result.difference - offset.value
    if result.low is None or result.high is None:
        return replace(result, difference=difference)
    below = math.hypot(result.difference - result.low, offset.high - offset.value)
    above = math.hypot(result.high - result.difference, offset.value - offset.low)
    return replace(
        result,
        difference=difference,
        low=max(-1.0, difference - below),
        high=min(1.0, difference + above),
        p_value=_p_value(difference, below if difference > 0 else above, result),
    )


def _p_value(difference: float, half: float, result: PairedDifference) -> float:
    if half == 0:
        return 0.0 if difference else 1.0
    freedom = max(1, result.clusters - 1)
    error = half / t_quantile((1 + result.confidence) / 2, freedom)
    return min(1.0, 2 * (1 - t_distribution(abs(difference) / error, freedom)))
