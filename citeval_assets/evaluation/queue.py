"""The review queue: what escalated in the current reports and nobody has decided yet."""

import hashlib

from citeval_assets.ledger.store import Ledger
from citeval_assets.playbooks.report import Escalation
from citeval_assets.playbooks.vocabulary import Severity
from citeval_assets.warehouse.connection import Warehouse
from citeval_assets.warehouse.reading import EscalatedReport, escalated_reports
from citeval_assets.warehouse.tables import ReviewQueueRow
from citeval_assets.warehouse.values import canonical


def review_rows(ledger: Ledger, warehouse: Warehouse) -> list[ReviewQueueRow]:
    """Return one row per (test case, judge, prompt), the worst and oldest first.

    An item is closed by a decision about the same case content under the same judge and prompt;
    a changed case, or a new model or prompt, opens a new one.
    """
    decided = {
        (d.playbook, d.case_hash, d.model, d.prompt_version) for d in ledger.review_decisions()
    }
    with warehouse.reading() as connection:
        escalated = escalated_reports(connection)
    rows = [
        _row(report)
        for report in escalated
        if (report.playbook, report.case_hash, report.model, report.prompt_version) not in decided
    ]
    return sorted(
        rows, key=lambda row: (not row.immediate, Severity(row.severity).rank, row.opened_at)
    )


def severity_of(escalations: tuple[Escalation, ...]) -> Severity:
    """Return the worst severity among the reasons."""
    return min((escalation.severity for escalation in escalations), key=lambda s: s.rank)


def _row(report: EscalatedReport) -> ReviewQueueRow:
    basis = "|".join((report.playbook, report.case_hash, report.model, report.prompt_version))
    return ReviewQueueRow(
        item_id=hashlib.sha256(basis.encode()).hexdigest()[:24],
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
