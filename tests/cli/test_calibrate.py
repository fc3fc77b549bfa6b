import json
from pathlib import Path

import pytest

from citeval_assets.embedded.registry import calibration_of

SETTINGS = """\
models:
  - {id: lexical, model: embedded/lexical-1, roles: [judge]}
  - {id: overlap, model: embedded/overlap-0, roles: [judge]}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "citeval.yaml").write_text(SETTINGS, encoding="utf-8")
    (tmp_path / "data" / "golden").mkdir(parents=True)
    return tmp_path


def label(project: Path, rows: int, source: str = "human") -> None:
    """Write rows of one claim each: every other one stands in its source."""
    lines: list[str] = []
    for number in range(rows):
        said, made = ("Lock", "steel") if number % 2 else ("Weir", "oak")
        row = {
            "test_case_id": f"t{number}", "system": "prod", "question": "What was built?",
            "sources": [{"id": "1", "text": f"Weir number {number} was built of oak in Tarn."}],
            "answer": f"{said} number {number} was built of {made} [1].",
            "labels": {"score": float(number % 2 == 0)}, "label_source": source,
        }  # fmt: skip
        lines.append(json.dumps(row))
    path = project / "data" / "golden" / "citation_faithfulness.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")


def test_enough_human_labels_calibrate_the_judge(citeval, project: Path) -> None:
    label(project, 60)
    answer = citeval("calibrate", "--judge", "lexical", "--project", str(project), "--json")
    assert answer.code == 0
    told = answer.document
    assert (told["state"], told["labels"], told["supported"]) == ("calibrated", 60, 30)
    state = project / "dagster_home" / "citeval"
    kept = calibration_of("embedded/lexical-1", "lexical", state)
    assert (kept.labels, kept.sha256) == (60, told["sha256"])
    citeval("calibrate", "--judge", "lexical", "--project", str(project), "--reset")
    assert not calibration_of("embedded/lexical-1", "lexical", state).is_fitted


@pytest.mark.parametrize(("rows", "source"), [(49, "human"), (60, "constructed")])
def test_with_too_few_human_labels_it_stays_uncalibrated(
    citeval, project: Path, rows: int, source: str
) -> None:
    label(project, rows, source)
    answer = citeval("calibrate", "--judge", "lexical", "--project", str(project))
    assert answer.code == 1
    assert "uncalibrated" in answer.stdout
    assert not list(project.rglob("calibration/*.json"))


def test_unknown_names_and_a_reset_of_what_cannot_be_fitted_are_bad_input(
    citeval, project: Path
) -> None:
    there = ("--project", str(project))
    assert citeval("calibrate", "--judge", "lexicl", *there).code == 2
    assert citeval("calibrate", "--judge", "overlap", "--reset", *there).code == 2
    assert citeval("calibrate", "--reset", *there).code == 2


def test_a_judge_that_cannot_be_fitted_is_only_measured(citeval, project: Path) -> None:
    label(project, 60)
    answer = citeval("calibrate", "--judge", "overlap", "--project", str(project), "--json")
    assert (answer.code, answer.document) == (0, {"judges": []})


def test_a_calibration_makes_what_was_judged_before_stale(project: Path) -> None:
    from citeval_assets.config import load_settings
    from citeval_assets.embedded.calibration import Calibration
    from citeval_assets.judging.epoch import epoch
    from citeval_assets.playbooks.registry import get_playbook
    from citeval_assets.templates.library import load_templates

    model = load_settings(project, {}).model("lexical")
    prompts = Path(__file__).resolve().parents[2] / "prompts"
    template = load_templates(prompts).get("citation_accuracy", "v1")
    playbook = get_playbook("citation_accuracy")
    before = epoch(playbook, model, template, ())
    after = epoch(playbook, model, template, (), calibration=Calibration(1.1, 0.2, 60, 30, "1"))
    assert before != after
