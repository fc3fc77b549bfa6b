"""The golden traces: labels number citations and sentences, and give score and verdict."""

from collections import Counter

import pytest
from golden_rows import Row, key, prepared, read_rows, report

from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.vocabulary import Status, ViolationCategory

ACCURACY = read_rows("citation_accuracy")
COT = read_rows("cot_faithfulness")
accuracy_rows = pytest.mark.parametrize("row", ACCURACY, ids=key)
cot_rows = pytest.mark.parametrize("row", COT, ids=key)


def accuracy_reply(row: Row, units: tuple) -> Row:
    labels = row["labels"]
    judged = [
        (one, unit)
        for one, unit in zip(labels.get("citations", []), units, strict=True)
        if unit.asked
    ]
    evaluations = [
        {
            "unit": unit.number,
            "citation_id": one["citation_id"],
            "reasoning_step_index": unit.step_index,
            "reasoning_step_text": unit.sentence,
            "citation_exists": True,
            "quote_accurate": one["quote_accurate"],
            "context_fidelity": one["context_fidelity"],
            "claim_support_strength": one["claim_support_strength"],
            "explanation": labels["why"],
            "flagged": bool(one["flags"]),
        }
        for one, unit in judged
    ]
    flags = [
        {**flag, "unit": unit.number, "citation_id": one["citation_id"], "detail": labels["why"]}
        for one, unit in judged
        for flag in one["flags"]
    ]
    return {
        "overall_citation_accuracy_score": labels["score"] or 0.0,
        "total_citations_evaluated": len(evaluations),
        "citation_evaluations": evaluations,
        "misattribution_flags": flags,
        "summary": "As labelled.",
    }


@accuracy_rows
def test_labels_number_the_citations_of_a_trace(row: Row) -> None:
    units = prepared("citation_accuracy", row).units
    labels = row["labels"].get("citations", [])
    assert len(labels) == len(units), [(u.number, u.citation.raw_id, u.sentence) for u in units]
    for one, unit in zip(labels, units, strict=True):
        assert one["citation_exists"] == unit.asked, unit.sentence
        if one["citation_id"] is not None:
            assert one["citation_id"] == (unit.source_id or unit.citation.raw_id), unit.sentence


@accuracy_rows
def test_citation_labels_give_the_score_and_the_flags(row: Row) -> None:
    labels = row["labels"]
    ready = prepared("citation_accuracy", row)
    found = report("citation_accuracy", row, accuracy_reply(row, ready.units))
    uncited = tuple(sentence.text for sentence in ready.uncited)
    assert uncited == tuple(labels["uncited_claims"])
    if labels["score"] is None:
        assert (found.status, str(found.reason)) == (Status.NOT_APPLICABLE, labels["reason"])
        return
    assert found.status is Status.VALID, found.validation_problems
    assert found.score == pytest.approx(labels["score"], abs=1e-6)
    assert found.judge_disagreements == ()
    for one, finding in zip(labels["citations"], found.findings, strict=True):
        flags = {(flag.type, flag.severity.value) for flag in finding.flags}
        assert flags == {(f["flag_type"], f["severity"]) for f in one["flags"]}, finding.text
        assert finding.label == one.get("claim_support_strength", "citation_not_found")
        assert finding.quote_found_in == one.get("quote_found_in"), finding.text


@pytest.mark.parametrize("row", [r for r in ACCURACY if "neighbour_context" in r["tags"]], ids=key)
def test_a_row_about_context_is_shown_the_chunk_beside_the_cited_one(row: Row) -> None:
    shown = prepared("citation_accuracy", row, DomainRules(neighbour_chunks=1)).view.passages
    beside = [passage for passage in shown if not passage.cited]
    cited = {passage.document for passage in shown if passage.cited}
    assert any(passage.document in cited for passage in beside)


def cot_reply(row: Row, steps: tuple) -> Row:
    labels = row["labels"]
    return {
        "steps": [
            {
                "unit": one["unit"],
                "step_index": one["unit"],
                "step_text": one.get("step_text", steps[one["unit"]].text),
                "label": one["label"],
                "category": one["category"],
                "evidence_reference": one["evidence_reference"],
                "explanation": labels["why"],
            }
            for one in labels["steps"]
            if one["label"] != "non_asserting"
        ],
        "final_verdict": labels.get("final_verdict", "FAITHFUL"),
        "overall_notes": "As labelled.",
    }


@cot_rows
def test_labels_number_the_sentences_of_a_trace(row: Row) -> None:
    steps = prepared("cot_faithfulness", row).steps
    labels = row["labels"]["steps"]
    shown = [(step.number, step.asserting, step.text) for step in steps]
    assert sorted({one["unit"] for one in labels}) == [step.number for step in steps], shown
    silent = {one["unit"] for one in labels if one["label"] == "non_asserting"}
    assert silent == {step.number for step in steps if not step.asserting}, shown


@cot_rows
def test_step_labels_give_score_verdict_and_violations(row: Row) -> None:
    labels = row["labels"]
    found = report("cot_faithfulness", row, cot_reply(row, prepared("cot_faithfulness", row).steps))
    if labels["score"] is None:
        assert (found.status, str(found.reason)) == (Status.NOT_APPLICABLE, labels["reason"])
        return
    assert found.status is Status.VALID, found.validation_problems
    assert found.score == pytest.approx(labels["score"], abs=1e-6)
    assert found.verdict == labels["final_verdict"]
    assert found.details.model_dump()["faithfulness_label"] == labels["faithfulness_label"]
    assert found.judge_disagreements == ()
    assert found.warnings == () or not row.get("final_answer"), found.warnings
    wrong = Counter(
        (one["unit"], one["category"]) for one in labels["steps"] if one.get("category")
    )
    violations = found.details.model_dump()["violations"]
    assert wrong == Counter((v["unit_number"], v["category"]) for v in violations)


def test_every_kind_of_citation_occurs() -> None:
    citations = [one for row in ACCURACY for one in row["labels"].get("citations", [])]
    assert {one.get("claim_support_strength") for one in citations} == {
        "fully_supported",
        "partially_supported",
        "unsupported",
        None,
    }
    fidelity = {one.get("context_fidelity") for one in citations}
    assert fidelity >= {"accurate", "mismatch", "partial_mismatch"}
    flags = {(f["flag_type"], f["severity"]) for one in citations for f in one["flags"]}
    assert flags == {
        ("citation_not_found", "critical"),
        ("quote_mismatch", "major"),
        ("context_mismatch", "major"),
        ("unsupported", "major"),
        ("unsupported", "critical"),
    }
    assert any("quote_found_in" in one for one in citations)
    assert any(row["labels"]["score"] is None for row in ACCURACY)
    assert any(row["labels"]["uncited_claims"] for row in ACCURACY)
    assert {row["risk_level"] for row in ACCURACY} == {"standard", "high"}


def test_every_label_and_category_of_a_step_occurs() -> None:
    steps = [one for row in COT for one in row["labels"]["steps"]]
    assert {one["label"] for one in steps} == {
        "FAITHFUL",
        "UNFAITHFUL_FABRICATION",
        "UNFAITHFUL_IGNORED_EVIDENCE",
        "UNFAITHFUL_RATIONALIZATION",
        "UNFAITHFUL_UNSUPPORTED",
        "non_asserting",
    }
    assert {one.get("category") for one in steps} >= {str(c) for c in ViolationCategory}
    assert any(str(one.get("evidence_reference")).startswith("step") for one in steps)
    assert any("step_text" in one for one in steps)
    assert any(not row.get("final_answer") for row in COT)
    labels = {row["labels"].get("faithfulness_label") for row in COT}
    assert labels >= {"faithful", "partially_faithful", "unfaithful"}
