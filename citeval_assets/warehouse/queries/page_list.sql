-- One page of current reports; the questions are looked up for its rows only.
WITH page AS (
    SELECT
        *,
        row_number() OVER () AS place
    FROM (
        SELECT *
        FROM page_cases
        WHERE /* where */
        ORDER BY /* order */
        LIMIT $row_limit OFFSET $row_offset
    )
)
SELECT
    page.playbook,
    page.model,
    page.prompt_version,
    page.system,
    page.test_case_id,
    page.evaluation_id,
    page.case_hash,
    page.dataset,
    page.risk_level,
    page.validation_status,
    page.reason,
    page.score,
    page.overridden,
    page.verdict,
    page.routing,
    page.escalated,
    page.escalations,
    page.immediate,
    page.provisional,
    page.findings,
    page.failing,
    page.labels,
    page.flags,
    page.worst_label,
    page.worst_text,
    page.worst_source_id,
    page.finished_at,
    page_texts.question
FROM page
JOIN page_texts USING (text_number)
ORDER BY page.place;
