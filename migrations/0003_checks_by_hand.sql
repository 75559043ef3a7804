-- What checks found that a person ran: they belong to no iteration. Of each check the last 100 are kept, and of those
-- before the last one only how they ended.

CREATE TABLE checks_by_hand (
    place      INTEGER PRIMARY KEY,
    position   INTEGER NOT NULL CHECK (position BETWEEN 0 AND 4294967295),
    name       TEXT NOT NULL,
    at         TEXT NOT NULL,
    required   INTEGER NOT NULL CHECK (required IN (0, 1)),
    status     TEXT NOT NULL,
    exit_code  INTEGER,
    elapsed_ms INTEGER NOT NULL CHECK (elapsed_ms >= 0),
    issues     TEXT NOT NULL CHECK (json_valid(issues)),
    excerpt    TEXT NOT NULL,
    problem    TEXT
) STRICT;

-- The history of one check, newest first.
CREATE INDEX checks_by_hand_by_name ON checks_by_hand (name, place);

PRAGMA user_version = 3;
