//! Runs over tasks, through the real programs: attempts that fail and are put back, gates, waves, commits, signals,
//! work by hand, and the sample project from its first task to its last.
#![cfg(unix)]
#![expect(clippy::unwrap_used, clippy::panic, reason = "in a test a panic is the report")]

mod attempts;
mod baseline;
mod by_hand;
mod commits;
mod environment;
mod gates;
mod limits;
mod memory;
mod own_work;
mod sample;
mod scene;
mod signals;
