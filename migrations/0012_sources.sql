-- The documents that sections come from, as they were when they were imported.

CREATE TABLE sources (
    file        TEXT PRIMARY KEY CHECK (file <> ''),
    -- What the document calls itself in its front matter.
    name        TEXT,
    -- SHA-256 of the file.
    hash        TEXT NOT NULL,
    -- The documents it depends on, each with its hash then: {"name", "hash"}.
    depends_on  TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(depends_on)),
    imported_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

PRAGMA user_version = 12;
