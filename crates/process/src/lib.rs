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
mod capture;
mod command;
mod error;
mod find;
mod run;
#[cfg(unix)]
#[path = "unix.rs"]
mod system;
#[cfg(windows)]
#[path = "windows.rs"]
mod system;

pub use ancestry::{AGENT_MARKER, agent_ancestry};
pub use command::{Captured, Command, Exit, Finished};
pub use error::ProcessError;
pub use find::find_program;
pub use run::{run, spawn_detached};
