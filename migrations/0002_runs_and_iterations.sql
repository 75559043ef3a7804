-- Runs, their iterations, what checks found, and what people asked of a run.
--
-- What is searched or sorted has a column of its own; plain data that is only ever read together with its row is
-- JSON. The rules of the journal are triggers, so that no process can break them: what they say when they refuse is
-- shown to people.

-- `place` is the order in which runs were begun; a clock may go back, this does not.
CREATE TABLE runs (
    place             INTEGER PRIMARY KEY,
    id                TEXT NOT NULL UNIQUE,
    kind              TEXT NOT NULL,
    title             TEXT NOT NULL,
    procedure         TEXT,
    harness           TEXT NOT NULL,
    status            TEXT NOT NULL CHECK (
        status IN ('running', 'paused', 'waiting', 'completed', 'aborted', 'interrupted', 'cancelled')
    ),
    waiting           TEXT,
    reason            TEXT,
    message           TEXT,
    limits            TEXT NOT NULL CHECK (json_valid(limits)),
    progress          TEXT NOT NULL CHECK (json_valid(progress)),
    goal              INTEGER NOT NULL CHECK (goal IN (0, 1)),
    origin            TEXT NOT NULL,
    started_at        TEXT NOT NULL,
    last_iteration_at TEXT,
    ended_at          TEXT,
    head              TEXT,
    tree              TEXT,
    options           TEXT NOT NULL,
    is_over           INTEGER NOT NULL GENERATED ALWAYS AS (
        status IN ('completed', 'aborted', 'cancelled')
    ) VIRTUAL
) STRICT;

CREATE TRIGGER runs_over_never_change BEFORE UPDATE ON runs WHEN old.is_over
BEGIN
    SELECT raise(ABORT, 'a run that is over never changes again');
END;

-- The run is checked at the end of a write: an entry of the journal writes the iteration before its run, so that it
-- can settle the last iteration and end the run together.
CREATE TABLE iterations (
    place           INTEGER PRIMARY KEY,
    id              TEXT NOT NULL UNIQUE,
    run             TEXT NOT NULL REFERENCES runs (id) DEFERRABLE INITIALLY DEFERRED,
    number          INTEGER NOT NULL CHECK (number BETWEEN 0 AND 4294967295),
    attempt         INTEGER NOT NULL CHECK (attempt BETWEEN 1 AND 4294967295),
    task            INTEGER REFERENCES tasks (id),
    phase           TEXT NOT NULL,
    outcome         TEXT,
    cause           TEXT,
    message         TEXT,
    started_at      TEXT NOT NULL,
    ended_at        TEXT,
    agent_ms        INTEGER NOT NULL CHECK (agent_ms >= 0),
    elapsed_ms      INTEGER NOT NULL CHECK (elapsed_ms >= 0),
    pid             INTEGER,
    process_started TEXT,
    exit_code       INTEGER,
    exit_signal     INTEGER,
    end_cause       TEXT,
    claim           TEXT NOT NULL,
    claim_text      TEXT,
    promise_checked INTEGER NOT NULL CHECK (promise_checked IN (0, 1)),
    preview         TEXT NOT NULL,
    usage           TEXT NOT NULL CHECK (json_valid(usage)),
    prompt_tokens   INTEGER NOT NULL CHECK (prompt_tokens >= 0),
    head            TEXT,
    checkpoint      TEXT,
    tree_before     TEXT,
    tree_after      TEXT,
    commit_id       TEXT,
    failing         TEXT NOT NULL CHECK (json_valid(failing)),
    step            INTEGER NOT NULL GENERATED ALWAYS AS (
        CASE phase
            WHEN 'planned' THEN 1
            WHEN 'running' THEN 2
            WHEN 'agent_done' THEN 3
            WHEN 'checking' THEN 4
            WHEN 'awaiting_approval' THEN 5
            WHEN 'committing' THEN 6
            WHEN 'settled' THEN 7
        END
    ) VIRTUAL,
    UNIQUE (run, number, attempt)
) STRICT;

CREATE INDEX iterations_unsettled ON iterations (phase) WHERE phase <> 'settled';

CREATE TRIGGER iterations_settled_never_change BEFORE UPDATE ON iterations WHEN old.phase = 'settled'
BEGIN
    SELECT raise(ABORT, 'an iteration that is settled never changes again');
END;

CREATE TRIGGER iterations_only_move_forward BEFORE UPDATE ON iterations
WHEN new.step < old.step AND old.phase <> 'settled'
BEGIN
    SELECT raise(ABORT, 'an iteration never goes back to an earlier phase');
END;

CREATE TRIGGER iterations_belong_to_a_live_run AFTER INSERT ON iterations
WHEN (SELECT is_over FROM runs WHERE id = new.run)
BEGIN
    SELECT raise(ABORT, 'a run that is over takes no more iterations');
END;

CREATE TABLE check_results (
    place      INTEGER PRIMARY KEY,
    iteration  TEXT NOT NULL REFERENCES iterations (id),
    position   INTEGER NOT NULL CHECK (position BETWEEN 0 AND 4294967295),
    name       TEXT NOT NULL,
    at         TEXT NOT NULL,
    required   INTEGER NOT NULL CHECK (required IN (0, 1)),
    status     TEXT NOT NULL,
    exit_code  INTEGER,
    elapsed_ms INTEGER NOT NULL CHECK (elapsed_ms >= 0),
    issues     TEXT NOT NULL CHECK (json_valid(issues)),
    excerpt    TEXT NOT NULL,
    problem    TEXT,
    UNIQUE (iteration, position)
) STRICT;

-- The history of one check, newest first.
CREATE INDEX check_results_by_name ON check_results (name, place);

-- The running process remembers the last id it has seen.
CREATE TABLE controls (
    id     INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 4294967295),
    run    TEXT NOT NULL REFERENCES runs (id),
    kind   TEXT NOT NULL,
    origin TEXT NOT NULL,
    at     TEXT NOT NULL
) STRICT;

CREATE INDEX controls_by_run ON controls (run, id);

PRAGMA user_version = 2;
