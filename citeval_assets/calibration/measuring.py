"""One judge against labels: agreement, kappa, where it errs, which cases a person must look at."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from citeval_assets.config.gates import CalibrationConfig
from citeval_assets.playbooks.vocabulary import LabelSource
from citeval_assets.statistics.agreement import (
    Confusion,
    LabelQuality,
    accuracy,
    balanced_accuracy,
    cohen_kappa,
    label_qualities,
    mean_absolute_deviation,
)
from citeval_assets.statistics.intervals import Interval

POSITIVE, NEGATIVE = "right", "wrong"
"""The two classes: a score of at least ``class_threshold``, and one under it."""

LEVELS = ("full", "partial", "none")
"""The three levels: a score of 1, of 0, and anything between."""

CONFLICT_MARGIN = 0.3
"""A judged score further than this from a person's is a conflict."""

_ROUNDING = 1e-9


def in_conflict(judged: float, label: float) -> bool:
    """Whether a judged score and a label, both 0..1, differ by more than the margin."""
    return abs(judged - label) > CONFLICT_MARGIN + _ROUNDING


@dataclass(frozen=True, slots=True)
class LabelledScore:
    """One case with what the judge gave and what the label says, both 0..1."""

    case_hash: str
    test_case_id: str
    system: str
    judged: float
    label: float

    @property
    def conflict(self) -> bool:
        """Whether judge and label differ by more than the margin."""
        return in_conflict(self.judged, self.label)


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """One judge, prompt version and playbook against the labels of one source.

    ``state`` is ``calibrated`` or says what is lacking. ``bias`` is the mean judged score minus
    the mean label: above 0 the judge is too mild. Without labels every figure is ``None``.
    """

    label_source: str
    n: int
    positives: int
    negatives: int
    calibrated: bool
    state: str
    accuracy: float | None
    balanced_accuracy: float | None
    kappa: Interval
    mean_deviation: float | None
    bias: float | None
    confusion: Confusion
    per_label: tuple[LabelQuality, ...]
    levels: Confusion
    conflicts: tuple[LabelledScore, ...]


def agreement(
    scores: Sequence[LabelledScore], source: LabelSource, config: CalibrationConfig
) -> JudgeAgreement:
    """Hold judged scores against labels of one source; sources are never mixed."""
    labels = [score.label for score in scores]
    judged = [score.judged for score in scores]
    cut = config.class_threshold
    confusion = Confusion.of(
        [class_of(label, cut) for label in labels],
        [class_of(score, cut) for score in judged],
        (POSITIVE, NEGATIVE),
    )
    levels = Confusion.of(
        [level_of(label) for label in labels], [level_of(score) for score in judged], LEVELS
    )
    positives = confusion.labelled(POSITIVE)
    negatives = confusion.labelled(NEGATIVE)
    lacking = _lacking(len(scores), positives, negatives, config)
    return JudgeAgreement(
        label_source=source,
        n=len(scores),
        positives=positives,
        negatives=negatives,
        calibrated=not lacking,
        state=f"uncalibrated: {lacking}" if lacking else "calibrated",
        accuracy=accuracy(confusion),
        balanced_accuracy=balanced_accuracy(confusion),
        kappa=cohen_kappa(confusion, config.confidence),
        mean_deviation=mean_absolute_deviation(labels, judged),
        bias=fmean(judged) - fmean(labels) if scores else None,
        confusion=confusion,
        per_label=label_qualities(confusion),
        levels=levels,
        conflicts=tuple(score for score in scores if score.conflict),
    )


def _lacking(n: int, positives: int, negatives: int, config: CalibrationConfig) -> str:
    """Return what is lacking to trust the figures; empty where nothing is."""
    needed, each = config.min_labels, config.min_per_class
    if n < needed:
        return f"{n} labels, {needed} are needed"
    if min(positives, negatives) < each:
        return f"{positives} right and {negatives} wrong cases, {each} of each are needed"
    return ""


def class_of(score: float, threshold: float) -> str:
    """Return the class of a score."""
    return POSITIVE if score >= threshold - _ROUNDING else NEGATIVE


def level_of(score: float) -> str:
    """Return the level of a score."""
    if score >= 1 - _ROUNDING:
        return "full"
    return "none" if score <= _ROUNDING else "partial"
