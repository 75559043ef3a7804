-- Where a run began, and what a person approved of it last.
ALTER TABLE runs ADD COLUMN start_tree TEXT;
ALTER TABLE runs ADD COLUMN approved_tree TEXT;

-- A run that is over never changes again, but one that was stopped by a limit goes on when a person gives it more.
DROP TRIGGER runs_over_never_change;
CREATE TRIGGER runs_over_never_change BEFORE UPDATE ON runs WHEN old.is_over AND NOT (
    new.status = 'paused'
    AND old.status <> 'cancelled'
    AND old.reason IN ('max_iterations', 'time', 'money', 'tokens')
)
BEGIN
    SELECT raise(ABORT, 'a run that is over never changes again');
END;

PRAGMA user_version = 9;
