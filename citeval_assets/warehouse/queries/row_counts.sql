SELECT 'test_cases' AS table_name, count(*) AS row_count FROM test_cases
UNION ALL
SELECT 'quarantine' AS table_name, count(*) AS row_count FROM quarantine
UNION ALL
SELECT 'evaluations' AS table_name, count(*) AS row_count FROM evaluations
UNION ALL
SELECT 'current_evaluations' AS table_name, count(*) AS row_count FROM current_evaluations
UNION ALL
SELECT 'judge_outputs' AS table_name, count(*) AS row_count FROM judge_outputs
UNION ALL
SELECT 'reports' AS table_name, count(*) AS row_count FROM reports
UNION ALL
SELECT 'findings' AS table_name, count(*) AS row_count FROM findings
UNION ALL
SELECT 'score_trend' AS table_name, count(*) AS row_count FROM score_trend
UNION ALL
SELECT 'faithfulness_trend' AS table_name, count(*) AS row_count FROM faithfulness_trend
UNION ALL
SELECT 'gate_results' AS table_name, count(*) AS row_count FROM gate_results
UNION ALL
SELECT 'calibration' AS table_name, count(*) AS row_count FROM calibration
UNION ALL
SELECT 'judge_qualification' AS table_name, count(*) AS row_count FROM judge_qualification
UNION ALL
SELECT 'bridges' AS table_name, count(*) AS row_count FROM bridges
UNION ALL
SELECT 'judge_noise' AS table_name, count(*) AS row_count FROM judge_noise
UNION ALL
SELECT 'review_queue' AS table_name, count(*) AS row_count FROM review_queue
UNION ALL
SELECT 'trace_samples' AS table_name, count(*) AS row_count FROM trace_samples
