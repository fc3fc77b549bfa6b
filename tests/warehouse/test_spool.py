"""Rows wait in memory or in a file of their own, and come into the warehouse the same."""

from pathlib import Path

import pytest

from citeval_assets.warehouse import spool
from citeval_assets.warehouse.connection import Warehouse
from citeval_assets.warehouse.writers import write_partition

from .builders import report, rows_of


def _stored(warehouse: Warehouse) -> dict[str, list[tuple[object, ...]]]:
    with warehouse.reading() as connection:
        return {
            table: connection.execute(f"SELECT * FROM {table}").fetchall()
            for table in ("evaluations", "judge_outputs", "reports", "findings", "score_trend")
        }


def test_rows_that_went_through_a_file_are_the_same_in_the_same_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = rows_of(*(report(f"c{number:02}", 0.5) for number in range(30)))
    held, spilt = Warehouse(tmp_path / "held.duckdb"), Warehouse(tmp_path / "it's.duckdb")
    counts = write_partition(held, rows)
    monkeypatch.setattr(spool, "_ROWS_HELD", 7)
    assert write_partition(spilt, rows) == counts
    assert _stored(spilt) == _stored(held)
    assert not list(tmp_path.glob("*.spool-*"))


def test_a_spool_holds_no_more_than_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "_ROWS_HELD", 10)
    pages: list[int] = []
    append = spool.append_rows

    def watched(connection: object, rows: dict[str, list[object]]) -> None:
        pages.append(sum(map(len, rows.values())))
        append(connection, rows)  # type: ignore[arg-type]

    monkeypatch.setattr(spool, "append_rows", watched)
    with spool.Spool(Warehouse(tmp_path / "warehouse.duckdb")) as waiting:
        for number in range(25):
            waiting.add({"reports": rows_of(report(f"c{number}")).reports})
        assert pages == [10, 10]
        assert waiting.counts["reports"] == 25
