"""Shares over things inside cases (statements of answers), compared between two systems."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

from citeval_assets.statistics.intervals import t_distribution, t_quantile
from citeval_assets.statistics.paired import PairedDifference, paired_difference


@dataclass(frozen=True, slots=True)
class CasePart:
    """What one case adds to a share, on both sides: hits of a whole."""

    baseline_hits: int
    baseline_of: int
    candidate_hits: int
    candidate_of: int


def paired_ratio_difference(
    parts: Sequence[CasePart],
    clusters: Sequence[Hashable] | None = None,
    *,
    confidence: float = 0.95,
) -> PairedDifference:
    """Compare a share ``sum(hits) / sum(of)`` of the candidate with that of the baseline.

    The difference of two ratios is linearised per case, and the linear parts are compared like
    scores (Cochran, *Sampling Techniques* (1977), section 6.2). Without a hit on either side
    nothing varies, and the bounds are those of no change seen.

    Raises:
        ValueError: a side has nothing to take a share of.
    """
    totals = [
        sum(getattr(part, name) for part in parts)
        for name in ("baseline_hits", "baseline_of", "candidate_hits", "candidate_of")
    ]
    before_hits, before_of, after_hits, after_of = totals
    if not before_of or not after_of:
        raise ValueError("a side has nothing to take a share of")
    before, after = before_hits / before_of, after_hits / after_of
    n = len(parts)
    moves = [n * (p.candidate_hits / after_of - p.baseline_hits / before_of) for p in parts]
    rest = [
        n
        * (
            (p.candidate_hits - after * p.candidate_of) / after_of
            - (p.baseline_hits - before * p.baseline_of) / before_of
        )
        for p in parts
    ]
    plain = paired_difference(moves, clusters, confidence=confidence)
    if plain.same == n or plain.clusters < 2:
        return replace(plain, difference=after - before)
    around = paired_difference(rest, clusters, confidence=confidence)
    error = around.spread * math.sqrt(around.design_effect / (n - 1))
    freedom = plain.clusters - 1
    half = t_quantile((1 + confidence) / 2, freedom) * error
    difference = after - before
    p_value = 2 * (1 - t_distribution(abs(difference) / error, freedom)) if error else 1.0
    return replace(
        plain,
        difference=difference,
        low=max(-1.0, difference - half),
        high=min(1.0, difference + half),
        p_value=p_value,
        spread=around.spread,
        design_effect=around.design_effect,
        step=None,
    )
