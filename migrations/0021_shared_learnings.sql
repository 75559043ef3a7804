-- Learnings of other projects that were taken over, so that one that was removed here does not come back.
CREATE TABLE shared_learnings (
    -- The project it comes from and its number there.
    key      TEXT PRIMARY KEY CHECK (key <> ''),
    taken_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

PRAGMA user_version = 21;
