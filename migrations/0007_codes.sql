-- The code of what stopped a run.
ALTER TABLE runs ADD COLUMN code TEXT;

PRAGMA user_version = 7;
