"""Playbook 4: each fault of an output in words, what the model is told, and what it costs."""

from dataclasses import dataclass
from typing import Any

import pytest

from playbooks.cite_outputs import (
    BOTH,
    CASE,
    NAME,
    OPENS,
    SEATS,
    abstained,
    answered,
    excerpt,
    partial,
)
from playbooks.settled import escalation_names, problems_with, report_of


@dataclass(frozen=True)
class Fault:
    """One fault in words, the output that has it, and what the model is told."""

    words: str
    output: dict[str, Any]
    told: tuple[str, ...]


FAULTS = [
    Fault(
        "an invented chunk",
        answered("It seats 410 people [c9].", excerpt("It seats 410 people.", "c9")),
        ("citations[0].chunk_id: 'c9', which is no provided chunk", "'c1', 'c2', 'c3'"),
    ),
    Fault(
        "an invented chunk named in the answer alone",
        answered("It seats 410 people [c1]. Seats cost 5 euros [c9].", SEATS),
        ("answer: cites 'c9', which is no provided chunk",),
    ),
    Fault(
        "an excerpt with one word changed",
        answered("It seats 410 people [c1].", excerpt("The hall seats 412 people.")),
        ("citations[0].excerpt: does not stand verbatim in chunk 'c1'",),
    ),
    Fault(
        "an excerpt of another chunk",
        answered("It opens on 3 June [c1].", excerpt("the hall opens on 3 June")),
        ("does not stand verbatim in chunk 'c1' but in 'c2'",),
    ),
    Fault(
        "an excerpt with its parts in the wrong order",
        answered("It was built [c1].", excerpt("It was built in 1911 ... The hall seats 410")),
        ("does not stand verbatim",),
    ),
    Fault(
        "an excerpt of one word",
        answered("It seats 410 people [c1].", excerpt("hall")),
        ("at least three words, or a whole sentence",),
    ),
    Fault(
        "an empty excerpt",
        answered("It seats 410 people [c1].", excerpt("")),
        ("citations[0].excerpt",),
    ),
    Fault(
        "high confidence without a chunk",
        answered(BOTH, SEATS, OPENS, {"chunk_id": None, "excerpt": "x", "confidence": "high"}),
        ("citations[2].confidence", "without a chunk"),
    ),
    Fault(
        "answered without a citation", answered("It seats 410 people."), ("citations: is empty",)
    ),
    Fault(
        "answered with nothing but a citation without a chunk",
        answered("It seats 410.", {"chunk_id": None, "excerpt": "x", "confidence": "low"}),
        ("needs at least one citation of a provided chunk",),
    ),
    Fault("answered with an empty answer", answered(" ", SEATS), ("answer: is empty",)),
    Fault("answered with a null answer", answered(None, SEATS), ("answer: is empty",)),
    Fault("abstained with an answer", abstained(answer="5 euros."), ("answer: must be null",)),
    Fault("abstained with a citation", abstained(citations=[SEATS]), ("citations: must be empty",)),
    Fault("abstained without a reason", abstained(abstention_reason=" "), ("abstention_reason",)),
    Fault(
        "partial without a reason",
        {**partial("It seats 410 people [c1].", SEATS), "abstention_reason": None},
        ("abstention_reason",),
    ),
    Fault(
        "partial that names nothing missing",
        partial("It seats 410 people [c1].", SEATS, missing=(" ",)),
        ("missing_evidence: is empty",),
    ),
    Fault("partial without an answer", partial(None), ("answer: is empty",)),
    Fault("a status nobody knows", {**abstained(), "status": "unsure"}, ("status",)),
    Fault(
        "a confidence as a number",
        answered(BOTH, {**SEATS, "confidence": 0.9}),
        ("citations[0].confidence",),
    ),
]


@pytest.mark.parametrize("fault", FAULTS, ids=[fault.words for fault in FAULTS])
def test_fault_counts_against_the_model_also_when_it_is_repaired(fault: Fault) -> None:
    problems = "\n".join(problems_with(NAME, CASE, fault.output))
    for words in fault.told:
        assert words in problems

    never = report_of(NAME, CASE, [fault.output])
    assert (never.status, never.score, never.routing) == ("VALIDATION_FAILED", None, "review")
    assert escalation_names(never) == ["unscored"]
    assert not never.details.passed

    repaired = report_of(NAME, CASE, [fault.output, answered(BOTH, SEATS, OPENS)])
    assert (repaired.status, repaired.score) == ("valid_after_retry", 0.0)
    assert repaired.routing == "deliver"
    assert len(repaired.details.cited_claims) == 2
    assert not repaired.details.first_attempt.passed


ACCEPTED = [
    ("an excerpt whose typography differs", excerpt("“The hall  seats 410 people”")),
    ("an excerpt with its middle left out", excerpt("The hall seats ... built in 1911")),
    ("an id with blanks around it", excerpt("The hall seats 410 people.", " c1 ")),
    ("an id written as its marker", excerpt("The hall seats 410 people.", "[c1]")),
]


@pytest.mark.parametrize(("words", "citation"), ACCEPTED, ids=[words for words, _ in ACCEPTED])
def test_accepted_excerpt(words: str, citation: dict[str, Any]) -> None:
    assert report_of(NAME, CASE, [answered("It seats 410 people [c1].", citation)]).score == 1.0


def test_a_whole_sentence_of_two_words_is_an_excerpt() -> None:
    output = answered("It is closed on Mondays [c2].", excerpt("Closed on Mondays.", "c2"))
    assert report_of(NAME, CASE, [output]).score == 1.0


def test_exact_matching_refuses_other_typography() -> None:
    output = answered("It seats 410 people [c1].", excerpt("the hall seats 410 people"))
    assert report_of(NAME, CASE, [output], quote_matching="exact").status == "VALIDATION_FAILED"
