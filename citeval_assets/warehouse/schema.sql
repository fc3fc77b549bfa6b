-- The warehouse. It can be thrown away and rebuilt from the ledger without one model call.
--
-- No primary keys and no indexes, on purpose: a partition is replaced by delete + insert in one
-- transaction, which a unique index refuses, and an index is what a killed writer could leave
-- behind unreplayable. The writer checks keys before it inserts.
-- Every floating point column refuses NaN and infinity: NaN >= 0.9 is true in DuckDB.

CREATE TABLE warehouse_info (schema_version INTEGER NOT NULL);

CREATE TABLE test_cases (
    playbook VARCHAR NOT NULL,
    dataset VARCHAR NOT NULL,
    dataset_version VARCHAR NOT NULL,
    test_case_id VARCHAR NOT NULL,
    system VARCHAR NOT NULL,
    case_hash VARCHAR NOT NULL,
    split VARCHAR NOT NULL,
    risk_level VARCHAR,
    question VARCHAR NOT NULL,
    language VARCHAR,
    tags JSON,
    label_source VARCHAR,
    human_score DOUBLE CHECK (human_score BETWEEN 0 AND 1),
    produced VARCHAR
);

CREATE TABLE quarantine (
    playbook VARCHAR NOT NULL,
    dataset VARCHAR NOT NULL,
    file VARCHAR NOT NULL,
    line BIGINT,
    reason VARCHAR NOT NULL,
    "row" VARCHAR NOT NULL
);

CREATE TABLE evaluations (
    evaluation_id VARCHAR NOT NULL,
    playbook VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    prompt_version VARCHAR NOT NULL,
    template_sha256 VARCHAR NOT NULL,
    dataset_version VARCHAR NOT NULL,
    scope VARCHAR NOT NULL,
    epoch VARCHAR NOT NULL,
    run_id VARCHAR NOT NULL,
    started_at TIMESTAMPTZ NOT NULL,
    finished_at TIMESTAMPTZ NOT NULL,
    cases BIGINT NOT NULL,
    valid BIGINT NOT NULL,
    valid_after_retry BIGINT NOT NULL,
    failed BIGINT NOT NULL,
    indeterminate BIGINT NOT NULL,
    errors BIGINT NOT NULL,
    not_applicable BIGINT NOT NULL,
    failed_validation BIGINT NOT NULL,
    escalated BIGINT NOT NULL,
    provisional BIGINT NOT NULL,
    truncated BIGINT NOT NULL,
    calls BIGINT NOT NULL,
    reused_calls BIGINT NOT NULL,
    unpriced_calls BIGINT NOT NULL,
    cost_usd DECIMAL(24,12),
    known_cost_usd DECIMAL(24,12) NOT NULL,
    prompt_tokens BIGINT NOT NULL,
    completion_tokens BIGINT NOT NULL,
    n_scored BIGINT NOT NULL,
    coverage DOUBLE CHECK (coverage BETWEEN 0 AND 1),
    mean_score DOUBLE CHECK (mean_score BETWEEN 0 AND 1),
    ci_low DOUBLE CHECK (ci_low BETWEEN 0 AND 1),
    ci_high DOUBLE CHECK (ci_high BETWEEN 0 AND 1),
    unscored_reasons JSON NOT NULL,
    canaries VARCHAR NOT NULL,
    canary_detail VARCHAR NOT NULL
);

CREATE TABLE current_evaluations (
    playbook VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    prompt_version VARCHAR NOT NULL,
    scope VARCHAR NOT NULL,
    evaluation_id VARCHAR NOT NULL,
    position BIGINT NOT NULL
);

CREATE TABLE judge_outputs (
    evaluation_id VARCHAR NOT NULL,
    playbook VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    prompt_version VARCHAR NOT NULL,
    test_case_id VARCHAR NOT NULL,
    system VARCHAR NOT NULL,
    case_hash VARCHAR NOT NULL,
    call_index BIGINT NOT NULL,
    attempt BIGINT NOT NULL,
    try_number BIGINT NOT NULL,
    repeat BIGINT NOT NULL,
    call_id VARCHAR NOT NULL,
    status VARCHAR NOT NULL,
    reason VARCHAR,
    raw_response VARCHAR,
    finish_reason VARCHAR,
    failure_detail VARCHAR,
    http_status BIGINT,
    answered_model VARCHAR,
    fingerprint VARCHAR,
    prompt_tokens BIGINT,
    cached_tokens BIGINT,
    completion_tokens BIGINT,
    cost_usd DECIMAL(24,12),
    latency_ms DOUBLE CHECK (isfinite(latency_ms)),
    reused BOOLEAN NOT NULL,
    called_at TIMESTAMPTZ NOT NULL,
    answered_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE reports (
    evaluation_id VARCHAR NOT NULL,
    playbook VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    prompt_version VARCHAR NOT NULL,
    test_case_id VARCHAR NOT NULL,
    system VARCHAR NOT NULL,
    case_hash VARCHAR NOT NULL,
    dataset VARCHAR NOT NULL,
    split VARCHAR NOT NULL,
    risk_level VARCHAR NOT NULL,
    validation_status VARCHAR NOT NULL,
    reason VARCHAR,
    score DOUBLE CHECK (score BETWEEN 0 AND 1),
    counted_score DOUBLE CHECK (counted_score BETWEEN 0 AND 1),
    effective_score DOUBLE CHECK (effective_score BETWEEN 0 AND 1),
    overridden BOOLEAN NOT NULL,
    verdict VARCHAR,
    routing VARCHAR NOT NULL,
    attempts BIGINT NOT NULL,
    truncated BOOLEAN NOT NULL,
    escalated BOOLEAN NOT NULL,
    escalations JSON NOT NULL,
    immediate BOOLEAN NOT NULL,
    provisional BOOLEAN NOT NULL,
    closed_as VARCHAR,
    flags JSON NOT NULL,
    message VARCHAR NOT NULL,
    differs_from_issued BOOLEAN NOT NULL,
    subject_hash VARCHAR NOT NULL,
    question_key VARCHAR NOT NULL,
    report JSON NOT NULL
);

CREATE TABLE findings (
    evaluation_id VARCHAR NOT NULL,
    playbook VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    prompt_version VARCHAR NOT NULL,
    test_case_id VARCHAR NOT NULL,
    system VARCHAR NOT NULL,
    finding_index BIGINT NOT NULL,
    unit VARCHAR NOT NULL,
    unit_number BIGINT NOT NULL,
    text VARCHAR NOT NULL,
    source_id VARCHAR,
    label VARCHAR NOT NULL,
    weight DOUBLE CHECK (weight BETWEEN 0 AND 1),
    flags JSON NOT NULL,
    severity VARCHAR,
    decided_by VARCHAR NOT NULL,
    explanation VARCHAR NOT NULL,
    evidence JSON NOT NULL,
    quote_found_in VARCHAR,
    category VARCHAR,
    step_index BIGINT,
    char_start BIGINT,
    char_end BIGINT
);

CREATE TABLE score_trend (
    evaluation_id VARCHAR NOT NULL,
    playbook VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    prompt_version VARCHAR NOT NULL,
    system VARCHAR NOT NULL,
    scope VARCHAR NOT NULL,
    epoch VARCHAR NOT NULL,
    dataset_version VARCHAR NOT NULL,
    finished_at TIMESTAMPTZ NOT NULL,
    n_cases BIGINT NOT NULL,
    n_scored BIGINT NOT NULL,
    n_unscored BIGINT NOT NULL,
    n_not_applicable BIGINT NOT NULL,
    n_failed_validation BIGINT NOT NULL,
    n_indeterminate BIGINT NOT NULL,
    n_error BIGINT NOT NULL,
    n_escalated BIGINT NOT NULL,
    n_provisional BIGINT NOT NULL,
    n_truncated BIGINT NOT NULL,
    n_overridden BIGINT NOT NULL,
    coverage DOUBLE CHECK (coverage BETWEEN 0 AND 1),
    failed_validation_rate DOUBLE CHECK (failed_validation_rate BETWEEN 0 AND 1),
    mean_score DOUBLE CHECK (mean_score BETWEEN 0 AND 1),
    ci_low DOUBLE CHECK (ci_low BETWEEN 0 AND 1),
    ci_high DOUBLE CHECK (ci_high BETWEEN 0 AND 1),
    worst_case_mean DOUBLE CHECK (worst_case_mean BETWEEN 0 AND 1),
    best_case_mean DOUBLE CHECK (best_case_mean BETWEEN 0 AND 1),
    mean_effective_score DOUBLE CHECK (mean_effective_score BETWEEN 0 AND 1),
    unscored_reasons JSON NOT NULL
);

CREATE TABLE faithfulness_trend (
    evaluation_id VARCHAR NOT NULL,
    playbook VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    prompt_version VARCHAR NOT NULL,
    system VARCHAR NOT NULL,
    test_case_id VARCHAR NOT NULL,
    finished_at TIMESTAMPTZ NOT NULL,
    faithfulness_score DOUBLE CHECK (faithfulness_score BETWEEN 0 AND 1),
    claim_count BIGINT,
    supported_claim_count BIGINT,
    unsupported_claim_count BIGINT,
    missing_citation_count BIGINT,
    hallucinated_source_count BIGINT,
    truncated BOOLEAN NOT NULL,
    validation_status VARCHAR NOT NULL
);

CREATE TABLE gate_results (
    gate VARCHAR NOT NULL,
    playbook VARCHAR NOT NULL,
    metric VARCHAR NOT NULL,
    mode VARCHAR NOT NULL,
    baseline VARCHAR NOT NULL,
    candidate VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    prompt_version VARCHAR NOT NULL,
    scope VARCHAR NOT NULL,
    difference DOUBLE CHECK (isfinite(difference)),
    ci_low DOUBLE CHECK (isfinite(ci_low)),
    ci_high DOUBLE CHECK (isfinite(ci_high)),
    pairs BIGINT NOT NULL,
    detectable_drop DOUBLE CHECK (isfinite(detectable_drop)),
    threshold DOUBLE CHECK (isfinite(threshold)),
    overridden BIGINT NOT NULL,
    provisional BIGINT NOT NULL,
    verdict VARCHAR NOT NULL,
    reasons JSON NOT NULL,
    inputs JSON NOT NULL,
    decision_id VARCHAR NOT NULL,
    decided_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE calibration (
    playbook VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    prompt_version VARCHAR NOT NULL,
    epoch VARCHAR NOT NULL,
    evaluation_id VARCHAR NOT NULL,
    label_source VARCHAR NOT NULL,
    n_labelled BIGINT NOT NULL,
    n_positive BIGINT NOT NULL,
    n_negative BIGINT NOT NULL,
    calibrated BOOLEAN NOT NULL,
    state VARCHAR NOT NULL,
    accuracy DOUBLE CHECK (accuracy BETWEEN 0 AND 1),
    balanced_accuracy DOUBLE CHECK (balanced_accuracy BETWEEN 0 AND 1),
    kappa DOUBLE CHECK (kappa BETWEEN -1 AND 1),
    kappa_low DOUBLE CHECK (kappa_low BETWEEN -1 AND 1),
    kappa_high DOUBLE CHECK (kappa_high BETWEEN -1 AND 1),
    mean_deviation DOUBLE CHECK (mean_deviation BETWEEN 0 AND 1),
    bias DOUBLE CHECK (bias BETWEEN -1 AND 1),
    conflicts BIGINT NOT NULL,
    raw_score DOUBLE CHECK (raw_score BETWEEN 0 AND 1),
    corrected_score DOUBLE CHECK (corrected_score BETWEEN 0 AND 1),
    corrected_low DOUBLE CHECK (corrected_low BETWEEN 0 AND 1),
    corrected_high DOUBLE CHECK (corrected_high BETWEEN 0 AND 1),
    correction VARCHAR NOT NULL,
    correction_note VARCHAR NOT NULL,
    confusion JSON NOT NULL,
    per_label JSON NOT NULL,
    details JSON NOT NULL,
    computed_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE judge_qualification (
    playbook VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    prompt_version VARCHAR NOT NULL,
    epoch VARCHAR NOT NULL,
    fault VARCHAR NOT NULL,
    n_cases BIGINT NOT NULL,
    n_unscored BIGINT NOT NULL,
    n_caught BIGINT NOT NULL,
    n_false_alarms BIGINT NOT NULL,
    catch_rate DOUBLE CHECK (catch_rate BETWEEN 0 AND 1),
    ci_low DOUBLE CHECK (ci_low BETWEEN 0 AND 1),
    ci_high DOUBLE CHECK (ci_high BETWEEN 0 AND 1),
    verdict VARCHAR NOT NULL,
    reasons JSON NOT NULL,
    details JSON NOT NULL,
    computed_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE bridges (
    measurement_id VARCHAR NOT NULL,
    playbook VARCHAR NOT NULL,
    old_model VARCHAR NOT NULL,
    old_prompt_version VARCHAR NOT NULL,
    old_epoch VARCHAR NOT NULL,
    new_model VARCHAR NOT NULL,
    new_prompt_version VARCHAR NOT NULL,
    new_epoch VARCHAR NOT NULL,
    anchors BIGINT NOT NULL,
    changed BIGINT NOT NULL,
    score_offset DOUBLE NOT NULL CHECK (score_offset BETWEEN -1 AND 1),
    ci_low DOUBLE CHECK (ci_low BETWEEN -1 AND 1),
    ci_high DOUBLE CHECK (ci_high BETWEEN -1 AND 1),
    old_mean DOUBLE NOT NULL CHECK (old_mean BETWEEN 0 AND 1),
    new_mean DOUBLE NOT NULL CHECK (new_mean BETWEEN 0 AND 1),
    computed_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE judge_noise (
    measurement_id VARCHAR NOT NULL,
    playbook VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    prompt_version VARCHAR NOT NULL,
    epoch VARCHAR NOT NULL,
    cases BIGINT NOT NULL,
    measurements BIGINT NOT NULL,
    variance DOUBLE NOT NULL CHECK (isfinite(variance)),
    deviation DOUBLE NOT NULL CHECK (isfinite(deviation)),
    largest_spread DOUBLE NOT NULL CHECK (largest_spread BETWEEN 0 AND 1),
    computed_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE review_queue (
    item_id VARCHAR NOT NULL,
    evaluation_id VARCHAR NOT NULL,
    playbook VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    prompt_version VARCHAR NOT NULL,
    test_case_id VARCHAR NOT NULL,
    system VARCHAR NOT NULL,
    case_hash VARCHAR NOT NULL,
    reasons JSON NOT NULL,
    severity VARCHAR NOT NULL,
    immediate BOOLEAN NOT NULL,
    provisional BOOLEAN NOT NULL,
    risk_level VARCHAR NOT NULL,
    validation_status VARCHAR NOT NULL,
    score DOUBLE CHECK (score BETWEEN 0 AND 1),
    routing VARCHAR NOT NULL,
    question VARCHAR NOT NULL,
    details JSON NOT NULL,
    opened_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE trace_samples (
    playbook VARCHAR NOT NULL,
    dataset VARCHAR NOT NULL,
    test_case_id VARCHAR NOT NULL,
    system VARCHAR NOT NULL,
    day VARCHAR NOT NULL,
    offered BIGINT NOT NULL,
    taken BIGINT NOT NULL,
    probability DOUBLE NOT NULL CHECK (probability BETWEEN 0 AND 1),
    seed BIGINT NOT NULL,
    drawn_at TIMESTAMPTZ NOT NULL
);

-- The newest report of each case of a partition, taken from the evaluations that are current.
-- An evaluation of all data sets replaces those of single ones (the writer sees to it); where a
-- later evaluation covers some data sets again, its reports show for those cases. The nightly
-- samples of production are no part of it: they are one system's traces, compared with nothing.
CREATE VIEW current_reports AS
WITH newest AS (
    SELECT
        reports.evaluation_id,
        reports.test_case_id,
        reports.system
    FROM reports
    JOIN current_evaluations USING (evaluation_id)
    WHERE NOT starts_with(current_evaluations.scope, 'production@')
    QUALIFY row_number() OVER (
        PARTITION BY
            reports.playbook,
            reports.model,
            reports.prompt_version,
            reports.test_case_id,
            reports.system
        ORDER BY current_evaluations.position DESC
    ) = 1
)
SELECT reports.*
FROM reports
JOIN newest USING (evaluation_id, test_case_id, system);

CREATE VIEW current_findings AS
SELECT findings.*
FROM findings
SEMI JOIN current_reports
    USING (evaluation_id, test_case_id, system);

-- The reports of the nightly samples, with what each counts for in an estimate over production.
CREATE VIEW production_reports AS
SELECT
    reports.*,
    trace_samples.day,
    trace_samples.offered,
    trace_samples.taken,
    trace_samples.probability,
    1 / trace_samples.probability AS weight
FROM reports
JOIN current_evaluations USING (evaluation_id)
JOIN trace_samples
    ON
        trace_samples.playbook = reports.playbook
        AND trace_samples.dataset = reports.dataset
        AND trace_samples.test_case_id = reports.test_case_id
        AND trace_samples.system = reports.system
WHERE starts_with(current_evaluations.scope, 'production@');
