//! `cargo xtask lint`: every tool runs, then the failures are named together.

mod files;
mod house;
mod links;
mod lock_file;

use std::panic::resume_unwind;
use std::thread;

use crate::failure::{Failure, Outcome};
use crate::setup::{self, Need};
use crate::step::Step;
use crate::tally::Tally;
use crate::watch::Watched;
use crate::workspace::Workspace;
use crate::{cargo, ui};

/// Prepares what the tools need and runs them all.
pub(crate) fn run(workspace: &Workspace) -> Outcome {
    setup::ensure(workspace, &[Need::Build, Need::Window])?;
    ui::build(workspace)?;
    check(workspace)?.problem.map_or(Ok(()), Err)
}

/// Runs every tool. Each that fails counts as one failure; passing is not counted as a test.
pub(crate) fn check(workspace: &Workspace) -> Outcome<Watched> {
    let mut failed = Vec::new();
    for (name, outcome) in results(workspace) {
        if let Err(failure) = outcome {
            eprintln!("lint, {name}: {failure}");
            failed.push(name);
        }
    }
    let tally = Tally { failed: u32::try_from(failed.len()).unwrap_or(u32::MAX), ..Tally::default() };
    let problem =
        (!failed.is_empty()).then(|| Failure::new(format!("These checks failed: {}.", failed.join(", "))));
    Ok(Watched { tally, problem })
}

/// The tools of the UI run beside those of the Rust code: each of them keeps one core busy, clippy seldom more.
fn results(workspace: &Workspace) -> Vec<(&'static str, Outcome)> {
    thread::scope(|scope| {
        let of_the_ui = scope.spawn(|| ui_results(workspace));
        let mut results = rust_results(workspace);
        match of_the_ui.join() {
            Ok(others) => results.extend(others),
            Err(panic) => resume_unwind(panic),
        }
        results
    })
}

fn rust_results(workspace: &Workspace) -> Vec<(&'static str, Outcome)> {
    vec![
        ("house rules", house::check(workspace)),
        ("rustfmt", workspace.step("cargo").args(["fmt", "--all", "--check"]).run()),
        ("cargo-deny", deny(workspace, &["bans", "licenses", "sources"])),
        ("clippy", cargo::clippy(workspace).run()),
    ]
}

/// What these say is shown when they have failed, and whole: it must not be mixed with what the others say.
fn ui_results(workspace: &Workspace) -> Vec<(&'static str, Outcome)> {
    let tools = [("prettier", "format:check"), ("eslint", "lint"), ("svelte-check", "check")];
    tools.map(|(name, script)| (name, ui::script(workspace, script).run_quietly())).into()
}

/// cargo-deny with `deny.toml`. Advisories change by the day, so the scheduled workflow asks for those, not this.
fn deny(workspace: &Workspace, checks: &[&str]) -> Outcome {
    let program = setup::cargo_deny(workspace)?;
    let step: Step =
        workspace.step(program).args(["--all-features", "--log-level", "error", "check"]).args(checks);
    step.run()
}
