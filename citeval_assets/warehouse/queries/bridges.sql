SELECT *
FROM bridges
WHERE $playbook IS NULL OR playbook = $playbook
ORDER BY playbook, computed_at, measurement_id;
