//! What the tests share: a throw-away machine of one's own, real git in it, and snapshots that do not
//! depend on where or when they are taken.
//!
//! It knows nothing of the engine, so that the engine's own tests can use it. Its functions panic on failure:
//! in a test that is the report.
#![deny(missing_docs)]
#![expect(clippy::panic, reason = "a test helper reports failure by panicking")]

#[cfg(feature = "model")]
pub mod model;
mod normalise;
mod sandbox;

pub use normalise::normalise;
pub use sandbox::{Output, Sandbox};
