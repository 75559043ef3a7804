-- How the checks stood before a run, as JSON; NULL when nobody looked.
ALTER TABLE runs ADD COLUMN baseline TEXT CHECK (baseline IS NULL OR json_valid(baseline));

-- Whether a check failed before the run as well, and the code of what kept it from running.
ALTER TABLE check_results ADD COLUMN red_before INTEGER CHECK (red_before IN (0, 1));
ALTER TABLE check_results ADD COLUMN code TEXT;
ALTER TABLE checks_by_hand ADD COLUMN red_before INTEGER CHECK (red_before IN (0, 1));
ALTER TABLE checks_by_hand ADD COLUMN code TEXT;

-- Results on an untouched tree, by tree, check and program: for a day they need not be asked for again.
CREATE TABLE baseline_results (
    key    TEXT PRIMARY KEY,
    at     TEXT NOT NULL,
    result TEXT NOT NULL CHECK (json_valid(result))
) STRICT, WITHOUT ROWID;

PRAGMA user_version = 8;
