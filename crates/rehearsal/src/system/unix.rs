//! Unix: sessions and signals.

use std::io;
use std::process::Command;

use nix::sys::signal::{SigSet, Signal, raise};

use crate::scenario::{Crash, Ignored};

/// Keeps these signals from ending this process. They are blocked rather than ignored, which needs no unsafe
/// code and looks the same from outside; programs started from here get them unblocked.
pub(crate) fn ignore(signals: &[Ignored]) -> io::Result<()> {
    let mut set = SigSet::empty();
    for signal in signals {
        set.add(match signal {
            Ignored::Term => Signal::SIGTERM,
            Ignored::Int => Signal::SIGINT,
            Ignored::Hup => Signal::SIGHUP,
        });
    }
    set.thread_block().map_err(io::Error::from)
}

/// Moves this process into a session and process group of its own.
pub(crate) fn leave_session() -> io::Result<()> {
    nix::unistd::setsid().map(drop).map_err(io::Error::from)
}

/// Prepares a command whose process will leave the session: nothing to do here, the process does it itself.
pub(crate) fn start_apart(command: &mut Command) -> &mut Command {
    command
}

/// Ends this process by a fatal signal.
pub(crate) fn crash(way: Crash) -> ! {
    let signal = match way {
        Crash::Abort => Signal::SIGABRT,
        Crash::Segfault => Signal::SIGSEGV,
        Crash::Kill => Signal::SIGKILL,
    };
    // Rust's runtime catches the first SIGSEGV to look for a stack overflow and then lets the next one through.
    for _ in 0..2 {
        if raise(signal).is_err() {
            break;
        }
    }
    std::process::abort()
}
