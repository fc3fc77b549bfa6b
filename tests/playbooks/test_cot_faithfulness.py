"""Playbook 3: what a report of a reasoning trace holds, and what a judge is shown."""

from typing import Any

import pytest

from citeval_assets.playbooks.cot_faithfulness.references import earlier_steps
from playbooks.cot_outputs import (
    CASE,
    DRY,
    END,
    GOOD,
    NAME,
    SOURCES,
    TRACE,
    VALVE,
    bad,
    output,
    step,
)
from playbooks.settled import prepared, report_of


def test_the_judges_verdict_is_recomputed_and_the_disagreement_recorded() -> None:
    report = report_of(NAME, CASE, [output(*GOOD, bad(3, "unsupported"), verdict="FAITHFUL")])
    assert report.verdict == "UNFAITHFUL"
    assert [(d.field, d.judge, d.computed) for d in report.judge_disagreements] == [
        ("final_verdict", "FAITHFUL", "UNFAITHFUL")
    ]


def test_a_harsh_label_on_a_step_that_asserts_nothing_is_a_recorded_disagreement() -> None:
    report = report_of(NAME, CASE, [output(bad(0, "fabrication"), *GOOD, END)])
    assert [(d.unit_number, d.computed) for d in report.judge_disagreements] == [
        (0, "non_asserting")
    ]
    assert not report.immediate


def test_findings_carry_offsets_evidence_and_the_weight_of_their_sentence() -> None:
    steps = (
        step(1, reference=DRY, step_text="The pump ran dry"),
        bad(1, "unsupported", step_text="at noon on Monday."),
        GOOD[1],
        bad(3, "unsupported"),
    )
    report = report_of(NAME, CASE, [output(*steps)])
    text = "\n".join(TRACE)
    assert [(f.unit_number, f.label, f.weight) for f in report.findings] == [
        (0, "non_asserting", None),
        (1, "FAITHFUL", 0.0),
        (1, "UNFAITHFUL_UNSUPPORTED", 0.0),
        (2, "FAITHFUL", 1.0),
        (3, "UNFAITHFUL_UNSUPPORTED", 0.0),
    ]
    for finding in report.findings:
        assert text[finding.char_start : finding.char_end] == finding.text
    evidence = report.findings[3].evidence[0]
    assert (evidence.source_id, evidence.text) == ("log", VALVE)
    assert SOURCES[0]["text"][evidence.char_start : evidence.char_end] == evidence.text


def test_a_judge_that_joins_a_sentence_with_its_neighbour_has_quoted_it() -> None:
    text = " ".join(TRACE[1:])
    joined = step(1, reference=DRY, step_text=" ".join(TRACE[1:3]))
    steps = (joined, GOOD[1], END)
    shifted = [{**entry, "unit": entry["unit"] - 1} for entry in steps]
    shifted[2]["evidence_reference"] = "steps 0, 1"
    report = report_of(NAME, {**CASE, "reasoning_trace": text}, [output(*shifted)])
    assert report.score == 1.0


def test_without_a_final_answer_the_judge_reads_not_given_and_the_report_warns() -> None:
    case = {key: value for key, value in CASE.items() if key != "final_answer"}
    for blank in (case, {**case, "final_answer": "  "}):
        playbook, ready = prepared(NAME, blank)
        assert playbook.slot_values(ready.view)["FINAL_ANSWER"].text == "not given"
        assert any("final_answer" in warning for warning in ready.warnings)


def test_a_trace_that_asserts_nothing_is_not_applicable_without_a_call() -> None:
    case = {**CASE, "reasoning_trace": ["Let me check the sources.", "What about the pump?"]}
    report = report_of(NAME, case, [])
    assert (report.status, report.reason, report.score) == ("not_applicable", "no_steps", None)


@pytest.mark.parametrize("trace", ["", "  \n", [], ["", " "]])
def test_an_empty_trace_is_refused(trace: Any) -> None:
    with pytest.raises(ValueError, match="required field empty"):
        prepared(NAME, {**CASE, "reasoning_trace": trace})


def test_the_prompt_lists_every_sentence_by_its_number_on_a_line_of_its_own() -> None:
    trace = ["The pump ran dry.\nunit 7: The pump is fine.", "The valve was closed by hand."]
    playbook, ready = prepared(NAME, {**CASE, "reasoning_trace": trace})
    listed = playbook.slot_values(ready.view)["REASONING_TRACE"].text.splitlines()
    numbered = [line for line in listed if line.startswith("unit ")]
    assert [line.split(":")[0] for line in numbered] == [
        f"unit {u.number}" for u in ready.view.units
    ]


def test_gold_labels_are_in_no_slot() -> None:
    case = {**CASE, "labels": {"score": 0.25, "note": "gold-remark"}, "label_source": "human"}
    playbook, ready = prepared(NAME, case)
    shown = " ".join(value.text for value in playbook.slot_values(ready.view).values())
    assert "gold-remark" not in shown
    assert "gold-remark" not in repr(ready.view)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("steps 0, 1", (0, 1)),
        ("step 3", (3,)),
        ("Steps 0 and 2.", (0, 2)),
        ("step 0 and step 1", (0, 1)),
        ("[steps 0-2]", (0, 1, 2)),
        ("(steps 4 to 6)", (4, 5, 6)),
        ("units 1; 2", (1, 2)),
        ("earlier steps 0, 1, and 2", (0, 1, 2)),
        ("steps", ()),
        ("step one", ()),
        ("The pump ran dry in step 2", ()),
        ("steps 0, 1 prove it", ()),
        ("", ()),
    ],
)
def test_reading_a_reference_to_earlier_steps(text: str, numbers: tuple[int, ...]) -> None:
    assert earlier_steps(text) == numbers
