"""Does a judge still judge as it did? A fixed set, judged before and judged anew."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

FLIP = 0.3
"""Scores that differ by more than this are another verdict, not noise."""

FLIPS_OF_AN_UNCHANGED_JUDGE = 0.05
"""Share of cases whose verdict may flip although nothing changed, where nothing else is known."""


@dataclass(frozen=True, slots=True)
class DriftTest:
    """What two judgements of one set say about the judge. ``shift`` is new minus old (-1..1).

    ``up`` and ``down`` count the cases that were scored higher and lower, ``flips`` those by more
    than 0.3. Each p-value is held against half of ``alpha``.
    """

    cases: int
    shift: float
    up: int
    down: int
    flips: int
    p_direction: float
    p_flips: float
    alpha: float

    @property
    def drifted(self) -> bool:
        """Whether either test is significant."""
        return min(self.p_direction, self.p_flips) <= self.alpha / 2


def drift_test(
    before: Sequence[float],
    after: Sequence[float],
    *,
    alpha: float,
    flip_rate: float = FLIPS_OF_AN_UNCHANGED_JUDGE,
) -> DriftTest:
    """Compare two judgements of the same cases, in the same order.

    Two exact tests, each at ``alpha / 2``, so that an unchanged judge is reported at most in a
    share ``alpha`` of the looks (Bonferroni): the sign test, whether changes go one way (Arbuthnott
    1710; ties do not count); and the binomial test, whether more verdicts flipped than a judge
    flips by itself.

    Raises:
        ValueError: lists of different length, or a share outside 0..1.
    """
    if len(before) != len(after):
        raise ValueError(f"{len(before)} scores before, {len(after)} after: pair them by case")
    if not 0 < alpha < 1 or not 0 <= flip_rate < 1:
        raise ValueError(f"alpha {alpha} and flip_rate {flip_rate} must be shares")
    differences = [new - old for old, new in zip(before, after, strict=True)]
    up = sum(difference > 0 for difference in differences)
    down = sum(difference < 0 for difference in differences)
    flips = sum(abs(difference) > FLIP for difference in differences)
    return DriftTest(
        cases=len(differences),
        shift=fmean(differences) if differences else 0.0,
        up=up,
        down=down,
        flips=flips,
        p_direction=min(1.0, 2 * _at_least(max(up, down), up + down, 0.5)),
        p_flips=_at_least(flips, len(differences), flip_rate),
        alpha=alpha,
    )


def _at_least(count: int, n: int, share: float) -> float:
    """Return the probability of at least ``count`` of ``n`` by the binomial distribution."""
    terms = (
        math.comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(max(count, 0), n + 1)
    )
    return min(1.0, math.fsum(terms))
