-- What a person must look at, the worst first by the caller: of the current reports and of the
-- nightly samples of production. Abstentions that golden data expects are closed already.
WITH standing AS (
    SELECT * FROM current_reports
    UNION ALL
    SELECT reports.*
    FROM reports
    JOIN current_evaluations USING (evaluation_id)
    WHERE starts_with(current_evaluations.scope, 'production@')
)

SELECT
    standing.evaluation_id,
    standing.playbook,
    standing.model,
    standing.prompt_version,
    standing.test_case_id,
    standing.system,
    standing.case_hash,
    standing.report -> '$.escalations' AS escalations,
    standing.immediate,
    standing.provisional,
    standing.risk_level,
    standing.validation_status,
    standing.score,
    standing.routing,
    coalesce(test_cases.question, '') AS question,
    evaluations.finished_at
FROM standing
JOIN evaluations USING (evaluation_id)
LEFT JOIN test_cases
    ON
        test_cases.playbook = standing.playbook
        AND test_cases.test_case_id = standing.test_case_id
        AND test_cases.system = standing.system
WHERE standing.escalated AND standing.closed_as IS NULL
ORDER BY
    evaluations.finished_at,
    standing.playbook,
    standing.model,
    standing.prompt_version,
    standing.test_case_id,
    standing.system;
