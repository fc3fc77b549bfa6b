"""The paired comparison: how far a candidate lies from what runs today, and how surely.

The interval is a score interval over the changed cases (``score_interval``), widened where
several cases share a question. Its coverage was compared with t, percentile, BCa and studentised
bootstrap intervals on tie-heavy scores; ``benchmarks/interval_simulation.py`` prints the table.
"""

import math
from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import fsum

from citeval_assets.statistics.intervals import t_distribution, t_quantile
from citeval_assets.statistics.score_interval import Changes, score_interval, score_statistic


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """Candidate minus baseline over pairs of scores.

    ``difference`` is the plain mean of the differences. ``low`` and ``high`` are its confidence
    bounds and ``p_value`` (two-sided) tests that there is none; ``None`` under two independent
    questions. ``spread`` is the root mean square of the differences around their mean.
    ``design_effect`` (1 or more) says how much the shared questions cost: that many times fewer
    independent pairs would tell as much. ``step`` is the one size all changes have, ``None``
    where they differ. ``changes`` is what the bounds rest on.
    """

    pairs: int
    clusters: int
    better: int
    worse: int
    same: int
    difference: float
    low: float | None
    high: float | None
    p_value: float | None
    spread: float
    design_effect: float
    step: float | None
    changes: Changes
    confidence: float


def paired_difference(
    differences: Sequence[float],
    clusters: Sequence[Hashable] | None = None,
    *,
    confidence: float = 0.95,
    noise_variance: float = 0.0,
) -> PairedDifference:
    """Compare two systems on the same cases.

    The differences are turned into equivalent changes of one size: as many, and as large, as
    give the same sum and the same sum of squares (moment matching as for weighted counts in Fay
    and Feuer, Statistics in Medicine 16 (1997) 791-801), with one change of the largest size seen
    (1 where there was none) assumed beyond those seen. For pass/fail data that is exactly
    Tango's interval. Shared questions divide all counts by the design effect (Rao and Scott,
    "A simple method for the analysis of clustered binary data", Biometrics 48 (1992) 577-585);
    the critical value is that of t with one degree of freedom less than there are questions.

    Args:
        differences: candidate minus baseline per case, each in -1..1.
        clusters: what each case shares with others (its question); by default nothing.
        confidence: of the interval.
        noise_variance: variance of one difference by the judge's own noise alone, where it was
            measured: changes are added either way until they vary at least that much.

    Raises:
        ValueError: no pair, a difference that is not finite, or lists of unequal length.
    """
    n = len(differences)
    if n == 0:
        raise ValueError("no pair to compare")
    if any(not math.isfinite(difference) for difference in differences):
        raise ValueError("a difference is not a finite number; leave unscored cases out")
    groups = _sums_by_cluster(differences, clusters)
    mean = fsum(differences) / n
    variance = fsum((d - mean) ** 2 for d in differences) / n
    effect = _design_effect(groups, mean, variance, n)
    changes = _changes(differences, noise_variance, effect)
    low = high = p_value = None
    if len(groups) > 1:
        critical = t_quantile((1 + confidence) / 2, len(groups) - 1)
        low, high = score_interval(changes, critical)
        p_value = 2 * (1 - t_distribution(abs(score_statistic(changes, 0.0)), len(groups) - 1))
    better = sum(d > 0 for d in differences)
    worse = sum(d < 0 for d in differences)
    return PairedDifference(
        pairs=n,
        clusters=len(groups),
        better=better,
        worse=worse,
        same=n - better - worse,
        difference=mean,
        low=low,
        high=high,
        p_value=p_value,
        spread=math.sqrt(variance),
        design_effect=effect,
        step=_common_step(differences),
        changes=changes,
        confidence=confidence,
    )


@dataclass(frozen=True, slots=True)
class _Group:
    """The cases that share one question."""

    total: float
    size: int


def _sums_by_cluster(
    differences: Sequence[float], clusters: Sequence[Hashable] | None
) -> list[_Group]:
    if clusters is None:
        return [_Group(d, 1) for d in differences]
    members: defaultdict[Hashable, list[float]] = defaultdict(list)
    for difference, cluster in zip(differences, clusters, strict=True):
        members[cluster].append(difference)
    return [_Group(fsum(group), len(group)) for group in members.values()]


def _design_effect(groups: Sequence[_Group], mean: float, variance: float, n: int) -> float:
    """Return the variance of the mean by questions over that by single cases, at least 1."""
    count = len(groups)
    if count in (1, n) or variance == 0:
        return 1.0
    # Liang and Zeger, Biometrika 73 (1986) 13-22: residuals are summed within each cluster.
    between = fsum((group.total - group.size * mean) ** 2 for group in groups)
    by_cluster = between * count / (count - 1) / n**2
    by_case = variance / (n - 1)
    return max(1.0, by_cluster / by_case)


def _common_step(differences: Sequence[float]) -> float | None:
    sizes = {abs(difference) for difference in differences if difference}
    return sizes.pop() if len(sizes) == 1 else None


def _changes(differences: Sequence[float], noise_variance: float, effect: float) -> Changes:
    n = len(differences)
    lost = fsum(-d for d in differences if d < 0)
    won = fsum(d for d in differences if d > 0)
    squares = fsum(d * d for d in differences)
    largest = max((abs(d) for d in differences), default=0.0) or 1.0
    missing = n * noise_variance - squares
    if missing > 0:
        step = math.sqrt(noise_variance)
        lost += missing / step / 2
        won += missing / step / 2
        squares += missing
    size = (squares + largest**2) / (lost + won + largest)
    return Changes(
        losses=lost / size / effect, wins=won / size / effect, size=size, pairs=n / effect
    )
