-- Rows whose score is NaN or infinite: the writer and the CHECK constraints refuse them, so one
-- can only come from a hand that edited the file. NaN passes every "score >= x".
SELECT
    evaluation_id,
    test_case_id,
    system
FROM reports
WHERE NOT (isfinite(coalesce(score, 0)) AND isfinite(coalesce(effective_score, 0)))
ORDER BY ALL;
