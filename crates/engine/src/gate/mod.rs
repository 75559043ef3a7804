//! Gates: where a person looks before work is committed.

mod assess;
pub(crate) mod carry_out;
pub(crate) mod edit_watch;
pub(crate) mod loop_gates;
pub(crate) mod refused_edits;
pub(crate) mod review;
pub(crate) mod wait;
pub(crate) mod wave_gate;

mod decide;
mod inbox;
mod left_out;
mod model;
mod remarks;
mod revert;
mod rules;

pub(crate) use assess::{Assessment, assess};
pub use model::{GateAnswer, GateDetail, GateInbox, GateSummary, LeftOutFile, ReviewedWork};
pub use revert::Reverted;
pub use rules::GateRules;
