"""One process at a time, a bounded wait, always closed, never a half-used file."""

import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
from filelock import FileLock

from citeval_assets.warehouse.connection import (
    SCHEMA_VERSION,
    Warehouse,
    WarehouseBusy,
    WarehouseMissing,
    WarehouseOutdated,
    WarehouseState,
    WarehouseUnreadable,
    open_locked,
    open_snapshot,
)
from citeval_assets.warehouse.tables import TABLES
from citeval_assets.warehouse.writers import write_partition

from .builders import report, rows_of

HOLD = """
import sys, duckdb
connection = duckdb.connect(sys.argv[1], read_only=True)
print("open", flush=True)
sys.stdin.read()
"""


def test_writing_creates_the_schema_and_reading_waits_for_it(warehouse: Warehouse) -> None:
    with pytest.raises(WarehouseMissing, match="does not exist yet"), warehouse.reading():
        pass
    with warehouse.writing() as connection:
        tables = {row[0] for row in connection.execute("SHOW TABLES").fetchall()}
    views = {"current_reports", "current_findings", "production_reports"}
    assert set(TABLES) | {"warehouse_info", *views} == tables
    assert warehouse.state() is WarehouseState.READY


def test_schema_and_rows_name_the_same_columns_in_the_same_order(warehouse: Warehouse) -> None:
    with warehouse.writing() as connection:
        for table, row_type in TABLES.items():
            described = connection.execute("SELECT * FROM query_table(?)", [table]).description
            assert described is not None
            assert [column[0] for column in described] == list(row_type.__dataclass_fields__), table


def test_every_floating_point_column_has_a_check(warehouse: Warehouse) -> None:
    with warehouse.writing() as connection:
        columns = connection.execute(
            "SELECT table_name, column_name FROM duckdb_columns() "
            "WHERE data_type = 'DOUBLE' AND NOT internal "
            "AND table_name NOT IN (SELECT view_name FROM duckdb_views())"
        ).fetchall()
        checked = {
            (table, column)
            for table, names in connection.execute(
                "SELECT table_name, constraint_column_names FROM duckdb_constraints() "
                "WHERE constraint_type = 'CHECK'"
            ).fetchall()
            for column in names
        }
    assert len(columns) > 20
    assert set(columns) <= checked


def test_the_file_is_closed_and_free_after_an_exception(warehouse: Warehouse) -> None:
    with pytest.raises(RuntimeError), warehouse.writing():
        raise RuntimeError("in the middle")
    with warehouse.reading() as connection:
        assert connection.execute("SELECT count(*) FROM reports").fetchone() == (0,)


def test_waiting_for_the_lock_is_bounded_and_says_what_to_do(warehouse: Warehouse) -> None:
    warehouse.path.parent.mkdir()
    impatient = Warehouse(warehouse.path, wait_seconds=0.1)
    with (
        FileLock(warehouse.path.with_name("warehouse.duckdb.lock")),
        pytest.raises(WarehouseBusy, match="another citeval process"),
        impatient.writing(),
    ):
        pass


def test_a_program_outside_the_lock_is_named(warehouse: Warehouse) -> None:
    write_partition(warehouse, rows_of(report("a")))
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(warehouse.path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"open\n"
        impatient = Warehouse(warehouse.path, wait_seconds=0.2)
        with pytest.raises(WarehouseBusy, match="notebook"), impatient.writing():
            pass
    finally:
        holder.communicate(b"")
    with warehouse.writing():
        pass


def test_another_schema_version_is_refused_and_rebuilt_not_half_used(warehouse: Warehouse) -> None:
    write_partition(warehouse, rows_of(report("a")))
    with warehouse.writing() as connection:
        connection.execute("UPDATE warehouse_info SET schema_version = ?", [SCHEMA_VERSION + 1])
    assert warehouse.state() is WarehouseState.OUTDATED
    with pytest.raises(WarehouseOutdated, match="rebuilt from the ledger"), warehouse.reading():
        pass
    with pytest.raises(WarehouseOutdated), warehouse.writing():
        pass
    assert warehouse.ensure_ready(lambda fresh: _write(fresh, "b")) is True
    assert _cases(warehouse) == ["b"]
    assert warehouse.ensure_ready(lambda fresh: _write(fresh, "c")) is False


def test_a_file_that_is_no_database_is_rebuilt(warehouse: Warehouse) -> None:
    warehouse.path.parent.mkdir()
    warehouse.path.write_bytes(b"not a database" * 1000)
    assert warehouse.state() is WarehouseState.UNREADABLE
    with pytest.raises(WarehouseUnreadable, match="Nothing is lost"), warehouse.reading():
        pass
    assert warehouse.ensure_ready(lambda fresh: _write(fresh, "b")) is True
    assert _cases(warehouse) == ["b"]


def test_a_foreign_database_is_rebuilt(warehouse: Warehouse) -> None:
    warehouse.path.parent.mkdir()
    duckdb.connect(str(warehouse.path)).execute("CREATE TABLE x (a INTEGER)").close()
    assert warehouse.state() is WarehouseState.OUTDATED


def test_a_rebuild_that_fails_leaves_the_old_warehouse(warehouse: Warehouse) -> None:
    write_partition(warehouse, rows_of(report("a")))

    def broken(fresh: Warehouse) -> None:
        _write(fresh, "b")
        raise RuntimeError("ledger unreadable")

    with pytest.raises(RuntimeError, match="ledger unreadable"):
        warehouse.rebuild(broken)
    assert _cases(warehouse) == ["a"]
    assert [path.name for path in warehouse.path.parent.iterdir() if "rebuild" in path.name] == []


def test_a_stale_log_of_a_deleted_file_is_not_replayed(warehouse: Warehouse) -> None:
    warehouse.path.parent.mkdir()
    warehouse.path.with_name("warehouse.duckdb.wal").write_bytes(b"left over" * 100)
    write_partition(warehouse, rows_of(report("a")))
    assert _cases(warehouse) == ["a"]


def test_a_snapshot_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(WarehouseMissing), open_snapshot(tmp_path / "citeval.duckdb"):
        pass


def test_a_python_variable_is_never_taken_for_a_table(warehouse: Warehouse) -> None:
    with warehouse.writing():
        pass
    secrets = [1]  # noqa: F841
    with open_locked(warehouse.path) as connection, pytest.raises(duckdb.CatalogException):
        connection.execute("SELECT * FROM secrets")


def _write(warehouse: Warehouse, case: str) -> None:
    write_partition(warehouse, rows_of(report(case)))


def _cases(warehouse: Warehouse) -> list[str]:
    with warehouse.reading() as connection:
        return [row[0] for row in connection.execute("SELECT test_case_id FROM reports").fetchall()]
