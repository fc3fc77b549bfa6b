-- Under which judge and prompt version each system of a playbook has current reports.
SELECT
    playbook,
    system,
    model,
    prompt_version,
    count(*) AS reports
FROM current_reports
GROUP BY ALL
ORDER BY ALL;
