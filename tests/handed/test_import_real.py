"""Real, human-labelled files, where they lie beside the project, become test cases."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from citeval_assets.importers.importing import canonical_row, import_rows
from citeval_assets.importers.plan import ImportOptions, ImportPlan
from citeval_assets.playbooks.registry import get_playbook

from .loader import cases_folder

FOLDER = cases_folder().parent / "real"

IMPORTS = {
    ("citation_support", "citation_faithfulness"): ImportOptions(
        maps=[
            "test_case_id=id", "question=question|topic|claim", "sources=passages",
            "system=system", "answer=claim", "claims.text=claim", "claims.cited_ids=cited_ids",
        ],
        label_maps=["human_label:full=1,partial=0,none=0"],
    ),
    ("citation_support", "citation_accuracy"): ImportOptions(
        maps=[
            "test_case_id=id", "question=question|topic|claim", "sources=passages",
            "system=system", "reasoning_trace=claim",
        ],
        cites=["reasoning_trace=cited_ids"],
        label_maps=["human_label:full=1,partial=0.5,none=0"],
    ),
    ("cited_answers", "citation_faithfulness"): ImportOptions(
        maps=[
            "test_case_id=id", "question=question", "sources=passages", "system=system",
            "answer=answer", "claims=claims", "history=history",
        ],
        label_maps=[
            "claims[].human_label:full=1,partial=0,none=0",
            "human_score.faithfulness:1..4",
        ],
    ),
    ("cot_steps", "cot_faithfulness"): ImportOptions(
        maps=[
            "test_case_id=id", "question=question", "sources=evidence", "system=system",
            "reasoning_trace=steps[].text", "final_answer=final_answer",
        ],
        label_maps=["steps[].human_label:ok=1,after_first_error=null,neutral=null,*=0"],
    ),
    ("abstention", "cite_or_abstain"): ImportOptions(
        maps=[
            "test_case_id=id", "question=question", "sources=passages", "language=language",
            "expected_status=answerable", "reference_answer=reference_answer", "history=history",
        ],
        value_maps=["expected_status:true=answered,false=abstained"],
    ),
    ("answer_comparison", "answer_comparison"): ImportOptions(
        maps=[
            "test_case_id=id", "question=question", "answer=generated_answer", "system=system",
            "reference_answer=reference_answer", "history=history",
        ],
        label_maps=["human_label:correct=1,partial=0.5,incorrect=0"],
    ),
}  # fmt: skip

GOLD_PREFIXES = ("human_", "supporting_", "answerab", "model_outputs", "final_answer_correct")

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="no real files beside the project")


@pytest.mark.parametrize(("file", "playbook"), IMPORTS)
def test_real_rows_become_cases_without_their_gold(file: str, playbook: str) -> None:
    path: Path = FOLDER / f"{file}.jsonl"
    plan = ImportPlan.of(get_playbook(playbook), file, IMPORTS[file, playbook])
    imported = import_rows(path, plan)
    rows = sum(1 for line in path.read_text(encoding="utf-8").splitlines() if line.strip())
    assert len(imported.cases) + len(imported.refused) == rows
    assert len(imported.cases) > 0.98 * rows
    assert all("sources" in row.reason for row in imported.refused)
    for case in imported.cases:
        written = json.loads(canonical_row(case))
        written.pop("labels", None)
        assert not {key for key in _keys(written) if key.startswith(GOLD_PREFIXES)}


def _keys(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
    for inner in value.values() if isinstance(value, dict) else value:
        if isinstance(inner, dict | list):
            yield from _keys(inner)
