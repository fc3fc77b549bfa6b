"""Verdicts as plain data: one line per gate and metric, one comparison per gate."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from citeval_assets.gates.model import (
    GateReport,
    GateResult,
    MetricResult,
    NewFailure,
    NewPattern,
    SideSummary,
    UnscoredCase,
)
from citeval_assets.statistics.repeats import JudgeNoise

COUNTED = ("new_hallucinated_cases", "hallucinated_sources", "new_patterns")
"""Metrics whose numbers are counts; all others are shares in 0..1."""

SHOWN_CASES = 100
"""Cases listed with one verdict; the counts are always of all."""


@dataclass(frozen=True, slots=True)
class GateLine:
    """One metric of one gate, as ``gate --json`` and the ledger show it.

    Numbers are shares in 0..1 where ``unit`` is ``share``, counts where it is ``count``.
    ``interval`` is [low, high] of ``difference`` (candidate minus baseline).
    """

    gate: str
    playbook: str
    metric: str
    unit: str
    mode: str | None
    direction: str
    compare: str
    baseline: str
    candidate: str
    judge: str
    prompt_version: str
    scope: str
    baseline_value: float | None
    candidate_value: float | None
    difference: float | None
    interval: tuple[float, float] | None
    confidence: float
    pairs: int
    questions: int
    better: int
    worse: int
    detectable_drop: float | None
    false_alarm_rate: float | None
    threshold: float | None
    limit: float | None
    design_effect: float | None
    p_value: float | None
    p_holm: float | None
    overridden: int
    provisional: int
    by_code: bool
    verdict: str
    reasons: tuple[str, ...]
    notes: tuple[str, ...]
    cases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GateComparison:
    """What stands behind the verdicts of one gate."""

    gate: str
    playbook: str
    verdict: str
    counts_as_passed: bool
    reasons: tuple[str, ...]
    notes: tuple[str, ...]
    baseline: SideSummary | None
    candidate: SideSummary | None
    pairs: int
    mcnemar_worse: int
    mcnemar_better: int
    mcnemar_p: float | None
    judge_noise: JudgeNoise | None
    qualified: bool | None
    patterns: tuple[NewPattern, ...]
    new_failures: tuple[NewFailure, ...]
    unscored: tuple[UnscoredCase, ...]


@dataclass(frozen=True, slots=True)
class GateDocument:
    """What ``citeval gate --json`` prints."""

    verdict: str
    reasons: tuple[str, ...]
    gates: tuple[GateLine, ...]
    comparisons: tuple[GateComparison, ...]


def document_of(report: GateReport) -> GateDocument:
    """Return a report as plain data."""
    return GateDocument(
        verdict=report.verdict,
        reasons=report.reasons,
        gates=tuple(line for gate in report.gates for line in gate_lines(gate)),
        comparisons=tuple(map(_comparison, report.gates)),
    )


def gate_lines(gate: GateResult) -> Iterator[GateLine]:
    """Yield one line per metric of a gate."""
    for metric in gate.metrics:
        yield _line(gate, metric)


def _line(gate: GateResult, metric: MetricResult) -> GateLine:
    sides = [side for side in (gate.baseline, gate.candidate) if side is not None]
    bounded = metric.low is not None and metric.high is not None
    return GateLine(
        gate=gate.gate,
        playbook=gate.playbook,
        metric=metric.metric,
        unit="count" if metric.metric in COUNTED else "share",
        mode=None if metric.mode is None else str(metric.mode),
        direction=str(metric.direction),
        compare=str(gate.compare),
        baseline=gate.baseline_label,
        candidate=gate.candidate_label,
        judge=gate.judge,
        prompt_version=gate.prompt_version,
        scope=gate.scope,
        baseline_value=metric.baseline_value,
        candidate_value=metric.candidate_value,
        difference=metric.difference,
        interval=(metric.low or 0.0, metric.high or 0.0) if bounded else None,
        confidence=gate.confidence,
        pairs=metric.pairs,
        questions=metric.questions,
        better=metric.better,
        worse=metric.worse,
        detectable_drop=metric.detectable_drop,
        false_alarm_rate=metric.false_alarm_rate,
        threshold=metric.threshold,
        limit=metric.limit,
        design_effect=metric.design_effect,
        p_value=metric.p_value,
        p_holm=metric.p_holm,
        overridden=sum(side.overridden for side in sides),
        provisional=sum(side.provisional for side in sides),
        by_code=metric.by_code,
        verdict=str(metric.verdict),
        reasons=metric.reasons,
        notes=gate.notes,
        cases=metric.cases[:SHOWN_CASES],
    )


def _comparison(gate: GateResult) -> GateComparison:
    return GateComparison(
        gate=gate.gate,
        playbook=gate.playbook,
        verdict=str(gate.verdict),
        counts_as_passed=gate.counts_as_passed,
        reasons=gate.reasons,
        notes=gate.notes,
        baseline=gate.baseline,
        candidate=gate.candidate,
        pairs=gate.pairs,
        mcnemar_worse=gate.mcnemar_worse,
        mcnemar_better=gate.mcnemar_better,
        mcnemar_p=gate.mcnemar_p,
        judge_noise=gate.judge_noise,
        qualified=gate.qualified,
        patterns=_shortened(gate.patterns),
        new_failures=gate.new_failures[:SHOWN_CASES],
        unscored=gate.unscored[:SHOWN_CASES],
    )


def _shortened(patterns: Sequence[NewPattern]) -> tuple[NewPattern, ...]:
    return tuple(
        replace(p, cases=p.cases[:SHOWN_CASES], allowed_cases=p.allowed_cases[:SHOWN_CASES])
        for p in patterns[:SHOWN_CASES]
    )
