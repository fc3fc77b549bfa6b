-- Positions count from 1 without gaps, so that they do not tell how often a step was rerun.
UPDATE current_evaluations
SET position = dense.position
FROM (
    SELECT
        evaluation_id,
        scope,
        row_number() OVER (
            PARTITION BY playbook, model, prompt_version ORDER BY position
        ) AS position
    FROM current_evaluations
) AS dense
WHERE
    current_evaluations.evaluation_id = dense.evaluation_id
    AND current_evaluations.scope = dense.scope;
