"""Handed cases that warehouse, trends and importers answer."""

import csv
import json
import signal
from pathlib import Path
from typing import Any

import duckdb
import pytest
from warehouse.builders import evaluation, report, rows_of, unscored
from warehouse.processes import FORKS, die_while_writing

from citeval_assets.datasets.raw import RawRow
from citeval_assets.datasets.rows import RowFault
from citeval_assets.importers.importing import ImportRefused, import_rows
from citeval_assets.importers.plan import ImportOptions, ImportPlan
from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.playbooks.vocabulary import Reason, Status
from citeval_assets.warehouse import reading
from citeval_assets.warehouse.connection import Warehouse, open_locked
from citeval_assets.warehouse.frames import ValueRefused
from citeval_assets.warehouse.publishing import row_counts
from citeval_assets.warehouse.tables import TABLES
from citeval_assets.warehouse.values import read_time
from citeval_assets.warehouse.writers import write_partition
from handed.loader import load_cases

CASES = {
    case["id"]: case
    for case in (
        *load_cases("bug_reports", "duckdb", "scoring", "web_export"),
        *load_cases("adversarial", "export", "sql_injection"),
    )
}


def handed(case_id: str) -> Any:
    """Mark a test as the answer to one case; it is skipped where the cases are absent."""
    return pytest.mark.parametrize(
        "case",
        [pytest.param(CASES.get(case_id), marks=[] if case_id in CASES else pytest.mark.skip)],
        ids=[case_id],
    )


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    return Warehouse(tmp_path / "warehouse.duckdb")


@handed("bug-s079")
def test_a_number_that_is_not_finite_is_refused_twice_and_found(case, warehouse) -> None:
    scores = [float(score) for score in case["input"]["rows"]]
    rows = rows_of(*(report(f"c{n}", 0.5) for n in range(len(scores))))
    write_partition(warehouse, rows)
    bad = next(score for score in scores if score != score)
    with pytest.raises(ValueRefused):
        write_partition(warehouse, rows_of(report("c0", 0.5), overrides={("c0", "prod"): bad}))
    with open_locked(warehouse.path) as connection:
        with pytest.raises(duckdb.ConstraintException):
            connection.execute("UPDATE reports SET score = ?", [bad])
        connection.execute("CREATE OR REPLACE TEMP TABLE t AS SELECT 'nan'::DOUBLE AS score")
        assert connection.execute("SELECT score >= 0.9 FROM t").fetchone() == (True,)
        assert reading.non_finite_scores(connection) == []


@handed("bug-s080")
def test_ids_keep_every_digit_from_the_file_to_the_warehouse(case, warehouse) -> None:
    playbook = get_playbook("citation_accuracy")
    maps = ["test_case_id=id", "question=q", "reasoning_trace=t", "sources=s"]
    plan = ImportPlan.of(playbook, "x", ImportOptions(maps=maps))
    row = {"q": "Why?", "t": "So [1].", "s": ["So."]}
    found = [
        plan.case_of(RawRow(1, value=json.loads(json.dumps({**row, "id": given})))).test_case_id
        for given in case["input"]["ids"]
    ]
    assert found == case["expect"]["ids_out"]
    write_partition(warehouse, rows_of(*(report(case_id) for case_id in sorted(set(found)))))
    with warehouse.reading() as connection:
        stored = connection.execute(
            "SELECT test_case_id, report ->> '$.test_case_id' FROM reports ORDER BY ALL"
        ).fetchall()
    assert stored == [(case_id, case_id) for case_id in sorted(set(found))]


@handed("bug-s081")
def test_fractions_of_a_second_are_stored_as_they_are(case, warehouse) -> None:
    for number, instant in enumerate(case["input"]["instants"]):
        record = evaluation(f"e{number}", model=f"m{number}", finished_at=instant)
        write_partition(warehouse, rows_of(report("a"), record=record))
        assert read_time(instant).microsecond == case["expect"]["micros"][number]
    with warehouse.reading() as connection:
        rows = connection.execute(
            "SELECT evaluation_id, microsecond(finished_at) % 1000000 FROM evaluations "
            "ORDER BY finished_at, evaluation_id"
        ).fetchall()
    assert rows == [("e2", 300_000), ("e0", 312_000), ("e1", 312_000)]


@pytest.mark.slow
@handed("bug-s082")
def test_the_file_opens_after_every_kill(case, warehouse) -> None:
    for turn in range(case["input"]["repeat"]):
        victim = FORKS.Process(
            target=die_while_writing,
            args=(warehouse.path, turn),
            kwargs={"after_commit": bool(turn % 2)},
        )
        victim.start()
        victim.join(60)
        assert victim.exitcode == -signal.SIGKILL
        with warehouse.reading() as connection:
            assert row_counts(connection)["evaluations"] == turn + 1


@handed("bug-s052")
def test_a_mean_says_how_much_it_leaves_out(case) -> None:
    given = [
        unscored(f"c{n}", Status.ERROR, Reason.TIMEOUT) if score is None else report(f"c{n}", score)
        for n, score in enumerate(case["input"]["row_scores"])
    ]
    (row,) = rows_of(*given).score_trend
    assert row.mean_score == 1.0
    assert (row.n_scored, row.n_unscored) == (
        case["expect"]["n_scored"],
        case["expect"]["n_unscored"],
    )
    assert row.worst_case_mean == pytest.approx(0.1)


@handed("bug-s054")
def test_a_missing_reference_refuses_the_row_and_names_the_field(case) -> None:
    row = {**case["input"]["row"], "sources": ["s"]}
    maps = ["question=question", "answer=answer", "reference_answer=ground_truth"]
    plan = ImportPlan.of(get_playbook("answer_comparison"), "x", ImportOptions(maps=maps))
    with pytest.raises(RowFault, match="reference_answer"):
        plan.case_of(RawRow(1, value=row))
    others = ["question=question", "answer=answer", "sources=sources"]
    plan = ImportPlan.of(get_playbook("citation_faithfulness"), "x", ImportOptions(maps=others))
    assert plan.case_of(RawRow(1, value=row)).question == "q"


@handed("adv-s054")
def test_ids_are_data_and_find_only_themselves(case, warehouse) -> None:
    ids = case["input"]["ids"]
    write_partition(warehouse, rows_of(*(report(case_id) for case_id in ids)))
    with warehouse.reading() as connection:
        for case_id in ids:
            history = reading.case_history(connection, "citation_accuracy", case_id)
            assert len(history) == case["expect"]["found_each"]
        tables = {row[0] for row in connection.execute("SHOW TABLES").fetchall()}
        assert set(TABLES) <= tables
        for hostile in ids:
            assert reading.worst_cases(connection, hostile, system=hostile) == []
            assert reading.score_table(connection, model=hostile) == []


def _from_table(path: Path, rows: list[list[str]]) -> Any:
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([["id", "q", "t", "s"], *rows])
    maps = ["test_case_id=id", "question=q", "reasoning_trace=t", "sources.text=s"]
    plan = ImportPlan.of(get_playbook("citation_accuracy"), "x", ImportOptions(maps=maps))
    return import_rows(path, plan)


@handed("adv-s047")
def test_a_line_inside_a_cell_is_no_row(case, tmp_path: Path) -> None:
    cell, also = case["input"]["cell"], case["input"]["also"]
    found = _from_table(tmp_path / "t.csv", [["a", also, cell, "source"]])
    assert len(found.cases) == case["expect"]["rows"]
    assert (found.cases[0].question, found.cases[0].reasoning_trace) == (also, cell)


@handed("adv-s048")
def test_odd_ids_come_through_a_table_or_are_refused(case, tmp_path: Path) -> None:
    ids = case["input"]["ids"]
    for number, case_id in enumerate(ids):
        try:
            found = _from_table(tmp_path / f"{number}.csv", [[case_id, "Why?", "So [1].", "So."]])
        except ImportRefused as refusal:
            assert "NUL" in str(refusal)
            continue
        assert len(found.cases) + len(found.refused) <= 1
        if found.cases:
            assert found.cases[0].test_case_id == case_id
            assert len(found.cases[0].sources) == 1
