"""Playbook 5: which replies are accepted, and what a report of a comparison holds."""

from typing import Any

import pytest

from playbooks.comparison_outputs import ANSWER, CASE, DECLINED, NAME, says
from playbooks.settled import prepared, problems_with, report_of


@pytest.mark.parametrize(
    ("answer", "answerable", "possible"),
    [
        (ANSWER, True, {"CORRECT_ANSWER", "INCORRECT_ANSWER", "NOT_APPLICABLE"}),
        (ANSWER, False, {"INCORRECT_ANSWER"}),
        (DECLINED, True, {"INCORRECT_ABSTENTION"}),
        (DECLINED, False, {"CORRECT_ABSTENTION"}),
        (" ", False, {"CORRECT_ABSTENTION"}),
    ],
)
def test_only_possible_abstention_scores_are_accepted(
    answer: str, answerable: bool, possible: set[str]
) -> None:
    every = {
        "CORRECT_ABSTENTION",
        "INCORRECT_ABSTENTION",
        "CORRECT_ANSWER",
        "INCORRECT_ANSWER",
        "NOT_APPLICABLE",
    }
    case = {**CASE, "answer": answer, "answerable": answerable}
    accepted = {
        score
        for score in every
        if not any(
            "abstention_detection" in problem
            for problem in problems_with(NAME, case, says(abstention=score))
        )
    }
    assert accepted == possible


FAULTS = [
    (
        "an entry nobody wrote",
        says(listed=("Dogs are allowed.",)),
        "unsupported_claims[0]: does not",
    ),
    ("an empty entry", says(listed=("",)), "unsupported_claims[0]"),
    ("citations denied", says(citations="NO_CITATIONS"), "NO_CITATIONS is impossible here"),
    ("an impossible abstention", says(abstention="CORRECT_ABSTENTION"), "is impossible here"),
    ("a correctness nobody knows", says("CORRECT"), "answer_correctness.score"),
]


@pytest.mark.parametrize(("words", "reply", "told"), FAULTS, ids=[words for words, *_ in FAULTS])
def test_fault_is_asked_again_twice_and_never_scored(
    words: str, reply: dict[str, Any], told: str
) -> None:
    assert told in "\n".join(problems_with(NAME, CASE, reply))
    report = report_of(NAME, CASE, [reply])
    assert (report.status, report.reason) == ("indeterminate", "validation_failed")
    assert (report.score, report.attempts) == (None, 3)
    assert report_of(NAME, CASE, [reply, reply, says()]).score == 1.0


def test_the_answer_is_judged_not_the_reference() -> None:
    """Swapping the two changes the outcome: statements are taken from the answer."""
    listed = ("The bridge is wood.",)
    case = {"question": "Bridge?", "sources": [{"id": "1", "text": "The bridge is steel."}]}
    told = {"answer": "The bridge is wood.", "reference_answer": "The bridge is steel."}
    swapped = {"answer": told["reference_answer"], "reference_answer": told["answer"]}
    reply = says("FAIL", "NO_CITATIONS", "FAIL", "INCORRECT_ANSWER", listed, "FAIL")
    assert report_of(NAME, {**case, **told}, [reply]).details.citation_accuracy == 0.0
    assert report_of(NAME, {**case, **swapped}, [reply]).status == "indeterminate"


def test_unsupported_sentences_carry_offsets_and_cause() -> None:
    reply = says(citations="FAIL", listed=("About 140 live along the river.",), overall="FAIL")
    (sentence,) = report_of(NAME, CASE, [reply]).details.unsupported_sentences
    assert ANSWER[sentence.char_start : sentence.char_end] == sentence.text
    assert sentence.cause == "listed by the judge"


def test_a_case_with_history_is_not_judged() -> None:
    case = {**CASE, "history": [{"role": "user", "content": "Hello"}]}
    report = report_of(NAME, case, [])
    assert (report.status, report.reason) == ("not_applicable", "multi_turn")


@pytest.mark.parametrize("reference", [None, "", "  "])
def test_a_row_without_a_reference_is_refused_by_name(reference: str | None) -> None:
    with pytest.raises(ValueError, match="reference_answer"):
        prepared(NAME, {**CASE, "reference_answer": reference})


def test_a_row_without_an_answer_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="answer"):
        prepared(NAME, {key: value for key, value in CASE.items() if key != "answer"})


def test_the_reference_reaches_the_judge_and_gold_does_not() -> None:
    case = {**CASE, "labels": {"score": 1, "note": "gold-remark"}}
    playbook, ready = prepared(NAME, case, additional_constraints="Round to tens.")
    slots = playbook.slot_values(ready.view)
    assert "about 140 live there" in slots["GROUND_TRUTH_ANSWER"].text
    assert "Round to tens." in slots["ADDITIONAL_CONSTRAINTS"].text
    shown = " ".join(value.text for value in slots.values())
    assert "gold-remark" not in shown
    assert "answerable" not in shown
