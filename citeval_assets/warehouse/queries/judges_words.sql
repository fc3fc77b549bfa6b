-- What every judge said of one case under one prompt version, the worst first.
SELECT
    model,
    unit,
    unit_number,
    text,
    source_id,
    label,
    flags,
    explanation,
    weight
FROM current_findings
WHERE
    playbook = $playbook
    AND prompt_version = $prompt_version
    AND test_case_id = $test_case_id
    AND system = $system
    AND weight IS NOT NULL
ORDER BY weight, finding_index;
