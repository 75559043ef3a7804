//! The dispatcher of a run: `dispatcher.rs` holds the loop; `begin` chooses and plans work, `conclude` checks, judges and
//! settles it, `gate` waits for people.

pub(crate) mod begin;
pub(crate) mod conclude;
pub(crate) mod dispatcher;
pub(crate) mod gate;
pub(crate) mod handoff;
pub(crate) mod journal;
pub(crate) mod lanes;
pub(crate) mod requests;
pub(crate) mod serve;
pub(crate) mod steering;
pub(crate) mod step;

#[cfg(test)]
mod tests;
