"""Writing the warehouse: each step replaces what is its own in one short transaction.

A reader sees the old rows or the new ones, never a mixture; a killed writer leaves the old ones.
Rows go over in bulk as pandas frames. All values travel as parameters or frame columns, so text
from cases and models is never part of a statement.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import astuple
from math import isfinite
from sys import intern

from citeval_assets.warehouse.connection import Warehouse
from citeval_assets.warehouse.duck import Connection
from citeval_assets.warehouse.frames import ValueRefused, frame_of
from citeval_assets.warehouse.judge_tables import (
    BridgeRow,
    CalibrationRow,
    JudgeNoiseRow,
    JudgeQualificationRow,
)
from citeval_assets.warehouse.rows import PartitionRows
from citeval_assets.warehouse.spool import Spool
from citeval_assets.warehouse.sql import query
from citeval_assets.warehouse.tables import (
    TABLES,
    EvaluationRow,
    GateResultRow,
    QuarantineRow,
    ReportRow,
    ReviewQueueRow,
    Row,
    ScoreTrendRow,
    TestCaseRow,
    TraceSampleRow,
)
from citeval_assets.warehouse.totals import CaseRows


class DuplicateRows(ValueError):
    """One case stands twice in one evaluation: the caller mixed two data sets."""


def write_partition(warehouse: Warehouse, rows: PartitionRows) -> dict[str, int]:
    """Replace the rows of one evaluation and make it the current one of its partition.

    Returns:
        The number of rows written to each table.

    Raises:
        ValueRefused: for a number that is not finite, or a missing or mistyped value.
        DuplicateRows: where two reports are about the same case.
        WarehouseError: where the warehouse is busy or cannot be used.
    """
    with Spool(warehouse) as spool:
        writer = PartitionWriter(rows.evaluation.evaluation_id, spool)
        for report in rows.reports:
            writer.check(report)
        spool.add(
            {
                "judge_outputs": rows.judge_outputs,
                "reports": rows.reports,
                "findings": rows.findings,
                "faithfulness_trend": rows.faithfulness_trend,
            }
        )
        return writer.finish(warehouse, rows.evaluation, rows.score_trend)


class PartitionWriter:
    """Writes an evaluation case by case. What it wrote counts at once, at the end.

    Errors as of ``write_partition``.
    """

    def __init__(self, evaluation_id: str, spool: Spool) -> None:
        self._evaluation_id = evaluation_id
        self._spool = spool
        self._seen: set[tuple[str, str]] = set()

    def add(self, rows: CaseRows) -> None:
        """Take the rows of one case."""
        self.check(rows.report)
        self._spool.add(
            {
                "judge_outputs": rows.judge_outputs,
                "reports": (rows.report,),
                "findings": rows.findings,
                "faithfulness_trend": rows.faithfulness_trend,
            }
        )

    def check(self, report: ReportRow) -> None:
        """Refuse a second report about the same case."""
        key = (report.test_case_id, intern(report.system))
        if key in self._seen:
            raise DuplicateRows(
                f"evaluation {self._evaluation_id}: case {key[0]!r} of system {key[1]!r} "
                "stands twice; rows of one key are quarantined when the cases are loaded"
            )
        self._seen.add(key)

    def finish(
        self, warehouse: Warehouse, evaluation: EvaluationRow, score_trend: Sequence[ScoreTrendRow]
    ) -> dict[str, int]:
        """Put all rows in the place of those of the evaluation, and make it the current one."""
        self._spool.add({"evaluations": (evaluation,), "score_trend": score_trend})
        partition = {
            "playbook": evaluation.playbook,
            "model": evaluation.model,
            "prompt_version": evaluation.prompt_version,
            "scope": evaluation.scope,
        }
        with transaction(warehouse) as connection:
            connection.execute("SET VARIABLE evaluation_id = ?", [evaluation.evaluation_id])
            connection.execute(query("delete_evaluation"))
            self._spool.pour(connection)
            connection.execute(query("supersede"), partition)
            connection.execute(
                query("make_current"), {**partition, "evaluation_id": evaluation.evaluation_id}
            )
            connection.execute(query("renumber_current"))
        return dict(self._spool.counts)


def write_test_cases(
    warehouse: Warehouse,
    playbook: str,
    cases: Iterable[TestCaseRow],
    quarantine: Sequence[QuarantineRow],
    *,
    datasets: Sequence[str] | None = None,
) -> None:
    """Replace the present cases and the refused rows of a playbook.

    Args:
        warehouse: where to.
        playbook: whose cases these are.
        cases: the cases of the present data set version.
        quarantine: the rows that were refused.
        datasets: replace those of these data sets only; ``None`` replaces all.
    """
    chosen = {"playbook": playbook, "datasets": None if datasets is None else list(datasets)}
    with Spool(warehouse) as spool:
        for case in cases:
            spool.add({"test_cases": (case,)})
        spool.add({"quarantine": quarantine})
        with transaction(warehouse) as connection:
            connection.execute(query("delete_test_cases"), chosen)
            connection.execute(query("delete_quarantine"), chosen)
            spool.pour(connection)


def write_samples(
    warehouse: Warehouse, samples: Sequence[TraceSampleRow], cases: Sequence[TestCaseRow]
) -> None:
    """Replace all that is known of the nightly samples, with the traces that were drawn."""
    content: dict[str, Sequence[Row]] = {"trace_samples": samples, "test_cases": cases}
    frames = {table: frame_of(TABLES[table], rows) for table, rows in content.items()}
    with transaction(warehouse) as connection:
        connection.execute(query("delete_samples"))
        for table, frame in frames.items():
            if len(frame):
                connection.append(table, frame, by_name=True)


def write_gate_results(
    warehouse: Warehouse, rows: Sequence[GateResultRow], *, gates: Sequence[str] | None = None
) -> None:
    """Replace the results of these gates; ``None`` replaces those of all.

    A few rows go one by one: pandas would take longer to import than a whole gate takes.

    Raises:
        ValueRefused: for a number that is not finite.
    """
    chosen = {"gates": None if gates is None else list(gates)}
    values = [astuple(row) for row in rows]
    for number, row in enumerate(values):
        if any(isinstance(value, float) and not isfinite(value) for value in row):
            raise ValueRefused(f"gate_results, row {number}: a number is not finite: {row}")
    with transaction(warehouse) as connection:
        connection.execute(query("delete_gate_results"), chosen)
        if values:
            connection.executemany(query("insert_gate_results"), values)


def write_calibration(warehouse: Warehouse, rows: Sequence[CalibrationRow]) -> None:
    """Replace the whole calibration table."""
    _replace(warehouse, "calibration", rows, "DELETE FROM calibration")


def write_judge_findings(
    warehouse: Warehouse,
    qualification: Sequence[JudgeQualificationRow],
    bridges: Sequence[BridgeRow],
    noise: Sequence[JudgeNoiseRow],
) -> None:
    """Replace all that is known of the judges from injected faults, bridges and repetitions."""
    content: dict[str, Sequence[Row]] = {
        "judge_qualification": qualification,
        "bridges": bridges,
        "judge_noise": noise,
    }
    frames = {table: frame_of(TABLES[table], rows) for table, rows in content.items()}
    with transaction(warehouse) as connection:
        connection.execute(query("delete_judge_findings"))
        for table, frame in frames.items():
            if len(frame):
                connection.append(table, frame, by_name=True)


def write_review_queue(warehouse: Warehouse, rows: Sequence[ReviewQueueRow]) -> None:
    """Replace the whole review queue."""
    _replace(warehouse, "review_queue", rows, "DELETE FROM review_queue")


def _replace(
    warehouse: Warehouse,
    table: str,
    rows: Sequence[Row],
    delete: str,
    chosen: Mapping[str, object] | None = None,
) -> None:
    frame = frame_of(TABLES[table], rows)
    with transaction(warehouse) as connection:
        connection.execute(delete, chosen or {})
        if len(frame):
            connection.append(table, frame, by_name=True)


@contextmanager
def transaction(warehouse: Warehouse) -> Iterator[Connection]:
    """Open the warehouse for writing; everything in the block counts, or nothing."""
    with warehouse.writing() as connection:
        connection.begin()
        try:
            yield connection
        except BaseException:
            connection.rollback()
            raise
        connection.commit()
