"""Score, labels, flags and escalations, every number computed by code.

A citation counts 1 where it is fully supported and unflagged, ``partial_weight`` (0.5) where
it is partially supported and unflagged, else 0; the score is the sum over the number of
citations *in the trace*. Whatever the judge says is lowered where the checks in code, or the
judge's own other answers, do not allow it, and never raised.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from citeval_assets.playbooks.base import Assessment
from citeval_assets.playbooks.citation_accuracy.checks import (
    CitationAccuracyPrepared,
    CitationUnit,
)
from citeval_assets.playbooks.citation_accuracy.output import (
    CitationAccuracyReply,
    CitationEvaluation,
    Fidelity,
    FlagType,
    MisattributionFlag,
    Support,
)
from citeval_assets.playbooks.citation_accuracy.validation import (
    evaluations_by_unit,
    named,
)
from citeval_assets.playbooks.quoting import mismatch_detail
from citeval_assets.playbooks.report import Details, Disagreement, Escalation, Finding, Flag
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.shared import (
    SCORE_TOLERANCE,
    bare_id,
    listed,
)
from citeval_assets.playbooks.vocabulary import (
    DecidedBy,
    EscalationName,
    FindingUnit,
    RiskLevel,
    Severity,
)
from citeval_assets.text.markers import CitationState

CITATION_FLOOR = 0.8
"""At high risk a single citation that weighs less than this escalates."""

NOT_FOUND_LABEL = "citation_not_found"
"""Label of a citation without a source: no support level applies to it."""

_SEVERITY = {
    FlagType.NOT_FOUND: Severity.CRITICAL,
    FlagType.QUOTE: Severity.MAJOR,
    FlagType.CONTEXT: Severity.MAJOR,
    FlagType.UNSUPPORTED: Severity.MAJOR,
}
_LEAST_SUPPORT = {
    None: Support.PARTIAL,
    "partially_supported": Support.PARTIAL,
    "fully_supported": Support.FULL,
    "supported": Support.FULL,
}


class CitationAccuracyDetails(Details):
    """Counts of one trace. ``uncited_claims`` cost nothing; ``judge_score`` is for comparison."""

    citations: int = 0
    resolved: int = 0
    unresolved: int = 0
    malformed: int = 0
    fully_supported: int = 0
    partially_supported: int = 0
    unsupported: int = 0
    flagged: int = 0
    uncited_claims: tuple[str, ...] = ()
    numbering: str = ""
    judge_score: float | None = None


@dataclass(frozen=True, slots=True)
class _Settled:
    """One citation with its outcome and what the judge said otherwise."""

    finding: Finding
    disagreements: tuple[Disagreement, ...] = ()


def assess(prepared: CitationAccuracyPrepared, reply: CitationAccuracyReply | None) -> Assessment:
    """Score a valid answer; without one, every citation was settled by code."""
    evaluations = evaluations_by_unit(reply) if reply else {}
    flags = _JudgeFlags(reply.misattribution_flags if reply else ())
    settled = [
        _judged(unit, evaluations[unit.number], flags.of(unit), prepared.rules)
        if unit.asked
        else _by_code(unit, evaluations.get(unit.number))
        for unit in prepared.units
    ]
    findings = tuple(one.finding for one in settled)
    score = math.fsum(f.weight or 0.0 for f in findings) / len(findings)
    disagreements = [d for one in settled for d in one.disagreements]
    if reply:
        disagreements.extend(_totals(prepared, reply, score))
    return Assessment(
        score=score,
        findings=findings,
        details=details(prepared, findings, reply),
        escalations=tuple(_escalations(prepared, findings, score)),
        disagreements=tuple(disagreements),
        flags=tuple(dict.fromkeys(flag.type for f in findings for flag in f.flags)),
        summary=_summary(prepared, reply),
    )


def details(
    prepared: CitationAccuracyPrepared,
    findings: Sequence[Finding] = (),
    reply: CitationAccuracyReply | None = None,
) -> CitationAccuracyDetails:
    """Return the counts; of an unscored trace those that code knows."""
    states = [unit.citation.state for unit in prepared.units]
    labels = [finding.label for finding in findings]
    return CitationAccuracyDetails(
        citations=len(states),
        resolved=states.count(CitationState.RESOLVED),
        unresolved=states.count(CitationState.UNRESOLVED),
        malformed=states.count(CitationState.MALFORMED),
        fully_supported=labels.count(Support.FULL.value),
        partially_supported=labels.count(Support.PARTIAL.value),
        unsupported=labels.count(Support.NONE.value),
        flagged=sum(1 for finding in findings if finding.flags),
        uncited_claims=tuple(sentence.text for sentence in prepared.uncited),
        numbering=prepared.numbering,
        judge_score=reply.overall_citation_accuracy_score if reply else None,
    )


class _JudgeFlags:
    """The judge's flags by what they name; of one type the most severe is kept."""

    def __init__(self, flags: Iterable[MisattributionFlag]) -> None:
        self._kept: dict[int | str, dict[FlagType, MisattributionFlag]] = {}
        for flag in flags:
            key = bare_id(flag.citation_id) if flag.unit is None else flag.unit
            kept = self._kept.setdefault(key, {})
            known = kept.get(flag.flag_type)
            if known is None or flag.severity.rank < known.severity.rank:
                kept[flag.flag_type] = flag

    def of(self, unit: CitationUnit) -> list[MisattributionFlag]:
        """Return the flags that name this citation by number or by id."""
        keys: list[int | str] = [unit.number, *sorted(named(unit))]
        return [flag for key in keys for flag in self._kept.get(key, {}).values()]


def _by_code(unit: CitationUnit, evaluation: CitationEvaluation | None) -> _Settled:
    malformed = unit.citation.state is CitationState.MALFORMED
    detail = (
        "the citation holds no usable id"
        if malformed
        else f"there is no source {unit.citation.raw_id!r}"
    )
    flag = Flag(type=FlagType.NOT_FOUND, severity=Severity.CRITICAL, detail=detail)
    finding = Finding(
        unit=FindingUnit.CITATION,
        unit_number=unit.number,
        text=unit.sentence,
        source_id=None if malformed else unit.citation.raw_id,
        label=NOT_FOUND_LABEL,
        weight=0.0,
        flags=(flag,),
        decided_by=DecidedBy.CODE,
        explanation=detail,
        step_index=unit.step_index,
        char_start=unit.start,
        char_end=unit.end,
    )
    if evaluation is None or not evaluation.citation_exists:
        return _Settled(finding)
    said = Disagreement(
        field="citation_exists", judge="true", computed="false", unit_number=unit.number
    )
    return _Settled(finding, (said,))


def _judged(
    unit: CitationUnit,
    evaluation: CitationEvaluation,
    judge_flags: Sequence[MisattributionFlag],
    rules: DomainRules,
) -> _Settled:
    flags = _flags(unit, evaluation, judge_flags)
    label = _label(evaluation, flags)
    weight = _weight(label, flags, rules)
    lost = unit.lost_quotes
    finding = Finding(
        unit=FindingUnit.CITATION,
        unit_number=unit.number,
        text=unit.sentence,
        source_id=unit.source_id,
        label=label,
        weight=weight,
        flags=tuple(flags.values()),
        decided_by=DecidedBy.CODE if lost else DecidedBy.JUDGE,
        explanation=evaluation.explanation,
        evidence=tuple(evidence for quote in unit.quotes for evidence in quote.evidence),
        quote_found_in=next((quote.found_in for quote in lost if quote.found_in), None),
        step_index=unit.step_index,
        char_start=unit.start,
        char_end=unit.end,
    )
    return _Settled(finding, tuple(_said_otherwise(unit, evaluation, judge_flags, finding)))


def _flags(
    unit: CitationUnit,
    evaluation: CitationEvaluation,
    judge_flags: Sequence[MisattributionFlag],
) -> dict[FlagType, Flag]:
    """Return every flag of one citation, whoever found it, with the severity code gives it."""
    details: dict[FlagType, str] = {}
    if evaluation.claim_support_strength is Support.NONE:
        details[FlagType.UNSUPPORTED] = "the judge finds no support in the cited source"
    if evaluation.context_fidelity is Fidelity.MISMATCH:
        details[FlagType.CONTEXT] = "in its context the passage does not say this"
    if not evaluation.quote_accurate:
        details[FlagType.QUOTE] = "the judge finds the quotation inaccurate"
    severities = dict(_SEVERITY)
    for flag in judge_flags if evaluation.flagged else ():
        # That the source exists is known; its flag stays out. All others stand.
        if flag.flag_type is FlagType.NOT_FOUND:
            continue
        details[flag.flag_type] = flag.detail
        if flag.flag_type is FlagType.UNSUPPORTED and flag.severity is Severity.CRITICAL:
            severities[FlagType.UNSUPPORTED] = Severity.CRITICAL
    for quote in unit.lost_quotes:
        details[FlagType.QUOTE] = mismatch_detail(quote, unit.source_id)
    return {
        kind: Flag(type=kind, severity=severities[kind], detail=details[kind])
        for kind in FlagType
        if kind in details
    }


def _label(evaluation: CitationEvaluation, flags: Mapping[FlagType, Flag]) -> Support:
    """Return the judge's support level, lowered as far as its other answers demand."""
    if FlagType.UNSUPPORTED in flags:
        return Support.NONE
    capped = bool(flags) or evaluation.context_fidelity is not Fidelity.ACCURATE
    cap = Support.PARTIAL if capped else Support.FULL
    return min(evaluation.claim_support_strength, cap, key=lambda support: support.rank)


def _weight(label: Support, flags: Mapping[FlagType, Flag], rules: DomainRules) -> float:
    if flags or label.rank < _LEAST_SUPPORT[rules.evidence_threshold].rank:
        return 0.0
    return {Support.FULL: 1.0, Support.PARTIAL: rules.partial_weight}.get(label, 0.0)


def _said_otherwise(
    unit: CitationUnit,
    evaluation: CitationEvaluation,
    judge_flags: Sequence[MisattributionFlag],
    finding: Finding,
) -> Iterable[Disagreement]:
    def differs(field: str, judge: object, computed: object) -> Disagreement:
        return Disagreement(
            field=field, judge=str(judge), computed=str(computed), unit_number=unit.number
        )

    if not evaluation.citation_exists:
        yield differs("citation_exists", "false", "true")
    if bare_id(evaluation.citation_id) not in named(unit):
        yield differs("citation_id", evaluation.citation_id, unit.source_id)
    if evaluation.reasoning_step_index != unit.step_index:
        yield differs("reasoning_step_index", evaluation.reasoning_step_index, unit.step_index)
    if evaluation.quote_accurate and unit.lost_quotes:
        yield differs("quote_accurate", "true", "false")
    if evaluation.claim_support_strength.value != finding.label:
        yield differs("claim_support_strength", evaluation.claim_support_strength, finding.label)
    if evaluation.flagged != bool(finding.flags):
        yield differs("flagged", evaluation.flagged, bool(finding.flags))
    severities = {flag.type: flag.severity for flag in finding.flags}
    for flag in judge_flags if evaluation.flagged else ():
        computed = severities.get(flag.flag_type, "no flag")
        if flag.severity != computed:
            yield differs(f"severity of {flag.flag_type}", flag.severity, computed)


def _totals(
    prepared: CitationAccuracyPrepared, reply: CitationAccuracyReply, score: float
) -> Iterable[Disagreement]:
    total = len(prepared.units)
    asked = sum(1 for unit in prepared.units if unit.asked)
    # A judge that was asked about some only may count those or all.
    if reply.total_citations_evaluated not in (total, asked):
        yield Disagreement(
            field="total_citations_evaluated",
            judge=str(reply.total_citations_evaluated),
            computed=str(total),
        )
    if abs(reply.overall_citation_accuracy_score - score) > SCORE_TOLERANCE:
        yield Disagreement(
            field="overall_citation_accuracy_score",
            judge=f"{reply.overall_citation_accuracy_score:g}",
            computed=f"{score:.6f}",
        )


def _escalations(
    prepared: CitationAccuracyPrepared, findings: Sequence[Finding], score: float
) -> Iterable[Escalation]:
    high = prepared.risk_level is RiskLevel.HIGH
    flagged = [f for f in findings if f.flags]
    critical = [f for f in flagged if any(flag.severity is Severity.CRITICAL for flag in f.flags)]
    telling = flagged if high else critical
    if telling:
        units = listed(f"unit {f.unit_number}: {f.flags[0].type}" for f in telling)
        severity = Severity.CRITICAL if critical else Severity.MAJOR
        yield Escalation(name=EscalationName.FLAG, severity=severity, detail=units)
    threshold = prepared.rules.score_threshold
    low = score < threshold - 1e-9
    weak = [f for f in findings if (f.weight or 0.0) < CITATION_FLOOR - 1e-9]
    if low or (high and weak):
        detail = f"score {score:.3f}, threshold {threshold:g}"
        if high and weak:
            detail += f"; citations under {CITATION_FLOOR:g}: " + listed(
                f"unit {f.unit_number}" for f in weak
            )
        yield Escalation(name=EscalationName.LOW_SCORE, detail=detail)


def _summary(prepared: CitationAccuracyPrepared, reply: CitationAccuracyReply | None) -> str:
    lines = [reply.summary] if reply and reply.summary.strip() else []
    if prepared.uncited:
        uncited = listed(f"step {s.step_index}: {s.text}" for s in prepared.uncited)
        lines.append(f"Claims without a citation: {uncited}")
    return "\n".join(lines)
