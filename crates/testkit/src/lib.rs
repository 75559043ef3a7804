//! What the tests share: a throw-away machine of one's own, real git in it, and snapshots that do not
//! depend on where or when they are taken.
//!
//! It knows nothing of the engine, so that the engine's own tests can use it. Its functions panic on failure:
//! in a test that is the report.
#![deny(missing_docs)]
#![expect(clippy::panic, reason = "a test helper reports failure by panicking")]

mod eventually;
#[cfg(feature = "model")]
pub mod model;
mod normalise;
pub mod processes;
mod programs;
mod sandbox;
mod skipped;

pub use eventually::{Look, eventually, eventually_async};
pub use normalise::normalise;
pub use programs::built;
pub use sandbox::{Output, Sandbox};
pub use skipped::skipped;
