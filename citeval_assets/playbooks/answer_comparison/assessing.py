"""From a valid reply to criteria, verdict, score and escalations."""

from collections.abc import Iterator
from dataclasses import dataclass

from citeval_assets.playbooks.answer_comparison.claims import LISTED, Claim
from citeval_assets.playbooks.answer_comparison.prepared import ComparisonPrepared
from citeval_assets.playbooks.answer_comparison.schema import (
    NOT_JUDGED,
    AbstentionScore,
    CitationScore,
    ComparisonDetails,
    ComparisonReply,
    Correctness,
    Criteria,
    NumberCheck,
    PassFail,
    UnsupportedSentence,
)
from citeval_assets.playbooks.base import Assessment
from citeval_assets.playbooks.report import Disagreement, Escalation, Finding, Flag
from citeval_assets.playbooks.vocabulary import (
    DecidedBy,
    EscalationName,
    FindingUnit,
    RiskLevel,
    Severity,
)

CITATION_FLOOR = 0.9
"""A citation accuracy under this is escalated."""

PARTIAL_SCORE = 0.5
"""Score of an answer that is partly correct and fails nothing else."""


@dataclass(frozen=True)
class _Judged:
    """A reply after the checks in code: criteria may only have been lowered."""

    prepared: ComparisonPrepared
    reply: ComparisonReply
    unsupported: tuple[UnsupportedSentence, ...]

    @property
    def number_conflict(self) -> bool:
        """Whether the judge and the comparison of two numbers exclude each other."""
        check = self.prepared.number_check
        if check is None:
            return False
        said = self.reply.answer_correctness.score
        return said is Correctness.FAIL if check.agrees else said is not Correctness.FAIL

    @property
    def correctness(self) -> Correctness:
        return Correctness.FAIL if self.number_conflict else self.reply.answer_correctness.score

    @property
    def citations(self) -> CitationScore | None:
        """Citation accuracy; ``None`` where it is not judged."""
        prepared, said = self.prepared, self.reply.citation_accuracy.score
        if not prepared.judges_sources:
            return None
        if prepared.uncounted_citations or prepared.lost_quotes:
            return CitationScore.FAIL
        if said is CitationScore.PASS and self.reply.citation_accuracy.unsupported_claims:
            return CitationScore.FAIL
        if said is CitationScore.PASS and not prepared.cites:
            return CitationScore.NO_CITATIONS
        return said

    @property
    def faithfulness(self) -> PassFail | None:
        """Faithfulness to the sources; ``None`` where it is not judged."""
        return self.reply.source_faithfulness.score if self.prepared.judges_sources else None

    @property
    def abstention(self) -> AbstentionScore:
        return self.reply.abstention_detection.score

    @property
    def citation_accuracy(self) -> float | None:
        """Share of asserting sentences that are not unsupported."""
        claims = self.prepared.claims
        uncited = self.citations is CitationScore.NO_CITATIONS and not self.unsupported
        if not self.prepared.judges_sources or self.prepared.is_abstention or not claims or uncited:
            return None
        return (len(claims) - len(self.unsupported)) / len(claims)

    @property
    def rest_passes(self) -> bool:
        """Whether everything but correctness holds."""
        return (
            self.citations is not CitationScore.FAIL
            and self.faithfulness is not PassFail.FAIL
            and self.abstention.passes
        )

    @property
    def score(self) -> float:
        if self.abstention is AbstentionScore.CORRECT_ABSTENTION:
            return 1.0
        if not self.rest_passes:
            return 0.0
        return {Correctness.PASS: 1.0, Correctness.PARTIAL: PARTIAL_SCORE}.get(
            self.correctness, 0.0
        )

    @property
    def overall(self) -> PassFail:
        return PassFail.PASS if self.score == 1.0 else PassFail.FAIL

    @property
    def criteria(self) -> Criteria:
        return Criteria(
            answer_correctness=self.correctness.value,
            citation_accuracy=self.citations.value if self.citations else NOT_JUDGED,
            source_faithfulness=self.faithfulness.value if self.faithfulness else NOT_JUDGED,
            abstention_detection=self.abstention.value,
        )


def assess(prepared: ComparisonPrepared, reply: ComparisonReply) -> Assessment:
    """Score a valid reply."""
    judged = _Judged(prepared, reply, _unsupported(prepared, reply))
    return Assessment(
        score=judged.score,
        findings=tuple(_findings(judged)),
        details=details(prepared, judged.criteria, judged.citation_accuracy, judged.unsupported),
        verdict=judged.overall.value,
        escalations=tuple(_escalations(judged)),
        disagreements=tuple(_disagreements(judged)),
        summary=_summary(judged),
    )


def unseen_criteria(prepared: ComparisonPrepared, assessment: Assessment) -> list[str]:
    """Return the criteria on which an answer fails only for what the sources shown lack.

    An answer that is wrong by its reference, or cites and quotes what code does not find, fails
    whatever was cut away.
    """
    labels = {finding.text: finding.label for finding in assessment.findings}
    if assessment.score == 1.0 or labels["answer_correctness"] == Correctness.FAIL:
        return []
    if prepared.uncounted_citations or prepared.lost_quotes:
        return []
    by_source = ("citation_accuracy", "source_faithfulness")
    return [name for name in by_source if labels[name] == PassFail.FAIL]


def details(
    prepared: ComparisonPrepared,
    criteria: Criteria | None = None,
    citation_accuracy: float | None = None,
    unsupported: tuple[UnsupportedSentence, ...] = (),
) -> ComparisonDetails:
    """Return what code knows of a case, with what was judged where it was."""
    return ComparisonDetails(
        criteria=criteria,
        citation_accuracy=citation_accuracy,
        asserting_sentences=len(prepared.claims),
        unsupported_sentences=unsupported,
        is_abstention=prepared.is_abstention,
        answerable=prepared.answerable,
        number_check=prepared.number_check,
    )


def _unsupported(
    prepared: ComparisonPrepared, reply: ComparisonReply
) -> tuple[UnsupportedSentence, ...]:
    """Return the sentences the judge lists, and those whose citation or quotation is false."""
    if not prepared.judges_sources:
        return ()
    listed: set[int] = set()
    if prepared.searched is not None:
        for entry in dict.fromkeys(reply.citation_accuracy.unsupported_claims):
            listed |= prepared.searched.marked(entry, prepared.claims)
    return tuple(
        UnsupportedSentence(
            text=claim.text,
            char_start=claim.start,
            char_end=claim.end,
            cause=_cause(claim, claim.number in listed),
        )
        for claim in prepared.claims
        if claim.number in listed or claim.fault
    )


def _cause(claim: Claim, listed: bool) -> str:
    return "; ".join([*([claim.fault] if claim.fault else []), *([LISTED] if listed else [])])


def _escalations(judged: _Judged) -> Iterator[Escalation]:
    check = judged.prepared.number_check
    if judged.number_conflict and check is not None:
        yield Escalation(name=EscalationName.DETERMINISTIC_CONFLICT, detail=_compared(check))
    if judged.prepared.risk_level is RiskLevel.HIGH:
        if judged.correctness is Correctness.FAIL:
            yield Escalation(name=EscalationName.CORRECTNESS_FAIL, severity=Severity.CRITICAL)
        elif judged.correctness is Correctness.PARTIAL:
            yield Escalation(name=EscalationName.CORRECTNESS_PARTIAL)
    accuracy = judged.citation_accuracy
    if accuracy is not None and accuracy < CITATION_FLOOR - 1e-9:
        yield Escalation(
            name=EscalationName.LOW_CITATION_ACCURACY,
            detail=f"citation accuracy {accuracy:.3f}, under {CITATION_FLOOR}",
        )


def _disagreements(judged: _Judged) -> Iterator[Disagreement]:
    said, computed = judged.reply, judged.criteria
    pairs = (
        ("answer_correctness", said.answer_correctness.score.value, computed.answer_correctness),
        ("citation_accuracy", said.citation_accuracy.score.value, computed.citation_accuracy),
        ("overall_score", said.overall_score.value, judged.overall.value),
    )
    for name, judge, value in pairs:
        if judge != value and value != NOT_JUDGED:
            yield Disagreement(field=name, judge=judge, computed=value)
    check = judged.prepared.number_check
    if judged.number_conflict and check is not None and check.agrees:
        yield Disagreement(field="answer_correctness", judge="FAIL", computed=_compared(check))
    unlisted = said.citation_accuracy.score is CitationScore.FAIL and not judged.unsupported
    if unlisted and judged.prepared.judges_sources:
        yield Disagreement(
            field="unsupported_claims", judge="none listed", computed="citation accuracy FAIL"
        )


def _findings(judged: _Judged) -> Iterator[Finding]:
    """One row per criterion, in the order of the output schema."""
    reply, computed = judged.reply, judged.criteria
    conflict = judged.number_conflict
    lowered = computed.citation_accuracy not in (NOT_JUDGED, reply.citation_accuracy.score.value)
    rows = (
        (
            "answer_correctness",
            computed.answer_correctness,
            reply.answer_correctness.explanation,
            conflict,
        ),
        (
            "citation_accuracy",
            computed.citation_accuracy,
            reply.citation_accuracy.explanation,
            lowered,
        ),
        (
            "source_faithfulness",
            computed.source_faithfulness,
            reply.source_faithfulness.explanation,
            False,
        ),
        (
            "abstention_detection",
            computed.abstention_detection,
            reply.abstention_detection.explanation,
            False,
        ),
    )
    flags = {
        "answer_correctness": _conflict_flags(judged),
        "citation_accuracy": _citation_flags(judged),
    }
    for number, (name, label, explanation, by_code) in enumerate(rows):
        code = by_code or label == NOT_JUDGED
        yield Finding(
            unit=FindingUnit.CRITERION,
            unit_number=number,
            text=name,
            label=label,
            weight=_weight(judged, name),
            flags=flags.get(name, ()),
            decided_by=DecidedBy.CODE if code else DecidedBy.JUDGE,
            explanation="no sources to judge by" if label == NOT_JUDGED else explanation,
        )


def _weight(judged: _Judged, name: str) -> float | None:
    if name == "answer_correctness":
        return {Correctness.PASS: 1.0, Correctness.PARTIAL: PARTIAL_SCORE}.get(
            judged.correctness, 0.0
        )
    if name == "citation_accuracy":
        return judged.citation_accuracy
    if name == "source_faithfulness":
        return None if judged.faithfulness is None else float(judged.faithfulness is PassFail.PASS)
    if judged.abstention is AbstentionScore.NOT_APPLICABLE:
        return None
    return float(judged.abstention.passes)


def _conflict_flags(judged: _Judged) -> tuple[Flag, ...]:
    check = judged.prepared.number_check
    if check is None or not judged.number_conflict:
        return ()
    name = EscalationName.DETERMINISTIC_CONFLICT.value
    return (Flag(type=name, severity=Severity.MAJOR, detail=_compared(check)),)


def _citation_flags(judged: _Judged) -> tuple[Flag, ...]:
    return tuple(
        Flag(
            type="unsupported_claim",
            severity=Severity.MAJOR,
            detail=f"characters {s.char_start}-{s.char_end}: {s.cause}",
        )
        for s in judged.unsupported
    )


def _compared(check: NumberCheck) -> str:
    relation = "agrees with" if check.agrees else "is not"
    unit = f" {check.unit}" if check.unit else ""
    return f"the answer's {check.answer:g} {relation} the reference's {check.reference:g}{unit}"


def _summary(judged: _Judged) -> str:
    criteria = judged.criteria
    return (
        f"correctness {criteria.answer_correctness}, citations {criteria.citation_accuracy}, "
        f"faithfulness {criteria.source_faithfulness}, abstention {criteria.abstention_detection}"
    )
