SELECT evaluations.*
FROM evaluations
JOIN current_evaluations USING (evaluation_id)
ORDER BY
    evaluations.playbook,
    evaluations.model,
    evaluations.prompt_version,
    current_evaluations.position;
