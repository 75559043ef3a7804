//! Finds and ends processes that a test run left behind, however they detached themselves.
//!
//! A process keeps the environment it was started with, so a variable unique to the run marks its whole tree, across
//! new sessions and process groups. Linux shows that environment in `/proc`; elsewhere nothing is found.

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod linux;

use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

#[cfg(not(target_os = "linux"))]
pub(crate) use self::elsewhere::end;
#[cfg(target_os = "linux")]
pub(crate) use self::linux::end;

/// The variable that marks one run's processes.
#[derive(Debug)]
pub(crate) struct Marker(String);

impl Marker {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        Self(format!("{}-{}", process::id(), COUNT.fetch_add(1, Ordering::Relaxed)))
    }

    pub(crate) fn variable(&self) -> &'static str {
        "XTASK_RUN"
    }

    pub(crate) fn value(&self) -> &str {
        &self.0
    }
}
