//! Supervised child processes: groups, timeouts, bounded output.
