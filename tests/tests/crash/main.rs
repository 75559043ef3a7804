//! Runs that are killed, starved, locked out and vandalised, through the real program: nothing is lost, nothing is done
//! twice, nothing is left running.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "in a test a panic is the report")]

mod aimed;
mod chance;
mod kills;
mod loop_gates;
mod oracle;
mod over_tasks;
mod points;
mod processes;
mod recovery;
mod scene;
mod unwritable;
mod vandal;
