"""CSV and TSV: every cell is text, nested fields are JSON, one bad line costs one row."""

import csv
import io
import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeval_assets.datasets.json_values import JsonFault
from citeval_assets.datasets.tables import cell_kinds, read_cell
from citeval_assets.playbooks.registry import get_playbook

Row = Callable[..., dict[str, Any]]
COLUMNS = ("test_case_id", "system", "question", "answer", "reference_answer", "answerable",
           "sources")  # fmt: skip


def table(rows: Sequence[dict[str, Any]], separator: str = ",", columns: Sequence[str] = COLUMNS):
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=separator, lineterminator="\r\n")
    writer.writerow(columns)
    for row in rows:
        cells = (row.get(name, "") for name in columns)
        writer.writerow(cell if isinstance(cell, str) else json.dumps(cell) for cell in cells)
    return stream.getvalue()


@pytest.fixture
def load(project: Any):
    def write_and_load(text: str | bytes, name: str = "cases.csv"):
        project.datasets.clear()
        project.dataset("one", name)
        project.write(name, text)
        return project.load()

    return write_and_load


def test_a_table_gives_the_same_case_as_json(load: Any, project: Any, row: Row):
    project.rows(row(), name="cases.jsonl")
    project.dataset("one", "cases.jsonl")
    expected = project.load().cases[0]
    loaded = load(table([row()]))
    assert loaded.cases[0].case_hash == expected.case_hash
    assert loaded.cases[0].line == 2


@pytest.mark.parametrize("cell", ["9007199254740993", "00123", "1.10", "NA", "nan", "null", "1e5"])
def test_ids_stay_as_they_are_written(load: Any, row: Row, cell: str):
    loaded = load(table([row(test_case_id=cell)]))
    assert loaded.cases[0].case.test_case_id == cell


@pytest.mark.parametrize(("cell", "value"), [("TRUE", True), ("false", False), ("", None)])
def test_yes_and_no_as_spreadsheets_write_them(load: Any, row: Row, cell: str, value: bool | None):
    loaded = load(table([row(answerable=cell)]))
    assert loaded.cases[0].case.answerable is value


def test_line_numbers_count_lines_inside_cells_and_blank_lines(load: Any, row: Row):
    rows = [row(answer="a\r\nb\nc"), row(test_case_id="t-2", question="")]
    text = table(rows).replace("\r\nt-2", "\r\n\r\nt-2")
    loaded = load(text)
    assert loaded.cases[0].case.answer == "a\r\nb\nc"
    assert [(q.line, q.reason) for q in loaded.quarantined] == [
        (6, "required field missing: question")
    ]


def test_a_cell_that_is_no_json_names_its_column(load: Any, row: Row):
    loaded = load(table([row(sources="see above"), row(test_case_id="t-2")]))
    assert [case.line for case in loaded.cases] == [3]
    assert "column 'sources': broken JSON" in loaded.quarantined[0].reason


@pytest.mark.parametrize("extra", [1, 5, 200])
def test_a_row_with_too_many_fields_is_put_aside_alone(load: Any, row: Row, extra: int):
    lines = table([row(), row(test_case_id="t-2"), row(test_case_id="t-3")]).split("\r\n")
    lines[2] += ",x" * extra
    loaded = load("\r\n".join(lines))
    assert [case.case.test_case_id for case in loaded.cases] == ["t-1", "t-3"]
    assert [(q.line, "more fields" in q.reason) for q in loaded.quarantined] == [(3, True)]


def test_a_quote_that_is_never_closed_costs_only_what_follows(load: Any, row: Row):
    text = table([row(), row(test_case_id="t-2")]) + 't-3,prod,"never closed,x\r\n'
    loaded = load(text)
    assert [case.case.test_case_id for case in loaded.cases] == ["t-1", "t-2"]
    assert len(loaded.quarantined) == 1
    assert "quote that is not closed" in loaded.quarantined[0].reason


@pytest.mark.parametrize(("separator", "name"), [(";", "semicolons"), ("\t", "tabs")])
def test_another_separator_is_recognised_with_a_warning(
    load: Any, row: Row, separator: str, name: str
):
    loaded = load(table([row()], separator))
    assert len(loaded.cases) == 1
    assert f"separated by {name}" in loaded.warnings[0]


def test_tab_separated_files_and_utf_16_from_spreadsheets(load: Any, row: Row):
    loaded = load(table([row(question="Où ?")], "\t").encode("utf-16"), "cases.tsv")
    assert loaded.cases[0].case.question == "Où ?"


def test_a_cell_in_another_encoding_is_put_aside_alone(load: Any, row: Row):
    text = table([row(), row(test_case_id="t-2", question="Où ?")])
    loaded = load(text.encode("latin-1"))
    assert len(loaded.cases) == 1
    assert "byte 0xF9" in loaded.quarantined[0].reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the file is empty"),
        ("\r\n", "the file is empty"),
        ("test_case_id,question,question\r\n1,a,b\r\n", "column 'question' stands twice"),
        ("test_case_id,,question\r\n1,a,b\r\n", "has no name"),
        (",".join(COLUMNS) + "\r\n", "the file is empty"),
    ],
)
def test_faults_of_a_whole_table(load: Any, text: str, reason: str):
    loaded = load(text)
    assert loaded.cases == ()
    assert reason in loaded.quarantined[0].reason


def test_short_rows_lack_their_last_fields(load: Any, row: Row):
    text = table([row()], columns=COLUMNS[:5]).replace("reference_answer", "reference_answer,tags")
    assert len(load(text).cases) == 1


def test_what_stands_in_cells_follows_from_the_schema():
    kinds = cell_kinds(get_playbook("citation_accuracy").case_type)
    assert kinds["question"] == {"string"}
    assert kinds["sources"] == {"array"}
    assert kinds["reasoning_trace"] == {"string", "array"}
    assert kinds["labels"] == {"object"}


def test_a_trace_in_a_cell_may_be_text_or_a_list():
    kinds = frozenset({"string", "array"})
    assert read_cell('["a", "b"]', kinds) == ["a", "b"]
    assert read_cell("[1] says so.", kinds) == "[1] says so."
    assert read_cell("Step 1.", kinds) == "Step 1."
    with pytest.raises(JsonFault):
        read_cell("yes", frozenset({"boolean"}))


@settings(max_examples=60, deadline=None)
@given(st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=30))
def test_text_in_a_text_cell_comes_back_unchanged(text: str):
    assert read_cell(text, frozenset({"string"})) == text
