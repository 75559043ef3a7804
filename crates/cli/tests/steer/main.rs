//! Runs steered from outside: locks, signals, a second terminal, and going on with a run that was stopped.
#![cfg(unix)]
#![expect(clippy::unwrap_used, clippy::panic, reason = "in a test a panic is the report")]

mod background;
#[path = "../common/mod.rs"]
mod common;
mod limits;
mod live;
mod locks;
mod resume;
mod signals;
mod terminal;
