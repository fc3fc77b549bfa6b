"""The hash chain: how a row is hashed, and how rows are added at the end.

``row_hash = SHA-256(prev_hash + "\\n" + content)`` where content is one ASCII JSON object holding
the table, both numbers and every column that is not NULL, keys in order of name. NULL columns are
left out, so that a column added by a later migration leaves older hashes valid.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from json import JSONEncoder
from operator import itemgetter
from typing import Any, cast

from sqlalchemy import Connection, Select, select, tuple_
from sqlalchemy import bindparam as bind

from citeval_assets.ledger import plain_sql
from citeval_assets.ledger.errors import LedgerConflict, LedgerError
from citeval_assets.ledger.schema import ChainTable

Value = str | int | float | None
Row = Mapping[str, Value]
StoredRow = Mapping[Any, Any]
"""A row as the database hands it out: column name to value."""

GENESIS = "0" * 64
"""The ``prev_hash`` of the first row."""
CHAIN = "*"
"""Name under which ``chain_heads`` keeps the end of the whole chain."""
MAX_KEYS_PER_QUERY = 500

_encode = JSONEncoder(
    ensure_ascii=True, allow_nan=False, sort_keys=True, separators=(",", ":")
).encode


_HEADS = "SELECT name, row_count, row_hash FROM chain_heads"
_MOVE_HEAD = "UPDATE chain_heads SET row_count = ?, row_hash = ? WHERE name = ?"


def row_text(table: str, nr: int, seq: int, content: Row) -> str:
    """Return what is hashed of one row. ``content`` holds its columns as stored."""
    filled = {name: value for name, value in content.items() if value is not None}
    return _encode({"columns": filled, "nr": nr, "seq": seq, "table": table})


def row_hash(table: str, nr: int, seq: int, prev_hash: str, content: Row) -> str:
    """Return the hash of one row. ``content`` holds its columns as stored."""
    body = row_text(table, nr, seq, content)
    return sha256(f"{prev_hash}\n{body}".encode("utf-8", "surrogatepass")).hexdigest()


class ChainWriter:
    """Adds rows within one write transaction. ``finish`` must be called before the commit."""

    def __init__(self, connection: Connection):
        self.connection = connection
        rows = plain_sql.rows(connection, _HEADS)
        self._heads: dict[str, tuple[int, str]] = {
            name: (count, digest) for name, count, digest in rows
        }
        self._touched: set[str] = set()

    def end(self) -> tuple[int, str]:
        """Return the number of rows in the chain and the hash of the last."""
        return self._heads[CHAIN]

    def append(self, table: ChainTable, rows: Sequence[Row]) -> None:
        """Write ``rows`` at the end of ``table`` and of the chain."""
        if not rows:
            return
        if CHAIN not in self._heads or table.name not in self._heads:
            raise LedgerError(
                f"the end of {table.name} is not recorded in chain_heads: the ledger was changed "
                "by something else; run the audit and restore a backup"
            )
        seq, previous = self._heads[CHAIN]
        nr, _ = self._heads[table.name]
        insertion, in_order = _insertion(table)
        linked: list[tuple[Value, ...]] = []
        for row in rows:
            nr += 1
            seq += 1
            digest = row_hash(table.name, nr, seq, previous, row)
            linked.append((nr, seq, previous, digest, *in_order(row)))
            previous = digest
        plain_sql.run_many(self.connection, insertion, linked)
        self._heads[CHAIN] = (seq, previous)
        self._heads[table.name] = (nr, previous)
        self._touched |= {CHAIN, table.name}

    def append_new(
        self, table: ChainTable, rows: Sequence[Row], *, ignoring: Iterable[str] = ("created_at",)
    ) -> list[Row]:
        """Write the rows whose key is not there yet; return them.

        A row that is there already with the same content is left alone.

        Raises:
            LedgerConflict: Other content is recorded under a key (columns in ``ignoring`` apart).
        """
        ignored = set(ignoring)
        known = self.known(table, self._present(table, [_key(table, row) for row in rows]))
        fresh: list[Row] = []
        for row in rows:
            key = _key(table, row)
            if key not in known:
                known[key] = row
                fresh.append(row)
                continue
            changed = [
                name
                for name in table.columns
                if name not in ignored and known[key][name] != row[name]
            ]
            if changed:
                raise LedgerConflict(
                    f"{table.name} {_named(table, key)} is recorded already with another "
                    f"{', '.join(changed)}; what is recorded stays, use a new id for new content"
                )
        self.append(table, fresh)
        return fresh

    def known(
        self, table: ChainTable, keys: Sequence[tuple[Value, ...]]
    ) -> dict[tuple[Value, ...], StoredRow]:
        """Return the stored rows of these keys."""
        found: dict[tuple[Value, ...], StoredRow] = {}
        for row in self._rows_of(table, keys, table.columns):
            stored = dict(zip(table.columns, row, strict=True))
            found[_key(table, stored)] = stored
        return found

    def _present(
        self, table: ChainTable, keys: Sequence[tuple[Value, ...]]
    ) -> list[tuple[Value, ...]]:
        """Return which of these keys are there: as a rule none, and their rows are wide."""
        return [tuple(row) for row in self._rows_of(table, keys, table.key)]

    def _rows_of(
        self, table: ChainTable, keys: Sequence[tuple[Value, ...]], columns: tuple[str, ...]
    ) -> Iterator[Sequence[Value]]:
        for start in range(0, len(keys), MAX_KEYS_PER_QUERY):
            part = keys[start : start + MAX_KEYS_PER_QUERY]
            if len(table.key) == 1:
                query = plain_sql.selection(table.name, columns, table.key[0])
                rows = plain_sql.rows_for(self.connection, query, [key[0] for key in part])
            else:
                rows = self.connection.execute(_of_keys(table, columns), {"keys": list(part)}).all()
            yield from rows

    def finish(self) -> None:
        """Move the recorded ends forward."""
        if self._touched:
            moved = [(*self._heads[name], name) for name in sorted(self._touched)]
            plain_sql.run_many(self.connection, _MOVE_HEAD, moved)


@cache
def _of_keys(table: ChainTable, columns: tuple[str, ...]) -> Select[Any]:
    key = tuple_(*(table.table.c[name] for name in table.key))
    wanted = (table.table.c[name] for name in columns)
    return select(*wanted).where(key.in_(bind("keys", expanding=True)))


@cache
def _insertion(table: ChainTable) -> tuple[str, Callable[[Row], tuple[Value, ...]]]:
    """Return the statement that adds a row, and what puts its content in order for it."""
    numbers = ("nr", "seq", "prev_hash", "row_hash")
    in_order = cast("Callable[[Row], tuple[Value, ...]]", itemgetter(*table.columns))
    return plain_sql.insertion(table.name, numbers + table.columns), in_order


def _key(table: ChainTable, row: StoredRow) -> tuple[Value, ...]:
    return tuple([row[name] for name in table.key])


def _named(table: ChainTable, key: tuple[Value, ...]) -> str:
    return ", ".join(f"{name} {value!r}" for name, value in zip(table.key, key, strict=True))
