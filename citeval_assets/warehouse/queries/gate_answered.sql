-- Which model answered, and with which fingerprint, per run: for the compared evaluations.
SELECT
    evaluation_id,
    model,
    answered_model,
    fingerprint,
    count(DISTINCT (test_case_id, system)) AS cases
FROM judge_outputs
WHERE
    list_contains($evaluations, evaluation_id)
    AND ($systems IS NULL OR list_contains($systems, system))
    AND raw_response IS NOT NULL
GROUP BY ALL
ORDER BY ALL;
