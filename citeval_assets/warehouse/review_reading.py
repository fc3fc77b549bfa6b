"""What the review pages ask the snapshot."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime

from citeval_assets.warehouse.duck import Connection
from citeval_assets.warehouse.sql import query
from citeval_assets.warehouse.tables import ReviewQueueRow

_WIDTH = len(fields(ReviewQueueRow))


@dataclass(frozen=True, slots=True)
class QueueFilter:
    """Which items are meant; ``None`` does not restrict."""

    playbook: str | None = None
    model: str | None = None
    system: str | None = None
    severity: str | None = None
    reason: str | None = None

    def parameters(self) -> dict[str, object]:
        """Return the query parameters."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class QueuePage:
    """One page of the queue, and how many items there are in all."""

    items: tuple[ReviewQueueRow, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Neighbours:
    """What stands before and after an item, and its place (from 1) among how many."""

    previous: str | None = None
    following: str | None = None
    place: int | None = None
    total: int = 0


@dataclass(frozen=True, slots=True)
class Facet:
    """One name by which the queue can be narrowed, and how many items it leaves."""

    facet: str
    name: str
    items: int


@dataclass(frozen=True, slots=True)
class ReportForReview:
    """The current report of a reviewed thing. ``report`` is the whole of it as JSON."""

    evaluation_id: str
    test_case_id: str
    system: str
    risk_level: str
    validation_status: str
    reason: str | None
    score: float | None
    verdict: str | None
    routing: str
    immediate: bool
    finished_at: datetime
    report: str


@dataclass(frozen=True, slots=True)
class Attempt:
    """One question to the model about a case, and what came back."""

    attempt: int
    try_number: int
    status: str
    reason: str | None
    raw_response: str | None
    failure_detail: str | None


def queue_page(
    connection: Connection,
    chosen: QueueFilter,
    *,
    done: Sequence[str] = (),
    limit: int = 50,
    offset: int = 0,
) -> QueuePage:
    """Return a page of the queue, the worst and oldest first.

    Args:
        connection: an open snapshot.
        chosen: which items.
        done: ids of items decided since the snapshot was published.
        limit: the most items on the page.
        offset: how many items stand before it.
    """
    asked = {**chosen.parameters(), "done": list(done), "row_limit": limit, "row_offset": offset}
    rows = connection.execute(query("review_page"), asked).fetchall()
    items = tuple(ReviewQueueRow(*row[:_WIDTH]) for row in rows)
    if not rows and offset:
        return QueuePage((), queue_page(connection, chosen, done=done, limit=1).total)
    return QueuePage(items, rows[0][_WIDTH] if rows else 0)


def queue_item(connection: Connection, item_id: str) -> ReviewQueueRow | None:
    """Return one item of the published queue."""
    found = connection.execute("SELECT * FROM review_queue WHERE item_id = ?", [item_id]).fetchone()
    return ReviewQueueRow(*found) if found else None


def neighbours(
    connection: Connection, item_id: str, chosen: QueueFilter, done: Sequence[str]
) -> Neighbours:
    """Return what stands before and after an item; nothing where it is not in the queue."""
    asked = {**chosen.parameters(), "item_id": item_id, "done": list(done)}
    found = connection.execute(query("review_neighbours"), asked).fetchone()
    return Neighbours(*found) if found else Neighbours()


def facets(connection: Connection, done: Sequence[str]) -> list[Facet]:
    """Return by what the open items can be narrowed."""
    rows = connection.execute(query("review_facets"), {"done": list(done)}).fetchall()
    return [Facet(*row) for row in rows]


def report_for_review(
    connection: Connection, playbook: str, case_hash: str, model: str, prompt_version: str
) -> ReportForReview | None:
    """Return the current report of a reviewed thing, if there is one still."""
    asked = {
        "playbook": playbook,
        "case_hash": case_hash,
        "model": model,
        "prompt_version": prompt_version,
    }
    found = connection.execute(query("reviewed_report"), asked).fetchone()
    return ReportForReview(*found) if found else None


def queued_report(connection: Connection, item: ReviewQueueRow) -> ReportForReview | None:
    """Return the report an item of the queue is about."""
    asked = {
        "evaluation_id": item.evaluation_id,
        "test_case_id": item.test_case_id,
        "system": item.system,
    }
    found = connection.execute(query("queued_report"), asked).fetchone()
    return ReportForReview(*found) if found else None


def attempts_of(connection: Connection, report: ReportForReview) -> list[Attempt]:
    """Return every question behind a report and what came back, the first one first."""
    rows = connection.execute(
        "SELECT attempt, try_number, status, reason, raw_response, failure_detail "
        "FROM judge_outputs WHERE evaluation_id = ? AND test_case_id = ? AND system = ? "
        "ORDER BY call_index",
        [report.evaluation_id, report.test_case_id, report.system],
    ).fetchall()
    return [Attempt(*row) for row in rows]
