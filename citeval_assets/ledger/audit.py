"""Proof that nothing recorded was changed, lost, moved or slipped in.

A plain chain proves that its rows belong together. It cannot prove that its end was not cut off,
nor that somebody with write access did not recompute it whole: for that the head must be known
from outside, which is what an ``Anchor`` is for.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from citeval_assets.ledger import dialects
from citeval_assets.ledger.chain_walk import ChainFault, ChainWalk, stored_rows
from citeval_assets.ledger.errors import read_error
from citeval_assets.ledger.records import Anchor
from citeval_assets.ledger.schema import chain_heads
from citeval_assets.ledger.store import Ledger

__all__ = ["Anchor", "ChainFault", "ChainReport", "anchor", "keep_anchor", "kept_anchors", "verify"]


@dataclass(frozen=True, slots=True)
class ChainReport:
    """What the audit found.

    ``faults`` holds the first of ``fault_count`` faults. ``anchors`` tells how many anchors from
    outside were compared: with none, a cut or recomputed end would go unseen.
    """

    rows: int
    head: str
    faults: tuple[ChainFault, ...]
    fault_count: int
    anchors: int

    @property
    def ok(self) -> bool:
        """Whether no fault was found."""
        return self.fault_count == 0


def anchor(ledger: Ledger) -> Anchor:
    """Return the end of the chain, to be kept outside the ledger."""
    return Anchor(*ledger.head())


def verify(ledger: Ledger, anchors: Iterable[Anchor] = ()) -> ChainReport:
    """Walk the whole chain in order and compare it with itself and with ``anchors``.

    Memory does not grow with the ledger. Writers may go on meanwhile; the audit sees the state
    at its start.

    Raises:
        LedgerReadError: The store cannot be read at all.
    """
    wanted = list(anchors)
    try:
        with dialects.snapshot(ledger.engine) as connection:
            heads = {row.name: row for row in connection.execute(select(chain_heads))}
            walk = ChainWalk({a.rows: a.head for a in wanted})
            for row in stored_rows(connection, walk.note):
                walk.see(row)
            walk.finish({name: (row.row_count, row.row_hash) for name, row in heads.items()})
            for complaint in dialects.damage(connection):
                walk.note(ChainFault("", None, "damaged", complaint))
            faults = walk.explained(connection)
    except (SQLAlchemyError, UnicodeDecodeError) as error:
        raise read_error(ledger.place, error) from error
    return ChainReport(walk.seq, walk.digest, faults, walk.fault_count, len(wanted))


def keep_anchor(file: Path, anchor: Anchor, now: str) -> None:
    """Add an anchor to a file of anchors, one a line. Keep the file away from the ledger."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a", encoding="utf-8") as out:
        out.write(f"{now} {anchor}\n")


def kept_anchors(file: Path) -> list[Anchor]:
    """Return the anchors of such a file; none where there is no file.

    Raises:
        LedgerError: A line is no anchor.
    """
    if not file.exists():
        return []
    lines = file.read_text(encoding="utf-8").splitlines()
    return [Anchor.parse(line.split()[-1]) for line in lines if line.strip()]
