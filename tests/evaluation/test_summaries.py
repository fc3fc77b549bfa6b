"""When a run is complete: what the next run would take up, and what is settled."""

import pytest

from citeval_assets.evaluation.project import Cell
from citeval_assets.evaluation.summaries import summarise
from citeval_assets.playbooks.report import Report
from citeval_assets.playbooks.vocabulary import Reason, RiskLevel, Status

CELL = Cell("citation_accuracy", "judge", "v1")


def report(status: Status, reason: Reason | None = None, score: float | None = None) -> Report:
    return Report(
        playbook=CELL.playbook,
        test_case_id="case",
        system="prod",
        risk_level=RiskLevel.STANDARD,
        status=status,
        reason=reason,
        score=score,
    )


def summary_of(*reports: Report, failure_counts: bool = False):
    return summarise(
        "id", CELL, reports, calls=1, reused_calls=0, cost=None, failure_counts=failure_counts
    )


@pytest.mark.parametrize(
    ("status", "reason", "complete"),
    [
        (Status.VALIDATION_FAILED, Reason.VALIDATION_FAILED, True),
        (Status.INDETERMINATE, Reason.VALIDATION_FAILED, True),
        (Status.INDETERMINATE, Reason.REFUSAL, True),
        (Status.NOT_APPLICABLE, Reason.NO_CITATIONS, True),
        (Status.INDETERMINATE, Reason.CIRCUIT_OPEN, False),
        (Status.INDETERMINATE, Reason.BUDGET, False),
        (Status.INDETERMINATE, Reason.INTERRUPTED, False),
        (Status.ERROR, Reason.UNREACHABLE, False),
    ],
)
def test_a_run_is_complete_unless_the_next_run_would_take_a_case_up(status, reason, complete):
    assert summary_of(report(status, reason)).complete is complete


def test_failed_judgements_are_no_scores_and_lower_the_coverage():
    summary = summary_of(
        report(Status.VALID, score=1.0),
        report(Status.INDETERMINATE, Reason.REFUSAL),
        report(Status.NOT_APPLICABLE, Reason.NO_CITATIONS),
    )
    assert summary.mean_score == 1.0
    assert summary.coverage == 0.5


def test_output_under_test_that_never_passed_counts_zero():
    summary = summary_of(
        report(Status.VALID, score=1.0),
        report(Status.VALIDATION_FAILED, Reason.VALIDATION_FAILED),
        failure_counts=True,
    )
    assert summary.mean_score == 0.5
    assert summary.coverage == 1.0


def test_nothing_to_judge_has_no_mean_and_no_coverage():
    summary = summary_of(report(Status.NOT_APPLICABLE, Reason.NO_CITATIONS))
    assert summary.mean_score is None
    assert summary.coverage is None
