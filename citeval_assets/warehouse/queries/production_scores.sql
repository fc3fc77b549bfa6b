-- What was drawn of each system and day, and how it was scored; unscored reports have no score.
SELECT
    playbook,
    model,
    prompt_version,
    system,
    dataset,
    day,
    offered,
    taken,
    counted_score,
    validation_status
FROM production_reports
WHERE ($since IS NULL OR day >= $since)
ORDER BY ALL;
