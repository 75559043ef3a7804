//! Gates: where a person looks before work is committed.

mod model;

pub use model::{GateAnswer, GateDetail, GateInbox, GateSummary, ReviewedWork};
