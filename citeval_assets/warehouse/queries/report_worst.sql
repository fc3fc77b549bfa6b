-- The worst current reports of one judge and prompt version, each test case once.
SELECT
    test_case_id,
    system,
    case_hash,
    validation_status,
    reason,
    score,
    effective_score,
    overridden,
    verdict,
    report::VARCHAR AS report
FROM current_reports
WHERE
    playbook = $playbook
    AND model = $model
    AND prompt_version = $prompt_version
    AND validation_status <> 'not_applicable'
    AND (effective_score IS NULL OR effective_score < 1)
QUALIFY row_number() OVER (
    PARTITION BY test_case_id
    ORDER BY effective_score NULLS LAST, system
) = 1
ORDER BY
    effective_score NULLS LAST,
    immediate DESC,
    escalated DESC,
    test_case_id
LIMIT $row_limit;
