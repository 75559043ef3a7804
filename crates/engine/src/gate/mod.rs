//! Gates: where a person looks before work is committed.

pub(crate) mod carry_out;

mod decide;
mod inbox;
mod left_out;
mod model;
mod remarks;
mod revert;

pub use crate::assessment::GateRules;
pub use model::{GateAnswer, GateDetail, GateInbox, GateSummary, LeftOutFile, ReviewedWork};
pub use revert::Reverted;
