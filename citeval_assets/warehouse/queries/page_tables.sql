-- What the pages read, ready made, in the published snapshot only: one narrow row per current
-- report, in the order of the lists; the texts that are searched, once per case however many
-- judges it has; the words a filter offers; the score table.

-- What a target model wrote is in its report, not in the case.
CREATE TABLE page_answers AS
SELECT
    evaluation_id,
    playbook,
    test_case_id,
    system,
    report ->> '$.details.answer' AS answer
FROM current_reports
WHERE playbook = 'cite_or_abstain'
ORDER BY ALL;

CREATE TABLE page_texts AS
WITH known AS (
    SELECT DISTINCT
        playbook,
        test_case_id,
        system
    FROM current_reports
),
texts AS (
    SELECT
        known.playbook,
        known.test_case_id,
        known.system,
        any_value(test_cases.question) AS question,
        any_value(test_cases.produced) AS produced,
        string_agg(DISTINCT page_answers.answer, chr(10)) AS answer
    FROM known
    LEFT JOIN test_cases USING (playbook, test_case_id, system)
    LEFT JOIN page_answers USING (playbook, test_case_id, system)
    GROUP BY ALL
)
SELECT
    row_number() OVER (ORDER BY playbook, test_case_id, system) AS text_number,
    playbook,
    test_case_id,
    system,
    coalesce(question, '') AS question,
    lower(nfc_normalize(concat_ws(chr(10), test_case_id, system, question, produced, answer)))
        AS searched
FROM texts
ORDER BY text_number;

CREATE TABLE page_cases AS
WITH found AS (
    SELECT
        evaluation_id,
        test_case_id,
        system,
        count(*) AS findings,
        count(*) FILTER (WHERE weight < 1) AS failing,
        list(DISTINCT label ORDER BY label) AS labels,
        list_sort(list_distinct(flatten(list(from_json(flags, '[{"type": "VARCHAR"}]')))))
            AS finding_flags,
        arg_min(
            {'label': label, 'text': left(text, 200), 'source_id': source_id},
            weight * 100000 + finding_index
        ) FILTER (WHERE weight < 1) AS worst
    FROM current_findings
    GROUP BY ALL
)
SELECT
    row_number() OVER (ORDER BY
        reports.playbook,
        reports.model,
        reports.prompt_version,
        reports.system,
        reports.test_case_id
    ) AS place,
    reports.playbook,
    reports.model,
    reports.prompt_version,
    reports.system,
    reports.test_case_id,
    reports.evaluation_id,
    reports.case_hash,
    reports.dataset,
    reports.risk_level,
    reports.validation_status,
    reports.reason,
    reports.effective_score AS score,
    reports.overridden,
    reports.verdict,
    reports.routing,
    reports.escalated,
    from_json(reports.escalations, '["VARCHAR"]') AS escalations,
    reports.immediate,
    reports.provisional,
    coalesce(found.findings, 0) AS findings,
    coalesce(found.failing, 0) AS failing,
    coalesce(found.labels, []) AS labels,
    list_sort(list_distinct(list_concat(
        from_json(reports.flags, '["VARCHAR"]'),
        list_transform(coalesce(found.finding_flags, []), lambda flag: flag.type)
    ))) AS flags,
    found.worst.label AS worst_label,
    found.worst.text AS worst_text,
    found.worst.source_id AS worst_source_id,
    page_texts.text_number,
    reports.question_key,
    evaluations.finished_at,
    evaluations.epoch
FROM current_reports AS reports
JOIN evaluations ON reports.evaluation_id = evaluations.evaluation_id
JOIN page_texts
    ON reports.playbook = page_texts.playbook
    AND reports.test_case_id = page_texts.test_case_id
    AND reports.system = page_texts.system
LEFT JOIN found
    ON reports.evaluation_id = found.evaluation_id
    AND reports.test_case_id = found.test_case_id
    AND reports.system = found.system
ORDER BY place;

CREATE TABLE page_failing AS
SELECT
    page_cases.place,
    findings.finding_index,
    findings.unit,
    findings.unit_number,
    findings.text,
    findings.source_id,
    findings.label,
    findings.weight,
    left(findings.explanation, 400) AS explanation
FROM findings
JOIN page_cases
    ON findings.evaluation_id = page_cases.evaluation_id
    AND findings.test_case_id = page_cases.test_case_id
    AND findings.system = page_cases.system
WHERE findings.weight < 1
ORDER BY page_cases.place, findings.weight, findings.finding_index;

CREATE TABLE page_words AS
SELECT
    playbook,
    kind,
    word,
    count(*) AS cases
FROM (
    SELECT playbook, 'system' AS kind, system AS word FROM page_cases
    UNION ALL SELECT playbook, 'model', model FROM page_cases
    UNION ALL SELECT playbook, 'prompt', prompt_version FROM page_cases
    UNION ALL SELECT playbook, 'dataset', dataset FROM page_cases
    UNION ALL SELECT playbook, 'status', validation_status FROM page_cases
    UNION ALL SELECT playbook, 'routing', routing FROM page_cases
    UNION ALL SELECT playbook, 'escalation', unnest(escalations) FROM page_cases
    UNION ALL SELECT playbook, 'label', unnest(labels) FROM page_cases
    UNION ALL SELECT playbook, 'flag', unnest(flags) FROM page_cases
)
GROUP BY ALL
ORDER BY ALL;
