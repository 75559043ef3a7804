//! Harnesses: how an agent CLI is called, and how what it prints is understood.
//!
//! A [`Harness`] turns a [`Request`] into an [`Invocation`] and gives a [`Reader`] for the lines that come back. It
//! starts nothing itself: the engine runs the invocation in `loopwright-process`, hands every line to the reader as
//! it comes, and asks for the [`Reading`] at the end. `docs/harness.md` tells how to write one.
//!
//! Inside, a *dialect* translates one JSON value of a CLI into notices, and the ledger keeps what the notices say.
//! Whatever an agent prints, reading it neither fails nor takes more than a bounded amount of memory.
#![deny(missing_docs)]

mod adapter;
mod dialect;
mod error;
mod generic;
mod handover;
mod harness;
mod ledger;
mod mirror;
mod notice;
mod reader;
mod rehearsal;
#[cfg(unix)]
#[path = "unix.rs"]
mod system;
#[cfg(windows)]
#[path = "windows.rs"]
mod system;
mod tail;
mod tally;

pub use adapter::{Adapter, AdapterOptions, LoginProbe, LoginReport, Version, adapter, adapters};
pub use error::AgentsError;
pub use generic::{Generic, GenericOptions, OutputFormat};
pub use handover::{DEFAULT_PROMPT_ENV, PromptMode, split_command};
pub use harness::{Harness, Invocation, McpServer, Reader, Reading, Request, Stream};
pub use ledger::is_clipped;
pub use mirror::Mirror;
pub use reader::FieldPaths;
pub use rehearsal::Rehearsal;

/// The example in the documentation, compiled.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/harness.md")]
struct Documentation;
