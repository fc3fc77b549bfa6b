DELETE FROM quarantine
WHERE playbook = $playbook AND ($datasets IS NULL OR list_contains($datasets, dataset));
