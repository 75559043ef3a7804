//! The few forms in which cargo is called.
//!
//! Every change of package selection or features makes cargo build shared crates again, Tauri among them, so there
//! are only these: *headless* (plain cargo on the default members: no GUI), *whole* (the workspace with the app's
//! embedded UI, as tests see it) and, for release, the app by itself beside the headless CLI.

use crate::failure::Outcome;
use crate::step::Step;
use crate::test_programs::{self, TestProgram};
use crate::workspace::{Profile, Workspace};

/// Programs every way of running Loopwright has side by side.
const HEADLESS_PROGRAMS: &[&str] = &["loopwright", "loopwright-rehearsal"];

/// The features of the whole form: the app loads its embedded UI instead of a dev server, and the journeys package
/// has its real-window tests and those of the agent CLIs. Always all, because every other set would build Tauri once
/// more.
const WHOLE: &[&str] = &[
    "--workspace",
    "--features",
    "loopwright-app/custom-protocol,loopwright-journeys/agents,loopwright-journeys/window",
];

/// The folder of the package with the tests of whole programs.
const JOURNEYS: &str = "tests";

/// The test program that drives a real window.
const WINDOW_TESTS: &str = "window";

/// The test program that drives the real agent CLIs.
const AGENT_TESTS: &str = "agents";

/// Builds the CLI and the rehearsal agent without anything graphical.
pub(crate) fn build_headless(workspace: &Workspace, profile: Profile) -> Outcome {
    let programs = HEADLESS_PROGRAMS.iter().flat_map(|name| ["--bin", name]);
    let build = workspace.step("cargo").arg("build").args(programs);
    match profile {
        Profile::Dev => build.run(),
        Profile::Release => build.arg("--release").run(),
    }
}

/// Builds a program that measures a part of the engine.
pub(crate) fn build_example(workspace: &Workspace, package: &str, example: &str) -> Outcome {
    let selection = ["build", "--release", "--package", package, "--example", example];
    workspace.step("cargo").args(selection).run()
}

/// Builds every program of the workspace, as the tests need them.
pub(crate) fn build_whole(workspace: &Workspace) -> Outcome {
    // With examples selected cargo takes in the features of dev-dependencies too, exactly as `cargo test` does;
    // without, it would build Tauri a second time for the tests.
    workspace.step("cargo").arg("build").args(WHOLE).args(["--bins", "--examples"]).run()
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

/// Builds every program, example and test of the workspace. Gives back the tests that need neither a window nor an
/// agent CLI.
pub(crate) fn build_with_tests(workspace: &Workspace) -> Outcome<Vec<TestProgram>> {
    let everything = ["--all-targets", "--message-format", "json-render-diagnostics"];
    let messages = workspace.step("cargo").arg("build").args(WHOLE).args(everything).run_for_output()?;
    let mut programs = test_programs::of_messages(&messages);
    programs.retain(|program| !is_for_another_stage(program));
    Ok(programs)
}

fn is_for_another_stage(program: &TestProgram) -> bool {
    program.is_in(JOURNEYS) && [WINDOW_TESTS, AGENT_TESTS].contains(&program.name.as_str())
}

/// The tests in the docs.
pub(crate) fn doc_tests(workspace: &Workspace) -> Step {
    whole_test(workspace).arg("--doc")
}

/// The tests that drive a real window.
pub(crate) fn window_tests(workspace: &Workspace) -> Step {
    whole_test(workspace).args(["--test", WINDOW_TESTS])
}

/// The tests of the real agent CLIs, as part of everything.
pub(crate) fn agent_tests_of_whole(workspace: &Workspace) -> Step {
    whole_test(workspace).args(["--test", AGENT_TESTS])
}

/// The tests of the real agent CLIs, without anything graphical.
pub(crate) fn agent_tests(workspace: &Workspace) -> Step {
    let selection =
        ["test", "--package", "loopwright-journeys", "--features", "agents", "--test", AGENT_TESTS];
    workspace.step("cargo").args(selection)
}

/// The tests of runs that are killed, without anything graphical.
pub(crate) fn crash_tests(workspace: &Workspace) -> Step {
    workspace.step("cargo").args(["test", "--package", "loopwright-journeys", "--test", "crash"])
}

/// The test that compares, or with `UPDATE_BINDINGS=1` rewrites, the UI's bindings.
pub(crate) fn bindings_test(workspace: &Workspace) -> Step {
    whole_test(workspace).args(["--test", "bindings"])
}

/// The tests that compare, or with `UPDATE_DOCS=1` rewrite, the generated references of the guide.
pub(crate) fn reference_tests(workspace: &Workspace) -> Step {
    let selection = ["test", "--package", "loopwright-cli", "--bin", "loopwright", "commands::documents"];
    workspace.step("cargo").args(selection)
}

/// Clippy over everything, warnings denied.
pub(crate) fn clippy(workspace: &Workspace) -> Step {
    workspace.step("cargo").arg("clippy").args(WHOLE).args(["--all-targets", "--", "--deny", "warnings"])
}

fn whole_test(workspace: &Workspace) -> Step {
    workspace.step("cargo").arg("test").args(WHOLE).arg("--no-fail-fast")
}
