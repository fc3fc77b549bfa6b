"""What one evaluation adds to the trends: means that never hide what was not scored."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from sys import intern
from typing import Protocol, runtime_checkable

from citeval_assets.ledger.records import EvaluationRecord
from citeval_assets.playbooks.report import Details
from citeval_assets.playbooks.vocabulary import Reason, Status
from citeval_assets.statistics.intervals import mean_interval
from citeval_assets.warehouse.tables import FaithfulnessTrendRow, ReportRow, ScoreTrendRow
from citeval_assets.warehouse.values import canonical, read_time

FAITHFULNESS_PLAYBOOK = "citation_faithfulness"
"""The playbook whose claim counts have a trend table of their own."""


class Outcome(Protocol):
    """What a summary needs to know of one case."""

    @property
    def validation_status(self) -> str:
        """One of the fixed statuses."""
        ...

    @property
    def reason(self) -> str | None:
        """Why it is unscored."""
        ...

    @property
    def counted_score(self) -> float | None:
        """The score the mean is over."""
        ...


@dataclass(frozen=True, slots=True)
class Counted:
    """What the means and counts of an evaluation need of one report, however long it is."""

    system: str
    validation_status: str
    reason: str | None
    counted_score: float | None
    effective_score: float | None
    escalated: bool
    provisional: bool
    truncated: bool
    overridden: bool

    @classmethod
    def of(cls, row: ReportRow) -> "Counted":
        """Keep of a report row what is counted."""
        return cls(
            system=intern(row.system),
            validation_status=intern(str(row.validation_status)),
            reason=None if row.reason is None else intern(str(row.reason)),
            counted_score=row.counted_score,
            effective_score=row.effective_score,
            escalated=row.escalated,
            provisional=row.provisional,
            truncated=row.truncated,
            overridden=row.overridden,
        )


@dataclass(frozen=True, slots=True)
class ScoreSummary:
    """A mean with everything that qualifies it.

    ``n_scored`` is the number of scores the mean is over; ``coverage`` = n_scored / (n_cases -
    n_not_applicable), ``None`` where nothing was to be scored. ``worst_case_mean`` and
    ``best_case_mean`` are the mean if all unscored cases had scored 0, or 1.
    ``failed_validation_rate`` counts output that never passed under both of its spellings.
    """

    n_cases: int
    n_scored: int
    n_unscored: int
    n_not_applicable: int
    n_failed_validation: int
    n_indeterminate: int
    n_error: int
    coverage: float | None
    failed_validation_rate: float | None
    mean_score: float | None
    ci_low: float | None
    ci_high: float | None
    worst_case_mean: float | None
    best_case_mean: float | None
    unscored_reasons: dict[str, int]


def summarise(outcomes: Sequence[Outcome]) -> ScoreSummary:
    """Summarise the cases of one system or one evaluation."""
    statuses = Counter(str(outcome.validation_status) for outcome in outcomes)
    scores = [o.counted_score for o in outcomes if o.counted_score is not None]
    applicable = len(outcomes) - statuses[Status.NOT_APPLICABLE]
    unscored = applicable - len(scores)
    failed = sum(map(failed_validation, outcomes))
    interval = mean_interval(scores) if scores else None
    total = fsum(scores)
    return ScoreSummary(
        n_cases=len(outcomes),
        n_scored=len(scores),
        n_unscored=unscored,
        n_not_applicable=statuses[Status.NOT_APPLICABLE],
        n_failed_validation=failed,
        n_indeterminate=statuses[Status.INDETERMINATE],
        n_error=statuses[Status.ERROR],
        coverage=len(scores) / applicable if applicable else None,
        failed_validation_rate=failed / applicable if applicable else None,
        mean_score=interval.mean if interval else None,
        ci_low=interval.low if interval else None,
        ci_high=interval.high if interval else None,
        worst_case_mean=total / applicable if applicable else None,
        best_case_mean=(total + unscored) / applicable if applicable else None,
        unscored_reasons=unscored_reasons(outcomes),
    )


def failed_validation(outcome: Outcome) -> bool:
    """Whether the output never passed validation, under either of the two spellings."""
    return outcome.validation_status == Status.VALIDATION_FAILED or (
        outcome.validation_status == Status.INDETERMINATE
        and outcome.reason == Reason.VALIDATION_FAILED
    )


def unscored_reasons(outcomes: Sequence[Outcome]) -> dict[str, int]:
    """Count the judgements that failed by ``status: reason``, in the order of the names."""
    failed = (o for o in outcomes if Status(o.validation_status).failed_judgement)
    causes = Counter(
        f"{o.validation_status}: {o.reason}" if o.reason else str(o.validation_status)
        for o in failed
    )
    return dict(sorted(causes.items()))


def score_trend_rows(
    evaluation: EvaluationRecord, reports: Sequence[Counted]
) -> tuple[ScoreTrendRow, ...]:
    """Return one row per system of an evaluation, in the order of the system names."""
    by_system: defaultdict[str, list[Counted]] = defaultdict(list)
    for row in reports:
        by_system[row.system].append(row)
    return tuple(
        _score_trend_row(evaluation, system, rows) for system, rows in sorted(by_system.items())
    )


def _score_trend_row(
    evaluation: EvaluationRecord, system: str, rows: Sequence[Counted]
) -> ScoreTrendRow:
    summary = summarise(rows)
    effective = [row.effective_score for row in rows if row.effective_score is not None]
    return ScoreTrendRow(
        evaluation_id=evaluation.evaluation_id,
        playbook=evaluation.playbook,
        model=evaluation.model,
        prompt_version=evaluation.prompt_version,
        system=system,
        scope=evaluation.scope,
        epoch=evaluation.epoch,
        dataset_version=evaluation.dataset_version,
        finished_at=read_time(evaluation.finished_at),
        n_cases=summary.n_cases,
        n_scored=summary.n_scored,
        n_unscored=summary.n_unscored,
        n_not_applicable=summary.n_not_applicable,
        n_failed_validation=summary.n_failed_validation,
        n_indeterminate=summary.n_indeterminate,
        n_error=summary.n_error,
        n_escalated=sum(row.escalated for row in rows),
        n_provisional=sum(row.provisional for row in rows),
        n_truncated=sum(row.truncated for row in rows),
        n_overridden=sum(row.overridden for row in rows),
        coverage=summary.coverage,
        failed_validation_rate=summary.failed_validation_rate,
        mean_score=summary.mean_score,
        ci_low=summary.ci_low,
        ci_high=summary.ci_high,
        worst_case_mean=summary.worst_case_mean,
        best_case_mean=summary.best_case_mean,
        mean_effective_score=fsum(effective) / len(effective) if effective else None,
        unscored_reasons=canonical(summary.unscored_reasons),
    )


def faithfulness_trend_rows(
    evaluation: EvaluationRecord, report: ReportRow, details: Details
) -> tuple[FaithfulnessTrendRow, ...]:
    """Return the row of a case of ``citation_faithfulness``; nothing for other playbooks.

    Args:
        evaluation: the evaluation the report belongs to.
        report: its row.
        details: the playbook's own part of the report.
    """
    if evaluation.playbook != FAITHFULNESS_PLAYBOOK:
        return ()
    return (_faithfulness_row(evaluation, report, details),)


@runtime_checkable
class ClaimCounts(Protocol):
    """The claim counts a report of ``citation_faithfulness`` carries in its details."""

    claim_count: int
    supported_claim_count: int
    unsupported_claim_count: int
    missing_citation_count: int
    hallucinated_source_count: int


def _faithfulness_row(
    evaluation: EvaluationRecord, row: ReportRow, detail: Details
) -> FaithfulnessTrendRow:
    scored = Status(row.validation_status).scored
    counts = detail if scored and isinstance(detail, ClaimCounts) else None
    return FaithfulnessTrendRow(
        evaluation_id=evaluation.evaluation_id,
        playbook=evaluation.playbook,
        model=evaluation.model,
        prompt_version=evaluation.prompt_version,
        system=row.system,
        test_case_id=row.test_case_id,
        finished_at=read_time(evaluation.finished_at),
        faithfulness_score=row.score,
        claim_count=counts.claim_count if counts else None,
        supported_claim_count=counts.supported_claim_count if counts else None,
        unsupported_claim_count=counts.unsupported_claim_count if counts else None,
        missing_citation_count=counts.missing_citation_count if counts else None,
        hallucinated_source_count=counts.hallucinated_source_count if counts else None,
        truncated=row.truncated,
        validation_status=row.validation_status,
    )
