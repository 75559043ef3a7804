//! Runs as a window starts, steers, follows and leaves them: the real engine, real agents, the real CLI, and a toolkit
//! that shows nothing.
#![cfg(unix)]
#![expect(clippy::unwrap_used, clippy::panic, reason = "in a test a panic is the report")]

mod closing;
mod elsewhere;
mod following;
mod scene;
mod starting;
mod steering;
#[expect(dead_code, reason = "other tests use all of it")]
#[path = "../support/mod.rs"]
mod support;
