-- Who did the work of an iteration, and which agents of a run have to rest.
ALTER TABLE iterations ADD COLUMN agent TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(agent));
ALTER TABLE runs ADD COLUMN holds TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(holds));

PRAGMA user_version = 6;
