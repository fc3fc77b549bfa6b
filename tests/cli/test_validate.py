"""``citeval validate`` lists every fault with its place and fails only for what stops a run."""

import json
from pathlib import Path

CASE = {
    "test_case_id": "a",
    "system": "prod",
    "question": "Why?",
    "sources": [{"id": "1", "text": "So."}],
    "reasoning_trace": "It is so [1].",
}


def write_cases(project: Path, *rows: object) -> None:
    golden = project / "data" / "golden"
    golden.mkdir(parents=True, exist_ok=True)
    text = "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows)
    (golden / "citation_accuracy.jsonl").write_text(text, encoding="utf-8")


def with_prompts(project: Path) -> Path:
    (project / "prompts").mkdir()
    return project


def test_a_sound_project_is_valid_and_counted(citeval, project: Path) -> None:
    write_cases(with_prompts(project), CASE)
    answer = citeval("validate", "--project", project, "--json")
    assert answer.code == 0, answer.document
    assert (answer.document["ok"], answer.document["counts"]["cases"]) == (True, 1)
    (counts,) = [p for p in answer.document["playbooks"] if p["cases"]]
    assert (counts["playbook"], counts["systems"]) == ("citation_accuracy", ["prod"])
    assert any("no prompt version" in warning for warning in answer.document["warnings"])


def test_refused_rows_are_listed_and_fail_only_where_asked_to(citeval, project: Path) -> None:
    write_cases(
        with_prompts(project), CASE, "{broken", {**CASE, "test_case_id": "b", "sources": []}
    )
    answer = citeval("validate", "--project", project, "--json")
    assert answer.code == 0
    rows = answer.document["quarantined"]
    assert [(row["line"], row["area"]) for row in rows] == [(2, "dataset"), (3, "dataset")]
    assert "data/golden/citation_accuracy.jsonl:3" in answer.stderr
    assert citeval("validate", "--project", project, "--strict").code == 2


def test_a_broken_configuration_lists_all_its_faults(citeval, project: Path) -> None:
    with_prompts(project)
    (project / "citeval.yaml").write_text("models: []\nsistems: []\n", encoding="utf-8")
    answer = citeval("validate", "--project", project, "--json")
    assert answer.code == 2
    problems = answer.document["problems"]
    assert {problem["area"] for problem in problems} == {"config"}
    assert len(problems) >= 2
    assert all(problem["file"] == "citeval.yaml" for problem in problems)


def test_a_broken_template_fails_and_names_the_file(citeval, project: Path) -> None:
    folder = with_prompts(project) / "prompts" / "citation_accuracy"
    folder.mkdir()
    (folder / "v1.md").write_text("no front matter", encoding="utf-8")
    answer = citeval("validate", "--project", project)
    assert answer.code == 2
    assert "prompts/citation_accuracy/v1.md" in answer.stderr
    assert "not valid: 1 problems" in answer.stdout


def test_no_project_is_bad_input_with_the_remedy(citeval, tmp_path: Path) -> None:
    answer = citeval("validate", "--project", tmp_path)
    assert answer.code == 2
    assert "citeval init" in answer.stderr


def test_the_three_stages_are_asked_for(citeval, project: Path) -> None:
    with_prompts(project)
    config = project / "citeval.yaml"
    text = config.read_text(encoding="utf-8")
    config.write_text(text + "systems: [{label: a, stage: production}]\n", encoding="utf-8")
    answer = citeval("validate", "--project", project, "--json")
    asked = [warning for warning in answer.document["warnings"] if "none has stage" in warning]
    assert len(asked) == 2


def test_a_retriever_that_cannot_be_opened_is_a_problem_and_no_service_is_asked(
    citeval, project: Path
) -> None:
    with_prompts(project)
    settings = project / "citeval.yaml"
    settings.write_text(
        settings.read_text(encoding="utf-8")
        + "retrievers:\n"
        + "  - {name: shelf, kind: bm25, options: {corpus: data/nowhere}}\n"
        + "  - {name: far, kind: http,"
        + " options: {url: 'http://127.0.0.1:9', api_key_env: NO_KEY}}\n",
        encoding="utf-8",
    )
    answer = citeval("validate", "--project", project, "--json")
    assert answer.code == 2
    (problem,) = answer.document["problems"]
    assert problem["area"] == "retriever"
    assert "data/nowhere" in problem["message"]
