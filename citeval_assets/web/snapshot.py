"""Read access to the published snapshot, opened once and again when it was replaced.

The pages never open the working warehouse: a reader would block its writer. The snapshot is only
ever replaced as a whole, so that a page sees one state of affairs from its first query to its
last.
"""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import duckdb

from citeval_assets.warehouse.connection import open_snapshot

Identity = tuple[int, int, int]
"""Tells one published file from the next: inode, size, time of change in nanoseconds."""


@dataclass(frozen=True, slots=True)
class SnapshotState:
    """Which snapshot is being read. ``key`` changes with every publishing."""

    key: Identity
    published_at: datetime


class Snapshot:
    """The published snapshot of a project. Safe to share between threads.

    Args:
        path: where it is published.
        memory_mb: the most the database may hold in memory.
        threads: the most threads one query may use.
    """

    def __init__(self, path: Path, *, memory_mb: int = 160, threads: int = 2) -> None:
        self.path = path
        self._settings = {"memory_limit": f"{memory_mb}MB", "threads": threads}
        self._changed = threading.Condition()
        self._here = threading.local()
        self._readers = 0
        self._opened = ExitStack()
        self._connection: duckdb.DuckDBPyConnection | None = None
        self._key: Identity | None = None

    @contextmanager
    def reading(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Yield a cursor on the newest snapshot; inside another reading, on the same one.

        Raises:
            WarehouseMissing: where nothing has been published yet.
            WarehouseError: where what is published cannot be read.
        """
        inner = getattr(self._here, "depth", 0)
        with self._changed:
            # Who reads already goes on with what it reads: it would else wait for itself.
            opened = self._connection if inner else self._newest()
            assert opened is not None
            cursor = opened.cursor()
            self._readers += 1
        self._here.depth = inner + 1
        try:
            yield cursor
        finally:
            self._here.depth = inner
            cursor.close()
            with self._changed:
                self._readers -= 1
                self._changed.notify_all()

    @property
    def opened(self) -> Identity | None:
        """Tell which snapshot is open: it cannot change while a page reads."""
        return self._key

    def state(self) -> SnapshotState | None:
        """Return which snapshot stands published now; ``None`` where there is none."""
        key = self._identity()
        if key is None:
            return None
        return SnapshotState(key, datetime.fromtimestamp(key[2] / 1e9, UTC))

    def close(self) -> None:
        """Close the database."""
        with self._changed:
            self._close()

    def _identity(self) -> Identity | None:
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return None
        return (found.st_ino, found.st_size, found.st_mtime_ns)

    def _newest(self) -> duckdb.DuckDBPyConnection:
        """Return the connection to the newest snapshot; the lock is held.

        DuckDB shares one opened file among all connections of a process, by its path: the old
        file must be closed, hence no longer be read, before the new one is seen.
        """
        key = self._identity()
        if self._connection is None or key != self._key:
            self._changed.wait_for(lambda: self._readers == 0)
            if self._connection is None or self._identity() != self._key:
                self._close()
                self._open()
        assert self._connection is not None
        return self._connection

    def _open(self) -> None:
        key = self._identity()
        connection = self._opened.enter_context(open_snapshot(self.path))
        for name, value in self._settings.items():
            connection.execute(f"SET {name} = ?", [value])
        self._connection, self._key = connection, key

    def _close(self) -> None:
        self._opened.close()
        self._connection, self._key = None, None
