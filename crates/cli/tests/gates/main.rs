//! Gates through the real program: opened, decided once, bound to what was shown, and never by an agent.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "helpers of tests report by panicking")]

#[path = "../common/mod.rs"]
mod common;
#[path = "../loop_seeds/place.rs"]
#[expect(dead_code, reason = "shared with the tests of loops")]
mod place;

mod agents;
mod by_hand;
mod decisions;
mod kinds;
mod looks;
mod own_files;
mod records;
mod shop;
mod unchanged;
mod without_tasks;
