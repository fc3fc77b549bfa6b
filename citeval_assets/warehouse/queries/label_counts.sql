SELECT
    playbook,
    model,
    prompt_version,
    system,
    unit,
    label,
    count(*) AS findings
FROM current_findings
WHERE $playbook IS NULL OR playbook = $playbook
GROUP BY ALL
ORDER BY ALL;
