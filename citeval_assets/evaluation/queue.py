"""The review queue: what escalated in the current reports and nobody has decided yet."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from citeval_assets.calibration.measuring import in_conflict
from citeval_assets.evaluation.calibrating import human_labels
from citeval_assets.evaluation.reviewing import known_reviews
from citeval_assets.ledger.records import HumanLabel
from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.report import Escalation
from citeval_assets.playbooks.vocabulary import EscalationName, Severity
from citeval_assets.review.standing import settled
from citeval_assets.review.subjects import Subject
from citeval_assets.warehouse.connection import Warehouse
from citeval_assets.warehouse.judge_reading import labelled_reports
from citeval_assets.warehouse.reading import EscalatedReport, escalated_reports
from citeval_assets.warehouse.tables import ReviewQueueRow
from citeval_assets.warehouse.values import canonical


def review_rows(ledger: Ledger, warehouse: Warehouse) -> list[ReviewQueueRow]:
    """Return one row per (test case, judge, prompt), the worst and oldest first.

    An item is closed by a decision about the same case content under the same judge and prompt;
    a changed case, or a new model or prompt, opens a new one. It is open again where the
    decision was taken back, and while reviewers are in dispute about it.
    """
    done = settled(known_reviews(ledger))
    labels = human_labels(ledger)
    with warehouse.reading() as connection:
        escalated = escalated_reports(connection)
        labelled = labelled_reports(connection, list(labels)) if labels else []
    escalated = _with_conflicts(escalated, labelled, labels)
    rows = [_row(report) for report in escalated if Subject.of(report) not in done]
    return sorted(
        rows, key=lambda row: (not row.immediate, Severity(row.severity).rank, row.opened_at)
    )


def _with_conflicts(
    escalated: Sequence[EscalatedReport],
    labelled: Sequence[EscalatedReport],
    labels: Mapping[str, HumanLabel],
) -> list[EscalatedReport]:
    """Add the conflicts with labels that were recorded after the cases were judged."""
    reports = {_key(report): report for report in escalated}
    for report in labelled:
        label = labels[report.case_hash].score
        if label is None or report.score is None or not in_conflict(report.score, label):
            continue
        known = reports.get(_key(report), report)
        if all(one.name is not EscalationName.JUDGE_HUMAN_CONFLICT for one in known.escalations):
            detail = f"judged {report.score:.3f}, human label {label:.3f}"
            conflict = Escalation(name=EscalationName.JUDGE_HUMAN_CONFLICT, detail=detail)
            reports[_key(report)] = replace(known, escalations=(*known.escalations, conflict))
    return list(reports.values())


def _key(report: EscalatedReport) -> tuple[str, str, str, str, str]:
    judge = (report.playbook, report.model, report.prompt_version)
    return (*judge, report.case_hash, report.system)


def severity_of(escalations: tuple[Escalation, ...]) -> Severity:
    """Return the worst severity among the reasons."""
    return min((escalation.severity for escalation in escalations), key=lambda s: s.rank)


def _row(report: EscalatedReport) -> ReviewQueueRow:
    return ReviewQueueRow(
        item_id=Subject.of(report).item_id,
        evaluation_id=report.evaluation_id,
        playbook=report.playbook,
        model=report.model,
        prompt_version=report.prompt_version,
        test_case_id=report.test_case_id,
        system=report.system,
        case_hash=report.case_hash,
        reasons=canonical([str(escalation.name) for escalation in report.escalations]),
        severity=str(severity_of(report.escalations)),
        immediate=report.immediate,
        provisional=report.provisional,
        risk_level=report.risk_level,
        validation_status=report.validation_status,
        score=report.score,
        routing=report.routing,
        question=report.question,
        details=canonical(
            [escalation.model_dump(mode="json") for escalation in report.escalations]
        ),
        opened_at=report.finished_at,
    )
