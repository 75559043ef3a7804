//! What an agent is told.

pub(crate) mod compose;
pub(crate) mod parts;
pub(crate) mod task;
pub(crate) mod task_context;
