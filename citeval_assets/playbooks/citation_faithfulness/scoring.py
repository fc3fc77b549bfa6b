"""Score, counts, error types and escalations, every number computed by code.

The score is the supported claims over all claims that should carry a citation.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from citeval_assets.playbooks.base import Assessment
from citeval_assets.playbooks.citation_faithfulness.checks import (
    CitationFaithfulnessPrepared,
    ClaimUnit,
)
from citeval_assets.playbooks.citation_faithfulness.claims import (
    Claim,
    ClaimRow,
    rows_by_unit,
    settle_unit,
)
from citeval_assets.playbooks.citation_faithfulness.output import (
    CitationFaithfulnessReply,
    Verdict,
)
from citeval_assets.playbooks.quoting import mismatch_detail
from citeval_assets.playbooks.report import Details, Disagreement, Escalation, Finding, Flag
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.shared import SCORE_TOLERANCE, bare_id, listed
from citeval_assets.playbooks.vocabulary import (
    DecidedBy,
    EscalationName,
    FindingUnit,
    RiskLevel,
    Severity,
)


@dataclass(frozen=True, slots=True)
class _Judged:
    """A claim with the verdict on it as a whole, and whether that counts as supported."""

    claim: Claim
    verdict: Verdict
    supported: bool

    @classmethod
    def of(cls, claim: Claim, rules: DomainRules) -> "_Judged":
        """Read the verdict of a claim whose rows are all there."""
        verdict = claim.verdict
        enough = verdict is Verdict.SUPPORTED or (
            verdict is Verdict.PARTIAL and rules.evidence_threshold == "partially_supported"
        )
        return cls(claim, verdict, enough)


class CitationFaithfulnessDetails(Details):
    """What the trend row of a case is made of. Counts are 0 where nothing was judged.

    ``unsupported_claims`` are the texts of claims whose passages do not carry them;
    ``hallucinated_sources`` the invented ids, each once. ``hallucinated_source_count`` counts
    an id once for each sentence that cites it, and rests on code alone.
    """

    unsupported_claims: tuple[str, ...] = ()
    hallucinated_sources: tuple[str, ...] = ()
    claim_count: int = 0
    supported_claim_count: int = 0
    unsupported_claim_count: int = 0
    missing_citation_count: int = 0
    hallucinated_source_count: int = 0
    numbering: str = ""
    judge_score: float | None = None


def assess(
    prepared: CitationFaithfulnessPrepared, reply: CitationFaithfulnessReply | None
) -> Assessment:
    """Score a valid answer; without one, every claim was settled by code."""
    rows = rows_by_unit(reply.claims_analysis if reply else ())
    passages = {bare_id(p.id): p.id for p in prepared.view.passages}
    judged: list[_Judged] = []
    disagreements: list[Disagreement] = []
    for unit in prepared.units:
        settlement = settle_unit(unit, rows.get(unit.number, []), passages)
        judged.extend(_Judged.of(claim, prepared.rules) for claim in settlement.claims)
        disagreements.extend(settlement.disagreements)
    score = sum(one.supported for one in judged) / len(judged)
    if reply and abs(reply.citation_faithfulness_score - score) > SCORE_TOLERANCE:
        disagreements.append(
            Disagreement(
                field="citation_faithfulness_score",
                judge=f"{reply.citation_faithfulness_score:g}",
                computed=f"{score:.6f}",
            )
        )
    findings = tuple(
        _finding(prepared, one, row) for one in judged for row in _in_order_of_citation(one.claim)
    )
    return Assessment(
        score=score,
        findings=findings,
        details=_details(prepared, judged, reply),
        escalations=tuple(_escalations(prepared, findings)),
        disagreements=tuple(disagreements),
        summary=reply.overall_assessment if reply else "",
    )


def unseen(prepared: CitationFaithfulnessPrepared, findings: Sequence[Finding]) -> list[str]:
    """Return the claims whose only fault is that a passage they cite carries too little.

    What a passage contradicts, and an invented source, stand whatever was cut away.
    """
    cut = {event.source_id for event in prepared.context_cuts}
    claims: dict[tuple[int, str], list[Finding]] = {}
    for finding in findings:
        claims.setdefault((finding.unit_number, finding.text), []).append(finding)
    stands = {Verdict.CONTRADICTED.value, Verdict.HALLUCINATED.value}
    return [
        f"unit {number}: {text}"
        for (number, text), rows in claims.items()
        if not any(row.label in stands for row in rows)
        and any(
            row.source_id in cut
            and row.label == Verdict.PARTIAL
            and row.decided_by is DecidedBy.JUDGE
            and (row.weight or 0.0) < 1.0
            for row in rows
        )
    ]


def unjudged_details(prepared: CitationFaithfulnessPrepared) -> CitationFaithfulnessDetails:
    """Return what code knows of a case that has no score."""
    return CitationFaithfulnessDetails(
        hallucinated_sources=_invented(prepared.units), numbering=prepared.numbering
    )


def _invented(units: Iterable[ClaimUnit]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(source_id for unit in units for source_id in unit.invented))


def _details(
    prepared: CitationFaithfulnessPrepared,
    judged: Sequence[_Judged],
    reply: CitationFaithfulnessReply | None,
) -> CitationFaithfulnessDetails:
    others = [one for one in judged if not one.supported]
    attributed = [
        one.claim for one in others if one.verdict in (Verdict.PARTIAL, Verdict.CONTRADICTED)
    ]
    return CitationFaithfulnessDetails(
        unsupported_claims=tuple(claim.text for claim in attributed),
        hallucinated_sources=_invented(prepared.units),
        claim_count=len(judged),
        supported_claim_count=len(judged) - len(others),
        unsupported_claim_count=len(attributed),
        missing_citation_count=sum(one.verdict is Verdict.NO_CITATION for one in others),
        hallucinated_source_count=sum(len(unit.invented) for unit in prepared.units),
        numbering=prepared.numbering,
        judge_score=reply.citation_faithfulness_score if reply else None,
    )


def _in_order_of_citation(claim: Claim) -> list[ClaimRow]:
    ids = (*claim.unit.cited, *claim.unit.invented)
    return sorted(
        claim.rows.values(),
        key=lambda row: ids.index(row.source_id) if row.source_id in ids else len(ids),
    )


def _finding(prepared: CitationFaithfulnessPrepared, judged: _Judged, row: ClaimRow) -> Finding:
    claim, unit = judged.claim, judged.claim.unit
    lost = unit.lost_quotes if row.source_id in unit.cited else ()
    start, end = _located(prepared, claim)
    return Finding(
        unit=FindingUnit.CLAIM,
        unit_number=unit.number,
        text=claim.text,
        source_id=row.source_id,
        label=row.verdict,
        weight=1.0 if judged.supported else 0.0,
        flags=tuple(
            Flag(
                type="quote_mismatch",
                severity=Severity.MAJOR,
                detail=mismatch_detail(quote, row.source_id),
            )
            for quote in lost[:1]
        ),
        decided_by=DecidedBy.CODE if row.by_code else DecidedBy.JUDGE,
        explanation=row.explanation,
        evidence=tuple(
            evidence
            for quote in unit.quotes
            for evidence in quote.evidence
            if evidence.source_id == row.source_id
        ),
        quote_found_in=next((quote.found_in for quote in lost if quote.found_in), None),
        category=row.verdict.error_type,
        char_start=start,
        char_end=end,
    )


def _located(prepared: CitationFaithfulnessPrepared, claim: Claim) -> tuple[int | None, int | None]:
    """Return where the claim stands in the answer: its own words, else its sentence."""
    unit = claim.unit
    if unit.start is None or unit.end is None:
        return None, None
    words = claim.text.strip().rstrip(".!?。！？")
    start = (prepared.view.answer or "").find(words, unit.start, unit.end) if words else -1
    return (start, start + len(words)) if start >= 0 else (unit.start, unit.end)


def _escalations(
    prepared: CitationFaithfulnessPrepared, findings: Sequence[Finding]
) -> Iterable[Escalation]:
    names = {
        Verdict.HALLUCINATED: (EscalationName.HALLUCINATED_SOURCE, Severity.CRITICAL),
        Verdict.CONTRADICTED: (EscalationName.CONTRADICTED, Severity.CRITICAL),
    }
    if prepared.risk_level is RiskLevel.HIGH:
        names[Verdict.PARTIAL] = (EscalationName.PARTIALLY_SUPPORTED, Severity.MAJOR)
    for verdict, (name, severity) in names.items():
        told = [f for f in findings if f.label == verdict]
        if told:
            detail = listed(f"unit {f.unit_number}: source {f.source_id!r}" for f in told)
            yield Escalation(name=name, severity=severity, detail=detail)
