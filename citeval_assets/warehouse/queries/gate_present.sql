-- The cases of a playbook as they are registered now.
SELECT
    test_case_id,
    system,
    case_hash,
    dataset
FROM test_cases
WHERE
    playbook = $playbook
    AND (
        ($datasets IS NULL AND NOT starts_with(dataset, 'production@'))
        OR list_contains($datasets, dataset)
    )
ORDER BY ALL;
