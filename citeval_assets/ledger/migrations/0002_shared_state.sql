-- What the processes of a run share while they work. Rows come and go; not part of the audit.

-- The circuit breaker of one model: state is closed, open or half_open.
CREATE TABLE circuits (
    scope TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    failures INTEGER NOT NULL,
    reason TEXT NOT NULL,
    owner TEXT NOT NULL,
    until TEXT NOT NULL
);

-- The rates of one model: when the next request, and the next tokens, may go out (seconds since
-- 1970).
CREATE TABLE turns (
    scope TEXT PRIMARY KEY,
    next_request_s DOUBLE PRECISION NOT NULL,
    next_tokens_s DOUBLE PRECISION NOT NULL
);

-- What was spent within one limit (a run, a day), in US dollars as decimal text.
CREATE TABLE spending (
    scope TEXT PRIMARY KEY,
    spent_usd TEXT NOT NULL,
    reserved_usd TEXT NOT NULL
);

-- What a call under way may cost at most. The reply ends it.
CREATE TABLE reservations (
    call_id TEXT PRIMARY KEY,
    scopes TEXT NOT NULL,
    usd TEXT NOT NULL,
    owner TEXT NOT NULL,
    expires_at TEXT NOT NULL
);
