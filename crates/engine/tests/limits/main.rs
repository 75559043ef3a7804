//! Limits and outages through the whole engine: agents print what real CLIs print, and runs wait, hand over, stop and go
//! on.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

mod caps;
mod crash;
mod held_config;
mod scene;
mod shapes;
mod stack;
mod tasks;
mod waits;
mod who;
