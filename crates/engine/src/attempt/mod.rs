//! One attempt: its files, its agent process and its checks.

pub(crate) mod agent;
pub(crate) mod checks;
pub(crate) mod link;
pub(crate) mod phases;
pub(crate) mod tree;
pub(crate) mod unit;
pub(crate) mod unsettled;
