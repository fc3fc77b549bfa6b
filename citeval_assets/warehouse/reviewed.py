"""What reviewers decided, brought into the reports: effective scores, and what is provisional."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

from citeval_assets.warehouse.connection import Warehouse, WarehouseMissing
from citeval_assets.warehouse.duck import Connection
from citeval_assets.warehouse.sql import query
from citeval_assets.warehouse.writers import transaction


@dataclass(frozen=True, slots=True)
class ReviewedReport:
    """What people made of one reviewed report. ``score`` is theirs; ``None``: the judge's counts.

    ``settled`` says that nobody need look any more, which ends being provisional.
    """

    playbook: str
    case_hash: str
    model: str
    prompt_version: str
    score: float | None
    settled: bool


def apply_reviews(warehouse: Warehouse, reviewed: Sequence[ReviewedReport]) -> int:
    """Bring the reports in line with the decisions; return how many rows changed.

    Usually none does, and then nothing is written. Also what was decided and taken back must be
    among ``reviewed``.
    """
    if not reviewed:
        return 0
    asked = {
        "playbooks": [one.playbook for one in reviewed],
        "case_hashes": [one.case_hash for one in reviewed],
        "models": [one.model for one in reviewed],
        "prompt_versions": [one.prompt_version for one in reviewed],
        "scores": [one.score for one in reviewed],
        "settled": [one.settled for one in reviewed],
    }
    try:
        with warehouse.reading() as connection:
            if not connection.execute(query("reviewed_reports"), asked).fetchall():
                return 0
    except WarehouseMissing:
        return 0
    with transaction(warehouse) as connection:
        rows = connection.execute(query("reviewed_reports"), asked).fetchall()
        names = (
            "evaluation_id",
            "test_case_id",
            "system",
            "effective_score",
            "overridden",
            "provisional",
        )
        for row in rows:
            connection.execute(query("update_reviewed"), dict(zip(names, row, strict=True)))
        systems: defaultdict[str, set[str]] = defaultdict(set)
        for row in rows:
            systems[row[0]].add(row[2])
        for evaluation_id, touched in systems.items():
            _count_again(connection, evaluation_id, touched)
    return len(rows)


def _count_again(connection: Connection, evaluation_id: str, systems: set[str]) -> None:
    connection.execute(query("update_reviewed_evaluation"), {"evaluation_id": evaluation_id})
    for system in sorted(systems):
        rows = connection.execute(
            "SELECT effective_score, overridden, provisional FROM reports "
            "WHERE evaluation_id = ? AND system = ?",
            [evaluation_id, system],
        ).fetchall()
        scores = [score for score, _, _ in rows if score is not None]
        connection.execute(
            query("update_reviewed_trend"),
            {
                "evaluation_id": evaluation_id,
                "system": system,
                "overridden": sum(overridden for _, overridden, _ in rows),
                "provisional": sum(provisional for _, _, provisional in rows),
                "mean": fsum(scores) / len(scores) if scores else None,
            },
        )
