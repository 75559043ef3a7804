//! Supervised child processes: the only crate of Loopwright that starts programs.
//!
//! A program is named by its absolute path and gets exactly the environment it is given: nothing is looked up
//! on the way and nothing is inherited. It leads a process group of its own, and when it ends, times out or is
//! no longer waited for, the whole group is ended with it. Output is read without pause and kept up to a limit,
//! so that a flooding program neither blocks nor fills the memory.
//!
//! What differs between systems is in `unix.rs` and `windows.rs`, which have the same functions.
#![deny(missing_docs)]

mod ancestry;
mod ansi;
mod capture;
mod children;
mod clock;
mod command;
mod environment;
mod error;
mod family;
mod find;
mod flow;
mod frame;
mod identity;
mod job;
mod log;
mod redact;
mod run;
mod spawn;
mod stop;
mod supervise;
#[cfg(unix)]
#[path = "unix.rs"]
mod system;
#[cfg(windows)]
#[path = "windows.rs"]
mod system;

pub use ancestry::{AGENT_MARKER, agent_ancestry};
pub use ansi::for_terminal;
pub use command::{Captured, Command, Exit, Finished};
pub use environment::{allowed_environment, secret_values};
pub use error::ProcessError;
pub use family::end_survivors;
pub use find::find_program;
pub use frame::{Framer, LINE_LIMIT, Line};
pub use identity::ProcessIdentity;
pub use job::{EndCause, Ended, Job, OutputSink, Stray, Stream, TimeLimits};
pub use log::{CappedLog, LogLimits, LogSummary};
pub use redact::{Redactor, Secrets};
pub use run::{run, spawn_detached};
pub use stop::Stopper;
pub use supervise::{Running, start};
