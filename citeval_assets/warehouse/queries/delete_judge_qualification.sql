DELETE FROM judge_qualification
WHERE playbook = $playbook AND model = $model AND prompt_version = $prompt_version;
