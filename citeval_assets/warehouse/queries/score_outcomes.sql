SELECT
    playbook,
    model,
    prompt_version,
    system,
    validation_status,
    reason,
    counted_score,
    effective_score,
    overridden,
    escalated,
    provisional,
    truncated
FROM current_reports
WHERE
    ($playbook IS NULL OR playbook = $playbook)
    AND ($model IS NULL OR model = $model)
    AND ($prompt_version IS NULL OR prompt_version = $prompt_version)
ORDER BY playbook, model, prompt_version, system, test_case_id;
