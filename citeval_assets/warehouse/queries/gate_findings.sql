-- What cost the compared cases score, or was flagged.
SELECT
    evaluation_id,
    test_case_id,
    system,
    unit,
    text,
    source_id,
    label,
    category,
    flags,
    decided_by
FROM findings
WHERE
    list_contains($evaluations, evaluation_id)
    AND ($systems IS NULL OR list_contains($systems, system))
    AND (weight < 1 OR flags::VARCHAR <> '[]')
ORDER BY evaluation_id, test_case_id, system, finding_index;
