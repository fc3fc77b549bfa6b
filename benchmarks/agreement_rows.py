"""The five files of human-labelled rows, as what a model is asked and what people said.

Every row goes through the playbook's own preparation and its gold-free view: a model sees here
what it sees in a run, and no field that holds gold.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.view import ModelView

FILES = ("citation_support", "cited_answers", "cot_steps", "abstention", "answer_comparison")
LEVELS = {"none": 0, "incorrect": 0, "partial": 1, "full": 2, "correct": 2}
NOT_JUDGED = {"after_first_error", "neutral"}

SEEN = {
    "weights": {"wice", "factcheck_gpt"},
    "cut": {
        "wice", "factcheck_gpt", "expertqa", "stanford_gensearch", "hagrid", "attributed_qa",
        "attrscore_gensearch",
    },
}  # fmt: skip
"""Sources whose data (not these rows) the 28 weights were fitted on, and sources on whose
published development rows the intercept and two clues were set."""

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Item:
    """One labelled thing. ``level``: 2 full, 1 partial, 0 none; ``units`` of ``view``."""

    source: str
    group: str
    view: ModelView
    units: tuple[int, ...]
    level: int
    three_way: bool = False


def read_items(folder: Path, file: str) -> list[Item]:
    """Return the items of one file; rows that cannot be judged are left out."""
    reader = {
        "citation_support": _support,
        "cited_answers": _answers,
        "cot_steps": _steps,
        "abstention": _abstention,
        "answer_comparison": _comparison,
    }[file]
    lines = (folder / f"{file}.jsonl").read_text(encoding="utf-8").splitlines()
    return [item for line in lines if line.strip() for item in reader(json.loads(line))]


def _prepared(playbook: str, row: Row) -> Any:
    recipe = get_playbook(playbook)
    return recipe.prepare(recipe.case_type.model_validate(row), DomainRules())


def _sources(passages: list[Row]) -> list[Row]:
    kept = ("id", "text", "title")
    return [{key: p[key] for key in kept if p.get(key)} for p in passages if p["text"].strip()]


def _case(row: Row, **more: Any) -> Row:
    question = row.get("question") or row.get("topic") or row.get("claim") or "What is known?"
    return {
        "test_case_id": row["id"],
        "system": row.get("system") or "unknown",
        "question": question,
        **more,
    }


def _support(row: Row) -> Iterator[Item]:
    cited = row["cited_ids"] or [passage["id"] for passage in row["passages"]]
    claims = [{"text": row["claim"], "cited_ids": cited}]
    case = _case(row, answer=row["claim"], claims=claims, sources=_sources(row["passages"]))
    yield from _claims(row, case, [row["human_label"]])


def _answers(row: Row) -> Iterator[Item]:
    claims = [claim for claim in row.get("claims") or [] if claim["cited_ids"]]
    if not claims:
        return
    case = _case(
        row,
        answer=row["answer"],
        claims=[{"text": c["text"], "cited_ids": c["cited_ids"]} for c in claims],
        sources=_sources(row["passages"]),
    )
    yield from _claims(row, case, [claim["human_label"] for claim in claims])


def _claims(row: Row, case: Row, labels: list[str]) -> Iterator[Item]:
    view = _prepared("citation_faithfulness", case).view
    three_way = row.get("label_granularity") == "three_way"
    for unit, label in zip(view.units, labels, strict=True):
        if unit.asked and unit.cited_ids:
            numbers = (unit.number,)
            yield Item(
                row["source_dataset"], row["group_id"], view, numbers, LEVELS[label], three_way
            )


def _steps(row: Row) -> Iterator[Item]:
    trace = [step["text"] for step in row["steps"]]
    if not any(text.strip() for text in trace) or not _sources(row["evidence"]):
        return
    case = _case(
        row,
        reasoning_trace=trace,
        final_answer=row.get("final_answer"),
        sources=_sources(row["evidence"]),
    )
    view = _prepared("cot_faithfulness", case).view
    for step in row["steps"]:
        units = tuple(u.number for u in view.units if u.asked and u.step_index == step["index"])
        if units and step["human_label"] not in NOT_JUDGED:
            level = 2 if step["human_label"] == "ok" else 0
            yield Item(row["source_dataset"], row["group_id"], view, units, level)


def _abstention(row: Row) -> Iterator[Item]:
    if row.get("history") or not _sources(row["passages"]):
        return
    case = _case(row, sources=_sources(row["passages"]), expected_status="answered")
    view = _prepared("cite_or_abstain", case).view
    name = row["source_dataset"]
    source = name if row.get("language", "en") == "en" else f"{name}_other_languages"
    yield Item(source, row["group_id"], view, (), 2 if row["answerable"] else 0)


def _comparison(row: Row) -> Iterator[Item]:
    case = _case(
        row, answer=row["generated_answer"], reference_answer=row["reference_answer"],
        answerable=True,
    )  # fmt: skip
    view = _prepared("answer_comparison", case).view
    three_way = row["source_dataset"] == "mt_rag"
    level = LEVELS[row["human_label"]]
    yield Item(row["source_dataset"], row["group_id"], view, (), level, three_way)
