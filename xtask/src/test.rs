//! `cargo xtask test`: everything that has to hold, with the time each stage took and one closing count.

use std::time::Duration;

use crate::display::Screen;
use crate::failure::Outcome;
use crate::setup::{self, EVERYTHING};
use crate::stages::Stages;
use crate::watch::watch;
use crate::workspace::Workspace;
use crate::{abreast, agents, cargo, e2e, lint, ui};

/// A stage that hangs must not hang the machine that waits for it.
const LIMIT: Duration = Duration::from_secs(40 * 60);

/// Runs every stage. A failed stage stops only those that cannot work without it, and the agent CLIs, which take long.
pub(crate) fn run(workspace: &Workspace, with_agents: bool) -> Outcome {
    let mut stages = Stages::default();
    let ready = stages.run("setup", || setup::ensure(workspace, EVERYTHING))
        && stages.run("ui build", || ui::build(workspace));
    if ready {
        stages.record("lint", || lint::check(workspace));
        stages.record("ui unit tests", || watch(&ui::script(workspace, "test"), LIMIT));
        stages.record("ui journeys", || watch(&ui::journeys(workspace), LIMIT));
        rust_tests(workspace, &mut stages);
    }
    if with_agents {
        agent_tests(workspace, &mut stages);
    }
    stages.close()
}

fn agent_tests(workspace: &Workspace, stages: &mut Stages) {
    if let Some(reason) = agents::unavailable() {
        stages.skip("agent CLIs", reason);
    } else if stages.has_failed() {
        stages.skip("agent CLIs", "something failed before");
    } else {
        let program = cargo::agent_tests_of_whole(workspace);
        agents::tests(workspace, &agents::Options::default(), &program, stages);
    }
}

fn rust_tests(workspace: &Workspace, stages: &mut Stages) {
    let mut programs = Vec::new();
    let built = stages.run("build", || {
        programs = cargo::build_with_tests(workspace)?;
        Ok(())
    });
    if !built {
        stages.skip("unit and integration tests", "the build failed");
        stages.skip("real-window tests", "the build failed");
        return;
    }
    stages.record("unit and integration tests", || {
        let mut steps: Vec<_> = programs.iter().map(|program| program.step(workspace)).collect();
        steps.push(cargo::doc_tests(workspace));
        abreast::watch_all(steps, LIMIT)
    });
    match e2e::unavailable() {
        Some(reason) => stages.skip("real-window tests", reason),
        None => {
            stages.record("real-window tests", || e2e::tests(workspace, Screen::OwnIfThere));
        }
    }
}
