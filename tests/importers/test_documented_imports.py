"""Every import command of docs/importing.md works on a file of the shape it is written for."""

import csv
import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from citeval_assets.cli.program import run

PAGE = Path(__file__).resolve().parents[2] / "docs" / "importing.md"
PASSAGES = [{"id": "p1", "text": "It is so.", "url": "https://example.org"}]
COMMON = {"id": "r1", "question": "Why?", "passages": PASSAGES, "system": "prod"}
CLAIM = {"text": "It is so.", "cited_ids": ["p1"], "verdict": "full"}

FILES: dict[str, dict[str, Any]] = {
    "answers.jsonl": {
        "id": 7,
        "app_version": "prod",
        "query": "Why?",
        "response": {"text": "It is so [p1]."},
        "retrieved": PASSAGES,
    },
    "hits.jsonl": {
        "id": "r1",
        "q": "Why?",
        "trace": "It is so [p1].",
        "hits": [{"key": "p1", "body": "It is so.", "headline": "So"}],
    },
    "claims.jsonl": {
        **COMMON,
        "question": None,
        "claim": "It is so.",
        "cited_ids": ["p1"],
        "verdict": "full",
    },
    "cited.jsonl": {
        **COMMON,
        "turns": [{"role": "user", "text": "Hello"}],
        "answer": "It is so.",
        "claims": [CLAIM, CLAIM],
    },
    "steps.jsonl": {
        "id": "r1",
        "question": "Why?",
        "evidence": PASSAGES,
        "steps": [{"text": "It is so.", "verdict": "ok"}, {"text": "Thus.", "verdict": "odd"}],
        "final": "So.",
        "model": "m",
    },
    "questions.jsonl": {**COMMON, "answerable": False},
    "graded.csv": {
        "id": "r1",
        "question": "Why?",
        "answer": "So",
        "reference": "So",
        "system": "prod",
        "grade": "correct",
    },
}

_BLOCKS = re.findall(r"```sh\n(citeval import .*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("block", _BLOCKS, ids=lambda block: block.split("--map")[0][:60].strip())
def test_a_documented_import_gives_a_case(
    block: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, *arguments = shlex.split(block.replace("\\\n", " "))
    (tmp_path / "citeval.yaml").touch()
    file = _written(tmp_path, arguments[2])
    code = run([*arguments[:2], str(file), *arguments[3:], "--project", str(tmp_path), "--json"])
    captured = capsys.readouterr()
    assert code == 0, captured.err
    document = json.loads(captured.out)
    assert (document["rows"], document["refused"]) == (1, 0)
    assert document["labelled"] == ("--label-map" in block)


def test_the_page_shows_an_import_for_every_playbook() -> None:
    shown = {re.search(r"--playbook (\w+)", block)[1] for block in _BLOCKS}  # type: ignore[index]
    assert shown == {
        "answer_comparison",
        "citation_accuracy",
        "citation_faithfulness",
        "cite_or_abstain",
        "cot_faithfulness",
    }


def _written(folder: Path, name: str) -> Path:
    path, row = folder / name, FILES[name]
    if path.suffix == ".csv":
        with path.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, row)
            writer.writeheader()
            writer.writerow(row)
    else:
        path.write_text(json.dumps(row), encoding="utf-8")
    return path
