-- Those of the files; the nightly samples come from the ledger and are replaced by name alone.
DELETE FROM test_cases
WHERE
    playbook = $playbook
    AND (
        ($datasets IS NULL AND NOT starts_with(dataset, 'production@'))
        OR list_contains($datasets, dataset)
    );
