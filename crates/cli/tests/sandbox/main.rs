//! The sandbox through the real program: what an agent cannot do in it, what it can, and how it is told.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "helpers of tests report by panicking")]

#[path = "../common/mod.rs"]
mod common;
#[path = "../loop_seeds/place.rs"]
#[expect(dead_code, reason = "shared with the tests of loops")]
mod place;

mod allowed;
mod denied;
mod planted;
mod repository;
mod sandboxed;
mod supervised;
mod told;
