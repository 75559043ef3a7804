//! Looking at runs: while they work, and afterwards.

pub(crate) mod diff;
pub(crate) mod diff_model;
pub(crate) mod follow;
pub(crate) mod follow_output;
pub(crate) mod iteration_model;
pub(crate) mod iterations;
pub(crate) mod overview;
pub(crate) mod run_state;
pub(crate) mod run_view;
pub(crate) mod runs;
