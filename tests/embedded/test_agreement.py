import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

PASSAGE = "Weir {n} was built of oak in Tarn. It is {n} metres long."
FILES = {
    "citation_support": lambda n: {
        "claim": f"Weir {n} was built of {'oak' if n % 2 else 'steel in Brask'}.",
        "passages": [{"id": "p1", "text": PASSAGE.format(n=n)}], "cited_ids": ["p1"],
        "human_label": "full" if n % 2 else "none", "label_granularity": "binary",
    },
    "cot_steps": lambda n: {
        "question": "How long is it?", "evidence": [{"id": "e", "text": PASSAGE.format(n=n)}],
        "steps": [
            {"index": 0, "text": f"Weir {n} was built of oak in Tarn.", "human_label": "ok"},
            {"index": 1, "text": "So geese sing.", "human_label": "illogical"},
            {"index": 2, "text": "Whatever.", "human_label": "after_first_error"},
        ],
    },
    "abstention": lambda n: {
        "question": "What was Weir built of?" if n % 2 else "Who sang the aria?",
        "passages": [{"id": "p1", "text": PASSAGE.format(n=n)}], "answerable": bool(n % 2),
    },
    "answer_comparison": lambda n: {
        "question": "Who was it?", "reference_answer": "Odd Aune/Aune",
        "generated_answer": "It was Aune." if n % 2 else "It was Berit Moe.",
        "human_label": "correct" if n % 2 else "incorrect", "system": "s",
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict]:
    folder = tmp_path_factory.mktemp("rows")
    for name, row_of in FILES.items():
        rows = [
            {"id": f"{name}-{n}", "group_id": str(n), "source_dataset": "made_up", **row_of(n)}
            for n in range(12)
        ]
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    told = subprocess.run(
        [sys.executable, "benchmarks/agreement.py", "--data", str(folder), "--json"],
        capture_output=True, text=True, check=True, cwd=ROOT, env={"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    return json.loads(told.stdout)


def test_every_file_that_is_there_is_measured_for_every_model(figures) -> None:
    assert list(figures) == list(FILES)
    for models in figures.values():
        assert "always-majority" in models
        for row in models.values():
            source = row["sources"]["made_up"]
            assert {"n", "balanced_accuracy", "auc", "macro_f1", "decided_share"} <= source.keys()
            assert {"mean_balanced_accuracy", "mean_auc"} <= row.keys()


def test_calibrated_figures_leave_out_the_labels_they_used(figures) -> None:
    own = figures["citation_support"]["embedded-lexical-1"]["calibrated"]["sources"]["made_up"]
    assert (own["n"], own["labels"]) == (6, 6)


def test_intervals_are_given_for_the_means_and_the_lead(figures) -> None:
    bounds = figures["citation_support"]["embedded-lexical-1"]["intervals"]
    low, high = bounds["lead_over_embedded-overlap-0"]["mean_auc"]
    assert low <= high


def test_it_tells_plain_cases_apart(figures) -> None:
    assert figures["citation_support"]["embedded-lexical-1"]["mean_auc"] == 1.0
    assert figures["answer_comparison"]["embedded-lexical-1"]["mean_balanced_accuracy"] == 1.0
    assert figures["abstention"]["embedded-extractive-1"]["mean_balanced_accuracy"] > 0.9
    assert figures["citation_support"]["always-majority"]["mean_balanced_accuracy"] == 0.5


def test_steps_nobody_judged_are_left_out(figures) -> None:
    assert figures["cot_steps"]["embedded-lexical-1"]["sources"]["made_up"]["n"] == 24
