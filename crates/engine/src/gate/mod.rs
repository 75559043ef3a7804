//! Gates: where a person looks before work is committed.

mod assess;
mod model;
mod rules;

pub(crate) use assess::{Assessment, assess};
pub use model::{GateAnswer, GateDetail, GateInbox, GateSummary, ReviewedWork};
pub use rules::GateRules;
