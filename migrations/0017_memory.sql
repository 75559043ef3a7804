-- What fixed failures, and how far each is trusted, in hundredths.
CREATE TABLE solutions (
    id           INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 4294967295),
    pattern      TEXT NOT NULL CHECK (pattern <> ''),
    category     TEXT NOT NULL,
    title        TEXT NOT NULL CHECK (title <> ''),
    text         TEXT NOT NULL CHECK (text <> ''),
    files        TEXT NOT NULL DEFAULT '[]',
    cause        TEXT NOT NULL DEFAULT '',
    trust        INTEGER NOT NULL CHECK (trust BETWEEN 0 AND 100),
    retired      INTEGER NOT NULL DEFAULT 0 CHECK (retired IN (0, 1)),
    origin       TEXT NOT NULL,
    provenance   TEXT,
    task         INTEGER REFERENCES tasks (id),
    -- The iteration it was made from: one is made of each at most.
    iteration    TEXT UNIQUE REFERENCES iterations (id) DEFERRABLE INITIALLY DEFERRED,
    created_at   TEXT NOT NULL,
    validated_at TEXT NOT NULL,
    -- From when the next period without use is counted: moves on with each decay.
    idle_from    TEXT NOT NULL,
    included     INTEGER NOT NULL DEFAULT 0,
    helped       INTEGER NOT NULL DEFAULT 0,
    failed       INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX solutions_by_pattern ON solutions (pattern);

CREATE TABLE solution_history (
    id        INTEGER PRIMARY KEY,
    solution  INTEGER NOT NULL REFERENCES solutions (id),
    at        TEXT NOT NULL,
    reason    TEXT NOT NULL,
    before    INTEGER CHECK (before BETWEEN 0 AND 100),
    after     INTEGER NOT NULL CHECK (after BETWEEN 0 AND 100),
    iteration TEXT REFERENCES iterations (id) DEFERRABLE INITIALLY DEFERRED,
    note      TEXT NOT NULL
) STRICT;

CREATE INDEX solution_history_by_solution ON solution_history (solution);
-- An iteration is judged once: nothing is credited or debited twice for it.
CREATE UNIQUE INDEX solution_history_once ON solution_history (solution, iteration) WHERE iteration IS NOT NULL;

-- Which solutions and learnings were in an iteration's prompt.
CREATE TABLE memory_in_prompts (
    iteration TEXT NOT NULL REFERENCES iterations (id) DEFERRABLE INITIALLY DEFERRED,
    kind      TEXT NOT NULL CHECK (kind IN ('solution', 'learning')),
    item      INTEGER NOT NULL,
    PRIMARY KEY (iteration, kind, item)
) STRICT, WITHOUT ROWID;

CREATE INDEX memory_in_prompts_by_item ON memory_in_prompts (kind, item);

-- What a person chose for the prompts of a task.
CREATE TABLE prompt_choices (
    task   INTEGER NOT NULL REFERENCES tasks (id),
    key    TEXT NOT NULL,
    choice TEXT NOT NULL,
    PRIMARY KEY (task, key)
) STRICT, WITHOUT ROWID;

-- The solution that a failure was resolved with.
ALTER TABLE failures ADD COLUMN solution INTEGER REFERENCES solutions (id);
CREATE INDEX failures_unresolved ON failures (id) WHERE resolved_by IS NULL;

-- Learnings become cards.
ALTER TABLE learnings ADD COLUMN title TEXT NOT NULL DEFAULT '';
ALTER TABLE learnings ADD COLUMN applies TEXT NOT NULL DEFAULT '';
ALTER TABLE learnings ADD COLUMN scope TEXT NOT NULL DEFAULT 'project';
ALTER TABLE learnings ADD COLUMN stack TEXT;
ALTER TABLE learnings ADD COLUMN pattern TEXT;
ALTER TABLE learnings ADD COLUMN origin TEXT NOT NULL DEFAULT 'agent';
ALTER TABLE learnings ADD COLUMN learned INTEGER NOT NULL DEFAULT 1;
ALTER TABLE learnings ADD COLUMN included INTEGER NOT NULL DEFAULT 0;
ALTER TABLE learnings ADD COLUMN passed INTEGER NOT NULL DEFAULT 0;

CREATE INDEX learnings_by_pattern ON learnings (pattern) WHERE pattern IS NOT NULL;
CREATE INDEX learnings_by_use ON learnings (included DESC, id DESC);

CREATE VIRTUAL TABLE learnings_fts USING fts5 (
    title,
    applies,
    text,
    content = 'learnings',
    content_rowid = 'id',
    tokenize = 'unicode61 remove_diacritics 2'
);

INSERT INTO learnings_fts (learnings_fts) VALUES ('rebuild');

CREATE TRIGGER learnings_fts_insert AFTER INSERT ON learnings
BEGIN
    INSERT INTO learnings_fts (rowid, title, applies, text) VALUES (new.id, new.title, new.applies, new.text);
END;

CREATE TRIGGER learnings_fts_delete AFTER DELETE ON learnings
BEGIN
    INSERT INTO learnings_fts (learnings_fts, rowid, title, applies, text)
    VALUES ('delete', old.id, old.title, old.applies, old.text);
END;

CREATE TRIGGER learnings_fts_update AFTER UPDATE OF id, title, applies, text ON learnings
BEGIN
    INSERT INTO learnings_fts (learnings_fts, rowid, title, applies, text)
    VALUES ('delete', old.id, old.title, old.applies, old.text);
    INSERT INTO learnings_fts (rowid, title, applies, text) VALUES (new.id, new.title, new.applies, new.text);
END;

PRAGMA user_version = 17;
