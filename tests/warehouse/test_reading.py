"""The typed questions commands, pages and gates ask."""

import duckdb
import pytest

from citeval_assets.playbooks.report import Details, Escalation
from citeval_assets.playbooks.vocabulary import EscalationName, Reason, Severity, Status
from citeval_assets.warehouse import reading
from citeval_assets.warehouse.connection import Warehouse, open_locked
from citeval_assets.warehouse.reading import Side
from citeval_assets.warehouse.tables import EvaluationRow, TestCaseRow
from citeval_assets.warehouse.writers import write_partition, write_test_cases

from .builders import evaluation, report, rows_of, unscored


def test_the_score_table_counts_what_its_mean_leaves_out(warehouse: Warehouse) -> None:
    write_partition(
        warehouse,
        rows_of(
            report("a", 1.0),
            unscored("b", Status.VALIDATION_FAILED),
            report("a", 0.5, system="candidate"),
        ),
    )
    with warehouse.reading() as connection:
        candidate, prod = reading.score_table(connection)
        assert reading.score_table(connection, playbook="cot_faithfulness") == []
    assert (candidate.system, candidate.mean_score, candidate.n_cases) == ("candidate", 0.5, 1)
    assert (prod.mean_score, prod.n_scored, prod.n_unscored) == (1.0, 1, 1)
    assert (prod.coverage, prod.failed_validation_rate) == (0.5, 0.5)
    assert prod.unscored_reasons == {"VALIDATION_FAILED: validation_failed": 1}
    assert (prod.n_escalated, prod.model, prod.prompt_version) == (1, "judge-a", "v1")


def test_the_score_table_and_the_trend_say_the_same(warehouse: Warehouse) -> None:
    rows = rows_of(report("a", 0.3), report("b", 0.9), unscored("c", Status.ERROR, Reason.TIMEOUT))
    write_partition(warehouse, rows)
    with warehouse.reading() as connection:
        (line,) = reading.score_table(connection)
        (trend,) = reading.score_history(connection)
    assert trend == rows.score_trend[0]
    for name in ("mean_score", "ci_low", "ci_high", "coverage", "worst_case_mean", "n_error"):
        assert getattr(line, name) == getattr(trend, name)


def test_worst_cases_stand_first_and_perfect_ones_not_at_all(warehouse: Warehouse) -> None:
    escalated = (Escalation(name=EscalationName.LOW_SCORE),)
    write_partition(
        warehouse,
        rows_of(
            report("good", 1.0),
            report("fair", 0.5),
            report("bad", 0.0, escalations=escalated, verdict="FAIL"),
            unscored("broken", Status.INDETERMINATE, Reason.REFUSAL, message="I cannot"),
            unscored("empty", Status.NOT_APPLICABLE, Reason.NO_CITATIONS),
        ),
    )
    question = TestCaseRow(
        "citation_accuracy", "g", "d1", "bad", "prod", "h", "golden", None, "Which bridge?"
    )
    write_test_cases(warehouse, "citation_accuracy", [question], [])
    with warehouse.reading() as connection:
        worst = reading.worst_cases(connection, "citation_accuracy")
        short = reading.worst_cases(connection, "citation_accuracy", system="prod", limit=1)
    assert [case.test_case_id for case in worst] == ["bad", "fair", "broken"]
    assert (worst[0].question, worst[0].why) == ("Which bridge?", "FAIL, low_score")
    assert worst[2].why == "indeterminate: refusal (I cannot)"
    assert short == worst[:1]


class _Claims(Details):
    claim_count: int = 2
    supported_claim_count: int = 1
    unsupported_claim_count: int = 0
    missing_citation_count: int = 0
    hallucinated_source_count: int = 1


def test_two_systems_are_compared_on_the_same_cases(warehouse: Warehouse) -> None:
    record = evaluation(playbook="citation_faithfulness")
    write_partition(
        warehouse,
        rows_of(
            report("a", 1.0),
            report("b", 0.5),
            report("c", 0.5),
            report("only-prod", 1.0),
            report("a", 0.25, system="next", details=_Claims()),
            report("b", 0.75, system="next"),
            unscored("c", Status.ERROR, Reason.TIMEOUT, system="next"),
            record=record,
        ),
    )
    with warehouse.reading() as connection:
        pairs = reading.paired_cases(
            connection,
            "citation_faithfulness",
            baseline=Side("judge-a", "v1", "prod"),
            candidate=Side("judge-a", "v1", "next"),
        )
    assert [(pair.test_case_id, pair.difference) for pair in pairs] == [
        ("a", -0.75),
        ("b", 0.25),
        ("c", None),
        ("only-prod", None),
    ]
    assert pairs[0].candidate is not None
    assert pairs[0].candidate.hallucinated_source_count == 1
    assert pairs[2].candidate is not None
    assert pairs[2].candidate.validation_status == "error"
    assert pairs[3].candidate is None


def test_two_judges_are_compared_on_every_system(warehouse: Warehouse) -> None:
    for model, score in (("judge-a", 0.5), ("judge-b", 0.75)):
        write_partition(
            warehouse,
            rows_of(
                report("a", score),
                report("a", score, system="next"),
                record=evaluation(f"e-{model}", model=model),
            ),
        )
    with warehouse.reading() as connection:
        pairs = reading.paired_cases(
            connection,
            "citation_accuracy",
            baseline=Side("judge-a", "v1"),
            candidate=Side("judge-b", "v1"),
        )
    assert [(p.baseline.system, p.difference) for p in pairs if p.baseline] == [
        ("next", 0.25),
        ("prod", 0.25),
    ]


def test_gates_compare_effective_scores_and_see_overrides(warehouse: Warehouse) -> None:
    write_partition(
        warehouse,
        rows_of(
            report("a", 1.0),
            report("a", 0.0, system="next"),
            overrides={("a", "next"): 1.0},
        ),
    )
    with warehouse.reading() as connection:
        (pair,) = reading.paired_cases(
            connection,
            "citation_accuracy",
            baseline=Side("judge-a", "v1", "prod"),
            candidate=Side("judge-a", "v1", "next"),
        )
    assert pair.difference == 0.0
    assert pair.candidate is not None and pair.candidate.overridden


def test_the_history_of_a_case_goes_through_all_evaluations(warehouse: Warehouse) -> None:
    for number, score in enumerate((0.25, 0.5)):
        record = evaluation(f"e{number}", finished_at=f"2026-11-30T08:00:0{number}+00:00")
        write_partition(warehouse, rows_of(report("a", score), report("b"), record=record))
    with warehouse.reading() as connection:
        history = reading.case_history(connection, "citation_accuracy", "a")
        assert reading.case_history(connection, "citation_accuracy", "a", system="x") == []
    assert [(moment.evaluation_id, moment.score) for moment in history] == [
        ("e0", 0.25),
        ("e1", 0.5),
    ]
    assert history[0].finished_at < history[1].finished_at


def test_what_a_person_must_look_at_comes_with_all_its_reasons(warehouse: Warehouse) -> None:
    reasons = (
        Escalation(name=EscalationName.FLAG, severity=Severity.CRITICAL, detail="source 9"),
        Escalation(name=EscalationName.LOW_SCORE),
    )
    abstention = (Escalation(name=EscalationName.ABSTENTION),)
    write_partition(
        warehouse,
        rows_of(
            report("fine"),
            report("bad", 0.0, escalations=reasons),
            report("expected", escalations=abstention, closed_as="matches_golden"),
        ),
    )
    with warehouse.reading() as connection:
        (found,) = reading.escalated_reports(connection)
    assert (found.test_case_id, found.escalations) == ("bad", reasons)
    assert found.finished_at.isoformat() == "2026-11-30T08:00:05.250000+00:00"


def test_the_known_evaluations_are_none_where_nothing_was_written(warehouse: Warehouse) -> None:
    assert reading.evaluation_ids(warehouse) == frozenset()
    write_partition(warehouse, rows_of(report("a")))
    assert reading.evaluation_ids(warehouse) == {"e1"}


def test_current_evaluations_come_back_whole(warehouse: Warehouse) -> None:
    rows = rows_of(report("a"))
    write_partition(warehouse, rows)
    with warehouse.reading() as connection:
        found = reading.current_evaluations(connection)
        labels = reading.label_counts(connection)
    assert found == [rows.evaluation]
    assert isinstance(found[0], EvaluationRow)
    assert [(count.label, count.findings) for count in labels] == [
        ("fully_supported", 1),
        ("unsupported", 1),
    ]


def test_a_nan_that_somebody_smuggled_in_is_found(warehouse: Warehouse) -> None:
    write_partition(warehouse, rows_of(report("a", 0.5), report("b", 0.5)))
    with open_locked(warehouse.path) as connection:
        _drop_checks(connection)
        connection.execute("UPDATE reports SET score = 'nan'::DOUBLE WHERE test_case_id = 'b'")
        assert reading.non_finite_scores(connection) == [("e1", "b", "prod")]


def _drop_checks(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("DROP VIEW current_findings")
    connection.execute("DROP VIEW current_reports")
    connection.execute("CREATE TABLE unchecked AS SELECT * FROM reports")
    connection.execute("DROP TABLE reports")
    connection.execute("ALTER TABLE unchecked RENAME TO reports")


@pytest.mark.parametrize("hostile", ["x'; DROP TABLE reports;--", "%", "_", "$1", "?", "NULL"])
def test_hostile_ids_are_found_as_data(warehouse: Warehouse, hostile: str) -> None:
    write_partition(warehouse, rows_of(report(hostile, 0.5), report("other", 0.5)))
    with warehouse.reading() as connection:
        history = reading.case_history(connection, "citation_accuracy", hostile)
        none = reading.worst_cases(connection, "citation_accuracy", system=hostile)
    assert [moment.evaluation_id for moment in history] == ["e1"]
    assert none == []
