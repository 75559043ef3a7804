//! The app in a real window, driven as a person would: WebKitWebDriver clicks and types, and what counts is what is
//! then on disk, in git and in the state database. Run with `cargo xtask e2e`.
#![expect(clippy::unwrap_used, clippy::panic, reason = "in a test a panic is the report")]

mod agents;
mod driver;
mod machine;
mod page;
mod screen;
mod scripted_project;

mod by_keys;
mod changes;
mod checks;
mod contract;
mod elsewhere;
mod hostile;
mod keyboard;
mod looking_back;
mod measure;
mod native;
mod new_project;
mod policy;
mod running;
mod sample;
mod second_start;
mod settings;
mod spec;
mod start;
mod trust;
mod wizard;
