-- Where an item stands in the queue, and what comes before and after it. Those decided since
-- publishing are left out, the item itself apart.
WITH ordered AS (
    SELECT
        item_id,
        lag(item_id) OVER queue AS previous,
        lead(item_id) OVER queue AS following,
        row_number() OVER queue AS place,
        count(*) OVER () AS total
    FROM review_queue
    WHERE
        (
            item_id = $item_id
            OR NOT EXISTS (
                SELECT 1
                FROM (SELECT unnest($done::VARCHAR[]) AS id) AS done
                WHERE done.id = review_queue.item_id
            )
        )
        AND ($playbook IS NULL OR playbook = $playbook)
        AND ($model IS NULL OR model = $model)
        AND ($system IS NULL OR system = $system)
        AND ($severity IS NULL OR severity = $severity)
        AND ($reason IS NULL OR list_contains(reasons::VARCHAR[], $reason))
    WINDOW queue AS (
        ORDER BY
            immediate DESC,
            list_position(['critical', 'major', 'minor'], severity),
            opened_at,
            item_id
    )
)

SELECT
    previous,
    following,
    place,
    total
FROM ordered
WHERE item_id = $item_id;
