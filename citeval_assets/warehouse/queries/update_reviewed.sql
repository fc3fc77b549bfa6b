UPDATE reports
SET
    effective_score = $effective_score,
    overridden = $overridden,
    provisional = $provisional
WHERE
    evaluation_id = $evaluation_id
    AND test_case_id = $test_case_id
    AND system = $system;
