"""Many rows on their way into the warehouse: neither held in memory nor written under its lock.

Up to some thousand rows wait in memory, as for most evaluations there are. From then on they go to
a database file of their own beside the warehouse, a page at a time, and from there into the
warehouse in one statement for each table, with DuckDB's memory limited.
"""

import os
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Self
from uuid import uuid4

from citeval_assets.warehouse.connection import Warehouse, open_copy
from citeval_assets.warehouse.duck import Connection
from citeval_assets.warehouse.frames import frame_of
from citeval_assets.warehouse.sql import schema_sql
from citeval_assets.warehouse.tables import TABLES, Row

_ROWS_HELD = 2000
_FORGOTTEN_S = 24 * 3600
_MEMORY = "SET memory_limit = '100MB'"
"""Beyond it DuckDB writes to a folder beside the file. Less is too little for a row group."""


class Spool:
    """Rows that wait to be poured into a warehouse. A context: its file is removed at the end.

    ``counts`` says how many rows each table has got.
    """

    def __init__(self, warehouse: Warehouse) -> None:
        name = f"{warehouse.path.name}.spool-{os.getpid()}-{uuid4().hex[:8]}"
        self._path = warehouse.path.with_name(name)
        self._waiting: dict[str, list[Row]] = {}
        self.counts: Counter[str] = Counter()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for path in self._path.parent.glob(f"{self._path.name}*"):
            path.unlink(missing_ok=True)

    def add(self, rows: Mapping[str, Sequence[Row]]) -> None:
        """Take rows of several tables.

        Raises:
            ValueRefused: for a number that is not finite, or a missing or mistyped value.
        """
        for table, some in rows.items():
            self._waiting.setdefault(table, []).extend(some)
            self.counts[table] += len(some)
        if sum(map(len, self._waiting.values())) >= _ROWS_HELD:
            self._spill()

    def pour(self, warehouse: Connection) -> None:
        """Put the rows into the warehouse, within its transaction."""
        if not self._path.exists():
            append_rows(warehouse, self._waiting)
            return
        self._spill()
        warehouse.execute(_MEMORY)
        place = str(self._path).replace("'", "''")
        warehouse.execute(f"ATTACH '{place}' AS spool (READ_ONLY)")
        for table in (name for name, count in self.counts.items() if count):
            warehouse.execute(f"INSERT INTO {table} BY NAME SELECT * FROM spool.{table}")  # noqa: S608

    def _spill(self) -> None:
        fresh = not self._path.exists()
        if fresh:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._remove_forgotten()
        with open_copy(self._path) as connection:
            connection.execute(_MEMORY)
            if fresh:
                connection.execute(schema_sql())
            append_rows(connection, self._waiting)
        self._waiting = {}

    def _remove_forgotten(self) -> None:
        """Remove what processes that were killed have left."""
        for path in self._path.parent.glob("*.spool-*"):
            with suppress(FileNotFoundError):
                if path.is_file() and time.time() - path.stat().st_mtime > _FORGOTTEN_S:
                    path.unlink()


def append_rows(connection: Connection, rows: Mapping[str, Sequence[Row]]) -> None:
    """Append rows to their tables, in bulk.

    Raises:
        ValueRefused: for a number that is not finite, or a missing or mistyped value.
    """
    # All are looked at before the first is written.
    frames = {table: frame_of(TABLES[table], some) for table, some in rows.items() if some}
    for table, frame in frames.items():
        connection.append(table, frame, by_name=True)
