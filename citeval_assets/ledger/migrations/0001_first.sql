-- Every table but the last two is append-only and part of the one hash chain:
--   nr    counts the rows of the table from 1 without gaps,
--   seq   counts the rows of the whole chain from 1 without gaps,
--   prev_hash, row_hash  link the row to the one before it in the chain.
-- Statements are plain enough for SQLite and PostgreSQL alike; triggers come from dialects.py.

CREATE TABLE schema_migrations (
    nr INTEGER PRIMARY KEY, seq BIGINT NOT NULL UNIQUE,
    prev_hash TEXT NOT NULL, row_hash TEXT NOT NULL,
    version INTEGER NOT NULL UNIQUE,
    name TEXT NOT NULL,
    applied_at TEXT NOT NULL
);

CREATE TABLE installation (
    nr INTEGER PRIMARY KEY, seq BIGINT NOT NULL UNIQUE,
    prev_hash TEXT NOT NULL, row_hash TEXT NOT NULL,
    name TEXT NOT NULL UNIQUE,
    value TEXT NOT NULL,
    created_at TEXT NOT NULL
);

CREATE TABLE texts (
    nr INTEGER PRIMARY KEY, seq BIGINT NOT NULL UNIQUE,
    prev_hash TEXT NOT NULL, row_hash TEXT NOT NULL,
    sha256 TEXT NOT NULL UNIQUE,
    content TEXT NOT NULL
);

CREATE TABLE cases (
    nr INTEGER PRIMARY KEY, seq BIGINT NOT NULL UNIQUE,
    prev_hash TEXT NOT NULL, row_hash TEXT NOT NULL,
    case_hash TEXT NOT NULL UNIQUE,
    playbook TEXT NOT NULL,
    test_case_id TEXT NOT NULL,
    system TEXT NOT NULL,
    canonical_json TEXT NOT NULL
);

CREATE TABLE datasets (
    nr INTEGER PRIMARY KEY, seq BIGINT NOT NULL UNIQUE,
    prev_hash TEXT NOT NULL, row_hash TEXT NOT NULL,
    playbook TEXT NOT NULL,
    dataset_version TEXT NOT NULL,
    member_count INTEGER NOT NULL,
    members_json TEXT NOT NULL,
    created_at TEXT NOT NULL,
    UNIQUE (playbook, dataset_version)
);

CREATE TABLE call_intents (
    nr INTEGER PRIMARY KEY, seq BIGINT NOT NULL UNIQUE,
    prev_hash TEXT NOT NULL, row_hash TEXT NOT NULL,
    call_id TEXT NOT NULL UNIQUE,
    call_key TEXT NOT NULL,
    run_id TEXT NOT NULL,
    playbook TEXT NOT NULL,
    test_case_id TEXT NOT NULL,
    system TEXT NOT NULL,
    case_hash TEXT NOT NULL,
    model_id TEXT NOT NULL,
    model TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    prompt_version TEXT NOT NULL,
    template_sha256 TEXT NOT NULL,
    dataset_version TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    try_number INTEGER NOT NULL,
    repeat INTEGER NOT NULL,
    source_ids TEXT NOT NULL,
    messages_sha256 TEXT NOT NULL REFERENCES texts (sha256),
    parameters_json TEXT NOT NULL,
    response_schema_sha256 TEXT,
    context_cuts_json TEXT NOT NULL,
    created_at TEXT NOT NULL
);
CREATE INDEX call_intents_key ON call_intents (call_key);
CREATE INDEX call_intents_case ON call_intents (test_case_id);
CREATE INDEX call_intents_run ON call_intents (run_id);

CREATE TABLE call_replies (
    nr INTEGER PRIMARY KEY, seq BIGINT NOT NULL UNIQUE,
    prev_hash TEXT NOT NULL, row_hash TEXT NOT NULL,
    call_id TEXT NOT NULL UNIQUE REFERENCES call_intents (call_id),
    outcome TEXT NOT NULL CHECK (outcome IN ('reply', 'failure')),
    text TEXT,
    finish_reason TEXT,
    failure_reason TEXT,
    failure_detail TEXT,
    http_status INTEGER,
    retry_after_s DOUBLE PRECISION,
    answered_model TEXT,
    fingerprint TEXT,
    provider TEXT,
    prompt_tokens BIGINT,
    cached_tokens BIGINT,
    completion_tokens BIGINT,
    cost_usd TEXT,
    cost_note TEXT,
    latency_ms DOUBLE PRECISION,
    notes_json TEXT NOT NULL,
    created_at TEXT NOT NULL
);

CREATE TABLE evaluations (
    nr INTEGER PRIMARY KEY, seq BIGINT NOT NULL UNIQUE,
    prev_hash TEXT NOT NULL, row_hash TEXT NOT NULL,
    evaluation_id TEXT NOT NULL UNIQUE,
    playbook TEXT NOT NULL,
    model TEXT NOT NULL,
    prompt_version TEXT NOT NULL,
    template_sha256 TEXT NOT NULL,
    dataset_version TEXT NOT NULL,
    scope TEXT NOT NULL,
    epoch TEXT NOT NULL,
    run_id TEXT NOT NULL,
    started_at TEXT NOT NULL,
    finished_at TEXT NOT NULL,
    item_count INTEGER NOT NULL,
    items_sha256 TEXT NOT NULL
);
CREATE INDEX evaluations_partition ON evaluations (playbook, model, prompt_version);

CREATE TABLE evaluation_items (
    nr INTEGER PRIMARY KEY, seq BIGINT NOT NULL UNIQUE,
    prev_hash TEXT NOT NULL, row_hash TEXT NOT NULL,
    evaluation_id TEXT NOT NULL REFERENCES evaluations (evaluation_id),
    case_hash TEXT NOT NULL,
    test_case_id TEXT NOT NULL,
    system TEXT NOT NULL,
    call_ids TEXT NOT NULL,
    status TEXT NOT NULL,
    reason TEXT,
    score DOUBLE PRECISION,
    routing TEXT NOT NULL,
    escalations TEXT NOT NULL,
    validation_problems TEXT NOT NULL,
    UNIQUE (evaluation_id, case_hash)
);

CREATE TABLE gate_decisions (
    nr INTEGER PRIMARY KEY, seq BIGINT NOT NULL UNIQUE,
    prev_hash TEXT NOT NULL, row_hash TEXT NOT NULL,
    decision_id TEXT NOT NULL UNIQUE,
    gate TEXT NOT NULL,
    playbook TEXT NOT NULL,
    metric TEXT NOT NULL,
    baseline TEXT NOT NULL,
    candidate TEXT NOT NULL,
    verdict TEXT NOT NULL,
    inputs_json TEXT NOT NULL,
    created_at TEXT NOT NULL
);

CREATE TABLE review_decisions (
    nr INTEGER PRIMARY KEY, seq BIGINT NOT NULL UNIQUE,
    prev_hash TEXT NOT NULL, row_hash TEXT NOT NULL,
    decision_id TEXT NOT NULL UNIQUE,
    playbook TEXT NOT NULL,
    test_case_id TEXT NOT NULL,
    system TEXT NOT NULL,
    case_hash TEXT NOT NULL,
    model TEXT NOT NULL,
    prompt_version TEXT NOT NULL,
    decision TEXT NOT NULL,
    reviewer TEXT NOT NULL,
    note TEXT NOT NULL,
    labels_json TEXT NOT NULL,
    answer TEXT,
    evaluation_id TEXT,
    created_at TEXT NOT NULL
);

CREATE TABLE human_labels (
    nr INTEGER PRIMARY KEY, seq BIGINT NOT NULL UNIQUE,
    prev_hash TEXT NOT NULL, row_hash TEXT NOT NULL,
    label_id TEXT NOT NULL UNIQUE,
    playbook TEXT NOT NULL,
    test_case_id TEXT NOT NULL,
    system TEXT NOT NULL,
    case_hash TEXT NOT NULL,
    label_source TEXT NOT NULL,
    labels_json TEXT NOT NULL,
    score DOUBLE PRECISION,
    labeller TEXT NOT NULL,
    origin TEXT NOT NULL,
    created_at TEXT NOT NULL
);

-- What is current: the dataset version of a playbook, the evaluation of a partition. The newest
-- row of a (kind, name) counts, so going back to an older value is one more row.
CREATE TABLE selections (
    nr INTEGER PRIMARY KEY, seq BIGINT NOT NULL UNIQUE,
    prev_hash TEXT NOT NULL, row_hash TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    created_at TEXT NOT NULL
);
CREATE INDEX selections_name ON selections (kind, name);

CREATE TABLE run_anchors (
    nr INTEGER PRIMARY KEY, seq BIGINT NOT NULL UNIQUE,
    prev_hash TEXT NOT NULL, row_hash TEXT NOT NULL,
    run_id TEXT NOT NULL,
    chain_rows BIGINT NOT NULL,
    head TEXT NOT NULL,
    created_at TEXT NOT NULL
);

-- The end of the chain ('*') and of each table. Moved forward in the same transaction as the
-- rows; no row of the chain itself, so verification never trusts it, only compares it.
CREATE TABLE chain_heads (
    name TEXT PRIMARY KEY,
    row_count BIGINT NOT NULL,
    row_hash TEXT NOT NULL
);

-- Leases on calls about to be made. Rows come and go; not part of the audit.
CREATE TABLE claims (
    call_key TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    expires_at TEXT NOT NULL
);
