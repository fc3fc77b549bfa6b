"""What a set of cases can and cannot see: smallest detectable drop, false alarms of a bare rule."""

import math
from statistics import NormalDist

from citeval_assets.statistics.intervals import t_quantile
from citeval_assets.statistics.paired import PairedDifference

_BISECTIONS = 60
_ROUNDING = 1e-9


def detectable_drop(result: PairedDifference, power: float = 0.8) -> float | None:
    """Return the smallest true drop whose interval would have excluded 0 with this ``power``.

    The changes seen are taken as the noise of the set; a drop of ``d`` adds ``d / size`` losses
    per pair. Solves ``mean(T) = critical + z * sd(T)`` for the score statistic
    ``T = sum(x) / sqrt(sum(x**2))``, with its standard deviation by the delta method: the normal
    approximation of Cohen, *Statistical Power Analysis* (1988, ch. 2), which without the delta
    term reads ``(z_alpha + z_power) * s / sqrt(n)`` and asks too much of rare changes.

    Returns:
        The drop in 0..1; ``None`` where not even a total loss would be seen.
    """
    if not 0 < power < 1:
        raise ValueError(f"power must lie between 0 and 1, found {power}")
    if result.clusters < 2:
        return None
    critical = t_quantile((1 + result.confidence) / 2, result.clusters - 1)
    reach = NormalDist().inv_cdf(power)

    def seen(drop: float) -> bool:
        mean, deviation = _statistic(result, drop)
        return mean >= critical + reach * deviation

    if not seen(1.0):
        return None
    low, high = 0.0, 1.0
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        low, high = (low, middle) if seen(middle) else (middle, high)
    return high


def _statistic(result: PairedDifference, drop: float) -> tuple[float, float]:
    """Return mean and standard deviation of the score statistic under a true ``drop``."""
    size = result.changes.size
    noise = result.spread**2
    second = noise + size * drop
    fourth = noise * size**2 + size**3 * drop
    covariance = size**2 * drop - drop * second
    variance = (
        (second - drop**2) / second
        - drop * covariance / second**2
        + drop**2 * (fourth - second**2) / (4 * second**3)
    )
    mean = math.sqrt(result.changes.pairs) * drop / math.sqrt(second)
    return mean, math.sqrt(max(0.0, variance))


def false_alarm_rate(result: PairedDifference, margin: float) -> float | None:
    """Return how often the mean falls by more than ``margin`` although nothing changed.

    Normal approximation at the number of pairs and the spread that were seen; where all changes
    have one size, as in pass/fail data, with the correction for continuity (Yates, Journal of
    the Royal Statistical Society, Supplement 1 (1934) 217-235). ``None`` where no case changed,
    so that nothing is known of the spread.

    Args:
        result: the comparison.
        margin: the drop at which the bare rule fires, in 0..1.
    """
    if result.spread == 0:
        return None
    fires = margin
    if result.step is not None:
        unit = result.step / result.pairs
        fires = (math.floor(margin / unit + _ROUNDING) + 0.5) * unit
    return NormalDist().cdf(-fires * math.sqrt(result.changes.pairs) / result.spread)
