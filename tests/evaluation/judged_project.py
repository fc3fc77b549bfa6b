"""A project with enough cases to hold its judges against labels, epochs and each other."""

import json
from pathlib import Path
from typing import Any

from citeval_assets.evaluation.current import current_evaluation
from citeval_assets.evaluation.project import Cell
from citeval_assets.ledger.records import HumanLabel
from tests.small_project import SmallProject, make_project

NAME = "citation_faithfulness"
CELL = Cell(NAME, "blind", "v1")
NAIVE = Cell(NAME, "naive", "v1")

SETTINGS = """\
models:
  - {id: blind, model: prov/blind-1, roles: [judge], stage: production, limits: {tries: 1}}
  - {id: naive, model: embedded/overlap-0, roles: [judge], stage: candidate}
systems:
  - {label: prod, stage: production}
  - {label: candidate, stage: candidate}
calibration: {qualification: {cases_per_fault: 3, min_mutants: 3}}
"""


def labelled_rows(n: int, source: str | None = "human", system: str = "prod"):
    """Return ``n`` cases of one claim each; every third is wrong, and labelled so."""
    rows: list[dict[str, Any]] = []
    for number in range(n):
        right = number % 3 != 0
        said, made = ("Weir", "oak") if right else ("Lock", "steel")
        row: dict[str, Any] = {
            "test_case_id": f"weir-{number}", "system": system,
            "question": f"What was weir {number} built of?",
            "sources": [{"id": "1", "text": f"Weir {number} in Tarn was built of oak."}],
            "answer": f"{said} {number} in Tarn was built of {made} [1].",
        }  # fmt: skip
        if source is not None:
            row |= {"labels": {"score": float(right)}, "label_source": source}
        rows.append(row)
    return rows


def judged_project(
    folder: Path, rows: list[dict[str, Any]], settings: str = SETTINGS
) -> SmallProject:
    """Write a project of one playbook with these cases."""
    project = make_project(folder, settings)
    for path in (project.folder / "data" / "golden").glob("*.jsonl"):
        path.unlink()
    project.write_rows(NAME, rows)
    return project


def label_in_ledger(project: SmallProject, score: float, of: str) -> None:
    """Record a person's label for a judged case, as a review decision would."""
    with project.load().open_ledger() as ledger:
        record = current_evaluation(ledger, CELL)
        assert record is not None
        item = next(i for i in ledger.items(record.evaluation_id) if i.test_case_id == of)
        ledger.record_human_label(
            HumanLabel(
                label_id=f"label-{of}", playbook=NAME, test_case_id=of, system=item.system,
                case_hash=item.case_hash, label_source="human",
                labels_json=json.dumps({"score": score}), score=score, labeller="kim",
            )
        )  # fmt: skip
