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

/// The features of the whole form: the app loads its embedded UI instead of a dev server, and the journeys package
/// has its real-window tests and those of the agent CLIs. Always all, because every other set would build Tauri once
/// more.
const WHOLE: &[&str] = &[
    "--workspace",
    "--features",
    "loopwright-app/custom-protocol,loopwright-journeys/agents,loopwright-journeys/window",
];

/// The test program that drives a real window.
const WINDOW_TESTS: &str = "window";

/// The test program that drives the real agent CLIs.
const AGENT_TESTS: &str = "agents";

/// Builds the CLI and the rehearsal agent without anything graphical.
pub(crate) fn build_headless(workspace: &Workspace, profile: Profile) -> Outcome {
    let programs = HEADLESS_PROGRAMS.iter().flat_map(|name| ["--bin", name]);
    let release: &[&str] = if profile == Profile::Release { &["--release"] } else { &[] };
    workspace.step("cargo").arg("build").args(release).args(programs).run()
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

/// Every test that needs neither a window nor an agent CLI: one command for the tests in and beside the code, one for those in the docs.
pub(crate) fn windowless_tests(workspace: &Workspace) -> Outcome<[Step; 2]> {
    let metadata =
        workspace.step("cargo").args(["metadata", "--no-deps", "--format-version", "1"]).capture_success()?;
    let programs = test_programs(&metadata);
    let is_plain = |name: &&&str| ![WINDOW_TESTS, AGENT_TESTS].contains(*name);
    let plain = programs.iter().filter(is_plain).flat_map(|name| ["--test", name]);
    let beside_the_code = whole_test(workspace).args(["--lib", "--bins"]).args(plain);
    Ok([beside_the_code, whole_test(workspace).arg("--doc")])
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

/// Clippy over everything, warnings denied.
pub(crate) fn clippy(workspace: &Workspace) -> Step {
    workspace.step("cargo").arg("clippy").args(WHOLE).args(["--all-targets", "--", "--deny", "warnings"])
}

fn whole_test(workspace: &Workspace) -> Step {
    workspace.step("cargo").arg("test").args(WHOLE).arg("--no-fail-fast")
}

/// Names of the workspace's integration tests, each once, from cargo's own (compact) description of it.
fn test_programs(metadata: &str) -> Vec<&str> {
    let targets = metadata.split(r#""kind":["test"]"#).skip(1);
    let mut names: Vec<_> =
        targets.filter_map(|rest| rest.split_once(r#""name":""#)?.1.split('"').next()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integration_tests_are_read_from_cargos_description() {
        let metadata = r#"{"packages":[{"name":"a","targets":[
            {"kind":["lib"],"crate_types":["lib"],"name":"a","src_path":"a/src/lib.rs"},
            {"kind":["test"],"crate_types":["bin"],"name":"window","src_path":"a/tests/window.rs"},
            {"kind":["test"],"crate_types":["bin"],"name":"help","src_path":"a/tests/help.rs"}]},
            {"name":"b","targets":[{"kind":["test"],"crate_types":["bin"],"name":"help"}]}]}"#;
        assert_eq!(test_programs(metadata), ["help", "window"]);
    }
}
