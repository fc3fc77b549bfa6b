-- One page of the queue, the worst and oldest first, without what was decided since publishing.
-- Sorted by narrow columns; the wide ones are read for the rows of the page alone.
WITH chosen AS (
    SELECT
        review_queue.rowid AS place,
        immediate,
        list_position(['critical', 'major', 'minor'], severity) AS severity_rank,
        opened_at,
        item_id
    FROM review_queue
    LEFT JOIN (SELECT unnest($done::VARCHAR[]) AS done_id) AS done ON done_id = item_id
    WHERE
        done_id IS NULL
        AND ($playbook IS NULL OR playbook = $playbook)
        AND ($model IS NULL OR model = $model)
        AND ($system IS NULL OR system = $system)
        AND ($severity IS NULL OR severity = $severity)
        AND ($reason IS NULL OR list_contains(reasons::VARCHAR[], $reason))
),

page AS (
    SELECT place
    FROM chosen
    ORDER BY immediate DESC, severity_rank, opened_at, item_id
    LIMIT $row_limit OFFSET $row_offset
)

SELECT
    review_queue.*,
    (SELECT count(*) FROM chosen) AS total
FROM review_queue
SEMI JOIN page ON page.place = review_queue.rowid
ORDER BY
    immediate DESC,
    list_position(['critical', 'major', 'minor'], severity),
    opened_at,
    item_id;
