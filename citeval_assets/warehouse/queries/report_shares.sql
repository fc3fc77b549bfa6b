-- How the scores of each system spread: whole, in part, none, not scored.
SELECT
    playbook,
    model,
    prompt_version,
    system,
    count(*) FILTER (WHERE effective_score >= 1) AS whole,
    count(*) FILTER (WHERE effective_score > 0 AND effective_score < 1) AS part,
    count(*) FILTER (WHERE effective_score = 0) AS nothing,
    count(*) FILTER (
        WHERE effective_score IS NULL AND validation_status <> 'not_applicable'
    ) AS unscored
FROM current_reports
GROUP BY ALL
ORDER BY ALL;
