"""From reports and ledger records to the rows of one partition. Pure and deterministic.

Every value comes from the report, the recorded evaluation or the stored calls, so a rebuild of
the warehouse gives the same rows as the run that first wrote them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from citeval_assets.judging.answered import MODEL_DIFFERS, answers_as
from citeval_assets.ledger.records import EvaluationItem, EvaluationRecord, StoredCall
from citeval_assets.playbooks.base import AnyPlaybook
from citeval_assets.playbooks.report import Finding, Report
from citeval_assets.playbooks.vocabulary import Reason, Status
from citeval_assets.warehouse.tables import (
    EvaluationRow,
    FaithfulnessTrendRow,
    FindingRow,
    JudgeOutputRow,
    ReportRow,
    ScoreTrendRow,
)
from citeval_assets.warehouse.totals import NO_CANARIES, CanaryState, CaseRows, Totals
from citeval_assets.warehouse.trends import faithfulness_trend_rows
from citeval_assets.warehouse.values import canonical, read_time

CaseKey = tuple[str, str]
"""(test_case_id, system): what tells the cases of one playbook apart."""


@dataclass(frozen=True, slots=True)
class EvaluatedCase:
    """One case of an evaluation: as issued, as reported, and the calls that settled it."""

    item: EvaluationItem
    report: Report
    calls: tuple[StoredCall, ...]
    dataset: str
    split: str
    subject_hash: str = ""
    question_key: str = ""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """What reviewers made of a case: a score instead of the judge's, and whether it is settled."""

    score: float | None = None
    settled: bool = False


@dataclass(frozen=True, slots=True)
class PartitionRows:
    """Everything one evaluation of one partition puts into the warehouse."""

    evaluation: EvaluationRow
    judge_outputs: tuple[JudgeOutputRow, ...]
    reports: tuple[ReportRow, ...]
    findings: tuple[FindingRow, ...]
    score_trend: tuple[ScoreTrendRow, ...]
    faithfulness_trend: tuple[FaithfulnessTrendRow, ...]


def partition_rows(
    evaluation: EvaluationRecord,
    playbook: AnyPlaybook,
    cases: Sequence[EvaluatedCase],
    reviews: Mapping[CaseKey, Reviewed] | None = None,
    canaries: CanaryState = NO_CANARIES,
) -> PartitionRows:
    """Return all rows of one evaluation.

    Args:
        evaluation: the evaluation as the ledger recorded it.
        playbook: its playbook; says whether output that never passed counts as 0.
        cases: its cases, in the order of the data set.
        reviews: what reviewers made of its cases.
        canaries: what became of the canaries, which are none of the cases.

    Raises:
        ValueError: where a report carries a number that is not finite.
    """
    totals = Totals(evaluation)
    every = [totals.count(case_rows(evaluation, playbook, case, reviews)) for case in cases]
    return PartitionRows(
        evaluation=totals.evaluation_row(canaries),
        judge_outputs=tuple(row for rows in every for row in rows.judge_outputs),
        reports=tuple(rows.report for rows in every),
        findings=tuple(row for rows in every for row in rows.findings),
        score_trend=totals.score_trend(),
        faithfulness_trend=tuple(row for rows in every for row in rows.faithfulness_trend),
    )


def case_rows(
    evaluation: EvaluationRecord,
    playbook: AnyPlaybook,
    case: EvaluatedCase,
    reviews: Mapping[CaseKey, Reviewed] | None = None,
) -> CaseRows:
    """Return the rows of one case. Arguments and errors as of ``partition_rows``."""
    report = _report_row(evaluation, playbook, case, reviews or {})
    return CaseRows(
        judge_outputs=tuple(_judge_output_rows(evaluation, case)),
        report=report,
        findings=tuple(_finding_rows(evaluation, case.report)),
        faithfulness_trend=faithfulness_trend_rows(evaluation, report, case.report.details),
    )


def counted_score(playbook: AnyPlaybook, status: str, score: float | None) -> float | None:
    """Return the score a mean is over.

    It is the judge's, except where the output itself is under test: there, output that never
    passed validation counts 0 against the model.
    """
    if playbook.failure_counts and status == Status.VALIDATION_FAILED:
        return 0.0
    return score


def _report_row(
    evaluation: EvaluationRecord,
    playbook: AnyPlaybook,
    case: EvaluatedCase,
    reviews: Mapping[CaseKey, Reviewed],
) -> ReportRow:
    report, item = case.report, case.item
    review = reviews.get((item.test_case_id, item.system), Reviewed())
    override = review.score
    counted = counted_score(playbook, item.status, item.score)
    return ReportRow(
        evaluation_id=evaluation.evaluation_id,
        playbook=evaluation.playbook,
        model=evaluation.model,
        prompt_version=evaluation.prompt_version,
        test_case_id=item.test_case_id,
        system=item.system,
        case_hash=item.case_hash,
        dataset=case.dataset,
        split=case.split,
        risk_level=str(report.risk_level),
        validation_status=item.status,
        reason=item.reason,
        score=item.score,
        counted_score=counted,
        effective_score=counted if override is None else override,
        overridden=override is not None,
        verdict=report.verdict,
        routing=item.routing,
        attempts=report.attempts,
        truncated=report.truncated,
        escalated=bool(item.escalations),
        escalations=canonical(list(item.escalations)),
        immediate=report.immediate,
        provisional=report.provisional and not review.settled,
        closed_as=report.closed_as,
        flags=canonical(_report_flags(case)),
        message=report.message,
        differs_from_issued=_differs(report, item),
        subject_hash=case.subject_hash,
        question_key=case.question_key,
        report=canonical(report.model_dump(mode="json")),
    )


def _report_flags(case: EvaluatedCase) -> list[str]:
    """The flags of the report, and whether another model answered than the one asked."""
    strange = any(
        not answers_as(call.intent.model, call.reply.answered_model) for call in case.calls
    )
    return [*case.report.flags, *([MODEL_DIFFERS] if strange else [])]


def _differs(report: Report, item: EvaluationItem) -> bool:
    """Whether the report, computed again, no longer says what was issued."""
    now = (str(report.status), report.reason and str(report.reason), str(report.routing))
    return now != (item.status, item.reason, item.routing) or report.score != item.score


def _judge_output_rows(evaluation: EvaluationRecord, case: EvaluatedCase) -> list[JudgeOutputRow]:
    item, last = case.item, len(case.calls) - 1
    rows: list[JudgeOutputRow] = []
    for index, call in enumerate(case.calls):
        intent, reply = call.intent, call.reply
        status, reason = (item.status, item.reason) if index == last else _superseded(call)
        rows.append(
            JudgeOutputRow(
                evaluation_id=evaluation.evaluation_id,
                playbook=evaluation.playbook,
                model=evaluation.model,
                prompt_version=evaluation.prompt_version,
                test_case_id=item.test_case_id,
                system=item.system,
                case_hash=item.case_hash,
                call_index=index,
                attempt=intent.attempt,
                try_number=intent.try_number,
                repeat=intent.repeat,
                call_id=intent.call_id,
                status=status,
                reason=reason,
                raw_response=reply.text,
                finish_reason=reply.finish_reason,
                failure_detail=reply.failure_detail,
                http_status=reply.http_status,
                answered_model=reply.answered_model,
                fingerprint=reply.fingerprint,
                prompt_tokens=reply.prompt_tokens,
                cached_tokens=reply.cached_tokens,
                completion_tokens=reply.completion_tokens,
                cost_usd=reply.cost_usd,
                latency_ms=reply.latency_ms,
                reused=intent.run_id != evaluation.run_id,
                called_at=read_time(intent.created_at),
                answered_at=read_time(reply.created_at),
            )
        )
    return rows


def _superseded(call: StoredCall) -> tuple[str, str | None]:
    """Status and reason of a call that was followed by another: why it was not the last."""
    if call.reply.outcome == "failure":
        return Status.ERROR, call.reply.failure_reason
    cut = call.reply.finish_reason == "length"
    return Status.VALIDATION_FAILED, Reason.TRUNCATED if cut else Reason.VALIDATION_FAILED


def _finding_rows(evaluation: EvaluationRecord, report: Report) -> list[FindingRow]:
    return [
        FindingRow(
            evaluation_id=evaluation.evaluation_id,
            playbook=evaluation.playbook,
            model=evaluation.model,
            prompt_version=evaluation.prompt_version,
            test_case_id=report.test_case_id,
            system=report.system,
            finding_index=index,
            unit=str(finding.unit),
            unit_number=finding.unit_number,
            text=finding.text,
            source_id=finding.source_id,
            label=finding.label,
            weight=finding.weight,
            flags=_flags(finding),
            severity=_severity(finding),
            decided_by=str(finding.decided_by),
            explanation=finding.explanation,
            evidence=_evidence(finding),
            quote_found_in=finding.quote_found_in,
            category=finding.category,
            step_index=finding.step_index,
            char_start=finding.char_start,
            char_end=finding.char_end,
        )
        for index, finding in enumerate(report.findings)
    ]


def _flags(finding: Finding) -> str:
    if not finding.flags:
        return "[]"
    return canonical([flag.model_dump(mode="json") for flag in finding.flags])


def _evidence(finding: Finding) -> str:
    if not finding.evidence:
        return "[]"
    return canonical([place.model_dump(mode="json") for place in finding.evidence])


def _severity(finding: Finding) -> str | None:
    """The worst severity among the flags of a finding."""
    if not finding.flags:
        return None
    return str(min((flag.severity for flag in finding.flags), key=lambda s: s.rank))
