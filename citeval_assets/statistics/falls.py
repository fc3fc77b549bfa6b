"""A sequential test for a sudden fall of a trend, evaluation by evaluation.

The first evaluations of a series are its reference. Every later one bets against "the mean is
still at least the reference less a tolerance": with score ``x`` in 0..1 and bound ``b`` the factor
``1 + λ (b - x)`` has a mean of at most 1 while that is so (Waudby-Smith and Ramdas, *Estimating
means of bounded random variables by betting*, 2024). Since nobody knows when a fall may begin, a
bet is opened before every evaluation, and all run on: ``M_t = e_t (M_{t-1} + 1)``, the
Shiryaev-Roberts form of an e-detector (Shin, Ramdas and Rinaldo, *E-detectors*, 2023). A fall is
reported where ``M_t`` reaches the mean number of evaluations wanted between false alarms: as long
as nothing falls, at least so many pass on average, however often one looks.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from citeval_assets.statistics.intervals import t_quantile

MIN_REFERENCE = 30
"""Scores a reference needs; evaluations are pooled until it has them."""

FULL_REFERENCE = 200
"""Up to so many scores the evaluations that follow make the reference more exact."""

_STAKES = (0.1, 0.25, 0.5, 0.9)
"""Shares of the largest bet that cannot ruin; the evidence is the mean over all of them."""

_REFERENCE_CONFIDENCE = 0.95
_SUSPICIOUS = 10.0
"""With so much evidence an evaluation may be part of a fall: it makes no reference."""

_MOST = 1e12
"""More evidence than any threshold; it is not counted further."""


@dataclass(frozen=True, slots=True)
class Fall:
    """One reported fall.

    ``position`` is that of the evaluation in its series; ``bound`` what its mean was held
    against; ``evidence`` the value that reached the threshold.
    """

    position: int
    reference_mean: float
    bound: float
    mean: float
    evidence: float


@dataclass(frozen=True, slots=True)
class TrendState:
    """How a series stands after its last evaluation. Without a reference there is no bound."""

    falls: tuple[Fall, ...]
    evidence: float
    bound: float | None

    @property
    def fallen_now(self) -> bool:
        """Whether the newest evaluation is the one a fall was reported at."""
        return bool(self.falls) and self.evidence == self.falls[-1].evidence


@dataclass(slots=True)
class _Reference:
    scores: list[float]

    @property
    def ready(self) -> bool:
        return len(self.scores) >= MIN_REFERENCE

    @property
    def full(self) -> bool:
        return len(self.scores) >= FULL_REFERENCE

    def bound(self, tolerance: float) -> float:
        """Return the lowest mean that is no fall: one-sided 95 % bound less the tolerance."""
        quantile = t_quantile(_REFERENCE_CONFIDENCE, len(self.scores) - 1)
        error = stdev(self.scores) / math.sqrt(len(self.scores))
        return max(0.0, fmean(self.scores) - quantile * error - tolerance)


def watch_trend(
    evaluations: Sequence[Sequence[float]], *, tolerance: float, between_false_alarms: float
) -> TrendState:
    """Look for falls in a series of evaluations, the oldest first.

    After a fall the series begins anew: what came down is the reference of what follows.

    Args:
        evaluations: the scores (0..1) of each evaluation; one without scores says nothing.
        tolerance: how far a mean may come down (0..1) without being a fall.
        between_false_alarms: mean number of evaluations until an unchanged series is reported.

    Raises:
        ValueError: a score outside 0..1, a tolerance outside 0..1, or a number under 1.
    """
    _check(evaluations, tolerance, between_false_alarms)
    falls: list[Fall] = []
    reference, bets, evidence = _Reference([]), [0.0] * len(_STAKES), 0.0
    for position, scores in enumerate(evaluations):
        if not scores:
            continue
        if not reference.ready:
            reference.scores.extend(scores)
            evidence = 0.0
            continue
        bound = reference.bound(tolerance)
        bets = [
            min(_MOST, _factor(scores, bound, stake) * (bet + 1))
            for stake, bet in zip(_STAKES, bets, strict=True)
        ]
        evidence = fmean(bets)
        if not reference.full and evidence < _SUSPICIOUS:
            reference.scores.extend(scores)
        if evidence >= between_false_alarms:
            mean = fmean(scores)
            falls.append(Fall(position, fmean(reference.scores), bound, mean, evidence))
            reference, bets = _Reference(list(scores)), [0.0] * len(_STAKES)
    bound = reference.bound(tolerance) if reference.ready else None
    return TrendState(tuple(falls), evidence, bound)


def _factor(scores: Sequence[float], bound: float, stake: float) -> float:
    """Return what a bet on "the mean is below the bound" is multiplied by."""
    if bound >= 1:
        return 1.0 if all(score >= 1 for score in scores) else _MOST
    size = stake / (1 - bound)
    logs = math.fsum(math.log1p(size * (bound - score)) for score in scores)
    return math.exp(min(logs, math.log(_MOST)))


def _check(
    evaluations: Sequence[Sequence[float]], tolerance: float, between_false_alarms: float
) -> None:
    if not 0 <= tolerance <= 1:
        raise ValueError(f"tolerance must lie in 0..1, found {tolerance}")
    if not between_false_alarms >= 1:
        raise ValueError(f"between_false_alarms must be at least 1, found {between_false_alarms}")
    for scores in evaluations:
        if not all(0 <= score <= 1 for score in scores):
            raise ValueError("a score lies outside 0..1; leave unscored cases out")
