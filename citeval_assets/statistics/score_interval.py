"""The score interval of a paired difference: what most pairs being tied leaves to be known.

Scores of one case under two systems agree far more often than not. The difference of their
means then rests on few changed cases, and intervals that take it for normal (t, bootstrap) miss
too often, always on the side of the rarer, larger changes. A score interval asks of each
possible difference whether the changes seen would be surprising under it, and so does not.
"""

import math
from dataclasses import dataclass

_BISECTIONS = 80


@dataclass(frozen=True, slots=True)
class Changes:
    """How much was lost and won over ``pairs`` pairs, in equivalent changes of size ``size``.

    ``losses`` and ``wins`` are numbers of such changes; they need not be whole.
    """

    losses: float
    wins: float
    size: float
    pairs: float

    @property
    def difference(self) -> float:
        """Mean difference per pair; negative where more was lost than won."""
        return self.size * (self.wins - self.losses) / self.pairs


def score_interval(changes: Changes, critical: float) -> tuple[float, float]:
    """Return the differences whose score test is within ``critical`` standard errors.

    For whole numbers of changes of size 1 this is the asymptotic score interval of Tango,
    "Equivalence test and confidence interval for the difference in proportions for the
    paired-sample design", Statistics in Medicine 17 (1998) 891-908.
    """
    inner = max(-1.0, min(1.0, changes.difference / changes.size))
    low = _edge(changes, inner, -1.0, critical)
    high = _edge(changes, inner, 1.0, critical)
    return changes.size * low, changes.size * high


def score_statistic(changes: Changes, difference: float) -> float:
    """Return how many standard errors the changes lie above a true ``difference``.

    ``difference`` is in units of ``changes.size`` (-1..1).
    """
    n = changes.pairs
    variance = n * (2 * _rare_share(changes, difference) + difference * (1 - difference))
    gap = changes.wins - changes.losses - n * difference
    if variance <= 0:
        return math.copysign(math.inf, gap) if gap else 0.0
    return gap / math.sqrt(variance)


def _rare_share(changes: Changes, difference: float) -> float:
    """Return the likeliest share of losses given the true difference (Tango 1998, eq. 8)."""
    n, wins, losses = changes.pairs, changes.wins, changes.losses
    a = 2 * n
    b = (2 * n - wins + losses) * difference - wins - losses
    c = -losses * difference * (1 - difference)
    return (math.sqrt(max(0.0, b * b - 4 * a * c)) - b) / (2 * a)


def _edge(changes: Changes, inside: float, outside: float, critical: float) -> float:
    for _ in range(_BISECTIONS):
        middle = (inside + outside) / 2
        if middle in (inside, outside):
            break
        if abs(score_statistic(changes, middle)) < critical:
            inside = middle
        else:
            outside = middle
    return inside
