//! Before a run: what it is asked for, resolved into everything it works by.

pub(crate) mod options;
pub(crate) mod prepared;
pub(crate) mod request;
pub(crate) mod resolve;
pub(crate) mod sandbox_options;
pub(crate) mod source;
pub(crate) mod task_rules;
