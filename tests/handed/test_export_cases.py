"""The handed cases of exports: formulas, break-outs, and reports that others' text gets into."""

import csv
from dataclasses import replace
from datetime import UTC, datetime
from io import StringIO

import pytest

from citeval_assets.exporters.csv_guard import CellKind, Column, csv_text, guard, read_csv
from citeval_assets.review.digest import digest_markdown, make_digest
from tests.handed.loader import load_cases
from tests.review.test_digest import ITEM

CASES = [*load_cases("adversarial", "export"), *load_cases("bug_reports", "web_export")]


def cases(kind: str) -> list[dict]:
    return [case for case in CASES if case["kind"] == kind]


def read(text: str, columns: tuple[Column, ...]) -> list[tuple]:
    return list(read_csv(StringIO(text, newline=""), columns))


@pytest.mark.parametrize("case", cases("csv_formula"), ids=lambda case: case["id"])
def test_formulas_are_neutralised_and_read_back(case):
    given, expect = case["input"], case["expect"]
    cells = given.get("cells") or [given["cell"], given["also"]]
    columns = (Column("text"), Column("number", CellKind.NUMBER))
    numbers = [float(n) for n in given.get("numeric_column", ["-0.5"])]
    rows = [(cell, numbers[0]) for cell in cells]
    text = csv_text(columns, rows)
    assert read(text, columns) == rows
    assert len(list(csv.reader(StringIO(text, newline="")))) == len(cells) + 1
    assert all(line.endswith(",-0.5") for line in text.split("\r\n")[1:-1] if '"' in line[-6:])
    if "neutralised" in expect:
        assert sum(guard(cell) != cell for cell in cells) == expect["neutralised"]


@pytest.mark.parametrize("case", cases("csv_breakout"), ids=lambda case: case["id"])
def test_ids_stay_in_their_column(case):
    columns = (Column("id"), Column("next"))
    rows = [(one, "end") for one in case["input"]["ids"]]
    assert read(csv_text(columns, rows), columns) == rows


@pytest.mark.parametrize("case", cases("markdown_report"), ids=lambda case: case["id"])
def test_names_do_not_come_alive_in_the_digest(case):
    name = case["input"]["model_id"]
    item = replace(ITEM, test_case_id=name, system=name, question=name)
    text = digest_markdown(make_digest([item], [], datetime(2026, 11, 30, tzinfo=UTC), 7))
    plain = digest_markdown(make_digest([ITEM], [], datetime(2026, 11, 30, tzinfo=UTC), 7))
    assert len(text.splitlines()) == len(plain.splitlines())
    assert all(line.count("`") in (0, 4) for line in text.splitlines())
