"""Traces that arrive without their sources are completed through the retriever of the dataset."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.small_project import SETTINGS, SmallProject, make_project

BY_ID = """
retrievers:
  - {name: shelf, kind: bm25, options: {corpus: data/corpus}}
  - {name: gone, kind: bm25, options: {corpus: data/nowhere}}
datasets:
  - {name: by-id, playbook: citation_accuracy, path: data/by-id.jsonl, retriever: shelf}
  - {name: lost, playbook: citation_accuracy, path: data/lost.jsonl, retriever: gone}
  - {name: bare, playbook: cot_faithfulness, path: data/bare.jsonl, retriever: shelf}
"""


def write_rows(path: Path, *rows: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def trace(case: str, text: str) -> dict[str, Any]:
    return {
        "test_case_id": case,
        "system": "prod",
        "question": "Who signs an order?",
        "reasoning_trace": text,
    }


@pytest.fixture
def project(tmp_path) -> SmallProject:
    project = make_project(tmp_path, SETTINGS + BY_ID)
    data = project.folder / "data"
    write_rows(
        data / "corpus" / "policies.jsonl",
        {"id": "kb-1", "text": "Orders are signed by the head of unit."},
        {"id": "kb-2", "text": "Invoices are kept for ten years."},
    )
    write_rows(data / "by-id.jsonl", trace("known", "Orders are signed by the head [kb-1]."))
    write_rows(data / "lost.jsonl", trace("unreachable", "Orders are signed [doc_1]."))
    write_rows(data / "bare.jsonl", trace("without", "Orders are signed by the head of unit."))
    return project


def reports(project: SmallProject) -> dict[str, tuple]:
    columns = "test_case_id, validation_status, reason, score"
    return {name: rest for name, *rest in project.table("current_reports", columns)}


def test_a_trace_is_judged_against_the_passages_of_the_ids_it_cites(project):
    project.evaluate(playbooks=["citation_accuracy"], prompts=["v1"], datasets=["by-id"])
    assert reports(project)["known"][0] == "valid"
    findings = project.table("current_findings", "test_case_id, source_id")
    assert findings == [("known", "kb-1")]


def test_an_id_the_store_does_not_know_is_a_citation_not_found(project):
    rows = [trace("half", "Orders are signed by the head of unit [kb-1]. Two sign [kb-9].")]
    write_rows(project.folder / "data" / "by-id.jsonl", *rows)
    project.evaluate(playbooks=["citation_accuracy"], prompts=["v1"], datasets=["by-id"])
    flags = dict(project.table("current_findings", "source_id, flags"))
    assert "citation_not_found" in str(flags["kb-9"])
    assert "citation_not_found" not in str(flags["kb-1"])


def test_an_unreachable_store_is_an_error_of_its_cases_and_the_rest_goes_on(project):
    summary = project.evaluate(playbooks=["citation_accuracy"], prompts=["v1"])
    found = reports(project)
    assert found["unreachable"] == ["error", "evidence_unreachable", None]
    assert found["known"][0] == found["kiln"][0] == "valid"
    assert not summary.complete


def test_a_store_that_is_back_is_used_by_the_next_run(project):
    chosen = {"playbooks": ["citation_accuracy"], "prompts": ["v1"]}
    project.evaluate(**chosen)
    row = {"id": "doc_1", "text": "Orders are signed by two."}
    write_rows(project.folder / "data" / "nowhere" / "p.jsonl", row)
    summary = project.evaluate(**chosen)
    assert summary.complete
    assert summary.calls == 1
    assert reports(project)["unreachable"][0] == "valid"


def test_no_model_is_asked_without_evidence_where_there_is_nothing_to_fetch_it_by(project):
    project.evaluate(playbooks=["cot_faithfulness"], datasets=["bare"])
    assert reports(project)["without"] == ["error", "evidence_unreachable", None]
