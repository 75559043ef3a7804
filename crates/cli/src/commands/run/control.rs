//! Steering a run from another terminal, and what an agent calls.

use std::process::ExitCode;

use loopwright_domain::{ControlKind, Fault, Origin, WaitReason};
use loopwright_engine::Project;
use loopwright_engine::run::{ControlOutcome, Recovered, Signal, SignalEndpoint};
use serde::Serialize;

use crate::args::SignalCommand;
use crate::context::Context;
use crate::output::{self, GOOD, Sent, say, styled};

/// What `pause --json` and its like print.
#[derive(Serialize)]
#[cfg_attr(test, derive(specta::Type))]
pub(in crate::commands) struct Asked {
    /// What was asked.
    asked: ControlKind,
    /// What became of it.
    outcome: ControlOutcome,
}

/// Asks something of the last run.
pub(in crate::commands) fn ask(context: &Context, kind: ControlKind) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let run = context.wait(project.runs().find(None)).ok();
    let asked = context.wait(project.runs().ask(kind, Origin::Cli))?;
    let rests = run.is_some_and(|run| run.waiting == Some(WaitReason::Limit));
    if context.json {
        return output::json(&Asked { asked: kind, outcome: asked });
    }
    match (asked, kind) {
        (ControlOutcome::Done, _) => say!("{}", styled(GOOD, "Cancelled.")),
        (ControlOutcome::Told, ControlKind::Pause) => say!("The run pauses before its next phase."),
        (ControlOutcome::Told, ControlKind::PauseAfterIteration) => {
            say!("The run pauses after this iteration.")
        }
        (ControlOutcome::Told, ControlKind::Resume) if rests => say!("The agent is tried again now."),
        (ControlOutcome::Told, ControlKind::Resume) => say!("The run goes on."),
        (ControlOutcome::Told, ControlKind::Cancel) => say!("The run is being cancelled."),
    }
    Ok(ExitCode::SUCCESS)
}

/// Brings back what was deleted or left unfinished.
pub(in crate::commands) fn recover(context: &Context) -> Result<ExitCode, Fault> {
    let recovered = context.wait(Project::recover(&context.host, &context.folder))?;
    if context.json {
        return output::json(&recovered);
    }
    tell(&recovered);
    Ok(ExitCode::SUCCESS)
}

fn tell(recovered: &Recovered) {
    if recovered.is_nothing() {
        say!(
            "Nothing to recover: Loopwright's state and references are there, and nothing is left unfinished."
        );
        return;
    }
    if recovered.repository {
        say!("The git repository was gone and was made again.");
    }
    if recovered.references > 0 {
        let count = output::count(recovered.references as usize, "reference", "references");
        say!("{count} brought back: checkpoints and attempts.");
    }
    if recovered.state {
        say!("Loopwright's state was gone and was put back.");
    }
    if let Some(at) = recovered.copied_at.as_ref().filter(|_| recovered.repository || recovered.state) {
        say!("The copies are from {at}.");
    }
    for name in &recovered.ended {
        say!("{} was still running and was ended.", output::plain(name));
    }
    for what in &recovered.put_back {
        say!("{}.", output::plain(what).replacen("in your", "In your", 1));
    }
    if recovered.settled > 0 {
        let count = output::count(recovered.settled as usize, "iteration", "iterations");
        say!("{count} left unfinished: settled as interrupted.");
    }
}

/// What an agent says about its work.
pub(in crate::commands) fn signal(context: &Context, command: SignalCommand) -> Result<ExitCode, Fault> {
    let endpoint = SignalEndpoint::of(|name| std::env::var_os(name))?;
    let signal = match command {
        SignalCommand::Complete { summary, already } => Signal::Complete { summary, satisfied_by: already },
        SignalCommand::Blocked { reason } => Signal::Blocked { reason },
        SignalCommand::Learning { description, category, title, when } => {
            Signal::Learning { category, description, title, when }
        }
    };
    endpoint.report(signal)?;
    if context.json {
        return output::json(&Sent { sent: true });
    }
    say!("Loopwright was told. It still runs the checks.");
    Ok(ExitCode::SUCCESS)
}
