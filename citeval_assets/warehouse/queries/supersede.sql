-- Which current evaluations a new one takes the place of: that of the same scope, and, where the
-- new one covers all data sets ('*'), those of every scope of the partition. The nightly samples
-- of production stand for themselves.
DELETE FROM current_evaluations
WHERE
    playbook = $playbook
    AND model = $model
    AND prompt_version = $prompt_version
    AND (scope = $scope OR ($scope = '*' AND NOT starts_with(scope, 'production@')));
