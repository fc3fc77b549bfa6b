"""Reports and ledger records become rows: complete, exact, the same every time."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from citeval_assets.playbooks.report import ContextCut, Details, Evidence
from citeval_assets.playbooks.vocabulary import Reason, Status
from citeval_assets.warehouse.rows import partition_rows
from citeval_assets.warehouse.values import read_time, storable

from .builders import (
    JUDGED,
    UNDER_TEST,
    call,
    evaluated,
    evaluation,
    finding,
    report,
    rows_of,
    unscored,
)


def test_the_same_records_give_the_same_rows() -> None:
    assert rows_of(report("a"), report("b", 0.5)) == rows_of(report("a"), report("b", 0.5))


def test_columns_show_what_was_issued_and_mark_a_rebuilt_report_that_differs() -> None:
    case = evaluated(report("a", 0.5), score=0.75)
    row = partition_rows(evaluation(), JUDGED, [case]).reports[0]
    assert (row.score, row.differs_from_issued) == (0.75, True)
    assert rows_of(report("a", 0.5)).reports[0].differs_from_issued is False


def test_output_under_test_that_never_passed_counts_zero_but_has_no_score() -> None:
    failed = unscored("a", Status.VALIDATION_FAILED)
    row = rows_of(failed, playbook=UNDER_TEST).reports[0]
    assert (row.score, row.counted_score, row.effective_score) == (None, 0.0, 0.0)


def test_a_judge_that_failed_counts_nothing() -> None:
    row = rows_of(unscored("a", Status.VALIDATION_FAILED)).reports[0]
    assert (row.score, row.counted_score, row.effective_score) == (None, None, None)


def test_a_reviewer_overrides_the_effective_score_alone() -> None:
    row = rows_of(report("a", 0.2), overrides={("a", "prod"): 1.0}).reports[0]
    assert (row.score, row.counted_score, row.effective_score) == (0.2, 0.2, 1.0)
    assert row.overridden is True


def test_every_request_is_a_row_and_the_last_one_carries_the_status_of_the_case() -> None:
    calls = (
        call("a", 1, outcome="failure", text=None, failure_reason="timeout", cost_usd=None),
        call("a", 1, try_number=2, call_id="second", text="not json"),
        call("a", 2, text='{"fine": true}'),
    )
    given = report("a", status=Status.VALID_AFTER_RETRY, attempts=2)
    rows = partition_rows(evaluation(), JUDGED, [evaluated(given, calls)]).judge_outputs
    assert [(row.attempt, row.try_number, row.status, row.reason) for row in rows] == [
        (1, 1, "error", "timeout"),
        (1, 2, "VALIDATION_FAILED", "validation_failed"),
        (2, 1, "valid_after_retry", None),
    ]
    assert [row.raw_response for row in rows] == [None, "not json", '{"fine": true}']


def test_a_reply_cut_at_the_token_limit_says_so() -> None:
    calls = (call("a", 1, finish_reason="length"), call("a", 2))
    rows = partition_rows(evaluation(), JUDGED, [evaluated(report("a"), calls)]).judge_outputs
    assert rows[0].reason == Reason.TRUNCATED


def test_calls_of_an_earlier_run_are_reused_and_cost_nothing_now() -> None:
    cases = [evaluated(report("a")), evaluated(report("b"), (call("b", run_id="run0"),))]
    row = partition_rows(evaluation(), JUDGED, cases).evaluation
    assert (row.calls, row.reused_calls, row.prompt_tokens) == (1, 1, 100)
    assert row.cost_usd == Decimal("0.000001875")


def test_an_unknown_price_makes_the_cost_unknown_and_keeps_what_is_known() -> None:
    cases = [evaluated(report("a")), evaluated(report("b"), (call("b", cost_usd=None),))]
    row = partition_rows(evaluation(), JUDGED, cases).evaluation
    assert (row.cost_usd, row.unpriced_calls) == (None, 1)
    assert row.known_cost_usd == Decimal("0.000001875")


def test_a_failed_request_has_no_price_to_be_unknown() -> None:
    failure = call("a", outcome="failure", text=None, failure_reason="timeout", cost_usd=None)
    case = evaluated(report("a"), (failure, call("a", 2)))
    row = partition_rows(evaluation(), JUDGED, [case]).evaluation
    assert (row.unpriced_calls, row.cost_usd) == (0, Decimal("0.000001875"))


def test_statuses_are_counted_and_both_spellings_of_failed_validation_are_one_rate() -> None:
    row = rows_of(
        report("a"),
        report("b", status=Status.VALID_AFTER_RETRY),
        unscored("c", Status.VALIDATION_FAILED),
        unscored("d", Status.INDETERMINATE, Reason.VALIDATION_FAILED),
        unscored("e", Status.INDETERMINATE, Reason.REFUSAL),
        unscored("f", Status.ERROR, Reason.TIMEOUT),
        unscored("g", Status.NOT_APPLICABLE, Reason.NO_CITATIONS),
    ).evaluation
    assert (row.cases, row.valid, row.valid_after_retry) == (7, 2, 1)
    assert (row.failed, row.indeterminate, row.errors, row.not_applicable) == (1, 2, 1, 1)
    assert row.failed_validation == 2
    assert row.coverage == pytest.approx(2 / 6)
    assert '"error: timeout":1' in row.unscored_reasons


def test_findings_keep_order_flags_and_the_place_of_the_evidence() -> None:
    place = Evidence(source_id="s1", char_start=3, char_end=9, text="steel")
    given = report("a", findings=(finding(0, evidence=(place,)), finding(1, text="second")))
    rows = rows_of(given).findings
    assert [(row.finding_index, row.text) for row in rows] == [
        (0, "The bridge is steel [1]."),
        (1, "second"),
    ]
    assert '"char_start":3' in rows[0].evidence
    assert (rows[0].char_start, rows[0].severity, rows[0].flags) == (20, None, "[]")
    assert rows_of(report("a")).findings[1].severity == "major"


def test_a_cut_context_shows_on_the_report() -> None:
    cut = ContextCut(source_id="s1", tokens_before=900, tokens_after=300)
    assert rows_of(report("a", context_cuts=(cut,))).reports[0].truncated is True


class _Measured(Details):
    value: float


def test_a_report_that_hides_a_nan_in_its_details_is_refused() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        rows_of(report("a", details=_Measured(value=float("nan"))))


def test_fractions_of_a_second_are_decimal_fractions() -> None:
    micros = [
        read_time(text).microsecond
        for text in (
            "2026-01-01T00:00:00.312Z",
            "2026-01-01T00:00:00.312000Z",
            "2026-01-01T00:00:00.3Z",
        )
    ]
    assert micros == [312_000, 312_000, 300_000]
    assert read_time("2026-01-01T02:00:00+02:00") == datetime(2026, 1, 1, tzinfo=UTC)
    assert read_time("2026-01-01T00:00:00").tzinfo is UTC


def test_half_a_surrogate_pair_becomes_a_replacement_character() -> None:
    assert storable("a\ud800b") == "a\ufffdb"
    assert storable("a\U0001f600") == "a\U0001f600"
