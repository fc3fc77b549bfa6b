"""The ready-made tables of the snapshot say what the warehouse says."""

from pathlib import Path

import pytest

from citeval_assets.playbooks.vocabulary import Status
from citeval_assets.warehouse.connection import Warehouse, open_snapshot
from citeval_assets.warehouse.page_pairs import (
    PageSide,
    PairOfSides,
    failing_of,
    list_pairs,
    pair_scores,
)
from citeval_assets.warehouse.page_reading import CaseFilter, Sort, filter_words, list_cases
from citeval_assets.warehouse.page_tables import page_scores
from citeval_assets.warehouse.publishing import publish
from citeval_assets.warehouse.reading import Connection, score_table
from citeval_assets.warehouse.tables import TestCaseRow
from citeval_assets.warehouse.writers import write_partition, write_test_cases
from tests.warehouse.builders import evaluation, report, rows_of, unscored


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two systems under two judges; ``c2`` is not scored, an older evaluation is superseded."""
    folder = tmp_path_factory.mktemp("pages")
    warehouse = Warehouse(folder / "warehouse.duckdb")
    reports = [
        report("c1", 1.0), report("c1", 0.25, system="candidate"),
        unscored("c2", Status.VALIDATION_FAILED), report("c2", 0.5, system="candidate"),
        report("c3", 0.5), report("c3", 0.75, system="candidate"),
    ]  # fmt: skip
    write_partition(warehouse, rows_of(report("c1", 0.0), record=evaluation("e0")))
    write_partition(warehouse, rows_of(*reports))
    write_partition(warehouse, rows_of(*reports, record=evaluation("e2", model="judge-b")))
    cases = [
        TestCaseRow(
            "citation_accuracy", "golden-set", "d1", case, system, f"hash-{case}-{system}",
            "golden", "standard", f"Question {case}?", produced="Die Straße nach ÉVREUX 100%_",
        )
        for case in ("c1", "c2") for system in ("prod", "candidate")
    ]  # fmt: skip
    write_test_cases(warehouse, "citation_accuracy", cases, [])
    publish(warehouse, folder / "published.duckdb")
    return folder / "published.duckdb"


@pytest.fixture(scope="module")
def connection(published: Path) -> Connection:
    with open_snapshot(published) as opened:
        yield opened


def test_the_score_table_is_the_one_of_the_warehouse(connection: Connection) -> None:
    assert page_scores(connection) == score_table(connection)
    assert page_scores(connection, ["none"]) == []


def test_only_current_reports_are_listed(connection: Connection) -> None:
    page = list_cases(connection, CaseFilter())
    assert {row.evaluation_id for row in page.rows} == {"e1", "e2"}
    totals = page.totals
    assert (totals.reports, totals.scored, totals.mean_score) == (12, 10, 0.6)
    assert totals.escalated == 2


def test_the_worst_stand_first_and_what_is_not_scored_last(connection: Connection) -> None:
    for descending in (False, True):
        page = list_cases(connection, CaseFilter(model="judge-a"), descending=descending)
        scores = [row.score for row in page.rows]
        assert scores[-1] is None
        assert scores[:-1] == sorted(filter(None, scores), reverse=descending)


def test_every_order_gives_every_row_once(connection: Connection) -> None:
    for sort in Sort:
        pages = [
            list_cases(connection, CaseFilter(), sort=sort, limit=5, offset=offset).rows
            for offset in (0, 5, 10)
        ]
        found = [(r.model, r.system, r.test_case_id) for page in pages for r in page]
        assert len(found) == len(set(found)) == 12


def test_a_page_beyond_the_end_still_tells_the_totals(connection: Connection) -> None:
    page = list_cases(connection, CaseFilter(), offset=100)
    assert page.rows == () and page.totals.reports == 12


@pytest.mark.parametrize(
    ("text", "cases"),
    [
        ("straße", {"c1", "c2"}),
        ("évreux", {"c1", "c2"}),
        ("e\u0301vreux", {"c1", "c2"}),
        ('"nach ÉVREUX" c1', {"c1"}),
        ("100%_", {"c1", "c2"}),
        ("1%0", set()),
        ("question c2", {"c2"}),
        ("' OR true --", set()),
        ('"', set()),
        ("   ", {"c1", "c2", "c3"}),
    ],
)
def test_a_search_finds_words_and_phrases_as_they_stand(
    connection: Connection, text: str, cases: set[str]
) -> None:
    page = list_cases(connection, CaseFilter(text=text))
    assert {row.test_case_id for row in page.rows} == cases


def test_filters_narrow_by_flag_label_status_and_reason(connection: Connection) -> None:
    for wanted, count in (
        (CaseFilter(flag="unsupported"), 10),
        (CaseFilter(label="fully_supported", system="prod"), 4),
        (CaseFilter(status="VALIDATION_FAILED"), 2),
        (CaseFilter(escalation="unscored", model="judge-b"), 1),
        (CaseFilter(playbook="cot_faithfulness"), 0),
    ):
        assert list_cases(connection, wanted).totals.reports == count


def test_a_filter_offers_the_words_there_are(connection: Connection) -> None:
    words = filter_words(connection, "citation_accuracy")
    assert words["model"] == ["judge-a", "judge-b"] and words["flag"] == ["unsupported"]
    assert filter_words(connection, "none") == {}


def sides(base: str = "prod", candidate: str = "candidate") -> PairOfSides:
    return PairOfSides(
        "citation_accuracy", PageSide("judge-a", "v1", base), PageSide("judge-a", "v1", candidate)
    )


def test_pairs_stand_with_the_largest_loss_first(connection: Connection) -> None:
    pairs = list_pairs(connection, sides(), kept="all", limit=9, offset=0)
    assert [(p.test_case_id, p.difference) for p in pairs] == [
        ("c1", -0.75), ("c3", 0.25), ("c2", None),
    ]  # fmt: skip
    assert pairs[0].question == "Question c1?"
    assert len(pair_scores(connection, sides())) == 3


def test_pairs_can_be_narrowed_to_one_kind(connection: Connection) -> None:
    for kept, cases in (("worse", ["c1"]), ("better", ["c3"]), ("same", []), ("unscored", ["c2"])):
        pairs = list_pairs(connection, sides(), kept=kept, limit=9, offset=0)
        assert [pair.test_case_id for pair in pairs] == cases


def test_two_judges_pair_each_case_with_that_of_the_same_system(connection: Connection) -> None:
    judges = PairOfSides(
        "citation_accuracy", PageSide("judge-a", "v1", None), PageSide("judge-b", "v1", None)
    )
    pairs = list_pairs(connection, judges, kept="all", limit=99, offset=0)
    assert len(pairs) == 6
    assert all(pair.base.system == pair.candidate.system for pair in pairs)


def test_what_cost_a_case_its_score_is_found_by_its_place(connection: Connection) -> None:
    (pair,) = list_pairs(connection, sides(), kept="worse", limit=9, offset=0)
    found = failing_of(connection, [pair.candidate.place])
    assert [(f.finding_index, f.label, f.weight) for f in found] == [(1, "unsupported", 0.0)]
    assert failing_of(connection, []) == []


def test_the_working_warehouse_holds_none_of_it(published: Path) -> None:
    with Warehouse(published.with_name("warehouse.duckdb")).reading() as opened:
        names = [
            row[0] for row in opened.execute("SELECT table_name FROM duckdb_tables()").fetchall()
        ]
    assert not [name for name in names if name.startswith("page_")]
