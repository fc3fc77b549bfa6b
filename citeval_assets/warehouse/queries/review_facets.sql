-- By what the queue can be narrowed, with counts.
WITH opened AS (
    SELECT *
    FROM review_queue
    ANTI JOIN (SELECT unnest($done::VARCHAR[]) AS item_id) AS done USING (item_id)
)

SELECT 'playbook' AS facet, playbook AS name, count(*) AS items FROM opened GROUP BY playbook
UNION ALL
SELECT 'model', model, count(*) FROM opened GROUP BY model
UNION ALL
SELECT 'system', system, count(*) FROM opened GROUP BY system
UNION ALL
SELECT 'severity', severity, count(*) FROM opened GROUP BY severity
UNION ALL
SELECT 'reason', reason, count(*)
FROM (SELECT unnest(reasons::VARCHAR[]) AS reason FROM opened) AS named
GROUP BY reason
ORDER BY facet, items DESC, name;
