-- The current report of one reviewed thing.
SELECT
    current_reports.evaluation_id,
    current_reports.test_case_id,
    current_reports.system,
    current_reports.risk_level,
    current_reports.validation_status,
    current_reports.reason,
    current_reports.score,
    current_reports.verdict,
    current_reports.routing,
    current_reports.immediate,
    evaluations.finished_at,
    current_reports.report::VARCHAR AS report
FROM current_reports
JOIN evaluations USING (evaluation_id)
WHERE
    current_reports.playbook = $playbook
    AND current_reports.case_hash = $case_hash
    AND current_reports.model = $model
    AND current_reports.prompt_version = $prompt_version
ORDER BY current_reports.system
LIMIT 1;
