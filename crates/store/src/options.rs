//! How a store behaves: what a caller can choose, and what tests make fail.

use std::time::Duration;

use crate::fault_injection::Faults;

/// How a store behaves.
#[derive(Clone, Debug)]
pub struct StoreOptions {
    /// How long to wait for another process before giving up.
    pub(crate) busy_timeout: Duration,
    pub(crate) faults: Faults,
}

impl Default for StoreOptions {
    fn default() -> Self {
        Self { busy_timeout: Duration::from_secs(5), faults: Faults::default() }
    }
}

impl StoreOptions {
    /// Sets how long to wait for another process before giving up; 5 seconds unless told.
    #[must_use]
    pub fn busy_timeout(mut self, busy_timeout: Duration) -> Self {
        self.busy_timeout = busy_timeout;
        self
    }
}
