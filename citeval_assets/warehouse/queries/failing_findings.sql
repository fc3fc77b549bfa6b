-- What cost a case its score, the worst first.
SELECT
    findings.unit,
    findings.text,
    findings.source_id,
    findings.label,
    findings.flags,
    findings.explanation,
    findings.quote_found_in,
    findings.decided_by,
    findings.evidence
FROM findings
WHERE
    findings.evaluation_id = $evaluation_id
    AND findings.test_case_id = $test_case_id
    AND findings.system = $system
    AND findings.weight < 1
ORDER BY findings.weight, findings.finding_index
LIMIT $row_limit;
