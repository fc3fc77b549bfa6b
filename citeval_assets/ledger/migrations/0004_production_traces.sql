-- Production traces as they arrived, and the draws of the nightly sample over them.
CREATE TABLE traces (
    nr INTEGER PRIMARY KEY, seq BIGINT NOT NULL UNIQUE,
    prev_hash TEXT NOT NULL, row_hash TEXT NOT NULL,
    case_hash TEXT NOT NULL UNIQUE,
    playbook TEXT NOT NULL,
    test_case_id TEXT NOT NULL,
    system TEXT NOT NULL,
    day TEXT NOT NULL,
    file TEXT NOT NULL,
    created_at TEXT NOT NULL,
    UNIQUE (playbook, system, test_case_id)
);

-- Every trace is offered to one draw. What was not drawn is recorded too: the probability of a
-- draw is only known with all that could have been drawn.
CREATE TABLE trace_offers (
    nr INTEGER PRIMARY KEY, seq BIGINT NOT NULL UNIQUE,
    prev_hash TEXT NOT NULL, row_hash TEXT NOT NULL,
    case_hash TEXT NOT NULL UNIQUE,
    playbook TEXT NOT NULL,
    dataset TEXT NOT NULL,
    system TEXT NOT NULL,
    day TEXT NOT NULL,
    offered INTEGER NOT NULL,
    taken INTEGER NOT NULL,
    drawn INTEGER NOT NULL,
    probability DOUBLE PRECISION NOT NULL,
    seed BIGINT NOT NULL,
    created_at TEXT NOT NULL
);

CREATE INDEX trace_offers_by_dataset ON trace_offers (playbook, dataset);
