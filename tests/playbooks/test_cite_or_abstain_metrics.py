"""The metrics of a target model, counted by hand over a few cases."""

from typing import Any

import pytest

from citeval_assets.playbooks.cite_or_abstain.metrics import Rate, abstention_metrics
from citeval_assets.playbooks.cite_or_abstain.schema import (
    CiteDetails,
    ConfidenceTally,
    FirstAttempt,
)


def details(expected: str, first: dict[str, Any] | None, **golden: Any) -> CiteDetails:
    attempt = None if first is None else FirstAttempt.model_validate({"readable": True, **first})
    return CiteDetails.model_validate(
        {"expected_status": expected, "first_attempt": attempt, **golden}
    )


ANSWERED = {
    "passed": True,
    "status": "answered",
    "excerpts": 2,
    "verbatim_excerpts": 2,
    "cited_chunk_ids": ("a", "b"),
    "asserting_sentences": 2,
}
ABSTAINED = {"passed": True, "status": "abstained", "overall_abstention": True}
PARTIAL = {**ANSWERED, "status": "partial", "asserting_sentences": 3, "silent_citation_gaps": 1}


def test_every_metric_over_a_small_set() -> None:
    tally = ConfidenceTally(confidence="high", citations=2, wrong=1)
    metrics = abstention_metrics(
        [
            details(
                "answered", {**ANSWERED, "by_confidence": (tally,)}, supporting_chunk_ids=("a",)
            ),
            details("answered", ABSTAINED, supporting_chunk_ids=("a", "b", "c")),
            details(
                "abstained",
                {
                    **ANSWERED,
                    "passed": False,
                    "verbatim_excerpts": 0,
                    "cited_chunk_ids": (),
                    "invented_chunk_ids": ("x",),
                },
                supporting_chunk_ids=(),
            ),
            details("abstained", ABSTAINED, supporting_chunk_ids=()),
            details("partial", {**PARTIAL, "conflict_handled": True}, conflict=True),
            details("partial", {**ANSWERED, "conflict_handled": False}, conflict=True),
            details("answered", {"readable": False}),
            details("answered", None),
        ]
    )
    assert metrics.cases == 7
    assert metrics.readable == Rate(6, 7)
    assert metrics.first_pass == Rate(5, 7)
    assert metrics.false_abstention == Rate(1, 4)
    assert metrics.missed_abstention == Rate(1, 2)
    assert metrics.silent_gap == Rate(1, 9)
    assert metrics.verbatim_excerpt == Rate(6, 8)
    assert metrics.citation_precision == Rate(1, 3)
    assert metrics.citation_recall == Rate(1, 4)
    assert metrics.partial_status == Rate(1, 2)
    assert metrics.conflict_handling == Rate(1, 2)
    assert metrics.abstention == Rate(2, 6)
    assert metrics.expected_abstention == Rate(2, 6)
    assert metrics.abstention_excess == pytest.approx(0)
    assert {e.confidence: e.rate for e in metrics.error_by_confidence} == {
        "high": Rate(1, 2),
        "medium": Rate(0, 0),
        "low": Rate(0, 0),
    }


def test_nothing_to_count_is_no_rate() -> None:
    metrics = abstention_metrics([])
    assert metrics.false_abstention.value is None
    assert metrics.abstention_excess is None


def test_status_abstained_beside_a_claim_is_no_abstention() -> None:
    mixed = {"status": "abstained", "overall_abstention": False, "mixed_abstention": True}
    assert abstention_metrics([details("abstained", mixed)]).missed_abstention == Rate(1, 1)
