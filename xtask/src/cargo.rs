//! The few forms in which cargo is called.
//!
//! Every change of package selection or features makes cargo build shared crates again, Tauri among them, so there
//! are only these: *headless* (plain cargo on the default members: no GUI), *whole* (the workspace with the app's
//! embedded UI, as tests see it) and, for release, the app by itself beside the headless CLI.

use crate::failure::Outcome;
use crate::step::Step;
use crate::workspace::{Profile, Workspace};

/// Programs every way of running Loopwright has side by side.
const HEADLESS_PROGRAMS: &[&str] = &["loopwright", "loopwright-rehearsal"];

/// The app loads its embedded UI instead of a dev server.
const WITH_UI: &str = "loopwright-app/custom-protocol";
/// The same, and the journeys package has its real-window tests.
const WITH_UI_AND_WINDOW_TESTS: &str = "loopwright-app/custom-protocol,loopwright-journeys/window";

/// Builds the CLI and the rehearsal agent without anything graphical.
pub(crate) fn build_headless(workspace: &Workspace, profile: Profile) -> Outcome {
    let programs = HEADLESS_PROGRAMS.iter().flat_map(|name| ["--bin", name]);
    let release: &[&str] = if profile == Profile::Release { &["--release"] } else { &[] };
    workspace.step("cargo").arg("build").args(release).args(programs).run()
}

/// Builds every program of the workspace, as [`whole_tests`] needs them.
pub(crate) fn build_whole(workspace: &Workspace) -> Outcome {
    // With examples selected cargo takes in the features of dev-dependencies too, exactly as `cargo test` does;
    // without, it would build Tauri a second time for the tests.
    workspace
        .step("cargo")
        .args(["build", "--workspace", "--bins", "--examples", "--features", WITH_UI])
        .run()
}

/// Builds the app for release, without what only tests and examples add to its dependencies.
pub(crate) fn build_release_app(workspace: &Workspace) -> Outcome {
    release_of_app(workspace).arg("--bins").run()
}

/// Builds the bare window that the app is measured against.
pub(crate) fn build_bare_window(workspace: &Workspace) -> Outcome {
    release_of_app(workspace).args(["--example", "bare_window"]).run()
}

fn release_of_app(workspace: &Workspace) -> Step {
    let selection = ["build", "--release", "--package", "loopwright-app", "--features", "custom-protocol"];
    workspace.step("cargo").args(selection)
}

/// Every test that needs no window.
pub(crate) fn whole_tests(workspace: &Workspace) -> Step {
    workspace.step("cargo").args(["test", "--workspace", "--no-fail-fast", "--features", WITH_UI])
}

/// The tests that drive a real window. Only the journeys package itself is built anew for them.
pub(crate) fn window_tests(workspace: &Workspace) -> Step {
    let selection = ["test", "--workspace", "--no-fail-fast", "--test", "window"];
    workspace.step("cargo").args(selection).args(["--features", WITH_UI_AND_WINDOW_TESTS])
}

/// The test that compares, or with `UPDATE_BINDINGS=1` rewrites, the UI's bindings.
pub(crate) fn bindings_test(workspace: &Workspace) -> Step {
    workspace.step("cargo").args(["test", "--workspace", "--test", "bindings", "--features", WITH_UI])
}

/// Clippy over everything, warnings denied.
pub(crate) fn clippy(workspace: &Workspace) -> Step {
    let selection = ["clippy", "--workspace", "--all-targets", "--features", WITH_UI_AND_WINDOW_TESTS];
    workspace.step("cargo").args(selection).args(["--", "--deny", "warnings"])
}
