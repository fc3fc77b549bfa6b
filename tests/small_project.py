"""A small project in a folder of its own, for tests that need a whole one."""

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from citeval_assets.evaluation import evaluate
from citeval_assets.evaluation.project import Project
from citeval_assets.evaluation.summaries import RunSummary
from citeval_assets.warehouse.connection import Warehouse

REPOSITORY = Path(__file__).resolve().parents[1]

SETTINGS = """\
models:
  - {id: naive, model: embedded/overlap-0, roles: [judge], stage: production}
  - {id: extractive, model: embedded/extractive-0, roles: [target], stage: production}
systems:
  - {label: prod, stage: production}
  - {label: candidate, stage: candidate}
"""

CASES: dict[str, list[dict[str, Any]]] = {
    "citation_accuracy": [
        {
            "test_case_id": "kiln",
            "question": "How hot does the kiln get?",
            "sources": [
                {"id": "1", "text": "The kiln reaches 1280 degrees after nine hours."},
                {"id": "2", "text": "Glaze is applied after the first firing."},
            ],
            "reasoning_trace": [
                "The kiln reaches 1280 degrees after nine hours [1].",
                "Glaze is applied after the first firing [2].",
            ],
        }
    ],
    "citation_faithfulness": [
        {
            "test_case_id": "ferry",
            "question": "When does the ferry run?",
            "sources": [
                {"id": "1", "text": "The ferry runs from April to October, four times a day."},
                {"id": "2", "text": "Bicycles travel free of charge."},
            ],
            "answer": (
                "The ferry runs from April to October [1]. Bicycles travel free of charge [2]."
            ),
        },
        {
            "test_case_id": "toll",
            "question": "What is the toll?",
            "sources": [{"id": "1", "text": "The toll for cars is four euros."}],
            "answer": "The toll for cars is four euros [1]. Lorries wait at the gate [3].",
        },
    ],
    "cot_faithfulness": [
        {
            "test_case_id": "bell",
            "question": "How heavy is the bell?",
            "sources": [
                {"id": "1", "text": "The bell weighs 912 kilograms. It hangs in the tower."}
            ],
            "reasoning_trace": "The bell weighs 912 kilograms. It hangs in the tower.",
            "final_answer": "912 kilograms.",
        }
    ],
    "cite_or_abstain": [
        {
            "test_case_id": "mower",
            "question": "How is the mower started?",
            "sources": [
                {"id": "m1", "text": "The mower is started with the handle bar pressed."},
                {"id": "m2", "text": "Store the mower in a dry place."},
            ],
            "expected_status": "answered",
            "supporting_chunk_ids": ["m1"],
        }
    ],
    "answer_comparison": [
        {
            "test_case_id": "steps",
            "question": "How many steps lead to the crypt?",
            "sources": [{"id": "1", "text": "Forty-two steps lead down to the crypt."}],
            "answer": "42",
            "reference_answer": "42",
            "answerable": True,
        }
    ],
}
"""Rows of one system; ``rows_of`` gives them to several."""


def rows_of(playbook: str, systems: Sequence[str] = ("prod", "candidate")) -> list[dict[str, Any]]:
    """Return the rows of a playbook for these systems."""
    return [{"system": system, **row} for row in CASES[playbook] for system in systems]


@dataclass(frozen=True)
class SmallProject:
    """A project folder, with the state it writes beside it."""

    folder: Path
    home: Path

    @property
    def environ(self) -> dict[str, str]:
        """The variables a command over this project sees."""
        return {"DAGSTER_HOME": str(self.home)}

    def load(self) -> Project:
        """Open the project as it is now."""
        return Project.load(self.folder, self.environ)

    @property
    def warehouse(self) -> Warehouse:
        """The working warehouse."""
        return self.load().warehouse

    def evaluate(self, **chosen: Any) -> RunSummary:
        """Evaluate without Dagster."""
        return evaluate(self.folder, environ=self.environ, **chosen)

    def cases_file(self, playbook: str) -> Path:
        """Return the golden file of a playbook."""
        return self.folder / "data" / "golden" / f"{playbook}.jsonl"

    def rows(self, playbook: str) -> list[dict[str, Any]]:
        """Read the golden rows of a playbook."""
        lines = self.cases_file(playbook).read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines]

    def write_rows(self, playbook: str, rows: Sequence[dict[str, Any]]) -> None:
        """Replace the golden rows of a playbook."""
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        self.cases_file(playbook).write_text(text, encoding="utf-8")

    def table(self, name: str, columns: str = "*") -> list[tuple[Any, ...]]:
        """Return a whole table of the warehouse, in a fixed order."""
        with self.warehouse.reading() as connection:
            return connection.execute(f"SELECT {columns} FROM {name} ORDER BY ALL").fetchall()


def make_project(folder: Path, settings: str = SETTINGS) -> SmallProject:
    """Write a small project with all five playbooks into ``folder``."""
    project = SmallProject(folder / "project", folder / "home")
    shutil.copytree(REPOSITORY / "prompts", project.folder / "prompts")
    (project.folder / "data" / "golden").mkdir(parents=True)
    (project.folder / "citeval.yaml").write_text(settings, encoding="utf-8")
    for playbook in CASES:
        project.write_rows(playbook, rows_of(playbook))
    return project
