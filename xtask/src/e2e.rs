//! `cargo xtask e2e`: the tests that drive a real window.

use std::path::PathBuf;
use std::time::Duration;

use crate::display::{Desktop, Screen};
use crate::failure::{Failure, Outcome};
use crate::setup::{self, EVERYTHING};
use crate::watch::{Watched, watch};
use crate::workspace::Workspace;
use crate::{cargo, ui};

const LIMIT: Duration = Duration::from_secs(20 * 60);

/// Why the real-window tests cannot run on this system; nothing when they can.
pub(crate) fn unavailable() -> Option<&'static str> {
    (!cfg!(target_os = "linux")).then_some("WebKitWebDriver, which drives the window, exists on Linux only")
}

/// Builds everything and runs the real-window tests.
pub(crate) fn run(workspace: &Workspace, screen: Screen) -> Outcome {
    if let Some(reason) = unavailable() {
        return Err(Failure::new(format!("The real-window tests cannot run here: {reason}.")));
    }
    setup::ensure(workspace, EVERYTHING)?;
    ui::build(workspace)?;
    cargo::build_whole(workspace)?;
    let watched = tests(workspace, screen)?;
    println!("Screenshots and logs: {}", artifacts(workspace).display());
    println!("{} passed, {} failed", watched.tally.passed, watched.tally.failed);
    watched.problem.map_or(Ok(()), Err)
}

/// Runs the real-window tests against what is built, on a desktop of their own.
pub(crate) fn tests(workspace: &Workspace, screen: Screen) -> Outcome<Watched> {
    ui::build_contract(workspace)?;
    let desktop = Desktop::start(screen)?;
    // One window at a time: a window without the focus gets no keys.
    let step = cargo::window_tests(workspace).envs(desktop.env()).args(["--", "--test-threads", "1"]);
    watch(&step, LIMIT)
}

/// Where the tests keep what they saw.
fn artifacts(workspace: &Workspace) -> PathBuf {
    workspace.root.join("artifacts").join("e2e")
}
