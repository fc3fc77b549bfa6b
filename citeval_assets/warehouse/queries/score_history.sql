SELECT *
FROM score_trend
WHERE
    ($playbook IS NULL OR playbook = $playbook)
    AND ($system IS NULL OR system = $system)
ORDER BY finished_at, playbook, model, prompt_version, system, evaluation_id;
