-- The current reports, for other programs.
SELECT
    current_reports.evaluation_id,
    current_reports.playbook,
    current_reports.model,
    current_reports.prompt_version,
    current_reports.test_case_id,
    current_reports.system,
    current_reports.case_hash,
    current_reports.dataset,
    current_reports.split,
    current_reports.risk_level,
    coalesce(test_cases.question, '') AS question,
    current_reports.validation_status,
    current_reports.reason,
    current_reports.score,
    current_reports.effective_score,
    current_reports.overridden,
    current_reports.verdict,
    current_reports.routing,
    current_reports.attempts,
    current_reports.truncated,
    current_reports.escalated,
    current_reports.escalations::VARCHAR AS escalations,
    current_reports.provisional,
    current_reports.flags::VARCHAR AS flags,
    current_reports.message
FROM current_reports
LEFT JOIN test_cases
    ON
        test_cases.playbook = current_reports.playbook
        AND test_cases.test_case_id = current_reports.test_case_id
        AND test_cases.system = current_reports.system
WHERE
    ($playbook IS NULL OR current_reports.playbook = $playbook)
    AND ($model IS NULL OR current_reports.model = $model)
    AND ($system IS NULL OR current_reports.system = $system)
ORDER BY
    current_reports.playbook,
    current_reports.model,
    current_reports.prompt_version,
    current_reports.system,
    current_reports.test_case_id;
