-- One page of current reports with the totals of all that fit, in one pass. The wide columns are
-- looked up for the rows of the page only.
WITH matching AS MATERIALIZED (
    SELECT
        place,
        playbook,
        test_case_id,
        system,
        model,
        prompt_version,
        validation_status,
        reason,
        score,
        failing,
        escalated,
        finished_at
    FROM page_cases
    WHERE /* where */
),
totals AS (
    SELECT
        count(*) AS reports,
        count(score) AS scored,
        avg(score) AS mean_score,
        count(*) FILTER (WHERE escalated) AS escalated
    FROM matching
),
page AS (
    SELECT
        place,
        row_number() OVER () AS number
    FROM (
        SELECT place
        FROM matching
        ORDER BY /* order */
        LIMIT $row_limit OFFSET $row_offset
    )
)
SELECT
    totals.reports,
    totals.scored,
    totals.mean_score,
    totals.escalated,
    found.playbook,
    found.model,
    found.prompt_version,
    found.system,
    found.test_case_id,
    found.evaluation_id,
    found.case_hash,
    found.dataset,
    found.risk_level,
    found.validation_status,
    found.reason,
    found.score,
    found.overridden,
    found.verdict,
    found.routing,
    found.escalated,
    found.escalations,
    found.immediate,
    found.provisional,
    found.findings,
    found.failing,
    found.labels,
    found.flags,
    found.worst_label,
    found.worst_text,
    found.worst_source_id,
    found.finished_at,
    page_texts.question
FROM totals
LEFT JOIN page ON true
LEFT JOIN page_cases AS found ON page.place = found.place
LEFT JOIN page_texts ON found.text_number = page_texts.text_number
ORDER BY page.number;
