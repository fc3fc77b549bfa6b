"""A foreign file becomes canonical rows; what does not fit is put aside with line and reason."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from citeval_assets.datasets.raw import RawRow
from citeval_assets.datasets.rows import RowFault
from citeval_assets.importers.importing import (
    Imported,
    ImportRefused,
    canonical_row,
    import_rows,
    record_of,
    target_of,
    write_import,
)
from citeval_assets.importers.mapping import BadMapping
from citeval_assets.importers.plan import ImportOptions, ImportPlan
from citeval_assets.playbooks.cases import TestCase
from citeval_assets.playbooks.registry import get_playbook

ANSWERS = (
    "test_case_id=id",
    "question=query",
    "answer=response",
    "sources=passages",
    "system=app",
)

ROW = {
    "id": "a1",
    "query": "Why?",
    "response": "Because [p1].",
    "app": "prod",
    "passages": [{"id": "p1", "text": "Because.", "verdict": "full"}],
    "verdict": "supported",
    "gold_answer": "a secret",
}


def plan(*maps: str, playbook: str = "citation_faithfulness", **options: Any) -> ImportPlan:
    given = ImportOptions(maps=maps or ANSWERS, **options)
    return ImportPlan.of(get_playbook(playbook), "sample", given)


def case_of(row: dict[str, Any], given: ImportPlan) -> TestCase:
    return given.case_of(RawRow(1, value=row))


def imported(tmp_path: Path, text: str, given: ImportPlan, name: str = "in.jsonl") -> Imported:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    return import_rows(file, given)


def test_a_row_becomes_a_case_and_gold_stays_behind() -> None:
    case = case_of(ROW, plan())
    written = json.loads(canonical_row(case))
    assert written == {
        "test_case_id": "a1",
        "system": "prod",
        "question": "Why?",
        "sources": [{"id": "p1", "text": "Because."}],
        "answer": "Because [p1].",
    }


def test_a_human_verdict_becomes_the_human_score() -> None:
    given = plan(label_maps=["verdict:supported=1,unsupported=0"])
    case = case_of(ROW, given)
    assert case.human_score == 1.0
    unlabelled = case_of({**ROW, "verdict": None}, given)
    assert (unlabelled.human_score, unlabelled.label_source) == (None, None)


def test_labels_that_were_made_up_are_no_human_score() -> None:
    given = plan(label_maps=["verdict:supported=1"], label_source="constructed")
    case = case_of(ROW, given)
    assert case.labels is not None
    assert (case.labels.score, case.human_score) == (1.0, None)


def test_rows_without_id_and_system_get_them_from_the_question() -> None:
    given = plan("question=query", "answer=response", "sources=passages")
    first, second = case_of(ROW, given), case_of({**ROW, "response": "No [p1]."}, given)
    assert first.test_case_id == second.test_case_id
    assert first.test_case_id.startswith("sample-")
    assert first.system == "imported"


def test_defaults_fill_what_is_missing_or_null() -> None:
    given = plan(defaults=["question=Is it so?", "system=prod-7", "tags=law"])
    case = case_of({**ROW, "query": None, "app": None}, given)
    assert (case.question, case.system, case.tags) == ("Is it so?", "prod-7", ("law",))


def test_ids_beside_a_text_become_markers_in_it() -> None:
    given = plan(
        "test_case_id=id",
        "question=query",
        "reasoning_trace=steps[].text",
        "sources=passages",
        playbook="citation_accuracy",
        cites=["reasoning_trace=steps[].ids"],
    )
    steps = [
        {"text": "It is so.", "ids": ["p1", "p2"]},
        {"text": "Seen [p1].", "ids": ["p1"]},
        {"text": "Thus.", "ids": []},
    ]
    case: Any = case_of({**ROW, "steps": steps}, given)
    assert case.reasoning_trace == ("It is so. [p1][p2]", "Seen [p1].", "Thus.")
    with pytest.raises(RowFault, match="one list of ids is wanted"):
        case_of({**ROW, "steps": steps, "ids": []}, plan(
            "test_case_id=id", "question=query", "reasoning_trace=steps[].text",
            "sources=passages", playbook="citation_accuracy", cites=["reasoning_trace=ids"],
        ))  # fmt: skip


def test_what_does_not_fit_is_put_aside_and_the_rest_goes_on(tmp_path: Path) -> None:
    lines = [
        json.dumps(ROW),
        "{broken",
        json.dumps({**ROW, "id": "a2", "response": 5}),
        json.dumps({**ROW, "id": "a3", "passages": []}),
        json.dumps(ROW),
        json.dumps([1, 2]),
        json.dumps({**ROW, "id": "a4"}),
    ]
    found = imported(tmp_path, "\n".join(lines), plan())
    assert [case.test_case_id for case in found.cases] == ["a1", "a4"]
    assert [
        (row.line, row.reason.split(";")[0].split("(")[0].strip()) for row in found.refused
    ] == [
        (2, found.refused[0].reason.split(";")[0].split("(")[0].strip()),
        (3, "answer: expected a valid string, found 5"),
        (4, "required field empty: sources"),
        (5, "duplicate key: test_case_id 'a1' of system 'prod' stands already at line 1"),
        (6, "the row is a list, expected an object to take 'id' from"),
    ]
    assert "JSON" in found.refused[0].reason
    assert found.refused[1].row.startswith('{"id": "a2"')


def test_a_table_is_read_with_nested_data_in_its_cells(tmp_path: Path) -> None:
    text = (
        "query,contexts,response,ok\n"
        '"What, then?","[""first, text"", ""second""]","Line\nbreak [1].",1\n'
        "Why?,[],No.,0\n"
    )
    given = plan(
        "question=query", "sources=contexts[]", "answer=response", label_maps=["ok:1=1,0=0"]
    )
    found = imported(tmp_path, text, given, "in.csv")
    (case,) = found.cases
    assert [(source.id, source.text) for source in case.sources] == [
        ("1", "first, text"),
        ("2", "second"),
    ]
    assert getattr(case, "answer", None) == "Line\nbreak [1]."
    assert case.human_score == 1.0
    assert (found.refused[0].line, found.labelled) == (4, 1)


def test_numbers_as_ids_keep_every_digit(tmp_path: Path) -> None:
    ids = ["9007199254740993", '"9007199254740993"', '"00123"']
    rest = json.dumps({k: v for k, v in ROW.items() if k not in ("id", "app")})[1:]
    lines = [f'{{"id": {i}, "app": "s{n}", {rest}' for n, i in enumerate(ids)]
    found = imported(tmp_path, "\n".join(lines), plan())
    assert [case.test_case_id for case in found.cases] == [
        "9007199254740993",
        "9007199254740993",
        "00123",
    ]


def test_constraints_cannot_be_imported() -> None:
    with pytest.raises(BadMapping, match="unknown field 'additional_constraints'"):
        plan(*ANSWERS, "additional_constraints=rules")


def test_nothing_mapped_is_refused() -> None:
    with pytest.raises(BadMapping, match="nothing is mapped"):
        ImportPlan.of(get_playbook("citation_faithfulness"), "x", ImportOptions(maps=()))


def test_an_unknown_kind_of_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ImportRefused, match="unknown kind of file"):
        imported(tmp_path, "x", plan(), "in.xlsx")


def test_rows_are_written_with_a_record_of_how_they_came_about(tmp_path: Path) -> None:
    file = tmp_path / "in.jsonl"
    file.write_text(json.dumps(ROW) + "\n{broken\n", encoding="utf-8")
    options = ImportOptions(maps=ANSWERS, defaults=["language=en"])
    given = ImportPlan.of(get_playbook("citation_faithfulness"), "sample", options)
    target = target_of(tmp_path, "citation_faithfulness", "sample")
    write_import(target, file, given, options, import_rows(file, given))
    assert target == tmp_path / "data/imported/citation_faithfulness/sample.jsonl"
    (row,) = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
    assert (row["test_case_id"], row["language"]) == ("a1", "en")
    record = yaml.safe_load(record_of(target).read_text(encoding="utf-8"))
    assert (record["file"], record["rows"], len(record["sha256"])) == ("in.jsonl", 1, 64)
    assert record["options"]["maps"] == list(ANSWERS)
    assert record["refused"][0]["line"] == 2
    assert {path.name for path in target.parent.iterdir()} == {
        "sample.jsonl",
        "sample.import.yaml",
    }


def test_an_option_whose_path_stands_in_no_row_is_told_with_the_names_there_are(
    tmp_path: Path,
) -> None:
    maps = (*(m for m in ANSWERS if not m.startswith("system=")), "system=model")
    given = plan(*maps, label_maps=["judgement:supported=1", "verdict:supported=1"])
    found = imported(tmp_path, f"{json.dumps(ROW)}\n", given)

    assert len(found.cases) == 1
    assert [w.split(":")[0] for w in found.warnings] == [
        "--map system=model",
        "--label-map judgement",
    ]
    assert all("verdict" in warning for warning in found.warnings)


def test_a_path_that_stands_in_some_rows_is_not_told(tmp_path: Path) -> None:
    later = {**ROW, "id": "a2", "team": "blue"}
    given = plan(*ANSWERS, "tags=team|group", "labels.note=team")
    text = f"{json.dumps(ROW)}\n{json.dumps(later)}\n"
    assert imported(tmp_path, text, given).warnings == ()
