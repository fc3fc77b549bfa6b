DELETE FROM test_cases
WHERE playbook = $playbook AND ($datasets IS NULL OR list_contains($datasets, dataset));
