"""Scores with the judge's known error taken out, for each system."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from citeval_assets.calibration.measuring import NEGATIVE, POSITIVE, JudgeAgreement, class_of
from citeval_assets.config.gates import CalibrationConfig
from citeval_assets.statistics.agreement import Confusion
from citeval_assets.statistics.corrected_means import (
    CorrectedMean,
    Correction,
    KnownErrors,
    ppi_mean,
    rogan_gladen,
)

ALL_SYSTEMS = "*"


@dataclass(frozen=True, slots=True)
class JudgedCase:
    """One scored case; ``label`` is a person's score, ``None`` where nobody labelled it."""

    system: str
    judged: float
    label: float | None


@dataclass(frozen=True, slots=True)
class SystemCorrection:
    """One system (or all, ``*``): its mean score, and its share of right cases, corrected.

    The score is estimated from the system's own labels (PPI++). Where it has too few, the share
    of right cases is corrected by what the judge's errors are on the labels of all systems
    (Rogan and Gladen); the mean score itself then stays raw.
    """

    system: str
    score: CorrectedMean
    right_share: CorrectedMean | None


def corrected_scores(
    cases: Sequence[JudgedCase], agreement: JudgeAgreement, config: CalibrationConfig
) -> tuple[SystemCorrection, ...]:
    """Return all systems together, then each system by name."""
    by_system: defaultdict[str, list[JudgedCase]] = defaultdict(list)
    for case in cases:
        by_system[case.system].append(case)
    if not cases:
        return ()
    whole = _corrected(ALL_SYSTEMS, cases, agreement.confusion, config)
    if whole.score.method is Correction.PPI and _uneven(by_system.values()):
        note = "the labels are spread unevenly over the systems; look at each system alone"
        whole = replace(whole, score=replace(whole.score, note=note))
    singles = (
        _corrected(system, members, agreement.confusion, config)
        for system, members in sorted(by_system.items())
    )
    return (whole, *singles)


def _uneven(systems: Iterable[Sequence[JudgedCase]]) -> bool:
    """Whether one system has more than twice the share of labelled cases of another."""
    shares = [sum(c.label is not None for c in cases) / len(cases) for cases in systems]
    return max(shares) > 2 * min(shares)


def _corrected(
    system: str, cases: Sequence[JudgedCase], confusion: Confusion, config: CalibrationConfig
) -> SystemCorrection:
    labelled = [(case.label, case.judged) for case in cases if case.label is not None]
    score = ppi_mean(
        [label for label, _ in labelled],
        [judged for _, judged in labelled],
        [case.judged for case in cases if case.label is None],
        confidence=config.confidence,
    )
    if score.method is Correction.PPI:
        return SystemCorrection(system, score, None)
    errors = KnownErrors(
        passed_of=confusion.count(POSITIVE, POSITIVE),
        positives=confusion.labelled(POSITIVE),
        failed_of=confusion.count(NEGATIVE, NEGATIVE),
        negatives=confusion.labelled(NEGATIVE),
    )
    passed = sum(class_of(case.judged, config.class_threshold) == POSITIVE for case in cases)
    share = rogan_gladen(
        passed,
        len(cases),
        errors,
        confidence=config.confidence,
        min_per_class=config.min_per_class,
    )
    return SystemCorrection(system, score, share)
