-- Which systems occur in the cases and reports of each playbook.
SELECT playbook, system, false AS reported FROM test_cases
UNION
SELECT playbook, system, true AS reported FROM current_reports
ORDER BY ALL;
