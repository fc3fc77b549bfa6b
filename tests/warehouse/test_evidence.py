"""Why a case came out as it did."""

from citeval_assets.playbooks.report import Evidence
from citeval_assets.warehouse.connection import Warehouse
from citeval_assets.warehouse.evidence import failing_findings, question_of
from citeval_assets.warehouse.tables import TestCaseRow
from citeval_assets.warehouse.writers import write_partition, write_test_cases

from .builders import finding, flag, report, rows_of


def test_what_cost_the_score_comes_with_flags_and_evidence(warehouse: Warehouse) -> None:
    place = Evidence(source_id="s1", char_start=0, char_end=5, text="steel")
    bad = finding(1, weight=0.0, label="unsupported", flags=(flag(),), evidence=(place,))
    half = finding(2, weight=0.5, label="partially_supported")
    write_partition(warehouse, rows_of(report("a", 0.5, findings=(finding(0), half, bad))))
    with warehouse.reading() as connection:
        found = failing_findings(connection, "e1", "a", "prod")
        assert failing_findings(connection, "e1", "a", "next") == []
    assert [one.label for one in found] == ["unsupported", "partially_supported"]
    assert (found[0].flags, found[0].evidence) == (("unsupported",), ("steel",))
    assert "[s1]: unsupported" in found[0].told


def test_the_question_of_a_case_that_is_gone_is_empty(warehouse: Warehouse) -> None:
    row = TestCaseRow("p", "d", "v", "a", "prod", "h", "golden", None, "Why?")
    write_test_cases(warehouse, "p", [row], [])
    with warehouse.reading() as connection:
        assert question_of(connection, "p", "a", "prod") == "Why?"
        assert question_of(connection, "p", "b", "prod") == ""
