//! `cargo xtask lint`: every tool runs, then the failures are named together.

mod files;
mod house;
mod links;
mod lock_file;

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

/// Runs every tool, quick ones first. Each that fails counts as one failure; passing is not counted as a test.
pub(crate) fn check(workspace: &Workspace) -> Outcome<Watched> {
    let mut failed = Vec::new();
    for (name, outcome) in results(workspace) {
        if let Err(failure) = outcome {
            eprintln!("lint, {name}: {failure}");
            failed.push(name);
        }
    }
    let tally = Tally { passed: 0, failed: u32::try_from(failed.len()).unwrap_or(u32::MAX) };
    let problem =
        (!failed.is_empty()).then(|| Failure::new(format!("These checks failed: {}.", failed.join(", "))));
    Ok(Watched { tally, problem })
}

fn results(workspace: &Workspace) -> Vec<(&'static str, Outcome)> {
    vec![
        ("house rules", house::check(workspace)),
        ("rustfmt", workspace.step("cargo").args(["fmt", "--all", "--check"]).run()),
        ("prettier", ui::script(workspace, "format:check").run()),
        ("eslint", ui::script(workspace, "lint").run()),
        ("svelte-check", ui::script(workspace, "check").run()),
        ("cargo-deny", deny(workspace, &["bans", "licenses", "sources"])),
        ("clippy", cargo::clippy(workspace).run()),
    ]
}

/// cargo-deny with `deny.toml`. Advisories change by the day, so the scheduled workflow asks for those, not this.
fn deny(workspace: &Workspace, checks: &[&str]) -> Outcome {
    let program = setup::cargo_deny(workspace)?;
    let step: Step =
        workspace.step(program).args(["--all-features", "--log-level", "error", "check"]).args(checks);
    step.run()
}
