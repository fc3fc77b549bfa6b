-- Each qualified or refused judge, with the epoch it holds under.
SELECT
    playbook,
    model,
    prompt_version,
    epoch,
    verdict = 'qualified' AS qualified,
    reasons
FROM judge_qualification
WHERE fault = '*'
ORDER BY ALL;
