-- What a comparison rests on: the scores of every pair, and under which epochs they were given.
SELECT
    base.score,
    candidate.score,
    candidate.question_key,
    base.epoch,
    candidate.epoch
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
ORDER BY base.test_case_id, base.system;
