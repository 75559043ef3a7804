//! Gates as a run meets them: opened, waited at, decided.

pub(crate) mod edit_watch;
pub(crate) mod loop_gates;
pub(crate) mod refused_edits;
pub(crate) mod review;
pub(crate) mod wait;
pub(crate) mod wave_gate;
