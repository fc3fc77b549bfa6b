"""The mean people would have given, from many judged cases of which few are labelled.

A judge errs in one direction more than in the other, so the mean of its scores is off, and an
interval around it only says how surely it is off. The labelled cases tell how far.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import fsum
from statistics import NormalDist, fmean

from citeval_assets.statistics.intervals import mean_interval, t_quantile

MIN_LABELS = 20
"""With fewer labelled cases nothing is corrected: the interval would not hold what it promises."""


class Correction(StrEnum):
    """How a mean came about."""

    RAW = "raw"
    PPI = "ppi++"
    ROGAN_GLADEN = "rogan_gladen"


@dataclass(frozen=True, slots=True)
class CorrectedMean:
    """An estimate of the mean of the labels, with its interval.

    ``raw`` is the mean of the judged scores. Where ``method`` is ``raw``, ``mean`` is the same
    and ``note`` says why nothing was corrected. ``weight`` (0..1) is how far the judge's scores
    were used: at 0 the labels alone count.
    """

    method: Correction
    raw: float | None
    mean: float | None
    low: float | None
    high: float | None
    labelled: int
    judged: int
    weight: float | None = None
    note: str = ""


def ppi_mean(
    labels: Sequence[float],
    judged_labelled: Sequence[float],
    judged_rest: Sequence[float],
    *,
    confidence: float = 0.95,
    min_labels: int = MIN_LABELS,
) -> CorrectedMean:
    """Estimate the mean of the labels over all judged cases (PPI++).

    ``mean(w * f_rest) + mean(y - w * f_labelled)`` with the weight that makes its variance least,
    ``w = cov(y, f) / ((1 + n / N) * var(f))``, kept within 0..1 (Angelopoulos, Duchi and Zrnic,
    "PPI++: Efficient prediction-powered inference", arXiv 2311.01453, 2023, section 6). The bounds
    use t with n - 1 degrees of freedom instead of the normal distribution, and two made-up
    deviations of the largest size seen, one either way, join the labelled ones when their
    variance is taken: rare errors of a judge would else pass for none (as in Agresti and Coull,
    The American Statistician 52 (1998) 119-126). Holds where the labelled cases are a random
    part of all.

    Args:
        labels: what people gave, 0..1, for the labelled cases.
        judged_labelled: what the judge gave for the same cases, in the same order.
        judged_rest: what the judge gave for the cases without a label.
        confidence: of the interval.
        min_labels: with fewer labels the raw mean is returned.

    Raises:
        ValueError: a number is not finite, or the first two lists differ in length.
    """
    n, rest = len(labels), len(judged_rest)
    if len(judged_labelled) != n:
        raise ValueError(f"{n} labels, but {len(judged_labelled)} judged scores beside them")
    everything = [*judged_labelled, *judged_rest]
    if not all(math.isfinite(value) for value in (*labels, *everything)):
        raise ValueError("a score is not a finite number; leave unscored cases out")
    if n < max(2, min_labels):
        note = f"not corrected: {n} labelled cases, {max(2, min_labels)} are needed"
        return _raw(everything, n, confidence, note)
    raw = fmean(everything)
    weight = _weight(labels, judged_labelled, everything, n, rest)
    rectified = [y - weight * f for y, f in zip(labels, judged_labelled, strict=True)]
    mean = fmean(rectified) + (weight * fmean(judged_rest) if rest else 0.0)
    variance = _padded_variance(rectified, n) / n
    if rest and weight:
        variance += weight**2 * _variance(everything) / rest
    half = t_quantile((1 + confidence) / 2, n - 1) * math.sqrt(variance)
    return CorrectedMean(
        method=Correction.PPI,
        raw=raw,
        mean=_clipped(mean),
        low=_clipped(mean - half),
        high=_clipped(mean + half),
        labelled=n,
        judged=n + rest,
        weight=weight,
    )


def _weight(
    labels: Sequence[float],
    judged_labelled: Sequence[float],
    everything: Sequence[float],
    n: int,
    rest: int,
) -> float:
    if rest == 0:
        return 0.0
    spread = _variance(everything)
    if spread == 0:
        return 0.0
    mean_y, mean_f = fmean(labels), fmean(judged_labelled)
    together = fsum(
        (y - mean_y) * (f - mean_f) for y, f in zip(labels, judged_labelled, strict=True)
    )
    return _clipped(together / (n - 1) / ((1 + n / rest) * spread))


def _padded_variance(values: Sequence[float], n: int) -> float:
    """Return the variance with one deviation of the largest size added either way.

    Where nothing deviates at all, one case of all in doubt may still be wrong altogether.
    """
    centre = fmean(values)
    squares = fsum((value - centre) ** 2 for value in values)
    largest = max(abs(value - centre) for value in values) or 1.0
    return (squares + 2 * largest**2) / (n + 1)


@dataclass(frozen=True, slots=True)
class KnownErrors:
    """What is known of a judge that says pass or fail, from cases labelled elsewhere.

    ``passed_of`` of ``positives`` good cases were passed, ``failed_of`` of ``negatives`` bad ones
    failed.
    """

    passed_of: int
    positives: int
    failed_of: int
    negatives: int

    @property
    def sensitivity(self) -> float | None:
        """Share of the good cases the judge passes."""
        return self.passed_of / self.positives if self.positives else None

    @property
    def specificity(self) -> float | None:
        """Share of the bad cases the judge fails."""
        return self.failed_of / self.negatives if self.negatives else None


def rogan_gladen(
    passed: int,
    judged: int,
    errors: KnownErrors,
    *,
    confidence: float = 0.95,
    min_per_class: int = 10,
) -> CorrectedMean:
    """Estimate the true share of good cases from the share passed and the judge's error rates.

    ``(p + specificity - 1) / (sensitivity + specificity - 1)`` (Rogan and Gladen, "Estimating
    prevalence from the results of a screening test", American Journal of Epidemiology 107 (1978)
    71-76). The interval by the delta method with the adjusted shares of Lang and Reiczigel,
    "Confidence limits for prevalence of disease adjusted for estimated sensitivity and
    specificity", Preventive Veterinary Medicine 113 (2014) 13-22.

    Args:
        passed: cases the judge passed.
        judged: all cases it judged.
        errors: its error rates, counted on other, labelled cases.
        confidence: of the interval.
        min_per_class: with fewer labelled cases of either class the raw share is returned.

    Raises:
        ValueError: counts that do not fit each other.
    """
    _check_counts(passed, judged, errors)
    scores = [1.0] * passed + [0.0] * (judged - passed)
    labelled = errors.positives + errors.negatives
    if min(errors.positives, errors.negatives) < min_per_class:
        note = (
            f"not corrected: {errors.positives} good and {errors.negatives} bad labelled cases, "
            f"{min_per_class} of each are needed"
        )
        return _raw(scores, labelled, confidence, note)
    sensitivity, specificity = errors.sensitivity, errors.specificity
    assert sensitivity is not None and specificity is not None
    if judged == 0 or sensitivity + specificity <= 1.05:
        note = (
            "not corrected: the judge tells good cases from bad ones no better than chance "
            f"(sensitivity {sensitivity:.2f}, specificity {specificity:.2f})"
        )
        return _raw(scores, labelled, confidence, note)
    share = passed / judged
    mean = (share + specificity - 1) / (sensitivity + specificity - 1)
    low, high = _lang_reiczigel(passed, judged, errors, confidence)
    return CorrectedMean(
        method=Correction.ROGAN_GLADEN,
        raw=share,
        mean=_clipped(mean),
        low=_clipped(low),
        high=_clipped(high),
        labelled=labelled,
        judged=judged,
    )


def _lang_reiczigel(
    passed: int, judged: int, errors: KnownErrors, confidence: float
) -> tuple[float, float]:
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    n = judged + z * z
    p = (passed + z * z / 2) / n
    positives, negatives = errors.positives + 2, errors.negatives + 2
    se = (errors.passed_of + 1) / positives
    sp = (errors.failed_of + 1) / negatives
    youden = se + sp - 1
    if youden <= 0:
        return 0.0, 1.0
    mean = (p + sp - 1) / youden
    spread = math.sqrt(
        p * (1 - p) / n
        + mean**2 * se * (1 - se) / positives
        + (1 - mean) ** 2 * sp * (1 - sp) / negatives
    )
    shift = 2 * z * z * (mean * se * (1 - se) / positives - (1 - mean) * sp * (1 - sp) / negatives)
    centre = mean + shift
    half = z * spread / youden
    return centre - half, centre + half


def _check_counts(passed: int, judged: int, errors: KnownErrors) -> None:
    pairs = (
        (passed, judged),
        (errors.passed_of, errors.positives),
        (errors.failed_of, errors.negatives),
    )
    for part, whole in pairs:
        if not 0 <= part <= whole:
            raise ValueError(f"counts must lie between 0 and their total, found {part} of {whole}")


def _raw(scores: Sequence[float], labelled: int, confidence: float, note: str) -> CorrectedMean:
    interval = mean_interval(scores, confidence)
    return CorrectedMean(
        method=Correction.RAW,
        raw=interval.mean,
        mean=interval.mean,
        low=interval.low,
        high=interval.high,
        labelled=labelled,
        judged=len(scores),
        note=note,
    )


def _variance(values: Sequence[float]) -> float:
    if len(values) < 2:
        return 0.0
    centre = fmean(values)
    return fsum((value - centre) ** 2 for value in values) / (len(values) - 1)


def _clipped(share: float) -> float:
    return max(0.0, min(1.0, share))
