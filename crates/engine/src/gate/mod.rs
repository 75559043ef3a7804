//! Gates: where a person looks before work is committed.

mod assess;
mod decide;
mod inbox;
mod model;
mod remarks;
mod revert;
mod rules;

pub(crate) use assess::{Assessment, assess};
pub use model::{GateAnswer, GateDetail, GateInbox, GateSummary, ReviewedWork};
pub use revert::Reverted;
pub use rules::GateRules;
