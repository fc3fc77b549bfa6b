-- One page of the queue, the worst and oldest first, without what was decided since publishing.
SELECT
    review_queue.*,
    count(*) OVER () AS total
FROM review_queue
ANTI JOIN (SELECT unnest($done::VARCHAR[]) AS item_id) AS done USING (item_id)
WHERE
    ($playbook IS NULL OR playbook = $playbook)
    AND ($model IS NULL OR model = $model)
    AND ($system IS NULL OR system = $system)
    AND ($severity IS NULL OR severity = $severity)
    AND ($reason IS NULL OR list_contains(reasons::VARCHAR[], $reason))
ORDER BY
    immediate DESC,
    list_position(['critical', 'major', 'minor'], severity),
    opened_at,
    item_id
LIMIT $row_limit OFFSET $row_offset;
