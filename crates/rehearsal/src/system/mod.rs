//! Starting programs, and what differs between operating systems: sessions, signals and crashes.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::ffi::OsStr;
use std::process::Command;

#[cfg(unix)]
pub(crate) use unix::{crash, ignore, leave_session, start_apart};
#[cfg(windows)]
pub(crate) use windows::{crash, ignore, leave_session, start_apart};

/// A program to start.
#[expect(clippy::disallowed_methods, reason = "a scripted agent starts programs itself, as real agents do")]
pub(crate) fn command(program: impl AsRef<OsStr>) -> Command {
    Command::new(program)
}
