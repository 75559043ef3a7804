//! What the three seeds ask of the loop, and what their programs got wrong: one test for each, named after it, through
//! the real program and scripted agents. `docs/loop.md` has the table of defects.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "helpers of tests report by panicking")]

#[path = "../common/mod.rs"]
mod common;
mod place;

mod defects;
mod defects_dial;
mod descartes;
mod descartes_options;
mod dun;
mod failures;
mod output;
mod restore;
mod rooda;
mod rooda_edges;
mod rooda_examples;
