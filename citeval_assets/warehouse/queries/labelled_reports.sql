-- The current scored reports of cases that people labelled.
SELECT
    current_reports.evaluation_id,
    current_reports.playbook,
    current_reports.model,
    current_reports.prompt_version,
    current_reports.test_case_id,
    current_reports.system,
    current_reports.case_hash,
    current_reports.report -> '$.escalations' AS escalations,
    current_reports.immediate,
    current_reports.provisional,
    current_reports.risk_level,
    current_reports.validation_status,
    current_reports.score,
    current_reports.routing,
    coalesce(test_cases.question, '') AS question,
    evaluations.finished_at
FROM current_reports
JOIN evaluations USING (evaluation_id)
LEFT JOIN test_cases
    ON
        test_cases.playbook = current_reports.playbook
        AND test_cases.test_case_id = current_reports.test_case_id
        AND test_cases.system = current_reports.system
WHERE
    list_contains($case_hashes, current_reports.case_hash)
    AND current_reports.score IS NOT NULL
ORDER BY
    current_reports.playbook,
    current_reports.model,
    current_reports.prompt_version,
    current_reports.test_case_id,
    current_reports.system;
