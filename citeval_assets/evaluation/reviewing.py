"""From the decisions in the ledger to what counts: effective scores, labels, open items."""

from collections.abc import Mapping
from datetime import UTC, datetime

from citeval_assets.evaluation.project import Project
from citeval_assets.ledger.store import Ledger
from citeval_assets.review.digest import Digest, make_digest
from citeval_assets.review.standing import ItemState, Standing, settled, standings
from citeval_assets.review.subjects import Subject
from citeval_assets.warehouse.connection import Warehouse, open_snapshot
from citeval_assets.warehouse.review_reading import QueueFilter, queue_page
from citeval_assets.warehouse.reviewed import ReviewedReport, apply_reviews

Standings = Mapping[Subject, Standing]

_ALL = 1_000_000
"""More items than any queue has."""


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


def digest_now(project: Project) -> Digest:
    """Return the digest of the published queue, as it stands after the decisions so far.

    Raises:
        WarehouseMissing: nothing has been published yet.
    """
    with project.open_ledger() as ledger:
        decisions = list(ledger.review_decisions())
    done = sorted(subject.item_id for subject in settled(standings(decisions)))
    with open_snapshot(project.published_path) as connection:
        found = queue_page(connection, QueueFilter(), done=done, limit=_ALL)
    days = project.settings.review.ageing_days
    return make_digest(found.items, decisions, datetime.now(UTC), days)
