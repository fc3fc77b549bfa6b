"""A partition is replaced whole or not at all, and only sound values come in."""

import time
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

import duckdb
import pytest

from citeval_assets.playbooks.vocabulary import Reason, Status
from citeval_assets.warehouse import writers
from citeval_assets.warehouse.connection import Warehouse
from citeval_assets.warehouse.frames import ValueRefused, frame_of
from citeval_assets.warehouse.publishing import row_counts
from citeval_assets.warehouse.tables import (
    TABLES,
    GateResultRow,
    QuarantineRow,
    ReportRow,
    TestCaseRow,
)
from citeval_assets.warehouse.writers import (
    DuplicateRows,
    write_gate_results,
    write_partition,
    write_test_cases,
)

from .builders import evaluation, report, rows_of, unscored


def _all_rows(warehouse: Warehouse) -> dict[str, list[tuple[object, ...]]]:
    with warehouse.reading() as connection:
        return {
            table: connection.execute(f"SELECT * FROM {table} ORDER BY ALL").fetchall()
            for table in TABLES
        }


def test_writing_an_evaluation_again_changes_nothing(warehouse: Warehouse) -> None:
    rows = rows_of(report("a"), unscored("b", Status.ERROR, Reason.TIMEOUT))
    counts = write_partition(warehouse, rows)
    assert (counts["reports"], counts["findings"], counts["judge_outputs"]) == (2, 2, 2)
    first = _all_rows(warehouse)
    write_partition(warehouse, rows)
    assert _all_rows(warehouse) == first


def test_a_rebuild_gives_identical_rows(warehouse: Warehouse) -> None:
    evaluations = [
        rows_of(report("a"), record=evaluation("e1")),
        rows_of(report("a"), report("b", 0.5), record=evaluation("e2", run_id="run2")),
    ]
    for rows in (*evaluations, evaluations[0], evaluations[1]):
        write_partition(warehouse, rows)
    before = _all_rows(warehouse)
    warehouse.rebuild(lambda fresh: [write_partition(fresh, rows) for rows in evaluations])
    assert _all_rows(warehouse) == before


def test_values_come_back_with_their_types(warehouse: Warehouse) -> None:
    write_partition(warehouse, rows_of(report("a", 0.5)))
    with warehouse.reading() as connection:
        row = connection.execute(
            "SELECT cost_usd, finished_at, mean_score FROM evaluations"
        ).fetchone()
        types = dict(
            connection.execute(
                "SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = 'reports'"
            ).fetchall()
        )
        stored = connection.execute("SELECT report ->> '$.score' FROM reports").fetchone()
    assert row is not None
    assert row[0] == Decimal("0.000001875")
    assert row[1] == datetime(2026, 11, 30, 8, 0, 5, 250_000, tzinfo=UTC)
    assert row[2] == 0.5
    assert (types["report"], types["escalated"], types["score"]) == ("JSON", "BOOLEAN", "DOUBLE")
    assert stored == ("0.5",)


def test_nan_and_infinity_are_refused_before_they_become_null(warehouse: Warehouse) -> None:
    rows = rows_of(report("a", 0.5))
    for bad in (float("nan"), float("inf"), float("-inf")):
        poisoned = replace(rows, reports=(replace(rows.reports[0], effective_score=bad),))
        with pytest.raises(ValueRefused, match=r"ReportRow\.effective_score.*not a finite number"):
            write_partition(warehouse, poisoned)
    with pytest.raises(ValueRefused, match="not a finite number"):
        write_partition(
            warehouse, replace(rows, evaluation=replace(rows.evaluation, cost_usd=Decimal("NaN")))
        )


def test_the_schema_refuses_nan_too(warehouse: Warehouse) -> None:
    write_partition(warehouse, rows_of(report("a", 0.5)))
    with warehouse.writing() as connection:
        for bad in ("nan", "inf", "1.5", "-0.1"):
            with pytest.raises(duckdb.ConstraintException):
                connection.execute("UPDATE reports SET score = ?::DOUBLE", [bad])


def test_wrong_types_and_missing_values_are_refused_with_column_and_row() -> None:
    row = rows_of(report("a")).reports[0]
    with pytest.raises(ValueRefused, match=r"ReportRow\.attempts, row 0: found str"):
        frame_of(ReportRow, [replace(row, attempts="2")])  # type: ignore[arg-type]
    with pytest.raises(ValueRefused, match=r"ReportRow\.score, row 0: found bool"):
        frame_of(ReportRow, [replace(row, score=True)])
    with pytest.raises(ValueRefused, match=r"ReportRow\.system, row 0: a value is required"):
        frame_of(ReportRow, [replace(row, system=None)])  # type: ignore[arg-type]
    with pytest.raises(ValueRefused, match="no time zone"):
        frame_of(
            TABLES["evaluations"],
            [replace(rows_of(report("a")).evaluation, started_at=datetime(2026, 1, 1))],
        )


def test_one_case_twice_is_refused(warehouse: Warehouse) -> None:
    with pytest.raises(DuplicateRows, match="'a' of system 'prod' stands twice"):
        write_partition(warehouse, rows_of(report("a"), report("a")))


def test_a_writer_that_fails_midway_leaves_the_old_rows(
    warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_partition(warehouse, rows_of(report("a", 0.5)))
    before = _all_rows(warehouse)

    def break_off(name: str) -> str:
        if name == "make_current":
            raise RuntimeError("pulled the plug")
        return query(name)

    query = writers.query
    monkeypatch.setattr(writers, "query", break_off)
    with pytest.raises(RuntimeError, match="pulled the plug"):
        write_partition(warehouse, rows_of(report("b"), report("c")))
    monkeypatch.undo()
    assert _all_rows(warehouse) == before


def test_text_of_any_kind_is_stored_as_it_is(warehouse: Warehouse) -> None:
    texts = ["x'; DROP TABLE reports;--", "n\0l", "\ufeffid", 'a"b', "line\nbreak", "😀 ünï"]
    write_partition(warehouse, rows_of(*(report(text) for text in texts)))
    with warehouse.reading() as connection:
        found = connection.execute("SELECT test_case_id FROM reports").fetchall()
        inside = connection.execute("SELECT report ->> '$.test_case_id' FROM reports").fetchall()
    assert {row[0] for row in found} == set(texts)
    assert {row[0] for row in inside} >= set(texts) - {"n\0l"}


def _current(warehouse: Warehouse) -> list[tuple[str, str, float]]:
    with warehouse.reading() as connection:
        return connection.execute(
            "SELECT evaluation_id, test_case_id, score FROM current_reports ORDER BY ALL"
        ).fetchall()


def test_the_evaluation_materialized_last_is_current(warehouse: Warehouse) -> None:
    first = rows_of(report("a", 0.5), record=evaluation("e1"))
    write_partition(warehouse, first)
    write_partition(warehouse, rows_of(report("a", 0.75), record=evaluation("e2")))
    assert _current(warehouse) == [("e2", "a", 0.75)]
    write_partition(warehouse, first)
    assert _current(warehouse) == [("e1", "a", 0.5)]


def test_partitions_do_not_disturb_each_other(warehouse: Warehouse) -> None:
    write_partition(warehouse, rows_of(report("a", 0.5), record=evaluation("e1")))
    write_partition(warehouse, rows_of(report("a", 0.75), record=evaluation("e2", model="judge-b")))
    write_partition(
        warehouse, rows_of(report("a", 1.0), record=evaluation("e3", prompt_version="v2"))
    )
    assert _current(warehouse) == [("e1", "a", 0.5), ("e2", "a", 0.75), ("e3", "a", 1.0)]


def test_a_part_covers_its_own_cases_until_the_whole_is_judged_again(warehouse: Warehouse) -> None:
    whole = rows_of(report("a", 0.5), report("b", 0.5), record=evaluation("e1"))
    part = rows_of(report("b", 1.0), record=evaluation("e2", scope="extra"))
    write_partition(warehouse, whole)
    write_partition(warehouse, part)
    assert _current(warehouse) == [("e1", "a", 0.5), ("e2", "b", 1.0)]
    write_partition(warehouse, whole)
    assert _current(warehouse) == [("e1", "a", 0.5), ("e1", "b", 0.5)]


def test_current_findings_belong_to_current_reports(warehouse: Warehouse) -> None:
    write_partition(warehouse, rows_of(report("a"), report("b"), record=evaluation("e1")))
    write_partition(warehouse, rows_of(report("a"), record=evaluation("e2")))
    with warehouse.reading() as connection:
        found = connection.execute(
            "SELECT DISTINCT evaluation_id, test_case_id FROM current_findings"
        ).fetchall()
    assert found == [("e2", "a")]


def _case(case: str, dataset: str) -> TestCaseRow:
    return TestCaseRow(
        "citation_accuracy", dataset, "d1", case, "prod", f"h{case}", "golden", None, "Why?"
    )


def test_cases_and_refused_rows_are_replaced_per_playbook_or_data_set(
    warehouse: Warehouse,
) -> None:
    refused = QuarantineRow("citation_accuracy", "one", "one.jsonl", 3, "no question", "{broken")
    playbook = "citation_accuracy"
    write_test_cases(warehouse, playbook, [_case("a", "one"), _case("b", "two")], [refused])
    write_test_cases(warehouse, playbook, [_case("c", "one")], [], datasets=["one"])
    with warehouse.reading() as connection:
        cases = connection.execute("SELECT test_case_id FROM test_cases ORDER BY ALL").fetchall()
        assert row_counts(connection)["quarantine"] == 0
    assert cases == [("b",), ("c",)]
    write_test_cases(warehouse, playbook, [_case("d", "one")], [refused])
    with warehouse.reading() as connection:
        counts = row_counts(connection)
    assert (counts["test_cases"], counts["quarantine"]) == (1, 1)


def _gate(name: str, difference: float) -> GateResultRow:
    return GateResultRow(
        gate=name,
        playbook="citation_accuracy",
        metric="score",
        mode="threshold",
        baseline="prod",
        candidate="next",
        model="judge-a",
        prompt_version="v1",
        scope="*",
        difference=difference,
        ci_low=None,
        ci_high=None,
        pairs=3,
        detectable_drop=None,
        threshold=-0.02,
        overridden=0,
        provisional=0,
        verdict="fail",
        reasons="[]",
        inputs="{}",
        decision_id="x",
        decided_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


def test_gate_results_are_replaced_by_gate(warehouse: Warehouse) -> None:
    write_gate_results(warehouse, [_gate("one", -0.5), _gate("two", -0.5)])
    write_gate_results(warehouse, [_gate("one", 0.25)], gates=["one"])
    with warehouse.reading() as connection:
        found = connection.execute("SELECT gate, difference FROM gate_results ORDER BY ALL")
        assert found.fetchall() == [("one", 0.25), ("two", -0.5)]
    write_gate_results(warehouse, [])
    with warehouse.reading() as connection:
        assert row_counts(connection)["gate_results"] == 0


def test_ten_thousand_reports_with_a_hundred_thousand_findings_take_seconds(
    warehouse: Warehouse,
) -> None:
    rows = rows_of(report("a"), report("b"))
    many = replace(
        rows,
        reports=tuple(replace(rows.reports[0], test_case_id=f"c{n}") for n in range(10_000)),
        findings=tuple(
            replace(rows.findings[n % 2], test_case_id=f"c{n // 10}", finding_index=n % 10)
            for n in range(100_000)
        ),
    )
    started = time.perf_counter()
    counts = write_partition(warehouse, many)
    seconds = time.perf_counter() - started
    assert (counts["reports"], counts["findings"]) == (10_000, 100_000)
    assert seconds < 15


def test_a_gate_result_that_is_not_finite_is_refused(warehouse):
    with pytest.raises(ValueRefused):
        write_gate_results(warehouse, [_gate("one", float("nan"))])
