"""Playbook 4: each rule in words, what a model writes, and how it is scored and routed."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from playbooks.cite_outputs import (
    BOTH,
    CASE,
    CLOSED,
    NAME,
    OPENS,
    SEATS,
    abstained,
    answered,
    partial,
    unsure,
)
from playbooks.settled import escalation_names, report_of


@dataclass(frozen=True)
class Rule:
    """One rule in words, golden expectation and output, and what the report says."""

    words: str
    output: dict[str, Any]
    score: float
    routing: str = "deliver"
    escalations: list[str] = field(default_factory=list)
    expected: str = "answered"
    risk: str = "standard"
    gaps: int = 0
    cited: int = 0
    abstention: bool = False
    flags: tuple[str, ...] = ()
    conflict: bool = False
    handled: bool | None = None
    closed: bool = False


RULES = [
    Rule("every sentence backed, high confidence", answered(BOTH, SEATS, OPENS), 1, cited=2),
    Rule(
        "an abstention golden data expects is closed: no queue item",
        abstained(),
        1,
        expected="abstained",
        abstention=True,
        closed=True,
    ),
    Rule(
        "an expected abstention leaves nothing open at high risk either",
        abstained(),
        1,
        expected="abstained",
        risk="high",
        abstention=True,
        closed=True,
    ),
    Rule(
        "abstained though answerable scores 0 and goes to review",
        abstained(),
        0,
        "review",
        ["abstention"],
        abstention=True,
    ),
    Rule(
        "answered though not answerable scores 0, however well cited",
        answered(BOTH, SEATS, OPENS),
        0,
        expected="abstained",
        cited=2,
    ),
    Rule(
        "answered where partial is expected scores 0",
        answered(BOTH, SEATS, OPENS),
        0,
        expected="partial",
        cited=2,
    ),
    Rule(
        "rightly partial, all backed: share 1, to review",
        partial("It seats 410 people [c1].", SEATS),
        1,
        "review",
        ["abstention"],
        expected="partial",
        cited=1,
    ),
    Rule(
        "rightly partial with a gap: the share of backed sentences",
        partial("It seats 410 people [c1]. The balcony is closed.", SEATS),
        0.5,
        "review",
        ["abstention", "flag"],
        expected="partial",
        gaps=1,
        cited=1,
    ),
    Rule(
        "'the chunks do not say X' in a partial answer asserts nothing",
        partial("It seats 410 people [c1]. The chunks do not say what a seat costs.", SEATS),
        1,
        "review",
        ["abstention"],
        expected="partial",
        cited=1,
    ),
    Rule(
        "a partial answer may open with what is missing: that is no mixed abstention",
        partial("The chunks do not say what a seat costs. It seats 410 people [c1].", SEATS),
        1,
        "review",
        ["abstention"],
        expected="partial",
        cited=1,
    ),
    Rule(
        "one sentence without an excerpt is a silent gap: score 0",
        answered("It seats 410 people [c1]. The balcony is closed.", SEATS),
        0,
        "review",
        ["flag"],
        gaps=1,
        cited=1,
    ),
    Rule(
        "a marker whose chunk has no excerpt backs nothing",
        answered("It seats 410 people [c1]. It opens on 3 June [c2].", SEATS),
        0,
        "review",
        ["flag"],
        gaps=1,
        cited=1,
    ),
    Rule(
        "an excerpt whose marker is missing in the answer backs nothing",
        answered("It seats 410 people [c1]. It opens on 3 June.", SEATS, OPENS),
        0,
        "review",
        ["flag"],
        gaps=1,
        cited=1,
    ),
    Rule(
        "markers in another style are read too",
        answered("It seats 410 people (Source 1). It opens on 3 June 【2†notice】.", SEATS, OPENS),
        1,
        cited=2,
    ),
    Rule(
        "one backed marker is enough where a sentence has several",
        answered("It seats 410 people [c1][c3]. It opens on 3 June [c2].", SEATS, OPENS),
        1,
        cited=2,
    ),
    Rule(
        "a quotation in the answer that is not in its chunk backs nothing",
        answered('It "seats four hundred and twelve people" [c1].', SEATS),
        0,
        "review",
        ["flag"],
        gaps=1,
    ),
    Rule(
        "an answer without a statement is none",
        answered("I do not know [c1].", SEATS),
        0,
        "review",
        ["abstention"],
        abstention=True,
    ),
    Rule(
        "an abstention followed by a claim is none",
        partial("I cannot answer this from the provided chunks. Seats cost 5 euros."),
        0,
        "review",
        ["abstention", "flag"],
        expected="abstained",
        gaps=1,
        flags=("mixed_abstention",),
    ),
    Rule(
        "an abstention followed by a cited claim is none either",
        answered("I cannot answer this. It seats 410 people [c1].", SEATS),
        0,
        "review",
        ["abstention"],
        expected="abstained",
        cited=1,
        flags=("mixed_abstention",),
    ),
    Rule(
        "standard risk: medium confidence is delivered with a flag",
        answered(BOTH, SEATS, unsure(OPENS, "medium")),
        1,
        "deliver_with_flag",
        cited=2,
        flags=("medium_confidence",),
    ),
    Rule(
        "standard risk: low confidence is reviewed",
        answered(BOTH, SEATS, unsure(OPENS, "low")),
        1,
        "review",
        ["low_confidence"],
        cited=2,
    ),
    Rule(
        "high risk: medium confidence is reviewed",
        answered(BOTH, SEATS, unsure(OPENS, "medium")),
        1,
        "review",
        ["low_confidence"],
        risk="high",
        cited=2,
        flags=("medium_confidence",),
    ),
    Rule(
        "high risk: low confidence is refused",
        answered(BOTH, SEATS, unsure(OPENS, "low")),
        1,
        "refuse",
        ["low_confidence"],
        risk="high",
        cited=2,
    ),
    Rule(
        "the worst confidence counts, also of two citations of one chunk",
        answered(BOTH, SEATS, OPENS, unsure(SEATS, "low")),
        1,
        "review",
        ["low_confidence"],
        cited=2,
    ),
    Rule(
        "a citation without a chunk may stand with low confidence, and backs nothing",
        answered(BOTH, SEATS, OPENS, {"chunk_id": None, "excerpt": "x", "confidence": "low"}),
        1,
        "review",
        ["low_confidence"],
        cited=2,
    ),
    Rule(
        "conflicting chunks: partial, both cited, the conflict named",
        partial("The notices conflict: 3 June [c2] or after 1 July [c3].", OPENS, CLOSED),
        1,
        "review",
        ["abstention"],
        expected="partial",
        cited=1,
        conflict=True,
        handled=True,
    ),
    Rule(
        "a sentence that only names the conflict needs no excerpt",
        partial(
            "The two notices contradict each other. One says 3 June [c2]. "
            "The other says it stays closed until 1 July [c3].",
            OPENS,
            CLOSED,
        ),
        1,
        "review",
        ["abstention"],
        expected="partial",
        cited=2,
        conflict=True,
        handled=True,
    ),
    Rule(
        "a conflict shown from one side only is not handled",
        partial("The notices conflict, and it opens on 3 June [c2].", OPENS),
        1,
        "review",
        ["abstention"],
        expected="partial",
        cited=1,
        conflict=True,
        handled=False,
    ),
    Rule(
        "both sides cited without a word on the conflict is not handled",
        partial("It opens on 3 June [c2]. It stays closed until 1 July [c3].", OPENS, CLOSED),
        1,
        "review",
        ["abstention"],
        expected="partial",
        cited=2,
        conflict=True,
        handled=False,
    ),
    Rule(
        "a hidden conflict: answered with one side",
        answered("It opens on 3 June [c2].", OPENS),
        0,
        expected="partial",
        cited=1,
        conflict=True,
        handled=False,
    ),
]


@pytest.mark.parametrize("rule", RULES, ids=[rule.words for rule in RULES])
def test_rule(rule: Rule) -> None:
    supporting = ["c2", "c3"] if rule.conflict else ["c1", "c2"]
    case = {
        **CASE,
        "expected_status": rule.expected,
        "supporting_chunk_ids": [] if rule.expected == "abstained" else supporting,
        "risk_level": rule.risk,
        "conflict": rule.conflict,
    }
    report = report_of(NAME, case, [rule.output])
    details = report.details

    assert report.status == "valid", report.validation_problems
    assert report.score == pytest.approx(rule.score)
    assert report.routing == rule.routing
    assert escalation_names(report) == rule.escalations
    assert len(details.silent_citation_gaps) == rule.gaps
    assert len(details.cited_claims) == rule.cited
    assert details.overall_abstention is rule.abstention
    assert report.flags == rule.flags
    assert details.mixed_abstention is ("mixed_abstention" in rule.flags)
    assert details.conflict_handled is rule.handled
    assert report.closed_as == ("matches_golden" if rule.closed else None)
    assert report.provisional is (rule.risk == "high" and bool(rule.escalations))
