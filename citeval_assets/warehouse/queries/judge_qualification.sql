SELECT *
FROM judge_qualification
WHERE $playbook IS NULL OR playbook = $playbook
ORDER BY playbook, model, prompt_version, fault = '*' DESC, fault;
