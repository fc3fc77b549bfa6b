"""Adding a reviewer's decision: only onto what the reviewer saw."""

from collections.abc import Sequence

from sqlalchemy import Connection, select

from citeval_assets.ledger.chain import ChainWriter
from citeval_assets.ledger.errors import LedgerError
from citeval_assets.ledger.escaping import storable
from citeval_assets.ledger.records import HumanLabel, ReviewDecision
from citeval_assets.ledger.rows import from_row, to_row
from citeval_assets.ledger.schema import HUMAN_LABELS, REVIEW_DECISIONS

_R = REVIEW_DECISIONS.table


class StaleDecision(LedgerError):
    """Somebody decided about the same report since the reviewer's form was made.

    ``newer`` are the decisions the form did not show, the oldest first. Nothing was written.
    """

    def __init__(self, newer: Sequence[ReviewDecision]) -> None:
        self.newer = tuple(newer)
        names = ", ".join(f"{d.reviewer} ({d.decision})" for d in self.newer)
        super().__init__(
            f"nothing was recorded: {names} decided about this report meanwhile; look at that "
            "first, then decide again"
        )


def write_decision(
    chain: ChainWriter,
    decision: ReviewDecision,
    seen: str,
    labels: Sequence[HumanLabel],
    moment: str,
) -> None:
    """Add a decision and the labels that come of it, if ``seen`` is the newest one still.

    Args:
        chain: the open write transaction.
        decision: what was decided.
        seen: id of the newest decision about the report that the reviewer was shown; empty
            where there was none.
        labels: what becomes of it for calibration.
        moment: when, where a record does not say itself.

    Raises:
        StaleDecision: others decided since.
    """
    known = decisions_about(chain.connection, decision)
    shown = [position for position, one in enumerate(known, 1) if one.decision_id == seen]
    newer = known[shown[0] :] if shown else known
    if newer:
        raise StaleDecision(newer)
    row = to_row(decision, created_at=decision.created_at or moment)
    chain.append_new(REVIEW_DECISIONS, [row])
    chain.append_new(
        HUMAN_LABELS, [to_row(label, created_at=label.created_at or moment) for label in labels]
    )


def decisions_about(connection: Connection, report: ReviewDecision) -> list[ReviewDecision]:
    """Return what was decided about the report that ``report`` is about, the oldest first."""
    wanted = (
        (_R.c.playbook == storable(report.playbook))
        & (_R.c.case_hash == storable(report.case_hash))
        & (_R.c.model == storable(report.model))
        & (_R.c.prompt_version == storable(report.prompt_version))
    )
    columns = (_R.c[name] for name in REVIEW_DECISIONS.columns)
    rows = connection.execute(select(*columns).where(wanted).order_by(_R.c.nr)).mappings()
    return [from_row(ReviewDecision, row) for row in rows]
