"""Confidence intervals for means of scores and for proportions."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist, fmean, stdev

_BISECTIONS = 200


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its confidence bounds; ``None`` where too few values give any."""

    mean: float | None
    low: float | None
    high: float | None


def mean_interval(scores: Sequence[float], confidence: float = 0.95) -> Interval:
    """Return the mean of scores in 0..1 with its t interval, clipped to 0..1.

    ``mean ± t * s / sqrt(n)`` with ``n - 1`` degrees of freedom (Student 1908). One score has
    a mean and no bounds, no score neither.

    Raises:
        ValueError: a score is not finite, or ``confidence`` is not between 0 and 1.
    """
    _check_confidence(confidence)
    if any(not math.isfinite(score) for score in scores):
        raise ValueError("a score is not a finite number; leave unscored cases out")
    if not scores:
        return Interval(None, None, None)
    mean = fmean(scores)
    if len(scores) < 2:
        return Interval(mean, None, None)
    quantile = t_quantile((1 + confidence) / 2, len(scores) - 1)
    half = quantile * stdev(scores) / math.sqrt(len(scores))
    return Interval(mean, max(0.0, mean - half), min(1.0, mean + half))


def wilson_interval(successes: int, n: int, confidence: float = 0.95) -> Interval:
    """Return a proportion with its Wilson score interval (Wilson 1927).

    Raises:
        ValueError: ``successes`` is not between 0 and ``n``.
    """
    _check_confidence(confidence)
    if not 0 <= successes <= n:
        raise ValueError(f"successes must lie between 0 and n, found {successes} of {n}")
    if n == 0:
        return Interval(None, None, None)
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = successes / n
    scale = 1 + z * z / n
    centre = (share + z * z / (2 * n)) / scale
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / scale
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == n else min(1.0, centre + half)
    return Interval(share, low, high)


@lru_cache(maxsize=1024)
def t_quantile(probability: float, degrees: float) -> float:
    """Return the quantile of Student's t distribution, by bisection of its distribution.

    Raises:
        ValueError: ``probability`` is not strictly between 0 and 1, or ``degrees`` not positive.
    """
    if not 0 < probability < 1 or not degrees > 0:
        raise ValueError(f"no t quantile for probability {probability}, degrees {degrees}")
    if probability == 0.5:
        return 0.0
    if probability < 0.5:
        return -t_quantile(1 - probability, degrees)
    high = 1.0
    while t_distribution(high, degrees) < probability:
        high *= 2
    low = 0.0
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if t_distribution(middle, degrees) < probability:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def t_distribution(value: float, degrees: float) -> float:
    """Return the probability that a t variable is at most ``value``."""
    square = value * value
    if square < degrees:
        # Near the middle the tail would be 1 minus almost nothing.
        body = 0.5 * incomplete_beta(square / (degrees + square), 0.5, degrees / 2)
        return 0.5 + body if value > 0 else 0.5 - body
    tail = 0.5 * incomplete_beta(degrees / (degrees + square), degrees / 2, 0.5)
    return 1 - tail if value > 0 else tail


def incomplete_beta(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function I_x(a, b).

    Continued fraction of Abramowitz and Stegun 26.5.8, evaluated by the modified Lentz method.
    """
    if x <= 0:
        return 0.0
    if x >= 1:
        return 1.0
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    if x < (a + 1) / (a + b + 2):
        return front * _beta_fraction(x, a, b) / a
    return 1 - front * _beta_fraction(1 - x, b, a) / b


def _beta_fraction(x: float, a: float, b: float) -> float:
    tiny = 1e-300
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > tiny else tiny)
    result = d
    for m in range(1, 1000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1 + term * d
            d = 1 / (d if abs(d) > tiny else tiny)
            c = 1 + term / c
            c = c if abs(c) > tiny else tiny
            result *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return result


def _check_confidence(confidence: float) -> None:
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, found {confidence}")
