-- What made attempts fail. Each failed iteration has one at most.
CREATE TABLE failures (
    id          INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 4294967295),
    iteration   TEXT NOT NULL UNIQUE REFERENCES iterations (id) DEFERRABLE INITIALLY DEFERRED,
    run         TEXT NOT NULL REFERENCES runs (id) DEFERRABLE INITIALLY DEFERRED,
    task        INTEGER REFERENCES tasks (id),
    check_name  TEXT,
    pattern     TEXT NOT NULL CHECK (pattern <> ''),
    category    TEXT NOT NULL,
    cause       TEXT NOT NULL,
    file        TEXT,
    line        INTEGER,
    excerpt     TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    at          TEXT NOT NULL,
    -- The iteration that passed at the same task afterwards.
    resolved_by TEXT REFERENCES iterations (id) DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX failures_by_pattern ON failures (pattern);
CREATE INDEX failures_by_task ON failures (task) WHERE task IS NOT NULL;

PRAGMA user_version = 14;
