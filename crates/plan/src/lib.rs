//! What is to be built: the spec, the tasks made of it, and the files of other tools that tasks come from and go to.
//!
//! [`Plan`] reads and changes them in a project's state; [`import::read`] and [`import::write`] are pure.
#![deny(missing_docs)]

pub mod import;
mod plan;
pub mod spec;
pub mod task;

pub use plan::{Authority, Plan};
