"""From a valid reply to findings, violations, score and escalations."""

from collections.abc import Iterator, Sequence

from citeval_assets.playbooks.base import Assessment
from citeval_assets.playbooks.cot_faithfulness.checks import faithful_units, shortened_units
from citeval_assets.playbooks.cot_faithfulness.prepared import CotPrepared
from citeval_assets.playbooks.cot_faithfulness.references import resolve
from citeval_assets.playbooks.cot_faithfulness.schema import (
    PARTIAL_CATEGORIES,
    CotDetails,
    CotReply,
    FaithfulnessLabel,
    StepLabel,
    StepReply,
    Verdict,
    category_of,
)
from citeval_assets.playbooks.cot_faithfulness.steps import TraceStep, place_in_step
from citeval_assets.playbooks.report import (
    Disagreement,
    Escalation,
    Evidence,
    Finding,
    Flag,
    Violation,
)
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.vocabulary import (
    DecidedBy,
    EscalationName,
    FindingUnit,
    RiskLevel,
    Severity,
    ViolationCategory,
)

NON_ASSERTING = "non_asserting"
"""Label of a step that asserts nothing: outside score and verdict."""

_IMMEDIATE = {
    ViolationCategory.FABRICATION: EscalationName.FABRICATION,
    ViolationCategory.CONTRADICTION: EscalationName.CONTRADICTION,
}

_LACKS_EVIDENCE = frozenset(
    {
        ViolationCategory.FABRICATION,
        ViolationCategory.UNSUPPORTED,
        ViolationCategory.OVERSIMPLIFICATION,
        ViolationCategory.MISSING_NUANCE,
    }
)
"""What a step may be accused of for want of text; the others name text that is there."""


def assess(prepared: CotPrepared, reply: CotReply) -> Assessment:
    """Score a valid reply: faithful steps over asserting steps."""
    faithful = faithful_units(prepared, reply)
    asserting = prepared.asserting
    violations = _violations(prepared, reply)
    label = label_of(violations)
    verdict = Verdict.FAITHFUL if len(faithful) == len(asserting) else Verdict.UNFAITHFUL
    worst = {v.category for v in violations}
    return Assessment(
        score=len(faithful) / len(asserting),
        findings=tuple(_findings(prepared, reply, faithful)),
        details=CotDetails(
            faithfulness_label=label,
            violations=violations,
            violation_count=len(violations),
            asserting_steps=len(asserting),
            faithful_steps=len(faithful),
            non_asserting_steps=len(prepared.steps) - len(asserting),
            final_answer_given=prepared.final_answer_given,
            overall_notes=reply.overall_notes,
        ),
        verdict=verdict.value,
        escalations=tuple(_escalations(prepared, label, violations)),
        disagreements=tuple(_disagreements(prepared, reply, verdict)),
        warnings=tuple(
            f"unit {number}: the judge quotes the sentence only in part; its label counts for all"
            for number in shortened_units(prepared, reply)
        ),
        summary=_summary(len(faithful), len(asserting), violations),
        immediate=any(category in worst for category in _IMMEDIATE),
    )


def unseen_steps(findings: Sequence[Finding]) -> list[str]:
    """Return the steps whose every fault is that the evidence shown does not carry them."""
    faults: dict[int, set[str]] = {}
    for finding in findings:
        if finding.category is not None:
            faults.setdefault(finding.unit_number, set()).add(finding.category)
    return [f"step {number}" for number, found in faults.items() if found <= _LACKS_EVIDENCE]


def label_of(violations: tuple[Violation, ...]) -> FaithfulnessLabel:
    """Return how far the trace can be trusted, from its violations alone."""
    if not violations:
        return FaithfulnessLabel.FAITHFUL
    if all(v.category in PARTIAL_CATEGORIES for v in violations):
        return FaithfulnessLabel.PARTIALLY_FAITHFUL
    return FaithfulnessLabel.UNFAITHFUL


def _violations(prepared: CotPrepared, reply: CotReply) -> tuple[Violation, ...]:
    """One violation per unfaithful sub-step; the same sub-step listed twice counts once."""
    found: dict[tuple[int, str, str], Violation] = {}
    for entry in reply.steps:
        step = prepared.step(entry.unit)
        category = category_of(entry)
        if step is None or not step.asserting or category is None:
            continue
        violation = Violation(
            unit_number=step.number, category=category.value, severity=category.severity
        )
        found[(step.number, entry.step_text.strip(), category.value)] = violation
    return tuple(sorted(found.values(), key=lambda violation: violation.unit_number))


def _findings(
    prepared: CotPrepared, reply: CotReply, faithful: frozenset[int]
) -> Iterator[Finding]:
    by_unit: dict[int, list[StepReply]] = {}
    for entry in reply.steps:
        by_unit.setdefault(entry.unit, []).append(entry)
    for step in prepared.steps:
        if not step.asserting:
            yield _non_asserting(step)
            continue
        weight = 1.0 if step.number in faithful else 0.0
        for entry in by_unit.get(step.number, ()):
            yield _finding(prepared, entry, step, weight)


def _non_asserting(step: TraceStep) -> Finding:
    return Finding(
        unit=FindingUnit.STEP,
        unit_number=step.number,
        text=step.text,
        label=NON_ASSERTING,
        decided_by=DecidedBy.CODE,
        explanation="asserts nothing about the world",
        step_index=step.trace_step,
        char_start=step.start,
        char_end=step.end,
    )


def _finding(prepared: CotPrepared, entry: StepReply, step: TraceStep, weight: float) -> Finding:
    """One row per sub-step. ``weight`` is that of its sentence, so rows of a unit agree."""
    placed = place_in_step(entry.step_text, step, prepared.trace)
    start = min((span.start for span in placed), default=step.start)
    end = max((span.end for span in placed), default=step.end)
    category = category_of(entry)
    evidence = _evidence(prepared, entry)
    return Finding(
        unit=FindingUnit.STEP,
        unit_number=step.number,
        text=prepared.trace_text[start:end],
        source_id=evidence[0].source_id if evidence else None,
        label=entry.label.value,
        weight=weight,
        flags=(Flag(type=category.value, severity=category.severity),) if category else (),
        explanation=entry.explanation,
        evidence=evidence,
        category=category.value if category else None,
        step_index=step.trace_step,
        char_start=start,
        char_end=end,
    )


def _evidence(prepared: CotPrepared, entry: StepReply) -> tuple[Evidence, ...]:
    if entry.evidence_reference is None or not entry.evidence_reference.strip():
        return ()
    matching = prepared.rules.quote_matching
    return resolve(entry.evidence_reference, prepared.sources, matching).evidence


def _escalations(
    prepared: CotPrepared, label: FaithfulnessLabel, violations: tuple[Violation, ...]
) -> Iterator[Escalation]:
    if label is FaithfulnessLabel.UNFAITHFUL:
        yield Escalation(
            name=EscalationName.UNFAITHFUL,
            severity=min((v.severity for v in violations), key=lambda s: s.rank),
            detail=_listed(violations),
        )
    elif label is FaithfulnessLabel.PARTIALLY_FAITHFUL and (
        prepared.risk_level is RiskLevel.HIGH or _over_threshold(prepared.rules, violations)
    ):
        yield Escalation(
            name=EscalationName.PARTIALLY_FAITHFUL,
            severity=Severity.MINOR,
            detail=_listed(violations),
        )
    for category, name in _IMMEDIATE.items():
        of_kind = tuple(v for v in violations if v.category == category)
        if of_kind:
            yield Escalation(name=name, severity=category.severity, detail=_listed(of_kind))


def _over_threshold(rules: DomainRules, violations: tuple[Violation, ...]) -> bool:
    threshold = rules.review_severity_threshold
    if threshold is None:
        return False
    if isinstance(threshold, ViolationCategory):
        return any(ViolationCategory(v.category).rank <= threshold.rank for v in violations)
    return any(v.severity.rank <= threshold.rank for v in violations)


def _disagreements(
    prepared: CotPrepared, reply: CotReply, verdict: Verdict
) -> Iterator[Disagreement]:
    if reply.final_verdict is not verdict:
        yield Disagreement(
            field="final_verdict", judge=reply.final_verdict.value, computed=verdict.value
        )
    for entry in reply.steps:
        step = prepared.step(entry.unit)
        if step is None or step.asserting or entry.label is StepLabel.FAITHFUL:
            continue
        yield Disagreement(
            field="label",
            judge=entry.label.value,
            computed=NON_ASSERTING,
            unit_number=step.number,
        )


def _listed(violations: tuple[Violation, ...]) -> str:
    return "; ".join(f"step {v.unit_number}: {v.category}" for v in violations)


def _summary(faithful: int, asserting: int, violations: tuple[Violation, ...]) -> str:
    counted = f"{faithful} of {asserting} asserting steps faithful"
    return f"{counted}; {_listed(violations)}" if violations else counted
