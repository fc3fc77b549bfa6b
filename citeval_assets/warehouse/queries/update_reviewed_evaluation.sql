UPDATE evaluations
SET
    provisional = (
        SELECT count(*)
        FROM reports
        WHERE reports.evaluation_id = $evaluation_id AND reports.provisional
    )
WHERE evaluation_id = $evaluation_id;
