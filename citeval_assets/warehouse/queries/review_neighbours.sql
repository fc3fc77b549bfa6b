-- Where an item stands in the queue, and what comes before and after it. Those decided since
-- publishing are left out, the item itself apart. One pass over the queue, without sorting it.
WITH narrowed AS (
    SELECT
        item_id,
        {
            'later': NOT immediate,
            'severity': list_position(['critical', 'major', 'minor'], severity),
            'opened': opened_at,
            'item': item_id
        } AS place
    FROM review_queue
    LEFT JOIN (SELECT unnest($done::VARCHAR[]) AS done_id) AS done ON done_id = item_id
    WHERE
        (done_id IS NULL OR item_id = $item_id)
        AND ($playbook IS NULL OR playbook = $playbook)
        AND ($model IS NULL OR model = $model)
        AND ($system IS NULL OR system = $system)
        AND ($severity IS NULL OR severity = $severity)
        AND ($reason IS NULL OR list_contains(reasons::VARCHAR[], $reason))
),

here AS (SELECT place AS mine FROM narrowed WHERE item_id = $item_id)

SELECT
    arg_max(item_id, place) FILTER (WHERE place < mine) AS previous,
    arg_min(item_id, place) FILTER (WHERE place > mine) AS following,
    count(*) FILTER (WHERE place <= mine) AS place,
    count(*) AS total
FROM narrowed, here
HAVING count(*) > 0;
