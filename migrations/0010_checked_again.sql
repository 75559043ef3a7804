-- An iteration never goes back to an earlier phase, but what a commit hook has changed is checked again.
DROP TRIGGER iterations_only_move_forward;
CREATE TRIGGER iterations_only_move_forward BEFORE UPDATE ON iterations
WHEN new.step < old.step AND old.phase <> 'settled' AND NOT (
    old.phase = 'committing'
    AND new.phase = 'checking'
    AND new.tree_after IS NOT old.tree_after
)
BEGIN
    SELECT raise(ABORT, 'an iteration never goes back to an earlier phase');
END;

-- A run that ended without a reason never changes either.
DROP TRIGGER runs_over_never_change;
CREATE TRIGGER runs_over_never_change BEFORE UPDATE ON runs WHEN old.is_over AND NOT (
    new.status = 'paused'
    AND old.status <> 'cancelled'
    AND coalesce(old.reason, '') IN ('max_iterations', 'time', 'money', 'tokens')
)
BEGIN
    SELECT raise(ABORT, 'a run that is over never changes again');
END;

PRAGMA user_version = 10;
