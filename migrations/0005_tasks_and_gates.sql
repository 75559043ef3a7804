-- Everything a task is, the spec it comes from, gates, and what was learned.

ALTER TABLE tasks ADD COLUMN acceptance TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(acceptance));
ALTER TABLE tasks ADD COLUMN test_strategy TEXT NOT NULL DEFAULT '';
ALTER TABLE tasks ADD COLUMN size TEXT;
ALTER TABLE tasks ADD COLUMN complexity INTEGER NOT NULL DEFAULT 0 CHECK (complexity BETWEEN 0 AND 89);
ALTER TABLE tasks ADD COLUMN kind TEXT;
ALTER TABLE tasks ADD COLUMN tag TEXT;
ALTER TABLE tasks ADD COLUMN notes TEXT NOT NULL DEFAULT '';
-- Why it is blocked: reason, attempts, at.
ALTER TABLE tasks ADD COLUMN blocked TEXT CHECK (blocked IS NULL OR json_valid(blocked));
-- How many failures a person has forgiven by taking the task up again; they no longer count as chronic.
ALTER TABLE tasks ADD COLUMN forgiven INTEGER NOT NULL DEFAULT 0 CHECK (forgiven >= 0);
-- What it is called where it was imported from, and what that format holds beyond a task of ours.
ALTER TABLE tasks ADD COLUMN external TEXT;
ALTER TABLE tasks ADD COLUMN external_file TEXT;
ALTER TABLE tasks ADD COLUMN external_rest TEXT CHECK (external_rest IS NULL OR json_valid(external_rest));

CREATE INDEX tasks_by_tag ON tasks (tag) WHERE tag IS NOT NULL;
CREATE UNIQUE INDEX tasks_by_external ON tasks (external_file, external) WHERE external IS NOT NULL;

-- Searching looks at all that people wrote.
DROP TRIGGER tasks_fts_insert;
DROP TRIGGER tasks_fts_delete;
DROP TRIGGER tasks_fts_update;
DROP TABLE tasks_fts;

CREATE VIRTUAL TABLE tasks_fts USING fts5 (
    title,
    description,
    acceptance,
    notes,
    content = 'tasks',
    content_rowid = 'id',
    tokenize = 'unicode61 remove_diacritics 2'
);

INSERT INTO tasks_fts (tasks_fts) VALUES ('rebuild');

CREATE TRIGGER tasks_fts_insert AFTER INSERT ON tasks
BEGIN
    INSERT INTO tasks_fts (rowid, title, description, acceptance, notes)
    VALUES (new.id, new.title, new.description, new.acceptance, new.notes);
END;

CREATE TRIGGER tasks_fts_delete AFTER DELETE ON tasks
BEGIN
    INSERT INTO tasks_fts (tasks_fts, rowid, title, description, acceptance, notes)
    VALUES ('delete', old.id, old.title, old.description, old.acceptance, old.notes);
END;

CREATE TRIGGER tasks_fts_update AFTER UPDATE OF id, title, description, acceptance, notes ON tasks
BEGIN
    INSERT INTO tasks_fts (tasks_fts, rowid, title, description, acceptance, notes)
    VALUES ('delete', old.id, old.title, old.description, old.acceptance, old.notes);
    INSERT INTO tasks_fts (rowid, title, description, acceptance, notes)
    VALUES (new.id, new.title, new.description, new.acceptance, new.notes);
END;

-- A task's attempts and failures are counted from its iterations, so that they are always right.
ALTER TABLE iterations ADD COLUMN wave INTEGER CHECK (wave IS NULL OR wave BETWEEN 1 AND 4294967295);
ALTER TABLE iterations ADD COLUMN by_hand INTEGER NOT NULL DEFAULT 0 CHECK (by_hand IN (0, 1));
ALTER TABLE iterations ADD COLUMN restored INTEGER NOT NULL DEFAULT 0 CHECK (restored IN (0, 1));

CREATE INDEX iterations_by_task ON iterations (task, outcome) WHERE task IS NOT NULL;

-- Events about one task, newest last.
CREATE INDEX events_by_task ON events (body ->> '$.task') WHERE body ->> '$.task' IS NOT NULL;

-- The spec. AUTOINCREMENT: a section's number is never given to another one.
CREATE TABLE sections (
    id       INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 4294967295),
    position INTEGER NOT NULL CHECK (position >= 0),
    number   TEXT NOT NULL,
    title    TEXT NOT NULL CHECK (title <> ''),
    level    INTEGER NOT NULL CHECK (level BETWEEN 1 AND 6),
    content  TEXT NOT NULL DEFAULT '',
    file     TEXT,
    words    INTEGER NOT NULL CHECK (words >= 0),
    -- Whether a person changed what was imported: another import leaves it alone.
    edited   INTEGER NOT NULL DEFAULT 0 CHECK (edited IN (0, 1))
) STRICT;

CREATE INDEX sections_by_place ON sections (file, position);

CREATE VIRTUAL TABLE sections_fts USING fts5 (
    title,
    content,
    content = 'sections',
    content_rowid = 'id',
    tokenize = 'unicode61 remove_diacritics 2'
);

CREATE TRIGGER sections_fts_insert AFTER INSERT ON sections
BEGIN
    INSERT INTO sections_fts (rowid, title, content) VALUES (new.id, new.title, new.content);
END;

CREATE TRIGGER sections_fts_delete AFTER DELETE ON sections
BEGIN
    INSERT INTO sections_fts (sections_fts, rowid, title, content)
    VALUES ('delete', old.id, old.title, old.content);
END;

CREATE TRIGGER sections_fts_update AFTER UPDATE OF id, title, content ON sections
BEGIN
    INSERT INTO sections_fts (sections_fts, rowid, title, content)
    VALUES ('delete', old.id, old.title, old.content);
    INSERT INTO sections_fts (rowid, title, content) VALUES (new.id, new.title, new.content);
END;

CREATE TABLE task_sections (
    task_id    INTEGER NOT NULL REFERENCES tasks (id),
    section_id INTEGER NOT NULL REFERENCES sections (id) ON DELETE CASCADE,
    PRIMARY KEY (task_id, section_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX task_sections_by_section ON task_sections (section_id);

-- A gate is decided once: the trigger is what makes one of two decisions win.
CREATE TABLE gates (
    id         INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 4294967295),
    kind       TEXT NOT NULL,
    run        TEXT NOT NULL REFERENCES runs (id) DEFERRABLE INITIALLY DEFERRED,
    iteration  TEXT NOT NULL REFERENCES iterations (id) DEFERRABLE INITIALLY DEFERRED,
    task       INTEGER REFERENCES tasks (id),
    reasons    TEXT NOT NULL CHECK (json_valid(reasons)),
    flags      TEXT NOT NULL CHECK (json_valid(flags)),
    from_tree  TEXT,
    tree       TEXT,
    files      INTEGER NOT NULL CHECK (files >= 0),
    added      INTEGER NOT NULL CHECK (added >= 0),
    removed    INTEGER NOT NULL CHECK (removed >= 0),
    summary    TEXT NOT NULL,
    status     TEXT NOT NULL DEFAULT 'open',
    opened_at  TEXT NOT NULL,
    decision   TEXT CHECK (decision IS NULL OR json_valid(decision)),
    decided_at TEXT,
    decided_by TEXT
) STRICT;

CREATE INDEX gates_open ON gates (status) WHERE status = 'open';
CREATE INDEX gates_decided ON gates (decided_at, id) WHERE decided_at IS NOT NULL;
CREATE INDEX gates_by_iteration ON gates (iteration);
CREATE INDEX gates_by_task ON gates (task) WHERE task IS NOT NULL;
CREATE INDEX gates_by_run ON gates (run, kind);
CREATE INDEX iterations_by_commit ON iterations (commit_id) WHERE commit_id IS NOT NULL;

CREATE TRIGGER gates_are_decided_once BEFORE UPDATE OF status ON gates WHEN old.status <> 'open'
BEGIN
    SELECT raise(ABORT, 'this gate has been decided');
END;

-- What is over waits for nobody. A review is about several iterations, and all of them are over.
CREATE TRIGGER runs_over_close_their_gates AFTER UPDATE OF status ON runs
WHEN new.status IN ('completed', 'aborted', 'cancelled')
BEGIN
    INSERT INTO events (v, at, body)
    SELECT 1, coalesce(new.ended_at, new.started_at), json_object(
        'type', 'gate.decided', 'gate', id, 'status', 'replaced', 'reason', NULL, 'origin', NULL
    ) FROM gates WHERE run = new.id AND status = 'open';
    UPDATE gates SET status = 'replaced' WHERE run = new.id AND status = 'open';
END;

CREATE TRIGGER settled_iterations_close_their_gates AFTER UPDATE OF phase ON iterations WHEN new.phase = 'settled'
BEGIN
    INSERT INTO events (v, at, body)
    SELECT 1, coalesce(new.ended_at, new.started_at), json_object(
        'type', 'gate.decided', 'gate', id, 'status', 'replaced', 'reason', NULL, 'origin', NULL
    ) FROM gates WHERE iteration = new.id AND status = 'open' AND kind <> 'review';
    UPDATE gates SET status = 'replaced' WHERE iteration = new.id AND status = 'open' AND kind <> 'review';
END;

CREATE TABLE gate_comments (
    id       INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 4294967295),
    gate     INTEGER NOT NULL REFERENCES gates (id),
    path     TEXT NOT NULL,
    line     INTEGER,
    old_side INTEGER NOT NULL CHECK (old_side IN (0, 1)),
    quoted   TEXT NOT NULL,
    text     TEXT NOT NULL CHECK (text <> '')
) STRICT;

CREATE INDEX gate_comments_by_gate ON gate_comments (gate);

CREATE TABLE learnings (
    id        INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 4294967295),
    category  TEXT NOT NULL,
    text      TEXT NOT NULL CHECK (text <> ''),
    task      INTEGER REFERENCES tasks (id),
    iteration TEXT REFERENCES iterations (id) DEFERRABLE INITIALLY DEFERRED,
    at        TEXT NOT NULL
) STRICT;

-- The commits that hold whole waves.
CREATE TABLE wave_commits (
    place     INTEGER PRIMARY KEY,
    run       TEXT NOT NULL REFERENCES runs (id) DEFERRABLE INITIALLY DEFERRED,
    wave      INTEGER NOT NULL CHECK (wave >= 1),
    commit_id TEXT NOT NULL,
    at        TEXT NOT NULL,
    tasks     TEXT NOT NULL CHECK (json_valid(tasks)),
    UNIQUE (run, wave)
) STRICT;

PRAGMA user_version = 5;
