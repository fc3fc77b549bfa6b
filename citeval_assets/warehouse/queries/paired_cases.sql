-- Two sides on the same cases, the largest loss of the candidate first. A side that names no
-- system (two judges, two prompt versions) pairs each case with the same case of the same system.
WITH
both_sides AS (
    SELECT
        current_reports.*,
        faithfulness_trend.hallucinated_source_count
    FROM current_reports
    LEFT JOIN faithfulness_trend USING (evaluation_id, test_case_id, system)
    WHERE current_reports.playbook = $playbook
),
baseline AS (
    SELECT
        *,
        CASE WHEN $baseline_system IS NULL THEN system ELSE '' END AS pair_system
    FROM both_sides
    WHERE
        model = $baseline_model
        AND prompt_version = $baseline_prompt
        AND ($baseline_system IS NULL OR system = $baseline_system)
),
candidate AS (
    SELECT
        *,
        CASE WHEN $candidate_system IS NULL THEN system ELSE '' END AS pair_system
    FROM both_sides
    WHERE
        model = $candidate_model
        AND prompt_version = $candidate_prompt
        AND ($candidate_system IS NULL OR system = $candidate_system)
)
SELECT
    test_case_id,
    baseline.system,
    baseline.evaluation_id,
    baseline.case_hash,
    baseline.validation_status,
    baseline.reason,
    baseline.score,
    baseline.effective_score,
    baseline.overridden,
    baseline.provisional,
    baseline.verdict,
    baseline.hallucinated_source_count,
    candidate.system,
    candidate.evaluation_id,
    candidate.case_hash,
    candidate.validation_status,
    candidate.reason,
    candidate.score,
    candidate.effective_score,
    candidate.overridden,
    candidate.provisional,
    candidate.verdict,
    candidate.hallucinated_source_count
FROM baseline
FULL OUTER JOIN candidate USING (test_case_id, pair_system)
ORDER BY
    candidate.effective_score - baseline.effective_score ASC NULLS LAST,
    test_case_id,
    pair_system;
