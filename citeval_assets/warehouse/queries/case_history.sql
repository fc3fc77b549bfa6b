SELECT
    evaluations.finished_at,
    reports.evaluation_id,
    reports.model,
    reports.prompt_version,
    reports.system,
    reports.case_hash,
    evaluations.epoch,
    evaluations.run_id,
    reports.validation_status,
    reports.reason,
    reports.score,
    reports.effective_score,
    reports.verdict,
    reports.routing,
    reports.escalations
FROM reports
JOIN evaluations USING (evaluation_id)
WHERE
    reports.playbook = $playbook
    AND reports.test_case_id = $test_case_id
    AND ($system IS NULL OR reports.system = $system)
ORDER BY
    evaluations.finished_at,
    reports.model,
    reports.prompt_version,
    reports.system,
    reports.evaluation_id;
