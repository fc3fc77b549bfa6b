"""From attempts to a report: the one state machine of asking and re-asking.

``settle`` is given all attempts so far and answers either "ask again, with this feedback" or
with the finished report. Judging calls it after each reply; rebuilding calls it once with the
stored replies. Both therefore reach the same report.
"""

from collections.abc import Sequence
from typing import Any

from citeval_assets.playbooks.attempts import Ask, Attempt, Failure, Reply
from citeval_assets.playbooks.base import (
    AnyPlaybook,
    Assessment,
    ModelReply,
    Prepared,
    ReadReply,
    Unprepared,
)
from citeval_assets.playbooks.confidence import low_confidence
from citeval_assets.playbooks.feedback import correction_feedback
from citeval_assets.playbooks.reply import read_reply
from citeval_assets.playbooks.report import Details, Escalation, Report
from citeval_assets.playbooks.shared import listed
from citeval_assets.playbooks.vocabulary import (
    EscalationName,
    Reason,
    RiskLevel,
    Routing,
    Severity,
    Status,
)

HUMAN_CONFLICT_MARGIN = 0.3
"""A judged score further than this from the human score is escalated (SPEC rule 9)."""

_ENDS_THE_ASKING = {Reason.REFUSAL, Reason.CONTENT_FILTER}


def settle(playbook: AnyPlaybook, prepared: Prepared, attempts: Sequence[Attempt]) -> Ask | Report:
    """Return the next question, or the report once the attempts so far settle the case."""
    if prepared.not_applicable is not None:
        return _unscored(playbook, prepared, Status.NOT_APPLICABLE, prepared.not_applicable)
    if prepared.failure is not None:
        return _failed(playbook, prepared, prepared.failure, ())
    decided = playbook.decided(prepared)
    if decided is not None:
        return _scored(playbook, prepared, decided, ())
    readings: list[ReadReply[ModelReply]] = []
    for attempt in attempts:
        if isinstance(attempt, Failure):
            return _failed(playbook, prepared, attempt, readings)
        reading = read_and_check(playbook, prepared, attempt)
        readings.append(reading)
        if reading.value is not None and not reading.problems:
            return _assessed(playbook, prepared, reading.value, readings)
        if reading.reason is not None and reading.reason in _ENDS_THE_ASKING:
            return _unscored(playbook, prepared, Status.INDETERMINATE, reading.reason, readings)
        if len(readings) > playbook.max_reasks:
            return _exhausted(playbook, prepared, readings)
    return _next_question(readings)


def read_and_check(
    playbook: AnyPlaybook, prepared: Prepared, reply: Reply
) -> ReadReply[ModelReply]:
    """Read one reply and add what the playbook finds wrong with it."""
    reading = read_reply(reply, playbook.reply_type)
    if reading.value is None or reading.problems:
        return reading
    problems = tuple(playbook.problems(prepared, reading.value))
    return ReadReply(reading.value, problems, reading.reason, reading.notes)


def _next_question(readings: Sequence[ReadReply[ModelReply]]) -> Ask:
    if not readings:
        return Ask()
    last = readings[-1]
    if last.reason is Reason.TRUNCATED:
        return Ask(raise_output_limit=True)
    return Ask(feedback=correction_feedback(last.problems))


def _assessed(
    playbook: AnyPlaybook,
    prepared: Prepared,
    reply: ModelReply,
    readings: Sequence[ReadReply[ModelReply]],
) -> Report:
    """Score a valid reply, unless its verdict may be owed to text the model was not shown."""
    assessment = playbook.assess(prepared, reply, readings)
    unseen = playbook.unseen(prepared, assessment) if prepared.context_cuts else ()
    if not unseen:
        return _scored(playbook, prepared, assessment, readings)
    message = (
        f"the text was cut to the token budget; it may have held what supports {listed(unseen)}"
    )
    return _unscored(playbook, prepared, Status.INDETERMINATE, Reason.TRUNCATED, readings, message)


def _scored(
    playbook: AnyPlaybook,
    prepared: Prepared,
    assessment: Assessment,
    readings: Sequence[ReadReply[ModelReply]],
) -> Report:
    unsure = _unsure(prepared, readings)
    escalations = (*assessment.escalations, *_shared_escalations(prepared, assessment), *unsure)
    return Report(
        **_common(playbook, prepared, readings),
        status=Status.VALID if len(readings) <= 1 else Status.VALID_AFTER_RETRY,
        score=assessment.score,
        verdict=assessment.verdict,
        routing=_routing(prepared, assessment, escalations),
        escalations=escalations,
        immediate=assessment.immediate,
        provisional=_provisional(prepared, escalations),
        closed_as="matches_golden" if assessment.closed_as_golden else None,
        flags=(*assessment.flags, *_shared_flags(prepared)),
        findings=assessment.findings,
        judge_disagreements=assessment.disagreements,
        warnings=(*prepared.warnings, *assessment.warnings, *(e.detail for e in unsure)),
        summary=assessment.summary,
        details=assessment.details,
    )


def _unsure(
    prepared: Prepared, readings: Sequence[ReadReply[ModelReply]]
) -> tuple[Escalation, ...]:
    reply = readings[-1].value if readings else None
    return low_confidence(prepared, reply) if reply is not None else ()


def _exhausted(
    playbook: AnyPlaybook, prepared: Prepared, readings: Sequence[ReadReply[ModelReply]]
) -> Report:
    last = readings[-1]
    if last.reason is Reason.TRUNCATED:
        return _unscored(playbook, prepared, Status.INDETERMINATE, Reason.TRUNCATED, readings)
    if playbook.exhausted_is_indeterminate:
        return _unscored(
            playbook, prepared, Status.INDETERMINATE, Reason.VALIDATION_FAILED, readings
        )
    reason = last.reason or Reason.VALIDATION_FAILED
    return _unscored(playbook, prepared, Status.VALIDATION_FAILED, reason, readings)


def _failed(
    playbook: AnyPlaybook,
    prepared: Prepared,
    failure: Failure,
    readings: Sequence[ReadReply[ModelReply]],
) -> Report:
    return _unscored(playbook, prepared, failure.status, failure.reason, readings, failure.detail)


def _unscored(
    playbook: AnyPlaybook,
    prepared: Prepared,
    status: Status,
    reason: Reason,
    readings: Sequence[ReadReply[ModelReply]] = (),
    message: str = "",
) -> Report:
    applicable = status is not Status.NOT_APPLICABLE
    escalations = _injection(prepared)
    if applicable:
        failed = Escalation(name=EscalationName.UNSCORED, detail=f"{status}: {reason}")
        escalations = (failed, *escalations)
    return Report(
        **_common(playbook, prepared, readings),
        status=status,
        reason=reason,
        message=message,
        routing=Routing.REVIEW if escalations else Routing.DELIVER,
        escalations=escalations,
        provisional=_provisional(prepared, escalations),
        flags=_shared_flags(prepared),
        warnings=prepared.warnings,
        details=_failed_details(playbook, prepared, readings),
    )


def _failed_details(
    playbook: AnyPlaybook, prepared: Prepared, readings: Sequence[ReadReply[ModelReply]]
) -> Details:
    if isinstance(prepared, Unprepared):
        return Details()
    return playbook.failed_details(prepared, readings)


def _common(
    playbook: AnyPlaybook, prepared: Prepared, readings: Sequence[ReadReply[ModelReply]]
) -> dict[str, Any]:
    return {
        "playbook": playbook.name,
        "test_case_id": prepared.case.test_case_id,
        "system": prepared.case.system,
        "risk_level": prepared.risk_level,
        "attempts": len(readings),
        "context_cuts": prepared.context_cuts,
        "validation_problems": tuple(
            f"attempt {number}: {problem}"
            for number, reading in enumerate(readings, start=1)
            for problem in reading.problems
        ),
        "notes": tuple(
            f"attempt {number}: {note}"
            for number, reading in enumerate(readings, start=1)
            for note in reading.notes
        ),
    }


def _shared_escalations(prepared: Prepared, assessment: Assessment) -> tuple[Escalation, ...]:
    """The escalations every playbook knows: planted instructions, conflict with a human label."""
    found = list(_injection(prepared))
    human = prepared.case.human_score
    if human is not None and abs(human - assessment.score) > HUMAN_CONFLICT_MARGIN + 1e-9:
        detail = f"judged {assessment.score:.3f}, human label {human:.3f}"
        found.append(Escalation(name=EscalationName.JUDGE_HUMAN_CONFLICT, detail=detail))
    return tuple(found)


def _injection(prepared: Prepared) -> tuple[Escalation, ...]:
    if not prepared.suspicions:
        return ()
    detail = "; ".join(prepared.suspicions)
    return (Escalation(name=EscalationName.INJECTION_SUSPECTED, detail=detail),)


def _shared_flags(prepared: Prepared) -> tuple[str, ...]:
    return ("injection_suspected",) if prepared.suspicions else ()


def _provisional(prepared: Prepared, escalations: Sequence[Escalation]) -> bool:
    return prepared.risk_level is RiskLevel.HIGH and bool(escalations)


def _routing(
    prepared: Prepared, assessment: Assessment, escalations: Sequence[Escalation]
) -> Routing:
    injected = any(e.name is EscalationName.INJECTION_SUSPECTED for e in escalations)
    if assessment.routing is not None:
        held_back = assessment.routing in (Routing.REVIEW, Routing.REFUSE)
        return assessment.routing if held_back or not injected else Routing.REVIEW
    if not escalations:
        return Routing.DELIVER
    critical = any(e.severity is Severity.CRITICAL for e in escalations)
    if critical and prepared.rules.refuse_critical and prepared.risk_level is RiskLevel.HIGH:
        return Routing.REFUSE
    return Routing.REVIEW
