"""From the decisions in the ledger to what counts: effective scores, labels, open items."""

from collections.abc import Mapping

from citeval_assets.ledger.store import Ledger
from citeval_assets.review.standing import ItemState, Standing, standings
from citeval_assets.review.subjects import Subject
from citeval_assets.warehouse.connection import Warehouse
from citeval_assets.warehouse.reviewed import ReviewedReport, apply_reviews

Standings = Mapping[Subject, Standing]


def known_reviews(ledger: Ledger) -> Standings:
    """Return what stands about every report that was ever decided about."""
    return standings(ledger.review_decisions())


def apply_decisions(ledger: Ledger, warehouse: Warehouse) -> int:
    """Bring the reports in line with what reviewers decided; return how many changed."""
    return apply_reviews(warehouse, [_reviewed(*one) for one in known_reviews(ledger).items()])


def _reviewed(subject: Subject, standing: Standing) -> ReviewedReport:
    return ReviewedReport(
        playbook=subject.playbook,
        case_hash=subject.case_hash,
        model=subject.model,
        prompt_version=subject.prompt_version,
        score=standing.override,
        settled=standing.state is ItemState.DECIDED,
    )
