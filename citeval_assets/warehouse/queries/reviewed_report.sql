-- The newest report of one reviewed thing. It is looked for among the evaluations that are current,
-- by its content: of a case that was changed since, this is the report that was decided about.
SELECT
    reports.evaluation_id,
    reports.test_case_id,
    reports.system,
    reports.risk_level,
    reports.validation_status,
    reports.reason,
    reports.score,
    reports.verdict,
    reports.routing,
    reports.immediate,
    evaluations.finished_at,
    reports.report::VARCHAR AS report
FROM reports
JOIN current_evaluations USING (evaluation_id)
JOIN evaluations USING (evaluation_id)
WHERE
    reports.case_hash = $case_hash
    AND reports.playbook = $playbook
    AND reports.model = $model
    AND reports.prompt_version = $prompt_version
ORDER BY current_evaluations.position DESC, reports.system
LIMIT 1;
