//! Windows: there are no sessions to leave and no signals to ignore; a process is detached when it starts.

use std::io;
use std::os::windows::process::CommandExt;
use std::process::Command;

use crate::scenario::{Crash, Ignored};

/// `DETACHED_PROCESS | CREATE_NEW_PROCESS_GROUP`: no console, and no Ctrl-C from ours.
const DETACHED: u32 = 0x0000_0008 | 0x0000_0200;

/// Has no effect: ending a process on Windows cannot be refused.
pub(crate) fn ignore(_signals: &[Ignored]) -> io::Result<()> {
    Ok(())
}

/// Has no effect: the process was detached by [`start_apart`].
pub(crate) fn leave_session() -> io::Result<()> {
    Ok(())
}

/// Prepares a command whose process has neither our console nor our process group.
pub(crate) fn start_apart(command: &mut Command) -> &mut Command {
    command.creation_flags(DETACHED)
}

/// Ends this process abnormally; all ways look alike here.
pub(crate) fn crash(_way: Crash) -> ! {
    std::process::abort()
}
