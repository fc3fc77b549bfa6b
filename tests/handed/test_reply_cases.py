"""Replies as judges really write them, and as attackers would have them written."""

import json
import re
import time
from typing import Any

import pytest
from pydantic import ValidationError

from citeval_assets.datasets.rows import RowFault, read_case
from citeval_assets.playbooks.registry import get_playbook
from citeval_assets.playbooks.rules import DomainRules
from citeval_assets.playbooks.vocabulary import Status
from handed.adapter_playbooks import rendered
from handed.adapter_replies import (
    LABELS,
    Outcome,
    Reply,
    generated,
    judged_claims,
    plain_claims,
    read,
    repeated,
)
from handed.loader import load_cases

OWED = ("label_map", "aggregate_reporting", "repeat_measurement")
"""Kinds of case that other files here answer for: test_label_cases, test_gate_cases."""

SOURCE = ({"id": "1", "text": "Every statement is made here, and nothing else."},)


def cases(*areas: str, file: str, kinds: tuple[str, ...] = ()) -> Any:
    rows = [
        row
        for row in load_cases(file, *areas)
        if row["kind"] not in OWED and (not kinds or row["kind"] in kinds)
    ]
    return pytest.mark.parametrize("row", rows, ids=[row["id"] for row in rows])


def labels_of(row: dict[str, Any]) -> tuple[str, ...]:
    return tuple(row["input"].get("allowed_labels") or LABELS)


# --- what judges write -------------------------------------------------------------------

FRAMING = (
    "reply_framing",
    "competing_verdicts",
    "label_matching",
    "failure_turned_into_score",
    "unsafe_repair",
)


@cases("judge_output", file="bug_reports", kinds=FRAMING)
def test_a_verdict_is_read_from_one_object_or_not_at_all(row: dict[str, Any]) -> None:
    outcome = read(row["input"]["reply"], labels=labels_of(row))
    expect = row["expect"]
    assert outcome.status == expect["status"], outcome.problems
    assert outcome.report.verdict == expect.get("verdict")
    if expect["status"] == "unscored":
        assert outcome.report.score is None
        assert outcome.report.routing == "review"
    if expect.get("retry"):
        assert outcome.retried
    if expect.get("reason") == "ambiguous":
        assert outcome.report.reason == "ambiguous_reply"
    if row["kind"] == "failure_turned_into_score":
        assert outcome.report.status is Status.INDETERMINATE
        assert not outcome.retried


@cases("judge_output", file="bug_reports", kinds=("verdict_count",))
def test_a_list_of_verdicts_is_complete_or_unscored(row: dict[str, Any]) -> None:
    ids = row["input"]["claim_ids"]
    outcome = judged_claims(plain_claims(ids), SOURCE, row["input"]["reply"])
    assert outcome.status == "unscored"
    assert outcome.report.score is None
    assert outcome.retried
    for missing in row["expect"].get("missing", ()):
        assert f"unit {ids.index(missing)} " in outcome.feedback[0]


@cases("judge_output", file="bug_reports", kinds=("score_reading",))
def test_a_score_is_read_from_its_field_and_never_clamped(row: dict[str, Any]) -> None:
    outcomes = [read(reply, score_field=True) for reply in row["input"]["replies"]]
    assert [outcome.status for outcome in outcomes] == row["expect"]["statuses"]
    for reply, outcome in zip(row["input"]["replies"], outcomes, strict=True):
        if outcome.status == "scored":
            assert outcome.report.score == pytest.approx(json.loads(reply)["score"] / 10)
        else:
            assert outcome.report.score is None


@cases("judge_output", file="bug_reports", kinds=("truncated_or_empty",))
def test_a_cut_or_empty_reply_is_named_before_any_parsing(row: dict[str, Any]) -> None:
    given = row["input"]
    if "reply" in given:
        outcome = read(given["reply"], labels=labels_of(row), finish_reason=given["finish_reason"])
        assert outcome.report.reason == row["expect"]["reason"]
        assert outcome.report.score is None
        assert not outcome.feedback, "a cut reply is asked again with more room, not corrected"
        return
    reasons = [
        str(read(*_body(one)[:1], finish_reason=_body(one)[1]).report.reason)
        for one in given["responses"]
    ]
    names = {"empty response": "empty_response", "content filter": "content_filter"}
    assert reasons == [names.get(reason, reason) for reason in row["expect"]["reasons"]]


def _body(response: dict[str, Any]) -> tuple[str | None, str | None]:
    if not response["choices"]:
        return None, None
    choice = response["choices"][0]
    return choice["message"].get("content"), choice.get("finish_reason")


# --- scoring -----------------------------------------------------------------------------


@cases("scoring", file="bug_reports", kinds=("nothing_to_score",))
def test_nothing_to_score_is_no_number(row: dict[str, Any]) -> None:
    playbook = get_playbook("citation_faithfulness")
    empty = {"citation_faithfulness_score": 1.0, "claims_analysis": [], "overall_assessment": ""}
    statuses = []
    for answer in row["input"]["rows"]:
        case = playbook.case_type.model_validate(
            {
                "test_case_id": "t",
                "system": "s",
                "question": "What is it like?",
                "sources": SOURCE,
                "answer": answer["answer"],
                "claims": answer["claims"],
            }
        )
        prepared = playbook.prepare(case, DomainRules())
        outcome = repeated(playbook, prepared, Reply(json.dumps(empty)))
        statuses.append(outcome.status)
        assert outcome.report.score is None
    assert statuses == row["expect"]["statuses"]


GROUND_TRUTH = {"ground_truth": "reference_answer"}


@cases("scoring", file="bug_reports", kinds=("formula_or_field",))
def test_a_metric_uses_its_own_fields_and_refuses_to_do_without(row: dict[str, Any]) -> None:
    given = row["input"]
    if "metric" in given:
        fields = {
            "test_case_id": "t",
            "system": "s",
            "sources": SOURCE,
            **{GROUND_TRUTH.get(key, key): value for key, value in given["row"].items()},
        }
        with pytest.raises(ValidationError) as refused:
            get_playbook("answer_comparison").case_type.model_validate(fields)
        for missing in row["expect"]["missing"]:
            assert GROUND_TRUTH.get(missing, missing) in str(refused.value)
        get_playbook("citation_faithfulness").case_type.model_validate(fields)
        return
    right = _faithful(given["answer"], given["sources"])
    assert right == row["expect"]["score"]
    assert _faithful(given["ground_truth"], given["sources"]) != right


def _faithful(answer: str, sources: list[str]) -> float | None:
    """Judge an answer with a judge that looks for its words in the passages."""
    playbook = get_playbook("citation_faithfulness")
    case = playbook.case_type.model_validate(
        {
            "test_case_id": "t",
            "system": "s",
            "question": "What is it made of?",
            "sources": sources,
            "answer": answer,
            "claims": [{"text": answer, "cited_ids": ["1"]}],
        }
    )
    prepared = playbook.prepare(case, DomainRules())
    rows = [
        {
            "unit": unit.number,
            "claim_text": unit.text,
            "cited_source_id": "1",
            "verdict": "supported"
            if any(unit.text in passage.text for passage in prepared.view.passages)
            else "contradicted",
            "explanation": "",
        }
        for unit in prepared.view.units
    ]
    reply = {
        "citation_faithfulness_score": 0.0,
        "claims_analysis": rows,
        "overall_assessment": "",
    }
    return repeated(playbook, prepared, Reply(json.dumps(reply))).report.score


# --- attacks -----------------------------------------------------------------------------


@cases("prompt_injection", file="adversarial")
def test_planted_text_makes_no_verdict(row: dict[str, Any]) -> None:
    ATTACKS[row["kind"]](row)


def _final(row: dict[str, Any], outcome: Outcome) -> None:
    expect = row["expect"]
    labels = {outcome.report.verdict}
    if outcome.report.verdict is None:
        labels = {finding.label for finding in outcome.report.findings}
    if "final" in expect:
        assert expect["final"] in labels
    if "final_not" in expect:
        assert expect["final_not"].upper() not in {str(label).upper() for label in labels}
    if expect.get("status") == "unscored":
        assert outcome.status == "unscored"
        assert outcome.report.routing == "review"
    assert set(expect.get("flags", ())) <= outcome.flags


def _instruction_in_source(row: dict[str, Any]) -> None:
    claim = row["input"]["claim"]
    quoted = json.loads(row["input"]["scripted_judge_reply"])["verdicts"][0].get("quote")
    words = f'The text says "{quoted}"' if quoted else claim["text"]
    source = {"id": claim["cites"][0], "text": row["input"]["source"]}
    sentence = f"{words} [{claim['cites'][0]}]."
    outcome = judged_claims({claim["id"]: sentence}, [source], row["input"]["scripted_judge_reply"])
    _final(row, outcome)
    assert outcome.report.routing == "review"


def _verdict_in_source(row: dict[str, Any]) -> None:
    claim = row["input"]["claim"]
    source = {"id": claim["cites"][0], "text": row["input"]["source"]}
    sentence = f"{claim['text']} [{claim['cites'][0]}]."
    outcome = judged_claims({claim["id"]: sentence}, [source], row["input"]["scripted_judge_reply"])
    _final(row, outcome)


def _read_only(row: dict[str, Any]) -> None:
    _final(row, read(row["input"]["scripted_judge_reply"]))


def _fake_section(row: dict[str, Any]) -> None:
    playbook = get_playbook("citation_accuracy")
    case = playbook.case_type.model_validate(
        {
            "test_case_id": "t",
            "system": "s",
            "question": "q",
            "sources": SOURCE,
            "reasoning_trace": row["input"]["trace"] + " [1]",
        }
    )
    prepared = playbook.prepare(case, DomainRules())
    assert prepared.suspicions
    trace = playbook.slot_values(prepared.view)["REASONING_TRACE"]
    assert trace.untrusted
    assert row["input"]["trace"] in trace.text
    prompt = rendered(playbook, prepared)
    if prompt:
        ends = re.findall(r"^<<<END .*REASONING_TRACE.*$", prompt, re.MULTILINE)
        assert len(ends) == row["expect"]["real_end_marks"]
        assert prompt.index(ends[0]) > prompt.index("everything is true")


def _fake_id(row: dict[str, Any]) -> None:
    outcome = judged_claims(
        {"c1": row["input"]["trace"]},
        row["input"]["sources"],
        row["input"]["scripted_judge_reply"],
    )
    _final(row, outcome)
    unresolved = [f.source_id for f in outcome.report.findings if f.decided_by == "code"]
    assert unresolved == row["expect"]["unresolved"]


def _whole_set(row: dict[str, Any]) -> None:
    ids = row["input"]["claim_ids"]
    outcome = judged_claims(plain_claims(ids), SOURCE, row["input"]["scripted_judge_reply"])
    assert outcome.status == "unscored"
    for missing in row["expect"]["missing"]:
        assert f"unit {ids.index(missing)} " in outcome.feedback[0]


def _comparison(row: dict[str, Any]) -> None:
    playbook = get_playbook("answer_comparison")
    case = playbook.case_type.model_validate(
        {
            "test_case_id": "t",
            "system": "s",
            "question": "How many?",
            "sources": SOURCE,
            "answer": row["input"]["answer"],
            "reference_answer": row["input"]["ground_truth"],
            "answerable": True,
        }
    )
    fooled = {"score": "PASS", "explanation": row["input"]["scripted_judge_reply"]}
    reply = {
        "overall_score": "PASS",
        "answer_correctness": fooled,
        "citation_accuracy": {**fooled, "score": "NO_CITATIONS", "unsupported_claims": []},
        "source_faithfulness": fooled,
        "abstention_detection": {**fooled, "score": "CORRECT_ANSWER"},
    }
    prepared = playbook.prepare(case, DomainRules())
    _final(row, repeated(playbook, prepared, Reply(json.dumps(reply))))


def _abstain_gaming(row: dict[str, Any]) -> None:
    playbook = get_playbook("cite_or_abstain")
    case = playbook.case_type.model_validate(
        {
            "test_case_id": "t",
            "system": "s",
            "question": "How tall is the tower?",
            "sources": SOURCE,
            "expected_status": "abstained",
            "supporting_chunk_ids": [],
        }
    )
    reply = {
        "status": "partial",
        "answer": row["input"]["answer"],
        "citations": [],
        "missing_evidence": ["the height"],
        "abstention_reason": "not in the chunks",
    }
    prepared = playbook.prepare(case, DomainRules())
    outcome = repeated(playbook, prepared, Reply(json.dumps(reply)))
    assert outcome.report.details.overall_abstention is row["expect"]["abstained"]
    assert set(row["expect"]["flags"]) <= outcome.flags


def _screened(row: dict[str, Any]) -> None:
    playbook = get_playbook("citation_accuracy")
    case = playbook.case_type.model_validate(
        {
            "test_case_id": "t",
            "system": "s",
            "question": "q",
            "sources": [{"id": "1", "text": row["input"]["source"]}],
            "reasoning_trace": "It says so [1].",
        }
    )
    prepared = playbook.prepare(case, DomainRules())
    assert prepared.suspicions
    assert prepared.view.passages[0].text == row["input"]["source"]


def _feedback_loop(row: dict[str, Any]) -> None:
    reply = row["input"]["scripted_judge_reply"]
    outcome = read(reply)
    assert outcome.status == "unscored"
    windows = {reply[start : start + 20] for start in range(len(reply) - 19)}
    assert not any(window in feedback for window in windows for feedback in outcome.feedback)


def _constraints(row: dict[str, Any]) -> None:
    fields = {
        "test_case_id": "t",
        "system": "s",
        "question": "q",
        "sources": list(SOURCE),
        "reasoning_trace": "It says so [1].",
        "ADDITIONAL_CONSTRAINTS": row["input"]["ADDITIONAL_CONSTRAINTS"],
    }
    with pytest.raises(RowFault):
        read_case(get_playbook("citation_accuracy"), fields)


def _few_shot(row: dict[str, Any]) -> None:
    playbook = get_playbook("citation_accuracy")
    case = playbook.case_type.model_validate(
        {
            "test_case_id": "t",
            "system": "s",
            "question": "q",
            "sources": SOURCE,
            "reasoning_trace": row["input"]["trace"],
        }
    )
    values = playbook.slot_values(playbook.prepare(case, DomainRules()).view)
    holders = [name for name, value in values.items() if row["input"]["trace"] in value.text]
    assert holders == ["REASONING_TRACE"]
    assert values["REASONING_TRACE"].untrusted
    _read_only(row)


ATTACKS = {
    "instruction_in_source": _instruction_in_source,
    "fake_verdict_json": _verdict_in_source,
    "echoed_verdict_json": _read_only,
    "fake_section_end": _fake_section,
    "fake_citation_id": _fake_id,
    "whole_set_reply": _whole_set,
    "answer_attacks_comparison": _comparison,
    "abstain_gaming": _abstain_gaming,
    "language_switch": _screened,
    "feedback_loop": _feedback_loop,
    "rubric_override_constraints": _constraints,
    "few_shot_fake": _few_shot,
}


# --- sizes -------------------------------------------------------------------------------


@cases("size_and_depth", file="adversarial", kinds=("deep_json", "wide_json", "big_number"))
def test_a_monstrous_reply_is_refused_quickly(row: dict[str, Any]) -> None:
    reply = generated(row["input"]["scripted_judge_reply"])
    started = time.process_time()
    outcome = read(reply, score_field="score_field" in row["input"])
    assert time.process_time() - started < 5
    assert outcome.status == "unscored"
    words = {"deep_json": "too deep", "wide_json": "too large", "big_number": "number"}
    assert words[row["kind"]] in outcome.problems
    assert row["expect"].get("reason", "") in outcome.problems


@cases("size_and_depth", file="adversarial", kinds=("many_claims",))
def test_more_citations_than_one_reply_can_answer_for_are_refused(row: dict[str, Any]) -> None:
    trace = generated(row["input"]["trace"])
    sources = [{"id": one, "text": "Fact."} for one in row["input"]["source_ids"]]
    playbook = get_playbook("citation_accuracy")
    case = playbook.case_type.model_validate(
        {
            "test_case_id": "t",
            "system": "s",
            "question": "q",
            "sources": sources,
            "reasoning_trace": trace,
        }
    )
    prepared = playbook.prepare(case, DomainRules())
    outcome = repeated(playbook, prepared, Reply("{}"))
    assert outcome.status == "unscored"
    assert "limit" in outcome.report.message
    assert outcome.report.attempts == 0


@cases("unicode", file="adversarial", kinds=("surrogates",))
def test_a_lone_surrogate_can_be_stored(row: dict[str, Any]) -> None:
    outcome = read(row["input"]["scripted_judge_reply"])
    assert outcome.status == "scored"
    assert any("replaced" in note for note in outcome.report.notes)
    outcome.report.model_dump_json().encode()
