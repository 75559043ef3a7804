//! Prompts: pure functions of what an agent is to know.

pub(crate) mod compose;
pub(crate) mod quotation;
pub(crate) mod task;
