//! Harnesses: how an agent CLI is called, and how what it prints is understood.
//!
//! A [`Harness`] turns an [`AgentRequest`] into an [`Invocation`] and gives an [`OutputParser`] for the lines that come
//! back. It starts nothing itself: the engine runs the invocation in `loopwright-process`, hands every line to the parser
//! as it comes, and asks for the [`ParsedOutput`] at the end. `docs/harness.md` tells how to write one.
//!
//! Inside, an event decoder translates one JSON value of a CLI into CLI events, and the output state adds them up.
//! Whatever an agent prints, parsed it neither fails nor takes more than a bounded amount of memory.
#![deny(missing_docs)]
#![deny(clippy::indexing_slicing)]
#![cfg_attr(not(test), deny(clippy::string_slice))]

mod adapter;
mod cli_event;
mod error;
mod event_decoder;
mod generic;
mod harness;
mod home_overlay;
pub mod lenient_json;
mod output;
mod output_state;
mod prompt_delivery;
mod rehearsal;
#[cfg(unix)]
#[path = "unix.rs"]
mod system;
#[cfg(windows)]
#[path = "windows.rs"]
mod system;
mod text_tail;
mod usage_counter;

pub use loopwright_domain::OutputStream;

pub use adapter::{Adapter, AdapterOptions, LoginProbe, LoginReport, Version, adapter, adapters};
pub use error::AgentsError;
pub use generic::{Generic, GenericOptions};
pub use harness::{AgentRequest, Harness, Invocation, McpServer, OutputParser, ParsedOutput};
pub use home_overlay::HomeOverlay;
pub use output::FieldPaths;
pub use prompt_delivery::{DEFAULT_PROMPT_ENV, split_command};
pub use rehearsal::Rehearsal;

/// The example in the documentation, compiled.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/harness.md")]
struct Documentation;
