//! Before a run: what it is asked for, resolved into everything it works by.

pub(crate) mod choices;
pub(crate) mod harness;
pub(crate) mod manual_harness;
pub(crate) mod options;
pub(crate) mod prepared;
pub(crate) mod request;
pub(crate) mod sandbox_options;
pub(crate) mod source;
pub(crate) mod start;
pub(crate) mod task_rules;
