-- The current reports of the cells and systems a gate compares, with the conditions they were
-- made under. A NULL list does not restrict.
SELECT
    current_reports.test_case_id,
    current_reports.system,
    current_reports.model,
    current_reports.prompt_version,
    current_reports.evaluation_id,
    current_reports.case_hash,
    current_reports.subject_hash,
    current_reports.question_key,
    current_reports.dataset,
    current_reports.validation_status,
    current_reports.reason,
    current_reports.counted_score,
    current_reports.effective_score,
    current_reports.overridden,
    current_reports.provisional,
    current_reports.verdict,
    list_contains(current_reports.flags::VARCHAR[], 'model_differs') AS model_differs,
    evaluations.epoch,
    evaluations.dataset_version,
    current_reports.report -> '$.details' AS details
FROM current_reports
JOIN evaluations USING (evaluation_id)
WHERE
    current_reports.playbook = $playbook
    AND ($models IS NULL OR list_contains($models, current_reports.model))
    AND ($prompts IS NULL OR list_contains($prompts, current_reports.prompt_version))
    AND ($systems IS NULL OR list_contains($systems, current_reports.system))
    AND ($datasets IS NULL OR list_contains($datasets, current_reports.dataset))
ORDER BY
    current_reports.test_case_id,
    current_reports.system,
    current_reports.model,
    current_reports.prompt_version;
