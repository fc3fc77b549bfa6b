"""From the outputs of a target model to score, routing and details."""

from collections.abc import Iterator, Sequence

from citeval_assets.playbooks.base import Assessment, ReadReply
from citeval_assets.playbooks.cite_or_abstain.prepared import CitePrepared
from citeval_assets.playbooks.cite_or_abstain.reading import (
    AnswerSentence,
    CheckedCitation,
    CheckedOutput,
    check_output,
)
from citeval_assets.playbooks.cite_or_abstain.schema import (
    AnswerStatus,
    BackingCitation,
    CitedClaim,
    CiteDetails,
    CiteReply,
    Confidence,
    ConfidenceTally,
    FirstAttempt,
    SilentGap,
)
from citeval_assets.playbooks.report import Escalation, Finding, Flag
from citeval_assets.playbooks.vocabulary import (
    DecidedBy,
    EscalationName,
    FindingUnit,
    Reason,
    RiskLevel,
    Routing,
    Severity,
)

CITED = "cited"
SILENT_GAP = "silent_citation_gap"
MISQUOTED = "misquoted"
MIXED_ABSTENTION = "mixed_abstention"
MEDIUM_CONFIDENCE = "medium_confidence"

_SAYS = (AnswerStatus.ABSTAINED, AnswerStatus.PARTIAL, AnswerStatus.ANSWERED)
"""The statuses of an answer, the one that says least first."""

_ORDER = (Routing.DELIVER, Routing.DELIVER_WITH_FLAG, Routing.REVIEW, Routing.REFUSE)


def checked(prepared: CitePrepared, reply: CiteReply) -> CheckedOutput:
    """Check one output against the chunks of its case."""
    return check_output(reply, prepared.sources, prepared.rules, prepared.case.question)


def assess(
    prepared: CitePrepared, reply: CiteReply, readings: Sequence[ReadReply[CiteReply]]
) -> Assessment:
    """Score the first attempt and route the output that passed."""
    output = checked(prepared, reply)
    first = first_output(readings)
    repaired = first is not None and (first.value is None or bool(first.problems))
    golden = _matches_golden(prepared, output)
    escalations = () if golden else tuple(_escalations(prepared, output))
    return Assessment(
        score=0.0 if repaired else score_of(prepared, output),
        findings=tuple(_findings(output)),
        details=details_of(prepared, readings, output, passed=True),
        verdict=reply.status.value,
        escalations=escalations,
        flags=tuple(_flags(output)),
        warnings=(*output.warnings, *_unused(output)),
        summary=_summary(output),
        routing=_routing(prepared, output, golden),
        closed_as_golden=golden,
    )


def score_of(prepared: CitePrepared, output: CheckedOutput) -> float:
    """Return the score of an output that passed at first.

    1 where the status is the expected one and there is neither gap nor fabrication; a
    rightly partial answer its share of backed sentences; else 0. An answer that states
    nothing is no answer.
    """
    status = output.reply.status
    if status is not prepared.expected.status:
        return 0.0
    if status is AnswerStatus.ABSTAINED:
        return 1.0
    if output.invented_ids or not output.asserting:
        return 0.0
    backed = sum(sentence.backed for sentence in output.asserting)
    share = backed / len(output.asserting)
    return share if status is AnswerStatus.PARTIAL or share == 1.0 else 0.0


def unseen_chunks(prepared: CitePrepared, assessment: Assessment) -> list[str]:
    """Return the cut chunks an answer was due from, where the model said less than expected.

    Output that had to be repaired, gaps and inventions count against the model whatever it saw.
    """
    found = assessment.details
    if not isinstance(found, CiteDetails) or assessment.score == 1.0:
        return []
    first = found.first_attempt
    if first is None or not first.passed or first.status is None:
        return []
    if _SAYS.index(first.status) >= _SAYS.index(prepared.expected.status):
        return []
    due = prepared.expected.supporting
    return [
        f"chunk {event.source_id!r}"
        for event in prepared.context_cuts
        if due is None or event.source_id in due
    ]


def details_of(
    prepared: CitePrepared,
    readings: Sequence[ReadReply[CiteReply]],
    output: CheckedOutput | None,
    *,
    passed: bool,
) -> CiteDetails:
    """Return the expectation, the first attempt and what ``output`` says."""
    details = CiteDetails(
        expected_status=prepared.expected.status,
        supporting_chunk_ids=prepared.expected.supporting,
        conflict=prepared.expected.conflict,
        first_attempt=_first_attempt(prepared, readings),
        passed=passed,
    )
    if output is None:
        return details
    return details.model_copy(
        update={
            "status": output.reply.status,
            "answer": output.reply.answer,
            "abstention_reason": output.reply.abstention_reason,
            "cited_claims": tuple(_cited_claim(s) for s in output.asserting if s.backed),
            "abstained_claims": output.abstained_claims,
            "overall_abstention": output.overall_abstention,
            "mixed_abstention": output.mixed_abstention,
            "silent_citation_gaps": tuple(_gap(s) for s in output.gaps),
            "invented_chunk_ids": output.invented_ids,
            "lowest_confidence": output.lowest_confidence,
            "conflict_handled": _conflict_handled(prepared, output),
        }
    )


def first_output(readings: Sequence[ReadReply[CiteReply]]) -> ReadReply[CiteReply] | None:
    """Return the first output the model finished.

    One that was cut at the token limit says nothing about the model: the limit was ours, and
    the same question is put again with more room.
    """
    finished = (r for r in readings if r.reason is not Reason.TRUNCATED)
    return next(finished, None)


def last_readable(
    prepared: CitePrepared, readings: Sequence[ReadReply[CiteReply]]
) -> CheckedOutput | None:
    """Return the newest output that fits the schema, checked."""
    values = [reading.value for reading in readings if reading.value is not None]
    return checked(prepared, values[-1]) if values else None


def _first_attempt(
    prepared: CitePrepared, readings: Sequence[ReadReply[CiteReply]]
) -> FirstAttempt | None:
    first = first_output(readings)
    if first is None:
        return None
    if first.value is None:
        return FirstAttempt(readable=False)
    output = checked(prepared, first.value)
    return FirstAttempt(
        readable=True,
        passed=not first.problems,
        status=output.reply.status,
        overall_abstention=output.overall_abstention,
        mixed_abstention=output.mixed_abstention,
        excerpts=len(output.citations),
        verbatim_excerpts=sum(citation.verbatim for citation in output.citations),
        invented_chunk_ids=output.invented_ids,
        cited_chunk_ids=output.cited_ids,
        asserting_sentences=len(output.asserting),
        silent_citation_gaps=len(output.gaps),
        by_confidence=_tallies(output, prepared.expected.supporting),
        conflict_handled=_conflict_handled(prepared, output),
    )


def _tallies(
    output: CheckedOutput, supporting: Sequence[str] | None
) -> tuple[ConfidenceTally, ...]:
    def wrong(citation: CheckedCitation) -> bool:
        stray = supporting is not None and citation.chunk_id not in supporting
        return stray or not citation.verbatim

    stated = {
        confidence: [c for c in output.citations if c.confidence is confidence]
        for confidence in Confidence
    }
    return tuple(
        ConfidenceTally(confidence=confidence, citations=len(found), wrong=sum(map(wrong, found)))
        for confidence, found in stated.items()
        if found
    )


def _conflict_handled(prepared: CitePrepared, output: CheckedOutput) -> bool | None:
    if not prepared.expected.conflict:
        return None
    return output.handles_conflict(prepared.expected.supporting)


def _matches_golden(prepared: CitePrepared, output: CheckedOutput) -> bool:
    abstained = AnswerStatus.ABSTAINED
    return output.reply.status is abstained and prepared.expected.status is abstained


def _routing(prepared: CitePrepared, output: CheckedOutput, golden: bool) -> Routing:
    if golden:
        return Routing.DELIVER
    high = prepared.risk_level is RiskLevel.HIGH
    by_confidence = {
        Confidence.MEDIUM: Routing.REVIEW if high else Routing.DELIVER_WITH_FLAG,
        Confidence.LOW: Routing.REFUSE if high else Routing.REVIEW,
    }
    routes = [Routing.DELIVER]
    if output.lowest_confidence is not None:
        routes.append(by_confidence.get(output.lowest_confidence, Routing.DELIVER))
    # A fully answered, fully backed output is the only one nobody has to look at.
    if _abstains(output) or output.gaps or not output.asserting:
        routes.append(Routing.REVIEW)
    return max(routes, key=_ORDER.index)


def _abstains(output: CheckedOutput) -> bool:
    """Whether the output leaves the question open, wholly, in part or in words."""
    answered = output.reply.status is AnswerStatus.ANSWERED
    return not answered or output.mixed_abstention or output.overall_abstention


def _escalations(prepared: CitePrepared, output: CheckedOutput) -> Iterator[Escalation]:
    if _abstains(output):
        missing = len(output.abstained_claims)
        how = "mixed abstention" if output.mixed_abstention else str(output.reply.status)
        yield Escalation(
            name=EscalationName.ABSTENTION,
            severity=Severity.MINOR,
            detail=f"{how}; {missing} thing(s) named as missing",
        )
    if output.gaps or (not output.asserting and not _abstains(output)):
        yield Escalation(
            name=EscalationName.FLAG,
            detail=f"{len(output.gaps)} of {len(output.asserting)} statements backed by no excerpt",
        )
    lowest = output.lowest_confidence
    high = prepared.risk_level is RiskLevel.HIGH
    if lowest is Confidence.LOW or (lowest is Confidence.MEDIUM and high):
        yield Escalation(
            name=EscalationName.LOW_CONFIDENCE,
            severity=Severity.MAJOR if high else Severity.MINOR,
            detail=f"lowest stated confidence: {lowest}",
        )


def _flags(output: CheckedOutput) -> Iterator[str]:
    if output.mixed_abstention:
        yield MIXED_ABSTENTION
    if output.lowest_confidence is Confidence.MEDIUM:
        yield MEDIUM_CONFIDENCE


def _findings(output: CheckedOutput) -> Iterator[Finding]:
    """One row per statement and the citation behind it; one for a statement without any."""
    for sentence in output.asserting:
        if sentence.backed:
            for citation in sentence.backing:
                yield _finding(sentence, citation)
        else:
            yield _gap_finding(sentence)


def _finding(sentence: AnswerSentence, citation: CheckedCitation) -> Finding:
    return Finding(
        unit=FindingUnit.CLAIM,
        unit_number=sentence.number,
        text=sentence.text,
        source_id=citation.chunk_id,
        label=CITED,
        weight=1.0,
        decided_by=DecidedBy.CODE,
        explanation=f"stated confidence: {citation.confidence}",
        evidence=citation.evidence,
        char_start=sentence.start,
        char_end=sentence.end,
    )


def _gap_finding(sentence: AnswerSentence) -> Finding:
    label = MISQUOTED if sentence.misquoted else SILENT_GAP
    cause = _cause(sentence)
    return Finding(
        unit=FindingUnit.CLAIM,
        unit_number=sentence.number,
        text=sentence.text,
        source_id=sentence.cited_ids[0] if sentence.cited_ids else None,
        label=label,
        weight=0.0,
        flags=(Flag(type=label, severity=Severity.MAJOR, detail=cause),),
        decided_by=DecidedBy.CODE,
        explanation=cause,
        char_start=sentence.start,
        char_end=sentence.end,
    )


def _cause(sentence: AnswerSentence) -> str:
    if sentence.misquoted:
        return "quotes words that do not stand in the cited chunk"
    if sentence.cited_ids:
        return "cites a chunk without a verbatim excerpt of it"
    return "carries no marker of a provided chunk"


def _gap(sentence: AnswerSentence) -> SilentGap:
    return SilentGap(
        text=sentence.text,
        char_start=sentence.start,
        char_end=sentence.end,
        cause=_cause(sentence),
    )


def _cited_claim(sentence: AnswerSentence) -> CitedClaim:
    return CitedClaim(
        text=sentence.text,
        char_start=sentence.start,
        char_end=sentence.end,
        citations=tuple(
            BackingCitation(
                chunk_id=citation.chunk_id or "",
                excerpt=citation.excerpt,
                confidence=citation.confidence,
                evidence=citation.evidence,
            )
            for citation in sentence.backing
        ),
    )


def _unused(output: CheckedOutput) -> Iterator[str]:
    """Warn of excerpts that stand behind no sentence: their marker is missing in the answer."""
    used = {c.index for sentence in output.sentences for c in sentence.backing}
    idle = [str(c.index) for c in output.citations if c.index not in used]
    if idle:
        shown = ", ".join(idle[:20])
        yield f"citations {shown}: no sentence of the answer carries a marker they could back"


def _summary(output: CheckedOutput) -> str:
    if not output.asserting:
        return f"{output.reply.status}; nothing is stated"
    backed = len(output.asserting) - len(output.gaps)
    return f"{output.reply.status}; {backed} of {len(output.asserting)} statements backed"
