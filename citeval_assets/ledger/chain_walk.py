"""Walking the chain row by row, and telling what does not fit.

The walk trusts nothing: numbers may be of any type, text of any bytes, rows missing or doubled.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from heapq import merge
from typing import Any

from sqlalchemy import Connection, func, select, tuple_
from sqlalchemy.exc import SQLAlchemyError

from citeval_assets.ledger.chain import CHAIN, GENESIS, Row, row_hash
from citeval_assets.ledger.errors import reason
from citeval_assets.ledger.schema import CHAIN_TABLES, RUN_ANCHORS, ChainTable

MAX_FAULTS = 1000
"""Faults kept with their details; the rest is only counted."""
_PAGE = 200
_KEPT_FOR_SWAPS = 50


@dataclass(frozen=True, slots=True)
class ChainFault:
    """One place where the chain does not hold.

    Attributes:
        table: The table concerned; empty where it is the chain as a whole.
        row: Number of the row within its table, counted from 1 (the first of several).
        kind: ``changed`` (content does not match its hash), ``rewritten`` (hash does not match
            what follows), ``missing``, ``cut`` (rows missing at the end), ``inserted``,
            ``copied``, ``swapped``, ``anchor`` (differs from an anchor), ``head`` (differs from
            the recorded end), ``unreadable``, ``damaged``.
        detail: What was found and what was expected.
    """

    table: str
    row: int | None
    kind: str
    detail: str


@dataclass(frozen=True, slots=True)
class StoredRow:
    """One row as it stands in the store."""

    table: ChainTable
    nr: Any
    seq: Any
    prev_hash: Any
    row_hash: Any
    content: Row

    @property
    def place(self) -> str:
        """The row as a person would point at it."""
        key = ", ".join(f"{name} {str(self.content[name])[:80]}" for name in self.table.key)
        return f"{self.table.name} row {self.nr} ({key})"

    def hash_at(self, nr: Any, seq: Any, prev_hash: Any) -> str | None:
        """Return the hash this content would have at some place of the chain."""
        try:
            return row_hash(self.table.name, nr, seq, prev_hash, self.content)
        except (TypeError, ValueError):
            return None  # a value of a type no ledger writes


def stored_rows(connection: Connection, note: Callable[[ChainFault], None]) -> Iterator[StoredRow]:
    """Walk all rows of all tables in the order of the chain."""
    streams = [_table_rows(connection, table, note) for table in CHAIN_TABLES]
    return merge(*streams, key=_order)


def _table_rows(
    connection: Connection, table: ChainTable, note: Callable[[ChainFault], None]
) -> Iterator[StoredRow]:
    columns = table.table.c
    first = select(table.table).order_by(columns.seq, columns.nr).limit(_PAGE)
    query = first
    while True:
        try:
            page = connection.execute(query).all()
        except SQLAlchemyError as error:
            detail = f"rows could not be read: {reason(error)}"
            note(ChainFault(table.name, None, "unreadable", detail))
            return
        for nr, seq, prev_hash, digest, *values in page:
            content = dict(zip(table.columns, values, strict=True))
            yield StoredRow(table, nr, seq, prev_hash, digest, content)
        if len(page) < _PAGE:
            return
        last = page[-1]
        query = first.where(tuple_(columns.seq, columns.nr) > tuple_(last.seq, last.nr))


def _order(row: StoredRow) -> tuple[float, float]:
    return _number(row.seq), _number(row.nr)


def _number(value: Any) -> float:
    if value is None:
        return -1
    return value if isinstance(value, int | float) else math.inf


class ChainWalk:
    """Takes the rows in order, keeps the first faults, and little else."""

    def __init__(self, anchors: Mapping[int, str]):
        self.seq = 0
        self.digest = GENESIS
        self.fault_count = 0
        self._faults: list[ChainFault] = []
        self._suspects: list[StoredRow] = []
        self._anchors = dict(anchors)
        self._anchors_left = dict(anchors)
        self._last: StoredRow | None = None
        self._last_sound = True
        self._numbers: defaultdict[str, int] = defaultdict(int)
        self._lost_in_chain = 0
        self._lost_in_tables = 0
        self._compare_anchor()

    def note(self, fault: ChainFault) -> None:
        """Count a fault, and keep it if it is among the first."""
        self.fault_count += 1
        if len(self._faults) < MAX_FAULTS:
            self._faults.append(fault)

    def see(self, row: StoredRow) -> None:
        """Take the next row."""
        sound = row.hash_at(row.nr, row.seq, row.prev_hash) == row.row_hash
        if not sound:
            self._fault(row, "changed", "its content does not match its hash")
            if len(self._suspects) < _KEPT_FOR_SWAPS:
                self._suspects.append(row)
        if isinstance(row.nr, int) and isinstance(row.seq, int):
            self._compare_number(row)
            self._compare_link(row, sound)
            self._compare_run_anchor(row, sound)
        self._last, self._last_sound = row, sound

    def _compare_number(self, row: StoredRow) -> None:
        expected = self._numbers[row.table.name] + 1
        if row.nr > expected:
            self._lost_in_tables += row.nr - expected
            self._missing(row.table.name, expected, row.nr - 1, "missing")
        elif row.nr < expected:
            self._fault(row, "inserted", f"out of order: row {expected} was due")
        self._numbers[row.table.name] = max(row.nr, expected - 1)

    def _compare_link(self, row: StoredRow, sound: bool) -> None:
        expected = self.seq + 1
        if row.seq < expected:
            detail = f"its place in the chain ({row.seq}) is taken; {expected} was due"
            self._fault(row, "inserted", detail)
            return
        if row.seq > expected:
            self._lost_in_chain += row.seq - expected
        elif row.prev_hash != self.digest and sound and self._last_sound:
            self._broken(row)
        self.seq, self.digest = row.seq, row.row_hash
        self._compare_anchor()

    def _broken(self, row: StoredRow) -> None:
        detail = f"{row.place} does not follow it: one of the two was rewritten or slipped in"
        if self._last is None:
            self._fault(row, "rewritten", "the chain does not start with it")
        else:
            self._fault(self._last, "rewritten", detail)

    def _compare_run_anchor(self, row: StoredRow, sound: bool) -> None:
        if row.table is not RUN_ANCHORS or not sound:
            return
        said = (row.content["chain_rows"], row.content["head"])
        if said != (row.seq - 1, row.prev_hash):
            self._fault(row, "anchor", "the end of the chain it states is not where it stands")

    def _compare_anchor(self) -> None:
        expected = self._anchors_left.pop(self.seq, None)
        if expected is not None and expected != self.digest:
            detail = (
                f"after {self.seq} rows the hash is {self.digest}, the anchor says {expected}: "
                "rows up to here were recomputed"
            )
            self.note(ChainFault("", None, "anchor", detail))

    def finish(self, heads: Mapping[str, tuple[int, str]]) -> None:
        """Compare the end of the walk with the recorded ends and the anchors left."""
        for table in CHAIN_TABLES:
            found = self._numbers[table.name]
            count = heads.get(table.name, (None, ""))[0]
            if not isinstance(count, int):
                self._head(table.name, "its recorded end is missing")
            elif count > found:
                self._lost_in_tables += count - found
                self._missing(table.name, found + 1, count, "cut")
            elif count < found:
                detail = f"rows {count + 1} to {found} lie beyond the recorded end"
                self.note(ChainFault(table.name, count + 1, "inserted", detail))
        count, digest = heads.get(CHAIN, (None, ""))
        if not isinstance(count, int):
            self._head("", "the recorded end of the chain is missing")
        else:
            self._lost_in_chain += max(count - self.seq, 0)
            if count == self.seq and digest != self.digest:
                self._head("", f"the last row has hash {self.digest}, recorded is {digest}")
        if self._lost_in_chain != self._lost_in_tables:
            detail = (
                f"{self._lost_in_chain} numbers of the chain are missing, "
                f"{self._lost_in_tables} numbers of the tables"
            )
            self.note(ChainFault("", None, "missing", detail))
        for rows in sorted(self._anchors_left):
            detail = f"the chain ends after {self.seq} rows, an anchor was taken after {rows}"
            self.note(ChainFault("", None, "cut", detail))

    def explained(self, connection: Connection) -> tuple[ChainFault, ...]:
        """Return the faults, changed rows that were swapped or copied named so."""
        names = {
            (row.table.name, row.nr): explanation
            for row in self._suspects
            if (explanation := self._swap(row) or _copy(connection, row)) is not None
        }
        return tuple(
            replace(fault, **names[fault.table, fault.row])
            if fault.kind == "changed" and (fault.table, fault.row) in names
            else fault
            for fault in self._faults
        )

    def _swap(self, row: StoredRow) -> dict[str, str] | None:
        for other in self._suspects:
            if other is row or other.table is not row.table:
                continue
            fits = {row.hash_at(other.nr, other.seq, p) for p in (row.prev_hash, other.prev_hash)}
            if fits & {row.row_hash, other.row_hash}:
                return {
                    "kind": "swapped",
                    "detail": f"{row.place} changed places: it was row {other.nr}",
                }
        return None

    def _fault(self, row: StoredRow, kind: str, detail: str) -> None:
        number = row.nr if isinstance(row.nr, int) else None
        self.note(ChainFault(row.table.name, number, kind, f"{row.place}: {detail}"))

    def _head(self, table: str, detail: str) -> None:
        self.note(ChainFault(table, None, "head", f"chain_heads: {detail}"))

    def _missing(self, table: str, first: int, last: int, kind: str) -> None:
        which = f"row {first} is" if first == last else f"rows {first} to {last} are"
        self.note(ChainFault(table, first, kind, f"{which} missing"))


def _copy(connection: Connection, row: StoredRow) -> dict[str, str] | None:
    columns = row.table.table.c
    query = select(func.min(columns.nr)).where(
        columns.row_hash == row.row_hash, columns.nr != row.nr
    )
    try:
        twin = connection.execute(query).scalar()
    except (SQLAlchemyError, UnicodeError):  # a hash whose bytes are no text has no twin
        return None
    if twin is None:
        return None
    return {"kind": "copied", "detail": f"{row.place} is a copy of row {twin}"}
