-- The report an item of the queue is about.
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
JOIN evaluations USING (evaluation_id)
WHERE
    reports.evaluation_id = $evaluation_id
    AND reports.test_case_id = $test_case_id
    AND reports.system = $system;
