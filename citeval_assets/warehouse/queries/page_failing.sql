-- What cost the chosen reports their score, the worst first.
SELECT *
FROM page_failing
SEMI JOIN (SELECT unnest($places) AS place) USING (place)
ORDER BY place, weight, finding_index;
