"""The judge's own noise: how far it differs from itself when asked the same again."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum
from statistics import fmean


@dataclass(frozen=True, slots=True)
class JudgeNoise:
    """Spread of repeated measurements of the same cases.

    ``variance`` is that of one measurement; ``largest_spread`` the widest range of one case.
    """

    cases: int
    measurements: int
    variance: float
    largest_spread: float

    @property
    def deviation(self) -> float:
        """Standard deviation of one measurement."""
        return math.sqrt(self.variance)


def judge_noise(repeated: Iterable[Sequence[float]]) -> JudgeNoise | None:
    """Pool the variance within cases that were measured more than once.

    Sum of squares around each case's own mean over the degrees of freedom (one-way analysis of
    variance, Fisher 1925). ``None`` where no case was measured twice.
    """
    groups = [tuple(scores) for scores in repeated if len(scores) > 1]
    if not groups:
        return None
    within = fsum(fsum((s - fmean(scores)) ** 2 for s in scores) for scores in groups)
    freedom = sum(len(scores) - 1 for scores in groups)
    return JudgeNoise(
        cases=len(groups),
        measurements=sum(map(len, groups)),
        variance=within / freedom,
        largest_spread=max(max(scores) - min(scores) for scores in groups),
    )
