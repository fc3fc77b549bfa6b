"""Drawing a stratified sample by seed, and what such a sample says about the whole."""

import hashlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum
from statistics import NormalDist, fmean, variance

from citeval_assets.statistics.intervals import Interval


def sample_size(offered: int, most: int, rate: float) -> int:
    """Return how many of a stratum are drawn: its share, at least one, at most ``most``."""
    if offered <= 0 or most <= 0:
        return 0
    return min(offered, most, max(1, math.ceil(offered * rate)))


def draw(keys: Iterable[str], size: int, seed: int) -> tuple[str, ...]:
    """Draw ``size`` of the keys without replacement, each set of that size equally likely.

    The order of the keys does not matter: each gets a number from seed and key, the smallest are
    drawn. The same seed draws the same keys.
    """
    numbered = sorted(keys, key=lambda key: hashlib.sha256(f"{seed}|{key}".encode()).digest())
    return tuple(numbered[:size])


@dataclass(frozen=True, slots=True)
class Stratum:
    """The scores of what was drawn (and scored) of ``offered`` members."""

    offered: int
    scores: tuple[float, ...]


def stratified_mean(strata: Sequence[Stratum], confidence: float = 0.95) -> Interval:
    """Estimate the mean over all members of the strata from samples of each.

    Every stratum counts by its size, its variance with the finite population correction (Cochran,
    *Sampling Techniques*, 1977, 5.3 to 5.4). The variance is that of the scores with one 0 and one
    1 among them, so that a stratum of nothing but full scores is not taken for certain (the idea
    of Agresti and Coull 1998). Strata without a score are left out, as unscored cases are from
    every mean.
    """
    usable = [stratum for stratum in strata if stratum.scores]
    total = sum(stratum.offered for stratum in usable)
    if not total:
        return Interval(None, None, None)
    mean = fsum(s.offered * fmean(s.scores) for s in usable) / total
    error = math.sqrt(fsum(_variance(s) * (s.offered / total) ** 2 for s in usable))
    half = NormalDist().inv_cdf((1 + confidence) / 2) * error
    return Interval(mean, max(0.0, mean - half), min(1.0, mean + half))


def _variance(stratum: Stratum) -> float:
    n = len(stratum.scores)
    return max(0.0, 1 - n / stratum.offered) * variance((*stratum.scores, 0.0, 1.0)) / n
