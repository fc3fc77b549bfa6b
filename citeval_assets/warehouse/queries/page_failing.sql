-- What cost the chosen reports their score, the worst first.
SELECT
    evaluation_id,
    test_case_id,
    system,
    finding_index,
    unit,
    unit_number,
    text,
    source_id,
    label,
    weight,
    explanation
FROM findings
WHERE
    list_contains($evaluations, evaluation_id)
    AND list_contains($cases, test_case_id)
    AND weight < 1
ORDER BY evaluation_id, test_case_id, system, weight, finding_index;
