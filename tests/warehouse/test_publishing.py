"""The published snapshot is whole, checked, and replaced in one step."""

import signal
from multiprocessing.connection import wait
from pathlib import Path

import pytest

from citeval_assets.warehouse import publishing
from citeval_assets.warehouse.connection import Warehouse, WarehouseMissing, open_snapshot
from citeval_assets.warehouse.publishing import PublishFailed, publish, row_counts
from citeval_assets.warehouse.tables import TABLES
from citeval_assets.warehouse.writers import write_partition

from .builders import evaluation, report, rows_of
from .processes import FORKS, die_while_writing


def _write_five_partitions(path: Path, worker: int) -> None:
    warehouse = Warehouse(path)
    for turn in range(5):
        record = evaluation(f"e{worker}-{turn}", model=f"judge-{worker}", prompt_version=f"v{turn}")
        write_partition(warehouse, rows_of(report("a"), report("b"), record=record))


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "published" / "citeval.duckdb"


def test_the_snapshot_holds_what_the_warehouse_holds(warehouse: Warehouse, target: Path) -> None:
    write_partition(warehouse, rows_of(report("a"), report("b")))
    published = publish(warehouse, target)
    assert set(published.row_counts) == set(TABLES)
    assert published.row_counts["reports"] == 2
    assert published.rows == sum(published.row_counts.values())
    with open_snapshot(target) as connection:
        assert row_counts(connection) == published.row_counts
    assert [path.name for path in target.parent.iterdir()] == ["citeval.duckdb"]


def test_a_reader_of_the_old_snapshot_is_not_disturbed(warehouse: Warehouse, target: Path) -> None:
    write_partition(warehouse, rows_of(report("a")))
    publish(warehouse, target)
    with open_snapshot(target) as old:
        write_partition(warehouse, rows_of(report("a"), report("b")))
        publish(warehouse, target)
        assert row_counts(old)["reports"] == 1
    with open_snapshot(target) as new:
        assert row_counts(new)["reports"] == 2


def test_nobody_writes_to_a_snapshot(warehouse: Warehouse, target: Path) -> None:
    write_partition(warehouse, rows_of(report("a")))
    publish(warehouse, target)
    with open_snapshot(target) as connection, pytest.raises(Exception, match="read-only"):
        connection.execute("DELETE FROM reports")


def test_nothing_to_publish_is_said(warehouse: Warehouse, target: Path) -> None:
    with pytest.raises(WarehouseMissing, match="nothing to publish"):
        publish(warehouse, target)


def test_a_bad_copy_is_not_published(
    warehouse: Warehouse, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_partition(warehouse, rows_of(report("a")))
    publish(warehouse, target)
    before = target.read_bytes()

    def cut_short(source: Path, copy: Path) -> None:
        copy.write_bytes(source.read_bytes()[:5000])

    monkeypatch.setattr(publishing.shutil, "copyfile", cut_short)
    with pytest.raises(PublishFailed, match="cannot be read"):
        publish(warehouse, target)
    assert target.read_bytes() == before
    assert [path.name for path in target.parent.iterdir()] == ["citeval.duckdb"]


def test_a_copy_with_other_counts_is_not_published(
    warehouse: Warehouse, target: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Warehouse(tmp_path / "other.duckdb")
    write_partition(other, rows_of(report("x"), report("y")))
    write_partition(warehouse, rows_of(report("a")))
    monkeypatch.setattr(
        publishing.shutil, "copyfile", lambda _, copy: copy.write_bytes(other.path.read_bytes())
    )
    with pytest.raises(PublishFailed, match="'reports': \\(1, 2\\)"):
        publish(warehouse, target)
    assert not target.exists()


@pytest.mark.slow
def test_eight_writing_processes_and_a_reader_get_along(warehouse: Warehouse, target: Path) -> None:
    write_partition(warehouse, rows_of(report("a"), record=evaluation("first", model="zero")))
    publish(warehouse, target)
    workers = [
        FORKS.Process(target=_write_five_partitions, args=(warehouse.path, number))
        for number in range(8)
    ]
    for worker in workers:
        worker.start()
    seen: list[int] = []
    while any(worker.is_alive() for worker in workers):
        wait([worker.sentinel for worker in workers], timeout=0.25)
        with open_snapshot(target) as connection:
            seen.append(row_counts(connection)["evaluations"])
        publish(warehouse, target)
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0] * 8
    counts = publish(warehouse, target).row_counts
    assert (counts["evaluations"], counts["reports"]) == (41, 81)
    assert counts["current_evaluations"] == 41
    assert seen == sorted(seen)


@pytest.mark.slow
def test_a_killed_writer_leaves_a_warehouse_that_opens(warehouse: Warehouse, target: Path) -> None:
    for turn in range(6):
        after_commit = bool(turn % 2)
        victim = FORKS.Process(
            target=die_while_writing,
            args=(warehouse.path, turn),
            kwargs={"after_commit": after_commit},
        )
        victim.start()
        victim.join(60)
        assert victim.exitcode == -signal.SIGKILL
        with warehouse.reading() as connection:
            counts = row_counts(connection)
        assert counts["evaluations"] == turn + 1
        assert (counts["reports"] == 0) is after_commit
    assert publish(warehouse, target).row_counts["evaluations"] == 6
