"""Playbook 5: whatever a judge replies, the report keeps the rules."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playbooks.comparison_outputs import ANSWER, CASE, DECLINED, NAME, says
from playbooks.settled import prepared, report_of

ANSWERS = {
    "cited": ANSWER,
    "uncited": "The otter returned in 1998.",
    "invented source": "The otter returned in 1998 [1]. It is protected [7].",
    "invented quotation": 'Otters "feed mainly on small birds" [1].',
    "wrong number": "41",
    "abstention": DECLINED,
    "nothing": "",
}
ENTRIES = ["The otter returned in 1998", "About 140 live along the river.", "the", "Dogs.", ""]
CORRECTNESS = ["PASS", "PARTIAL", "FAIL"]
WORSE = {"PASS": "FAIL", "PARTIAL": "FAIL", "FAIL": "FAIL", "NO_CITATIONS": "FAIL"}


@st.composite
def replies(draw: st.DrawFn) -> dict[str, Any]:
    return says(
        draw(st.sampled_from(CORRECTNESS)),
        draw(st.sampled_from(["PASS", "FAIL", "NO_CITATIONS"])),
        draw(st.sampled_from(["PASS", "PASS", "FAIL"])),
        draw(
            st.sampled_from(
                [
                    "CORRECT_ANSWER",
                    "CORRECT_ANSWER",
                    "INCORRECT_ANSWER",
                    "NOT_APPLICABLE",
                    "CORRECT_ABSTENTION",
                    "INCORRECT_ABSTENTION",
                ]
            )
        ),
        tuple(draw(st.lists(st.sampled_from(ENTRIES), max_size=2))),
        draw(st.sampled_from(["PASS", "FAIL"])),
    )


@st.composite
def cases(draw: st.DrawFn) -> dict[str, Any]:
    answer = draw(st.sampled_from(list(ANSWERS.values())))
    return {
        **CASE,
        "answer": answer,
        "reference_answer": "42" if answer == "41" else CASE["reference_answer"],
        "answerable": draw(st.booleans()),
        "sources": draw(st.sampled_from([CASE["sources"], CASE["sources"], []])),
        "risk_level": draw(st.sampled_from(["standard", "high"])),
    }


@settings(max_examples=100, deadline=None)
@given(cases(), replies())
def test_the_score_follows_the_criteria_of_the_report(
    case: dict[str, Any], reply: dict[str, Any]
) -> None:
    report = report_of(NAME, case, [reply])
    assert report.status in ("valid", "indeterminate")
    if report.score is None:
        return
    criteria = report.details.criteria
    rest = (
        criteria.citation_accuracy in ("PASS", "NO_CITATIONS", "not_judged")
        and criteria.source_faithfulness in ("PASS", "not_judged")
        and not criteria.abstention_detection.startswith("INCORRECT")
    )
    wanted = (
        {"PASS": 1.0, "PARTIAL": 0.5, "FAIL": 0.0}[criteria.answer_correctness] if rest else 0.0
    )
    if criteria.abstention_detection == "CORRECT_ABSTENTION":
        wanted = 1.0
    assert report.score == wanted
    assert report.verdict == ("PASS" if wanted == 1.0 else "FAIL")


@settings(max_examples=100, deadline=None)
@given(cases(), replies())
def test_no_report_is_better_than_the_checks_in_code_allow(
    case: dict[str, Any], reply: dict[str, Any]
) -> None:
    score = report_of(NAME, case, [reply]).score or 0.0
    abstains = case["answer"] in (DECLINED, "")
    if abstains:
        assert score == 0.0 or not case["answerable"]
        return
    if not case["answerable"] or case["answer"] == "41":
        assert score == 0.0
    flawed = (ANSWERS["invented source"], ANSWERS["invented quotation"])
    if case["sources"] and case["answer"] in flawed:
        assert score == 0.0


@settings(max_examples=100, deadline=None)
@given(
    cases(),
    replies(),
    st.sampled_from(["answer_correctness", "citation_accuracy", "source_faithfulness"]),
)
def test_a_worse_criterion_never_raises_the_score(
    case: dict[str, Any], reply: dict[str, Any], name: str
) -> None:
    before = report_of(NAME, case, [reply]).score
    if before is None:
        return
    worse = {**reply, name: {**reply[name], "score": WORSE[reply[name]["score"]]}}
    after = report_of(NAME, case, [worse]).score
    assert after is None or after <= before


@settings(max_examples=100, deadline=None)
@given(cases(), replies(), st.sampled_from(ENTRIES))
def test_one_more_unsupported_claim_never_raises_anything(
    case: dict[str, Any], reply: dict[str, Any], entry: str
) -> None:
    judged = reply["citation_accuracy"]
    more = {**judged, "unsupported_claims": [*judged["unsupported_claims"], entry]}
    before = report_of(NAME, case, [reply])
    after = report_of(NAME, case, [{**reply, "citation_accuracy": more}])
    if before.score is None or after.score is None:
        return
    assert after.score <= before.score
    accuracy = before.details.citation_accuracy, after.details.citation_accuracy
    if None not in accuracy:
        assert accuracy[1] <= accuracy[0]


@settings(max_examples=100, deadline=None)
@given(st.text(), st.text(min_size=1), st.lists(st.text(max_size=20), max_size=3))
def test_no_text_makes_settling_fail(answer: str, reference: str, entries: list[str]) -> None:
    case = {**CASE, "answer": answer, "reference_answer": f"x{reference}"}
    for sent in (says(listed=tuple(entries)), answer):
        report = report_of(NAME, case, [sent])
        assert report.score is None or 0 <= report.score <= 1


@pytest.mark.parametrize("words", ANSWERS)
def test_every_kind_of_answer_can_be_prepared(words: str) -> None:
    _, ready = prepared(NAME, {**CASE, "answer": ANSWERS[words]})
    assert ready.failure is None
