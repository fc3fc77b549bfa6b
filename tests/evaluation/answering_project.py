"""A project in which target models answer questions from a small corpus."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from citeval_assets.evaluation.current import current_evaluation
from citeval_assets.evaluation.following import waves, with_followers
from citeval_assets.evaluation.inputs import register_cases
from citeval_assets.evaluation.service import Service
from citeval_assets.evaluation.summaries import EvaluationSummary
from citeval_assets.ledger.records import EvaluationItem
from tests.small_project import SmallProject, make_project

SETTINGS = """\
models:
  - {id: naive, model: embedded/overlap-0, roles: [judge], stage: production}
  - {id: today, model: embedded/extractive-0, roles: [target], stage: production}
  - {id: next, model: embedded/extractive-1, roles: [target], stage: candidate}
retrievers:
  - {name: shelf, kind: bm25, options: {corpus: data/corpus, k: 1}}
datasets:
  - {name: questions, playbook: cite_or_abstain, path: data/questions.jsonl, retriever: shelf}
"""
CORPUS = {
    "kiln": "The kiln reaches 1280 degrees after nine hours of firing.",
    "glaze": "Glaze is mixed from ash, feldspar and quartz.",
    "ferry": "The ferry to the island runs from April to October.",
    "bell": "The bell in the tower weighs 912 kilograms.",
}
QUESTIONS = (
    ("q-kiln", "How many degrees does the kiln reach?", "1280 degrees.", ["kiln"]),
    ("q-glaze", "What is the glaze mixed from?", "Ash, feldspar and quartz.", ["glaze"]),
    ("q-ferry", "When does the ferry to the island run?", "April to October.", ["ferry"]),
    ("q-toll", "Which toll do lorries pay on the motorway?", None, []),
)


@dataclass(frozen=True)
class Run:
    """What a run left in the ledger: summaries, and the items by playbook, case and system."""

    summaries: list[EvaluationSummary]
    items: dict[tuple[str, str, str], EvaluationItem]

    @property
    def calls(self) -> dict[str, int]:
        """Calls made, by playbook, where there were any."""
        return {e.playbook: e.calls for e in self.summaries if e.calls}

    def outcome(self, playbook: str, case: str, system: str) -> tuple[str, str | None, Any]:
        """Return status, reason and score of a case."""
        item = self.items[playbook, case, system]
        return item.status, item.reason, item.score

    def systems(self, playbook: str) -> set[str]:
        """Return the systems of a playbook's items."""
        return {system for name, _, system in self.items if name == playbook}


def run(project: SmallProject, *models: str, playbooks: tuple[str, ...] = ()) -> Run:
    """Run as ``evaluate`` does, in the ledger alone: no warehouse, queue, gates or snapshot."""
    loaded = project.load()
    service = Service(loaded)
    cells = with_followers(loaded, loaded.cells(playbooks, models), playbooks)
    done = Run([], {})
    with loaded.open_ledger() as ledger:
        for wave in waves(cells):
            for name in {cell.playbook for cell in wave}:
                register_cases(loaded, ledger, name)
            done.summaries.extend(service.judge(cell) for cell in wave)
        for cell in cells:
            record = current_evaluation(ledger, cell)
            assert record is not None
            for item in ledger.items(record.evaluation_id):
                done.items[cell.playbook, item.test_case_id, item.system] = item
    return done


def answering_project(folder: Path, settings: str = SETTINGS) -> SmallProject:
    """Make the project: its own questions only, no golden rows of other playbooks."""
    project = make_project(folder, settings)
    for file in (project.folder / "data" / "golden").glob("*.jsonl"):
        file.unlink()
    write_corpus(project, CORPUS)
    write_questions(project)
    return project


def write_corpus(project: SmallProject, passages: dict[str, str]) -> None:
    """Replace the corpus."""
    rows = [{"id": name, "text": text} for name, text in passages.items()]
    _write(project.folder / "data" / "corpus" / "all.jsonl", rows)


def write_questions(project: SmallProject, questions: Any = QUESTIONS) -> None:
    """Replace the questions: id, text, reference (``None``: unanswerable), supporting ids."""
    rows = [
        {
            "test_case_id": name,
            "question": question,
            "expected_status": "answered" if reference else "abstained",
            "supporting_chunk_ids": supporting,
            "reference_answer": reference,
        }
        for name, question, reference, supporting in questions
    ]
    _write(project.folder / "data" / "questions.jsonl", rows)


def _write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
