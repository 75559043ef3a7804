//! The checks of an attempt, run by the host.

pub(crate) mod claims;
pub(crate) mod edits;
pub(crate) mod round;
pub(crate) mod verify;
