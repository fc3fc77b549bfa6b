-- What is not perfect: the lowest effective score first, what could not be scored last.
SELECT
    current_reports.playbook,
    current_reports.model,
    current_reports.prompt_version,
    current_reports.test_case_id,
    current_reports.system,
    coalesce(test_cases.question, '') AS question,
    current_reports.validation_status,
    current_reports.reason,
    current_reports.score,
    current_reports.effective_score,
    current_reports.verdict,
    current_reports.routing,
    current_reports.escalations,
    current_reports.message
FROM current_reports
LEFT JOIN test_cases USING (playbook, test_case_id, system)
WHERE
    current_reports.playbook = $playbook
    AND ($model IS NULL OR current_reports.model = $model)
    AND ($prompt_version IS NULL OR current_reports.prompt_version = $prompt_version)
    AND ($system IS NULL OR current_reports.system = $system)
    AND current_reports.validation_status <> 'not_applicable'
    AND (current_reports.effective_score IS NULL OR current_reports.effective_score < 1
        OR current_reports.escalated)
ORDER BY
    current_reports.effective_score ASC NULLS LAST,
    current_reports.immediate DESC,
    current_reports.escalated DESC,
    current_reports.test_case_id,
    current_reports.system,
    current_reports.model,
    current_reports.prompt_version
LIMIT $row_limit;
