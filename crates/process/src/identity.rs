//! Naming a process so that it can be recognised later, also by another process and after a crash.

use crate::system;

/// Whether this process, and with it what it starts, runs as the user who may do anything.
#[must_use]
pub fn runs_as_root() -> bool {
    system::is_root()
}

/// One process: its id, which the system uses again for others, and when it was started.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProcessIdentity {
    /// The process id.
    pub pid: u32,
    /// The start, in the system's own words. Two processes with the same id never have the same.
    pub started: String,
}

impl ProcessIdentity {
    /// The process that has this id now, if there is one and the system tells when it was started.
    #[must_use]
    pub fn of(pid: u32) -> Option<Self> {
        system::process(pid).map(|process| Self { pid, started: process.started })
    }

    /// Whether this very process still runs. One that has ended and waits for its parent to notice does not.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        system::process(self.pid).is_some_and(|process| process.started == self.started && !process.over)
    }
}
