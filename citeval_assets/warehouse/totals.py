"""What the cases of one evaluation add up to, counted one by one."""

from collections import Counter
from dataclasses import dataclass
from decimal import Decimal

from citeval_assets.ledger.records import EvaluationRecord
from citeval_assets.playbooks.vocabulary import Status
from citeval_assets.warehouse.tables import (
    EvaluationRow,
    FaithfulnessTrendRow,
    FindingRow,
    JudgeOutputRow,
    ReportRow,
    ScoreTrendRow,
)
from citeval_assets.warehouse.trends import Counted, score_trend_rows, summarise
from citeval_assets.warehouse.values import canonical, read_time


@dataclass(frozen=True, slots=True)
class CanaryState:
    """What became of the canaries of an evaluation: a word, and why where they failed."""

    state: str = "none"
    detail: str = ""


NO_CANARIES = CanaryState()


@dataclass(frozen=True, slots=True)
class CaseRows:
    """What one case puts into the warehouse."""

    judge_outputs: tuple[JudgeOutputRow, ...]
    report: ReportRow
    findings: tuple[FindingRow, ...]
    faithfulness_trend: tuple[FaithfulnessTrendRow, ...]


class Totals:
    """Counts the cases of an evaluation. Of each it keeps some hundred bytes."""

    def __init__(self, evaluation: EvaluationRecord) -> None:
        self._evaluation = evaluation
        self._reports: list[Counted] = []
        self._calls = self._made = self._unpriced = 0
        self._prompt_tokens = self._completion_tokens = 0
        self._known_cost = Decimal(0)

    def count(self, rows: CaseRows) -> CaseRows:
        """Count the rows of a case; return them."""
        self._reports.append(Counted.of(rows.report))
        for call in rows.judge_outputs:
            self._count_call(call)
        return rows

    def _count_call(self, call: JudgeOutputRow) -> None:
        self._calls += 1
        if call.reused:
            return
        self._made += 1
        self._unpriced += call.cost_usd is None and call.raw_response is not None
        self._known_cost += call.cost_usd or 0
        self._prompt_tokens += call.prompt_tokens or 0
        self._completion_tokens += call.completion_tokens or 0

    def score_trend(self) -> tuple[ScoreTrendRow, ...]:
        """Return one row per system, in the order of the system names."""
        return score_trend_rows(self._evaluation, self._reports)

    def evaluation_row(self, canaries: CanaryState) -> EvaluationRow:
        """Return the row of the evaluation."""
        evaluation, reports = self._evaluation, self._reports
        statuses = Counter(row.validation_status for row in reports)
        summary = summarise(reports)
        return EvaluationRow(
            evaluation_id=evaluation.evaluation_id,
            playbook=evaluation.playbook,
            model=evaluation.model,
            prompt_version=evaluation.prompt_version,
            template_sha256=evaluation.template_sha256,
            dataset_version=evaluation.dataset_version,
            scope=evaluation.scope,
            epoch=evaluation.epoch,
            run_id=evaluation.run_id,
            started_at=read_time(evaluation.started_at),
            finished_at=read_time(evaluation.finished_at),
            cases=len(reports),
            valid=statuses[Status.VALID] + statuses[Status.VALID_AFTER_RETRY],
            valid_after_retry=statuses[Status.VALID_AFTER_RETRY],
            failed=statuses[Status.VALIDATION_FAILED],
            indeterminate=statuses[Status.INDETERMINATE],
            errors=statuses[Status.ERROR],
            not_applicable=statuses[Status.NOT_APPLICABLE],
            failed_validation=summary.n_failed_validation,
            escalated=sum(row.escalated for row in reports),
            provisional=sum(row.provisional for row in reports),
            truncated=sum(row.truncated for row in reports),
            calls=self._made,
            reused_calls=self._calls - self._made,
            unpriced_calls=self._unpriced,
            cost_usd=None if self._unpriced else self._known_cost,
            known_cost_usd=self._known_cost,
            prompt_tokens=self._prompt_tokens,
            completion_tokens=self._completion_tokens,
            n_scored=summary.n_scored,
            coverage=summary.coverage,
            mean_score=summary.mean_score,
            ci_low=summary.ci_low,
            ci_high=summary.ci_high,
            unscored_reasons=canonical(summary.unscored_reasons),
            canaries=canaries.state,
            canary_detail=canaries.detail,
        )
