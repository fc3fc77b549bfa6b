-- The findings of the current reports, for other programs.
SELECT
    evaluation_id,
    playbook,
    model,
    prompt_version,
    test_case_id,
    system,
    finding_index,
    unit,
    unit_number,
    text,
    source_id,
    label,
    weight,
    flags::VARCHAR AS flags,
    severity,
    decided_by,
    explanation,
    evidence::VARCHAR AS evidence,
    quote_found_in,
    category,
    step_index,
    char_start,
    char_end
FROM current_findings
WHERE
    ($playbook IS NULL OR playbook = $playbook)
    AND ($model IS NULL OR model = $model)
    AND ($system IS NULL OR system = $system)
ORDER BY playbook, model, prompt_version, system, test_case_id, finding_index;
