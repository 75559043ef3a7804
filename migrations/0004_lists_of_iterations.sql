-- What the lists of iterations are read by: any order in a run of 100,000 iterations, and the events of one iteration
-- among millions.
--
-- The expressions are indexed as they stand here; a query finds its index only by the same words.

CREATE INDEX iterations_by_start ON iterations (run, started_at, number, attempt);
CREATE INDEX iterations_by_duration ON iterations (run, elapsed_ms, number, attempt);
CREATE INDEX iterations_by_exit ON iterations (run, exit_code, number, attempt);
CREATE INDEX iterations_by_outcome ON iterations (run, outcome, number, attempt);
CREATE INDEX iterations_by_tokens ON iterations (
    run,
    (usage ->> '$.input') + (usage ->> '$.output') + (usage ->> '$.cache_read') + (usage ->> '$.cache_write'),
    number,
    attempt
);
CREATE INDEX iterations_by_cost ON iterations (run, usage ->> '$.cost_micros', number, attempt);

CREATE INDEX events_by_iteration ON events (body ->> '$.iteration') WHERE body ->> '$.iteration' IS NOT NULL;

PRAGMA user_version = 4;
