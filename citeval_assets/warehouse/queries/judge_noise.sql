SELECT *
FROM judge_noise
WHERE
    ($playbook IS NULL OR playbook = $playbook)
    AND ($model IS NULL OR model = $model)
    AND ($prompt_version IS NULL OR prompt_version = $prompt_version)
ORDER BY playbook, model, prompt_version, computed_at;
