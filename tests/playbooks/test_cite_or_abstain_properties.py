"""Playbook 4: whatever a target model writes, the report keeps the rules."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from citeval_assets.playbooks.cite_or_abstain.metrics import abstention_metrics
from playbooks.cite_outputs import BOTH, CASE, CLOSED, NAME, OPENS, SEATS, SOURCES, answered
from playbooks.settled import problems_with, report_of

SENTENCES = [
    "It seats 410 people [c1].",
    "It opens on 3 June [c2].",
    "It stays closed until 1 July [c3].",
    "Seats cost 5 euros.",
    "Seats cost 5 euros [c9].",
    "The chunks do not say what a seat costs.",
    "I cannot answer this from the provided chunks.",
    "Is it open?",
]
CITATIONS = [
    SEATS,
    OPENS,
    CLOSED,
    {**SEATS, "confidence": "low"},
    {**OPENS, "confidence": "medium"},
    {**SEATS, "excerpt": "The hall seats 412 people."},
    {**SEATS, "excerpt": "hall"},
    {**SEATS, "chunk_id": "c9"},
    {**SEATS, "chunk_id": None},
    {**SEATS, "chunk_id": None, "confidence": "low"},
]
STATUSES = ["answered", "abstained", "partial"]
EXPECTED = st.sampled_from(STATUSES)
NULLABLE = st.sampled_from([None, [], ["the price"], [" "]])


@st.composite
def outputs(draw: st.DrawFn) -> dict[str, Any]:
    sentences = draw(st.lists(st.sampled_from(SENTENCES), max_size=4))
    return {
        "status": draw(st.sampled_from(STATUSES)),
        "answer": " ".join(sentences) or draw(st.sampled_from([None, "", " "])),
        "citations": draw(st.lists(st.sampled_from(CITATIONS), max_size=4)),
        "missing_evidence": draw(NULLABLE),
        "abstention_reason": draw(st.sampled_from([None, "", "No chunk gives it."])),
    }


def case_expecting(status: str, risk: str = "standard") -> dict[str, Any]:
    return {**CASE, "expected_status": status, "supporting_chunk_ids": None, "risk_level": risk}


def stands(citation: dict[str, Any]) -> bool:
    texts = {source["id"]: source["text"] for source in SOURCES}
    long_enough = len(citation["excerpt"].split()) >= 3
    return long_enough and citation["excerpt"] in texts.get(citation["chunk_id"], "")


@settings(max_examples=120, deadline=None)
@given(outputs(), EXPECTED)
def test_the_score_follows_the_rule(output: dict[str, Any], expected: str) -> None:
    report = report_of(NAME, case_expecting(expected), [output])
    assert report.status in ("valid", "VALIDATION_FAILED")
    if report.score is None:
        return
    texts = [s for s in SENTENCES if s in (output["answer"] or "")]
    said = {s: (output["answer"] or "").count(s) for s in texts}
    # "Seats cost 5 euros." is not part of "Seats cost 5 euros [c9]."
    states = {s: n for s, n in said.items() if s in SENTENCES[:5]}
    cited = {c["chunk_id"] for c in output["citations"] if stands(c)}
    backed = sum(n for s, n in states.items() if any(f"[{i}]" in s for i in cited))
    total = sum(states.values())
    if output["status"] != expected:
        wanted = 0.0
    elif expected == "abstained":
        wanted = 1.0
    elif expected == "partial":
        wanted = backed / total if total else 0.0
    else:
        wanted = 1.0 if total and backed == total else 0.0
    if total or expected == "abstained":
        assert report.score == wanted
    else:
        assert report.score == 0.0


@settings(max_examples=100, deadline=None)
@given(outputs(), EXPECTED, st.sampled_from(["standard", "high"]))
def test_nothing_invented_is_delivered(output: dict[str, Any], expected: str, risk: str) -> None:
    report = report_of(NAME, case_expecting(expected, risk), [output])
    if report.routing not in ("deliver", "deliver_with_flag"):
        return
    details = report.details
    assert all(stands(c) for c in output["citations"] if c["chunk_id"] is not None)
    assert details.invented_chunk_ids == ()
    assert details.silent_citation_gaps == ()
    assert details.cited_claims or report.closed_as == "matches_golden"
    if risk == "high":
        assert details.lowest_confidence in ("high", None)


@settings(max_examples=100, deadline=None)
@given(outputs(), EXPECTED, st.sampled_from(["gap", "excerpt", "invented", "repair"]))
def test_a_fault_never_raises_the_score(output: dict[str, Any], expected: str, fault: str) -> None:
    case = case_expecting(expected)
    before = report_of(NAME, case, [output]).score or 0.0
    worse = {**output, "answer": output["answer"] or ""}
    sent: list[Any] = [worse]
    if fault == "gap":
        worse["answer"] += " The balcony is closed."
    elif fault == "excerpt":
        worse["citations"] = [{**c, "excerpt": c["excerpt"] + " x"} for c in output["citations"]]
    elif fault == "invented":
        worse["citations"] = [*output["citations"], {**SEATS, "chunk_id": "c9"}]
    else:
        sent = ["no JSON", output]
    after = report_of(NAME, case, sent).score or 0.0
    unchanged = fault == "excerpt" and not output["citations"]
    assert after == before if unchanged else after <= before


@settings(max_examples=100, deadline=None)
@given(outputs(), EXPECTED)
def test_an_output_that_failed_at_first_scores_nothing(
    output: dict[str, Any], expected: str
) -> None:
    case = case_expecting(expected)
    if problems_with(NAME, case, output):
        report = report_of(NAME, case, [output, answered(BOTH, SEATS, OPENS)])
        assert (report.status, report.score) == ("valid_after_retry", 0.0)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(outputs(), EXPECTED), max_size=5))
def test_every_rate_lies_between_nought_and_one(cases: list[tuple[dict[str, Any], str]]) -> None:
    details = [report_of(NAME, case_expecting(expected), [o]).details for o, expected in cases]
    metrics = abstention_metrics(details)
    assert metrics.cases == len(cases)
    rates = [getattr(metrics, name) for name in metrics.__slots__ if name != "cases"]
    for rate in [r for r in rates if hasattr(r, "denominator")]:
        assert 0 <= rate.numerator <= rate.denominator


@settings(max_examples=100, deadline=None)
@given(st.text(), st.lists(st.text(max_size=30), max_size=3), st.sampled_from(STATUSES))
def test_no_text_makes_settling_fail(answer: str, excerpts: list[str], status: str) -> None:
    citations = [{"chunk_id": text, "excerpt": text, "confidence": "high"} for text in excerpts]
    output = {**answered(answer, *citations), "status": status, "missing_evidence": excerpts}
    for sent in (output, answer):
        report = report_of(NAME, CASE, [sent])
        assert (report.score or 0.0) == 0.0
