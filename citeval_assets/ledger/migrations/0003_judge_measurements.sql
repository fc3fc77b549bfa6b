-- What was found out about judges: qualifications, bridges between epochs, their noise.
CREATE TABLE judge_measurements (
    nr INTEGER PRIMARY KEY, seq BIGINT NOT NULL UNIQUE,
    prev_hash TEXT NOT NULL, row_hash TEXT NOT NULL,
    measurement_id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    playbook TEXT NOT NULL,
    model TEXT NOT NULL,
    prompt_version TEXT NOT NULL,
    epoch TEXT NOT NULL,
    result_json TEXT NOT NULL,
    run_id TEXT NOT NULL,
    created_at TEXT NOT NULL
);
