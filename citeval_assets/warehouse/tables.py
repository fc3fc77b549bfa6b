"""The tables of the warehouse as typed rows: field names are column names, in order.

``schema.sql`` declares the same columns with their SQL types and checks; a test compares the
two. Fields that end up in JSON columns hold canonical JSON text. Times are aware datetimes in
UTC. ``None`` is NULL: an unknown cost, a score that does not exist.
"""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from citeval_assets.warehouse.judge_tables import (
    BridgeRow,
    CalibrationRow,
    JudgeNoiseRow,
    JudgeQualificationRow,
)


@dataclass(frozen=True, slots=True)
class TestCaseRow:
    """One case of the present data set of a playbook.

    ``produced`` is what the system under test wrote, to be searched; NULL where it writes only
    when it is asked.
    """

    __test__ = False

    playbook: str
    dataset: str
    dataset_version: str
    test_case_id: str
    system: str
    case_hash: str
    split: str
    risk_level: str | None
    question: str
    language: str | None = None
    tags: str | None = None
    label_source: str | None = None
    human_score: float | None = None
    produced: str | None = None


@dataclass(frozen=True, slots=True)
class QuarantineRow:
    """One row of a data file that was refused, and why."""

    playbook: str
    dataset: str
    file: str
    line: int | None
    reason: str
    row: str


@dataclass(frozen=True, slots=True)
class EvaluationRow:
    """One evaluation of one partition: how many cases came out how, and what it cost.

    ``valid`` counts both scored statuses, ``failed`` the status ``VALIDATION_FAILED``;
    ``failed_validation`` counts output that never passed under either of its spellings.
    ``cost_usd`` is the cost of the calls this evaluation made itself, NULL where one of them
    has no known price; ``known_cost_usd`` is the sum of the known ones. ``canaries`` is
    ``passed``, ``failed`` (the evaluation is void), ``unscored`` or ``none``.
    """

    evaluation_id: str
    playbook: str
    model: str
    prompt_version: str
    template_sha256: str
    dataset_version: str
    scope: str
    epoch: str
    run_id: str
    started_at: datetime
    finished_at: datetime
    cases: int
    valid: int
    valid_after_retry: int
    failed: int
    indeterminate: int
    errors: int
    not_applicable: int
    failed_validation: int
    escalated: int
    provisional: int
    truncated: int
    calls: int
    reused_calls: int
    unpriced_calls: int
    cost_usd: Decimal | None
    known_cost_usd: Decimal
    prompt_tokens: int
    completion_tokens: int
    n_scored: int
    coverage: float | None
    mean_score: float | None
    ci_low: float | None
    ci_high: float | None
    unscored_reasons: str
    canaries: str
    canary_detail: str


@dataclass(frozen=True, slots=True)
class JudgeOutputRow:
    """One request that was sent for one case, and what came back, raw.

    ``attempt`` numbers the questions (a re-ask is a new attempt), ``try_number`` the transport
    tries of one question. ``status`` of the last row of a case is the status of the case.
    """

    evaluation_id: str
    playbook: str
    model: str
    prompt_version: str
    test_case_id: str
    system: str
    case_hash: str
    call_index: int
    attempt: int
    try_number: int
    repeat: int
    call_id: str
    status: str
    reason: str | None
    raw_response: str | None
    finish_reason: str | None
    failure_detail: str | None
    http_status: int | None
    answered_model: str | None
    fingerprint: str | None
    prompt_tokens: int | None
    cached_tokens: int | None
    completion_tokens: int | None
    cost_usd: Decimal | None
    latency_ms: float | None
    reused: bool
    called_at: datetime
    answered_at: datetime


@dataclass(frozen=True, slots=True)
class ReportRow:
    """The outcome for one case.

    ``score`` is the judge's. ``counted_score`` is what means are over: the same, or 0.0 where the
    output itself is under test and never passed. ``effective_score`` is what gates use: the
    counted one, unless a reviewer overrode it (``overridden``).
    ``differs_from_issued`` marks a rebuilt report that no longer agrees with the status, score
    and routing that were issued; the issued ones stand in the columns. ``subject_hash`` covers
    what the system was given, ``question_key`` the question alone: what pairs of cases must
    share, and what cases of one cluster share.
    """

    evaluation_id: str
    playbook: str
    model: str
    prompt_version: str
    test_case_id: str
    system: str
    case_hash: str
    dataset: str
    split: str
    risk_level: str
    validation_status: str
    reason: str | None
    score: float | None
    counted_score: float | None
    effective_score: float | None
    overridden: bool
    verdict: str | None
    routing: str
    attempts: int
    truncated: bool
    escalated: bool
    escalations: str
    immediate: bool
    provisional: bool
    closed_as: str | None
    flags: str
    message: str
    differs_from_issued: bool
    subject_hash: str
    question_key: str
    report: str


@dataclass(frozen=True, slots=True)
class FindingRow:
    """One citation, claim, step or criterion of a report.

    ``char_start``/``char_end`` locate ``text`` in the judged text (code points);
    ``evidence`` is a JSON array that holds the offsets into the sources.
    """

    evaluation_id: str
    playbook: str
    model: str
    prompt_version: str
    test_case_id: str
    system: str
    finding_index: int
    unit: str
    unit_number: int
    text: str
    source_id: str | None
    label: str
    weight: float | None
    flags: str
    severity: str | None
    decided_by: str
    explanation: str
    evidence: str
    quote_found_in: str | None
    category: str | None
    step_index: int | None
    char_start: int | None
    char_end: int | None


@dataclass(frozen=True, slots=True)
class ScoreTrendRow:
    """The score of one system in one evaluation, with everything that qualifies it.

    ``n_scored`` is the number of scores the mean is over, ``coverage`` = n_scored / (n_cases -
    n_not_applicable). ``worst_case_mean`` and ``best_case_mean`` are the mean if every unscored
    case had failed, or passed.
    """

    evaluation_id: str
    playbook: str
    model: str
    prompt_version: str
    system: str
    scope: str
    epoch: str
    dataset_version: str
    finished_at: datetime
    n_cases: int
    n_scored: int
    n_unscored: int
    n_not_applicable: int
    n_failed_validation: int
    n_indeterminate: int
    n_error: int
    n_escalated: int
    n_provisional: int
    n_truncated: int
    n_overridden: int
    coverage: float | None
    failed_validation_rate: float | None
    mean_score: float | None
    ci_low: float | None
    ci_high: float | None
    worst_case_mean: float | None
    best_case_mean: float | None
    mean_effective_score: float | None
    unscored_reasons: str


@dataclass(frozen=True, slots=True)
class FaithfulnessTrendRow:
    """The claim counts of one case of ``citation_faithfulness``; NULL where it is unscored."""

    evaluation_id: str
    playbook: str
    model: str
    prompt_version: str
    system: str
    test_case_id: str
    finished_at: datetime
    faithfulness_score: float | None
    claim_count: int | None
    supported_claim_count: int | None
    unsupported_claim_count: int | None
    missing_citation_count: int | None
    hallucinated_source_count: int | None
    truncated: bool
    validation_status: str


@dataclass(frozen=True, slots=True)
class GateResultRow:
    """One comparison of one gate, with its verdict and everything the verdict rests on."""

    gate: str
    playbook: str
    metric: str
    mode: str
    baseline: str
    candidate: str
    model: str
    prompt_version: str
    scope: str
    difference: float | None
    ci_low: float | None
    ci_high: float | None
    pairs: int
    detectable_drop: float | None
    threshold: float | None
    overridden: int
    provisional: int
    verdict: str
    reasons: str
    inputs: str
    decision_id: str
    decided_at: datetime


@dataclass(frozen=True, slots=True)
class ReviewQueueRow:
    """One thing a person must look at: a (test case, judge, prompt) with all its reasons."""

    item_id: str
    evaluation_id: str
    playbook: str
    model: str
    prompt_version: str
    test_case_id: str
    system: str
    case_hash: str
    reasons: str
    severity: str
    immediate: bool
    provisional: bool
    risk_level: str
    validation_status: str
    score: float | None
    routing: str
    question: str
    details: str
    opened_at: datetime


@dataclass(frozen=True, slots=True)
class CurrentEvaluationRow:
    """Which evaluation of a partition and scope was materialized last.

    ``position`` grows with every materialization: where two scopes hold the same case, the
    later one shows it.
    """

    playbook: str
    model: str
    prompt_version: str
    scope: str
    evaluation_id: str
    position: int


@dataclass(frozen=True, slots=True)
class TraceSampleRow:
    """One production trace that was drawn: of how many of its system and day, and how likely."""

    playbook: str
    dataset: str
    test_case_id: str
    system: str
    day: str
    offered: int
    taken: int
    probability: float
    seed: int
    drawn_at: datetime


Row = (
    TestCaseRow
    | QuarantineRow
    | EvaluationRow
    | JudgeOutputRow
    | ReportRow
    | FindingRow
    | ScoreTrendRow
    | FaithfulnessTrendRow
    | GateResultRow
    | CalibrationRow
    | JudgeQualificationRow
    | BridgeRow
    | JudgeNoiseRow
    | ReviewQueueRow
    | CurrentEvaluationRow
    | TraceSampleRow
)
"""A row of any table."""

TABLES: dict[str, type[Row]] = {
    "test_cases": TestCaseRow,
    "quarantine": QuarantineRow,
    "evaluations": EvaluationRow,
    "current_evaluations": CurrentEvaluationRow,
    "judge_outputs": JudgeOutputRow,
    "reports": ReportRow,
    "findings": FindingRow,
    "score_trend": ScoreTrendRow,
    "faithfulness_trend": FaithfulnessTrendRow,
    "gate_results": GateResultRow,
    "calibration": CalibrationRow,
    "judge_qualification": JudgeQualificationRow,
    "bridges": BridgeRow,
    "judge_noise": JudgeNoiseRow,
    "review_queue": ReviewQueueRow,
    "trace_samples": TraceSampleRow,
}
"""Every table of the warehouse and the row that fills it."""
