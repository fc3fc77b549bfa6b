"""A mean is never shown without what it leaves out."""

import pytest

from citeval_assets.playbooks.citation_faithfulness.scoring import CitationFaithfulnessDetails
from citeval_assets.playbooks.report import Details
from citeval_assets.playbooks.vocabulary import Reason, Status
from citeval_assets.warehouse.trends import ClaimCounts

from .builders import UNDER_TEST, evaluation, report, rows_of, unscored


def test_one_scored_case_of_ten_is_not_a_perfect_result() -> None:
    failed = [unscored(f"f{n}", Status.ERROR, Reason.TIMEOUT) for n in range(9)]
    (row,) = rows_of(report("a", 1.0), *failed).score_trend
    assert (row.mean_score, row.n_scored, row.n_unscored) == (1.0, 1, 9)
    assert row.coverage == pytest.approx(0.1)
    assert (row.worst_case_mean, row.best_case_mean) == (pytest.approx(0.1), pytest.approx(1.0))
    assert row.unscored_reasons == '{"error: timeout":9}'


def test_one_row_per_system_with_an_interval() -> None:
    rows = rows_of(
        report("a", 1.0),
        report("b", 0.5),
        report("c", 0.0),
        report("a", 0.25, system="candidate"),
    ).score_trend
    assert [(row.system, row.n_cases) for row in rows] == [("candidate", 1), ("prod", 3)]
    prod = rows[1]
    assert prod.mean_score == pytest.approx(0.5)
    assert prod.ci_low is not None and prod.ci_high is not None
    assert 0 <= prod.ci_low < 0.5 < prod.ci_high <= 1
    assert (rows[0].ci_low, rows[0].ci_high) == (None, None)


def test_what_does_not_apply_is_no_gap_in_coverage() -> None:
    (row,) = rows_of(
        report("a", 1.0), unscored("b", Status.NOT_APPLICABLE, Reason.NO_CITATIONS)
    ).score_trend
    assert (row.coverage, row.n_not_applicable, row.n_unscored) == (1.0, 1, 0)


def test_nothing_to_judge_gives_no_mean_and_no_coverage() -> None:
    (row,) = rows_of(unscored("b", Status.NOT_APPLICABLE, Reason.NO_CITATIONS)).score_trend
    assert (row.mean_score, row.coverage, row.worst_case_mean) == (None, None, None)


def test_output_under_test_that_never_passed_pulls_the_mean_down() -> None:
    (row,) = rows_of(
        report("a", 1.0), unscored("b", Status.VALIDATION_FAILED), playbook=UNDER_TEST
    ).score_trend
    assert (row.mean_score, row.n_scored, row.n_failed_validation) == (0.5, 2, 1)


def test_overrides_change_the_effective_mean_and_are_counted() -> None:
    (row,) = rows_of(report("a", 0.0), report("b", 1.0), overrides={("a", "prod"): 1.0}).score_trend
    assert (row.mean_score, row.mean_effective_score, row.n_overridden) == (0.5, 1.0, 1)


class _Claims(Details):
    claim_count: int = 5
    supported_claim_count: int = 2
    unsupported_claim_count: int = 1
    missing_citation_count: int = 1
    hallucinated_source_count: int = 1


def test_faithfulness_has_a_row_per_case_with_its_claim_counts() -> None:
    record = evaluation(playbook="citation_faithfulness")
    rows = rows_of(
        report("a", 0.4, details=_Claims()),
        unscored("b", Status.ERROR, Reason.TIMEOUT),
        record=record,
    ).faithfulness_trend
    assert (rows[0].faithfulness_score, rows[0].claim_count) == (0.4, 5)
    assert rows[0].hallucinated_source_count == 1
    assert (rows[1].faithfulness_score, rows[1].claim_count) == (None, None)
    assert rows[1].validation_status == "error"


def test_the_playbook_reports_the_counts_the_trend_asks_for() -> None:
    assert isinstance(CitationFaithfulnessDetails(), ClaimCounts)


def test_other_playbooks_have_no_faithfulness_trend() -> None:
    assert rows_of(report("a")).faithfulness_trend == ()
