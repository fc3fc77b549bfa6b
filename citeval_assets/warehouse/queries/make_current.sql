INSERT INTO current_evaluations
SELECT
    $playbook,
    $model,
    $prompt_version,
    $scope,
    $evaluation_id,
    1 + coalesce(max(position), 0)
FROM current_evaluations
WHERE playbook = $playbook AND model = $model AND prompt_version = $prompt_version;
