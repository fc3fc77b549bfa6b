"""The published snapshot: a checked copy that readers open while the pipeline writes on."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock

from citeval_assets.warehouse.connection import (
    Warehouse,
    WarehouseError,
    open_copy,
    open_snapshot,
)
from citeval_assets.warehouse.duck import Connection
from citeval_assets.warehouse.page_tables import add_page_tables
from citeval_assets.warehouse.sql import query
from citeval_assets.warehouse.tables import TABLES


class PublishFailed(WarehouseError):
    """The copy did not hold what the warehouse holds; the old snapshot stands."""


@dataclass(frozen=True, slots=True)
class Published:
    """What was published: where, how large, and how many rows each table has."""

    path: Path
    size_bytes: int
    row_counts: dict[str, int]

    @property
    def rows(self) -> int:
        """All rows together."""
        return sum(self.row_counts.values())


def publish(warehouse: Warehouse, target: Path) -> Published:
    """Copy the warehouse aside, add the tables of the pages, check it, rename it over ``target``.

    Readers that have the old snapshot open keep reading it undisturbed; who opens the file
    afterwards sees the new one. After a crash the old snapshot stands.

    Raises:
        PublishFailed: where the copy cannot be opened or its row counts differ.
        WarehouseMissing: where there is no warehouse to publish.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    aside = target.with_name(f"{target.name}.aside")
    # One publishes at a time, so that no older copy replaces a newer one; the writers of the
    # warehouse wait for the copying only.
    with FileLock(warehouse.path.with_name(f"{warehouse.path.name}.publishing")):
        try:
            with warehouse.at_rest() as connection:
                expected = row_counts(connection)
                shutil.copyfile(warehouse.path, aside)
            _check_copy(aside, expected)
            _complete_copy(aside)
            _sync(aside)
            aside.replace(target)
        finally:
            aside.unlink(missing_ok=True)
            aside.with_name(f"{aside.name}.wal").unlink(missing_ok=True)
    _sync(target.parent)
    return Published(target, target.stat().st_size, expected)


def row_counts(connection: Connection) -> dict[str, int]:
    """Return the number of rows of every table."""
    counted = dict(connection.execute(query("row_counts")).fetchall())
    return {table: counted[table] for table in TABLES}


def _complete_copy(copy: Path) -> None:
    import duckdb

    try:
        with open_copy(copy) as connection:
            add_page_tables(connection)
    except (WarehouseError, duckdb.Error) as error:
        raise PublishFailed(f"the copy of the warehouse cannot be completed: {error}") from error


def _check_copy(copy: Path, expected: dict[str, int]) -> None:
    import duckdb

    try:
        with open_snapshot(copy) as connection:
            found = row_counts(connection)
            connection.execute("SELECT count(*) FROM current_findings").fetchone()
    except (WarehouseError, duckdb.Error) as error:
        raise PublishFailed(f"the copy of the warehouse cannot be read: {error}") from error
    if found != expected:
        differing = {
            table: (count, found[table])
            for table, count in expected.items()
            if found[table] != count
        }
        raise PublishFailed(
            "the copy of the warehouse does not hold what the warehouse holds "
            f"(table: rows there, rows in the copy): {differing}"
        )


def _sync(path: Path) -> None:
    """Have the system write a file or folder through to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
