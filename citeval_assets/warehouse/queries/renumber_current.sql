-- Positions count from 1 without gaps, so that they do not tell how often a step was rerun. The
-- nightly samples are numbered by themselves, by their nights.
UPDATE current_evaluations
SET position = dense.position
FROM (
    SELECT
        evaluation_id,
        scope,
        row_number() OVER (
            PARTITION BY playbook, model, prompt_version, starts_with(scope, 'production@')
            ORDER BY
                CASE WHEN starts_with(scope, 'production@') THEN scope END,
                position
        ) AS position
    FROM current_evaluations
) AS dense
WHERE
    current_evaluations.evaluation_id = dense.evaluation_id
    AND current_evaluations.scope = dense.scope;
