"""The export of the ledger, and the recipe in the docs that checks it without citeval."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from citeval_assets.ledger.audit import anchor
from citeval_assets.ledger.errors import LedgerReadError
from citeval_assets.ledger.export import export_lines
from citeval_assets.ledger.store import Ledger
from ledger.builders import case, dataset, record_calls, reply, tamper
from ledger.conftest import sqlite_only

DOCS = Path(__file__).parents[2] / "docs" / "ledger.md"
KEY = "a key the auditor knows"


@pytest.fixture
def recipe() -> str:
    found = re.search(r"```python\n(import hashlib, hmac.*?)```", DOCS.read_text("utf-8"), re.S)
    assert found is not None, "docs/ledger.md has no recipe"
    return found.group(1)


@pytest.fixture
def filled(ledger: Ledger) -> Ledger:
    record_calls(ledger, range(20))
    ledger.register_dataset(dataset("v-1", range(3)), map(case, range(3)))
    ledger.add_intents([])
    ledger.make_current("dataset", "x", "Ünïcödé \ud800 \x00")
    return ledger


def checked(recipe: str, file: Path, head: str, key: str = KEY) -> subprocess.CompletedProcess:
    """Run the recipe in a Python that cannot see citeval."""
    arguments = [sys.executable, "-I", "-S", "-c", recipe, str(file), head, key]
    return subprocess.run(arguments, capture_output=True, text=True, cwd=file.parent)


def exported(ledger: Ledger, file: Path, key: str = KEY) -> list[str]:
    lines = list(export_lines(ledger, key.encode()))
    file.write_text("\n".join(lines) + "\n", encoding="ascii")
    return lines


def test_the_recipe_accepts_an_export(filled: Ledger, tmp_path: Path, recipe: str):
    exported(filled, tmp_path / "ledger.jsonl")
    found = checked(recipe, tmp_path / "ledger.jsonl", str(anchor(filled)))
    assert found.returncode == 0, found.stderr
    assert found.stdout == f"{filled.head()[0]} rows, all in order\n"


def _flip(lines: list[str]) -> list[str]:
    return [line.replace("supported", "unsupported", 1) for line in lines]


def _swap(lines: list[str]) -> list[str]:
    return [*lines[:5], lines[6], lines[5], *lines[7:]]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_flip, "was changed"),
        (_swap, "is missing"),
        (lambda lines: [*lines[:9], *lines[10:]], "is missing"),
        (lambda lines: [*lines[:-4], lines[-1]], "the end of the chain is missing"),
    ],
    ids=["changed", "swapped", "deleted", "cut"],
)
def test_the_recipe_finds_what_was_done_to_it(
    filled: Ledger, tmp_path: Path, recipe: str, change, said
):
    file = tmp_path / "ledger.jsonl"
    lines = exported(filled, file)
    file.write_text("\n".join(change(lines)) + "\n", encoding="ascii")
    found = checked(recipe, file, str(anchor(filled)))
    assert found.returncode != 0
    assert said in found.stderr


def test_another_anchor_or_another_key_is_refused(filled: Ledger, tmp_path: Path, recipe: str):
    file = tmp_path / "ledger.jsonl"
    exported(filled, file)
    before = str(anchor(filled))
    assert "signature" in checked(recipe, file, before, "another key").stderr
    record_calls(filled, range(20, 22))
    assert "anchor" in checked(recipe, file, str(anchor(filled))).stderr


def test_the_secret_of_the_installation_is_withheld(filled: Ledger):
    text = "\n".join(export_lines(filled))
    assert filled.secret().hex() not in text
    withheld = [row for row in map(json.loads, text.splitlines()) if "withheld" in row]
    assert [row["table"] for row in withheld] == ["installation"]


def test_every_row_is_there_with_what_it_holds(filled: Ledger):
    rows = [json.loads(line) for line in export_lines(filled)][1:-1]
    assert [row["seq"] for row in rows] == list(range(1, filled.head()[0] + 1))
    replies = [json.loads(row["content"]) for row in rows if row["table"] == "call_replies"]
    assert [row["columns"]["text"] for row in replies] == [reply(n).text for n in range(20)]


def test_without_a_key_nothing_is_signed(filled: Ledger):
    assert json.loads(list(export_lines(filled))[-1])["signature"] is None


@sqlite_only
def test_a_ledger_that_cannot_be_read_whole_is_not_exported(filled: Ledger):
    tamper(filled, "DROP TABLE gate_decisions")
    with pytest.raises(LedgerReadError, match="gate_decisions"):
        list(export_lines(filled))
