-- The scores of every evaluation of all data sets, and of every nightly sample, system by system;
-- of each series the newest 400 evaluations.
WITH scored AS (
    SELECT
        reports.playbook,
        reports.model,
        reports.prompt_version,
        reports.system,
        evaluations.epoch,
        CASE
            WHEN starts_with(evaluations.scope, 'production@') THEN 'production'
            ELSE evaluations.scope
        END AS series,
        evaluations.evaluation_id,
        evaluations.dataset_version,
        evaluations.finished_at,
        reports.counted_score,
        reports.test_case_id
    FROM reports
    JOIN evaluations USING (evaluation_id)
    WHERE
        (evaluations.scope = '*' OR starts_with(evaluations.scope, 'production@'))
        AND reports.counted_score IS NOT NULL
),
moments AS (
    SELECT
        playbook,
        model,
        prompt_version,
        system,
        epoch,
        series,
        evaluation_id,
        dataset_version,
        finished_at,
        list(counted_score ORDER BY test_case_id) AS scores
    FROM scored
    GROUP BY
        playbook,
        model,
        prompt_version,
        system,
        epoch,
        series,
        evaluation_id,
        dataset_version,
        finished_at
)
SELECT *
FROM moments
QUALIFY row_number() OVER (
    PARTITION BY playbook, model, prompt_version, system, epoch, series
    ORDER BY finished_at DESC
) <= 400
ORDER BY playbook, model, prompt_version, system, epoch, series, finished_at;
