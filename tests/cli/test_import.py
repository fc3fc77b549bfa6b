"""``citeval import``: from a file of somebody else to a data set that a run picks up."""

import json
from pathlib import Path

import pytest

from citeval_assets.config.loading import load_settings
from citeval_assets.datasets.loading import load_cases

ROWS = [
    {
        "id": f"a{n}",
        "query": f"Question {n}?",
        "steps": [{"text": "It is so [p1]."}, {"text": "Thus."}],
        "evidence": [{"id": "p1", "text": "It is so.", "gold": True}],
        "verdict": "correct",
    }
    for n in range(3)
]

MAPS = (
    "--map", "test_case_id=id", "--map", "question=query",
    "--map", "reasoning_trace=steps[].text", "--map", "sources=evidence",
    "--label-map", "verdict:correct=1,partial=0.5,incorrect=0",
)  # fmt: skip


@pytest.fixture
def traces(tmp_path: Path) -> Path:
    file = tmp_path / "traces.jsonl"
    file.write_text("\n".join(map(json.dumps, ROWS)), encoding="utf-8")
    return file


def call(citeval, project: Path, file: Path, *more: str):
    playbook = ("--playbook", "citation_accuracy")
    return citeval("import", "jsonl", file, "--project", project, *playbook, *MAPS, *more)


def test_imported_rows_are_a_data_set_without_an_entry(citeval, project, traces) -> None:
    answer = call(citeval, project, traces, "--json")
    assert answer.code == 0, answer.stderr
    assert answer.document["dataset"] == "citation_accuracy-traces"
    assert (answer.document["rows"], answer.document["labelled"]) == (3, 3)
    cases = load_cases(load_settings(project, {}), "citation_accuracy")
    assert [case.case.test_case_id for case in cases.cases] == ["a0", "a1", "a2"]
    assert cases.quarantined == ()
    assert cases.warnings == ()


def test_people_are_told_what_to_do_next(citeval, project, traces) -> None:
    answer = call(citeval, project, traces)
    assert "3 rows imported, 0 refused, 3 with a human score" in answer.stdout
    assert "citeval run --playbook citation_accuracy" in answer.stdout


def test_refused_rows_are_named_and_the_rest_is_written(citeval, project, traces) -> None:
    traces.write_text(traces.read_text(encoding="utf-8") + "\n{broken", encoding="utf-8")
    answer = call(citeval, project, traces, "--json")
    assert answer.code == 0
    assert answer.document["refused_rows"][0]["line"] == 4
    assert "line 4 is not imported" in answer.stderr


def test_strict_writes_nothing_when_a_row_is_refused(citeval, project, traces) -> None:
    traces.write_text(traces.read_text(encoding="utf-8") + "\n{broken", encoding="utf-8")
    answer = call(citeval, project, traces, "--strict", "--json")
    assert (answer.code, answer.document["written"]) == (2, False)
    assert not (project / "data").exists()


def test_a_dry_run_shows_the_first_row_and_writes_nothing(citeval, project, traces) -> None:
    answer = call(citeval, project, traces, "--dry-run")
    assert answer.code == 0
    assert "It is so [p1]." in answer.stdout
    assert not (project / "data").exists()


def test_an_earlier_import_is_not_overwritten_by_accident(citeval, project, traces) -> None:
    assert call(citeval, project, traces).code == 0
    assert call(citeval, project, traces).code == 0
    traces.write_text(json.dumps(ROWS[0]), encoding="utf-8")
    refused = call(citeval, project, traces)
    assert refused.code == 2
    assert "--replace" in refused.stderr
    assert call(citeval, project, traces, "--replace").code == 0


def test_a_folder_without_a_project_is_not_written_to(citeval, tmp_path, traces) -> None:
    answer = call(citeval, tmp_path, traces)
    assert answer.code == 2
    assert "citeval init" in answer.stderr
    assert not (tmp_path / "data").exists()


def test_no_usable_row_is_bad_input(citeval, project, traces) -> None:
    traces.write_text("{broken\n", encoding="utf-8")
    answer = call(citeval, project, traces, "--json")
    assert (answer.code, answer.document["rows"]) == (2, 0)


def test_wrong_names_and_options_get_a_hint(citeval, project, traces) -> None:
    wrong = ("--playbook", "citation_acuracy", "--map", "question=q")
    answer = citeval("import", "jsonl", traces, "--project", project, *wrong)
    assert answer.code == 2
    assert "Did you mean 'citation_accuracy'" in answer.stderr
    wrong = ("--playbook", "citation_accuracy", "--map", "qestion=q")
    answer = citeval("import", "jsonl", traces, "--project", project, *wrong, "--json")
    assert answer.code == 2
    assert "did you mean 'question'" in answer.document["error"]["message"]
    answer = call(citeval, project, traces, "--name", "../x")
    assert answer.code == 2
    assert "cannot name a data set" in answer.stderr


def test_a_table_can_be_imported_as_csv(citeval, project, tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text('query,contexts,steps\nWhy?,"[""so""]",It is so [1].\n', encoding="utf-8")
    maps = ("--map", "question=query", "--map", "sources=contexts[]", "--map",
            "reasoning_trace=steps")  # fmt: skip
    answer = citeval(
        "import", "csv", file, "--project", project, "--playbook", "citation_accuracy", *maps,
        "--json",
    )  # fmt: skip
    assert answer.code == 0, answer.stderr
    assert answer.document["first"]["sources"][0]["text"] == "so"
