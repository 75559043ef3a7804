-- The project's history and its tasks.
--
-- Published migrations never change; a change of the schema is a new file. Each one ends by setting
-- user_version to its own number, which is what the store compares when it opens a database.

-- "Lpwr": tells Loopwright's databases from other programs' SQLite files.
PRAGMA application_id = 0x4c707772;

-- What happened, in order. The sequence counts from 1 without gaps: nothing is ever removed, and an
-- aborted write gives its number back.
CREATE TABLE events (
    seq  INTEGER PRIMARY KEY CHECK (seq > 0),
    v    INTEGER NOT NULL CHECK (v > 0),
    at   TEXT NOT NULL,
    body TEXT NOT NULL CHECK (json_valid(body)),
    type TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.type') VIRTUAL
) STRICT;

CREATE TRIGGER events_never_change BEFORE UPDATE ON events
BEGIN
    SELECT raise(ABORT, 'history is only added to');
END;

CREATE TRIGGER events_never_vanish BEFORE DELETE ON events
BEGIN
    SELECT raise(ABORT, 'history is only added to');
END;

-- AUTOINCREMENT: a task's number is never given to another task.
CREATE TABLE tasks (
    id          INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 4294967295),
    title       TEXT NOT NULL CHECK (title <> ''),
    description TEXT NOT NULL DEFAULT '',
    priority    INTEGER NOT NULL CHECK (priority BETWEEN 0 AND 4294967295),
    status      TEXT NOT NULL DEFAULT 'pending' CHECK (
        status IN ('pending', 'in_progress', 'awaiting_approval', 'done', 'blocked', 'cancelled')
    ),
    created_at  TEXT NOT NULL,
    updated_at  TEXT NOT NULL
) STRICT;

CREATE TABLE task_dependencies (
    task_id    INTEGER NOT NULL REFERENCES tasks (id),
    depends_on INTEGER NOT NULL REFERENCES tasks (id),
    PRIMARY KEY (task_id, depends_on),
    CHECK (task_id <> depends_on)
) STRICT, WITHOUT ROWID;

CREATE INDEX task_dependencies_by_prerequisite ON task_dependencies (depends_on);

-- The search index keeps no copy of the text; the triggers keep it in step with the tasks.
CREATE VIRTUAL TABLE tasks_fts USING fts5 (
    title,
    description,
    content = 'tasks',
    content_rowid = 'id',
    tokenize = 'unicode61 remove_diacritics 2'
);

CREATE TRIGGER tasks_fts_insert AFTER INSERT ON tasks
BEGIN
    INSERT INTO tasks_fts (rowid, title, description) VALUES (new.id, new.title, new.description);
END;

CREATE TRIGGER tasks_fts_delete AFTER DELETE ON tasks
BEGIN
    INSERT INTO tasks_fts (tasks_fts, rowid, title, description)
    VALUES ('delete', old.id, old.title, old.description);
END;

CREATE TRIGGER tasks_fts_update AFTER UPDATE OF id, title, description ON tasks
BEGIN
    INSERT INTO tasks_fts (tasks_fts, rowid, title, description)
    VALUES ('delete', old.id, old.title, old.description);
    INSERT INTO tasks_fts (rowid, title, description) VALUES (new.id, new.title, new.description);
END;

PRAGMA user_version = 1;
