-- Reports that people decided about, and what the decisions make of them. Only those whose row
-- says something else: usually none.
WITH reviewed AS (
    SELECT
        unnest($playbooks::VARCHAR[]) AS playbook,
        unnest($case_hashes::VARCHAR[]) AS case_hash,
        unnest($models::VARCHAR[]) AS model,
        unnest($prompt_versions::VARCHAR[]) AS prompt_version,
        unnest($scores::DOUBLE[]) AS score,
        unnest($settled::BOOLEAN[]) AS settled
),

now AS (
    SELECT
        reports.evaluation_id,
        reports.test_case_id,
        reports.system,
        coalesce(reviewed.score, reports.counted_score) AS effective_score,
        reviewed.score IS NOT NULL AS overridden,
        coalesce((reports.report ->> '$.provisional')::BOOLEAN, FALSE)
        AND NOT reviewed.settled AS provisional,
        reports.effective_score AS old_score,
        reports.overridden AS old_overridden,
        reports.provisional AS old_provisional
    FROM reports
    JOIN reviewed USING (playbook, case_hash, model, prompt_version)
)

SELECT
    evaluation_id,
    test_case_id,
    system,
    effective_score,
    overridden,
    provisional
FROM now
WHERE
    effective_score IS DISTINCT FROM old_score
    OR overridden <> old_overridden
    OR provisional <> old_provisional
ORDER BY ALL;
