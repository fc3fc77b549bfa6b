-- How often each label was given on the compared evaluations, per system.
SELECT
    evaluation_id,
    system,
    label,
    count(*) AS findings
FROM findings
WHERE
    list_contains($evaluations, evaluation_id)
    AND ($systems IS NULL OR list_contains($systems, system))
GROUP BY ALL
ORDER BY ALL;
