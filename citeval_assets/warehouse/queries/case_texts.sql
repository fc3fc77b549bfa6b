-- The answers that reports keep (target models answer; judged cases bring theirs), chosen cases.
SELECT
    evaluation_id,
    test_case_id,
    system,
    report ->> '$.details.answer' AS answer
FROM reports
WHERE
    list_contains($evaluations, evaluation_id)
    AND list_contains($test_cases, test_case_id)
ORDER BY ALL;
