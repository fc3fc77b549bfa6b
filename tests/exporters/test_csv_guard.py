"""No cell of an export starts a formula, and the reader has the original back."""

import csv
from io import StringIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citeval_assets.exporters.csv_guard import (
    CellKind,
    Column,
    CsvFault,
    csv_text,
    guard,
    read_csv,
    starts_formula,
    unguard,
)

COLUMNS = (
    Column("text"),
    Column("may lack", nullable=True),
    Column("number", CellKind.NUMBER, nullable=True),
    Column("whole", CellKind.WHOLE),
    Column("flag", CellKind.FLAG),
)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("=+-@'\"\r\n\t,;"))
ROWS = st.lists(
    st.tuples(
        TEXTS,
        st.none() | TEXTS,
        st.none() | st.floats(allow_nan=False, allow_infinity=False),
        st.integers(-(2**62), 2**62),
        st.booleans(),
    ),
    max_size=5,
)


def read(text: str, columns=COLUMNS):
    return list(read_csv(StringIO(text, newline=""), columns))


@given(ROWS)
@settings(max_examples=60, deadline=None)
def test_what_is_written_is_read_back_equal(rows):
    text = csv_text(COLUMNS, rows)
    assert read(text) == rows
    raw = list(csv.reader(StringIO(text, newline="")))
    assert {len(row) for row in raw} == {len(COLUMNS)}
    assert len(raw) == len(rows) + 1
    assert not any(starts_formula(cell) for row in raw[1:] for cell in row[:2])


@given(TEXTS)
@settings(max_examples=60, deadline=None)
def test_the_guard_is_undone_exactly(text):
    assert unguard(guard(text)) == text


@pytest.mark.parametrize(
    "cell",
    ["=1+1", "+1", "-1+2", "@x", "\t=1", "\r=1", "\u200b=1", " =1", "-0.5", "\ufeff=1", "＝1"],
)
def test_cells_that_start_a_formula_are_guarded(cell):
    assert guard(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["ordinary", "", "3 = 3", "a-b", "中文", "ok\n=1+1"])
def test_ordinary_text_stays_as_it_is(cell):
    assert guard(cell) == cell


def test_numbers_of_a_numeric_column_stay_numbers():
    text = csv_text((Column("n", CellKind.NUMBER),), [(-0.5,)])
    assert text.splitlines()[1] == "-0.5"


def test_hostile_ids_stay_in_their_cells():
    ids = ['a","b', "x;y", "n\u0000l", "\ufeffid", '=cmd|" /C x"!A0']
    columns = (Column("id"), Column("next"))
    text = csv_text(columns, [(one, "end") for one in ids])
    assert read(text, columns) == [(one, "end") for one in ids]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "expected the columns"),
        ('"id"\r\n"a","b"\r\n', "expected 1 cells, found 2"),
        ('"id"\r\n"a', "line"),
    ],
)
def test_another_file_is_refused_with_its_line(text, fault):
    with pytest.raises(CsvFault, match=fault):
        read(text, (Column("id"),))


def test_a_cell_that_must_hold_something_is_not_written_empty():
    with pytest.raises(ValueError, match="holds nothing"):
        csv_text((Column("id"),), [(None,)])
    with pytest.raises(ValueError, match="no number"):
        csv_text((Column("n", CellKind.NUMBER),), [(float("nan"),)])
