-- Two sides of a comparison, case by case. Sides that name no system (two judges, two prompt
-- versions) pair each case with the same case of the same system. What is shown of a case is
-- looked up for the rows of the page only.
WITH chosen AS (
    SELECT
        base.place AS base_place,
        candidate.place AS candidate_place
    FROM page_cases AS base
    JOIN page_cases AS candidate
        ON base.playbook = candidate.playbook
        AND base.test_case_id = candidate.test_case_id
        AND ($base_system IS NOT NULL OR base.system = candidate.system)
    WHERE
        base.playbook = $playbook
        AND base.model = $base_model
        AND base.prompt_version = $base_prompt
        AND ($base_system IS NULL OR base.system = $base_system)
        AND candidate.model = $candidate_model
        AND candidate.prompt_version = $candidate_prompt
        AND ($candidate_system IS NULL OR candidate.system = $candidate_system)
        AND CASE $kept
            WHEN 'worse' THEN candidate.score < base.score
            WHEN 'better' THEN candidate.score > base.score
            WHEN 'same' THEN candidate.score = base.score
            WHEN 'unscored' THEN candidate.score IS NULL OR base.score IS NULL
            ELSE true
        END
    ORDER BY
        CASE
            WHEN $kept = 'better' THEN base.score - candidate.score
            ELSE candidate.score - base.score
        END NULLS LAST,
        base.test_case_id,
        base.system
    LIMIT $row_limit OFFSET $row_offset
),
page AS (
    SELECT
        *,
        row_number() OVER () AS number
    FROM chosen
)
SELECT
    base.test_case_id,
    base.place,
    base.system,
    base.model,
    base.prompt_version,
    base.evaluation_id,
    base.case_hash,
    base.validation_status,
    base.reason,
    base.verdict,
    base.score,
    candidate.place,
    candidate.system,
    candidate.model,
    candidate.prompt_version,
    candidate.evaluation_id,
    candidate.case_hash,
    candidate.validation_status,
    candidate.reason,
    candidate.verdict,
    candidate.score,
    page_texts.question
FROM page
JOIN page_cases AS base ON page.base_place = base.place
JOIN page_cases AS candidate ON page.candidate_place = candidate.place
JOIN page_texts ON candidate.text_number = page_texts.text_number
ORDER BY page.number;
