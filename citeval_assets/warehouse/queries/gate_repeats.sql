-- Every measurement of the cases of these cells, whatever evaluation is current: one per number
-- of repetition, the newest. Evaluations that only repeat stored calls are the same measurement.
WITH
evaluation_repeats AS (
    SELECT
        evaluation_id,
        max(repeat) AS repeat
    FROM judge_outputs
    WHERE playbook = $playbook
    GROUP BY ALL
),
repeated AS (
    SELECT
        reports.case_hash,
        reports.system,
        reports.model,
        reports.prompt_version,
        evaluations.epoch,
        evaluation_repeats.repeat,
        reports.counted_score,
        evaluations.finished_at
    FROM reports
    JOIN evaluations USING (evaluation_id)
    JOIN evaluation_repeats USING (evaluation_id)
    WHERE
        reports.playbook = $playbook
        AND ($models IS NULL OR list_contains($models, reports.model))
        AND ($prompts IS NULL OR list_contains($prompts, reports.prompt_version))
        AND ($systems IS NULL OR list_contains($systems, reports.system))
        AND reports.counted_score IS NOT NULL
)
SELECT
    case_hash,
    system,
    model,
    prompt_version,
    epoch,
    repeat,
    counted_score
FROM repeated
WHERE EXISTS (SELECT 1 FROM evaluation_repeats WHERE repeat > 0)
QUALIFY row_number() OVER (
    PARTITION BY case_hash, system, model, prompt_version, epoch, repeat
    ORDER BY finished_at DESC
) = 1
ORDER BY case_hash, system, model, prompt_version, epoch, repeat;
