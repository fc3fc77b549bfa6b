"""The golden outputs of ``cite_or_abstain``: what passes, what is backed, what follows from it."""

import json

import pytest
from golden_rows import Row, key, prepared, read_rows

from citeval_assets.playbooks.attempts import Reply
from citeval_assets.playbooks.cite_or_abstain.schema import CiteDetails
from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.playbooks.report import Report
from citeval_assets.playbooks.settling import settle
from citeval_assets.playbooks.vocabulary import Status

ROWS = read_rows("cite_or_abstain")
cite_rows = pytest.mark.parametrize("row", ROWS, ids=key)


def settled(row: Row, attempts: int) -> object:
    """Return what comes of a model that gives the recorded output again and again."""
    replies = [Reply(row["recorded_output"], "stop")] * attempts
    return settle(get_playbook("cite_or_abstain"), prepared("cite_or_abstain", row), replies)


@cite_rows
def test_output_labels_give_score_statements_and_routing(row: Row) -> None:
    labels = row["labels"]
    found = settled(row, 1)
    assert isinstance(found, Report) == labels["passes"], found
    if not isinstance(found, Report):
        found = settled(row, 2)
        assert isinstance(found, Report)
        assert (found.status, labels["score"]) == (Status.VALIDATION_FAILED, 0.0)
        assert found.routing == labels["routing"]
        return
    assert found.score == pytest.approx(labels["score"], abs=1e-6)
    assert found.routing == labels["routing"]
    given = {one["unit"]: one["label"] for one in labels["statements"]}
    stated = {f.unit_number: f.label for f in found.findings}
    assert given == stated, [(f.unit_number, f.label, f.text) for f in found.findings]
    details = found.details
    assert isinstance(details, CiteDetails)
    assert details.mixed_abstention == labels["mixed_abstention"]
    assert details.conflict_handled == labels["conflict_handled"]


@cite_rows
def test_the_expectation_fits_the_chunks(row: Row) -> None:
    ids = {source["id"] for source in row["sources"]}
    assert set(row["supporting_chunk_ids"]) <= ids
    assert bool(row["supporting_chunk_ids"]) == (row["expected_status"] != "abstained")
    assert not row.get("conflict") or row["expected_status"] == "partial"


def test_every_status_confidence_and_routing_occurs() -> None:
    assert {row["expected_status"] for row in ROWS} == {"answered", "partial", "abstained"}
    assert {row["labels"]["routing"] for row in ROWS} == {
        "deliver",
        "deliver_with_flag",
        "review",
        "refuse",
    }
    statements = {one["label"] for row in ROWS for one in row["labels"]["statements"]}
    assert statements == {"cited", "silent_citation_gap", "misquoted"}
    handled = {row["labels"]["conflict_handled"] for row in ROWS}
    assert handled == {True, False, None}
    assert any(row["labels"]["mixed_abstention"] for row in ROWS)
    assert any(not row["labels"]["passes"] for row in ROWS)
    stated = {
        (row["risk_level"], citation["confidence"])
        for row in ROWS
        if row["recorded_output"].startswith("{") and row["labels"]["passes"]
        for citation in json.loads(row["recorded_output"])["citations"]
    }
    levels = ("high", "medium", "low")
    assert stated >= {(risk, level) for risk in ("standard", "high") for level in levels}
