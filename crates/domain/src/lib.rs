//! Loopwright's types and rules.
//!
//! Everything here is plain data and pure functions: no IO, no async runtime, no clock, no randomness.
//! What is decided here is carried out by the crates above (`store`, `vcs`, `engine`), so each rule can be
//! tested as a table of examples.
#![deny(missing_docs)]

pub mod digest;
pub mod event;
pub mod fault;
pub mod ids;
pub mod task;
pub mod trust;
pub mod wave;

pub use event::{Event, EventEnvelope, Origin};
pub use fault::{ErrorCode, ErrorKind, Fault, Location};
pub use ids::{EventSeq, IterationId, RunId, TaskId};
pub use task::{Task, TaskStatus};
pub use trust::{Executable, TrustDigest, TrustState};
pub use wave::{DependencyCycle, Wave, WaveSummary, plan_waves};
