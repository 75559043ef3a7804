//! A wizard without a person at the terminal: `--yes` and `--answers`.

use loopwright_domain::wizard::{PhaseState, WizardEdit, WizardId, WizardPhase};
use loopwright_domain::{Fault, figures};
use loopwright_engine::run::StopHandle;
use loopwright_engine::wizard::{PhaseRequest, ProposedCommands, WizardUpdate, WizardView, Wizards};

use super::{Done, Manner};
use crate::context::Context;
use crate::output::{CARE, GOOD, QUIET, plain, say, styled};
use crate::signals;

pub(super) fn run(
    context: &Context,
    wizards: &Wizards<'_>,
    id: &WizardId,
    manner: &Manner,
) -> Result<Done, Fault> {
    let mut view = wizards.show(id)?;
    while let Some(phase) = view.wizard.first_unaccepted() {
        if phase > manner.until {
            return Ok(Done::Until);
        }
        view = wizards.edit(id, &WizardEdit::LookAt { phase }, None)?;
        view = fill(context, wizards, view, phase, manner)?;
        if view.wizard.record(phase).state == PhaseState::Failed {
            let trouble = view.wizard.record(phase).trouble.clone();
            return Err(trouble.map_or_else(stopped, |trouble| match trouble.answer_file {
                Some(file) => {
                    let hint = trouble.fault.hint.clone().unwrap_or_default();
                    trouble.fault.hint(format!("{hint} Its answer: {file}"))
                }
                None => trouble.fault,
            }));
        }
        if !manner.yes {
            return Ok(Done::Waits);
        }
        if !view.wizard.record(phase).proposal.changes.is_empty() {
            wizards.edit(id, &WizardEdit::TakeChanges { phase, numbers: None }, None)?;
            // What is left would replace what the person wrote.
            wizards.edit(id, &WizardEdit::LeaveChanges { phase, numbers: None }, None)?;
        }
        view = wizards.edit(id, &WizardEdit::Accept { phase }, None)?;
        if !context.json {
            say!("{} {}", styled(GOOD, "accepted"), phase.label());
        }
    }
    Ok(if manner.until < view.wizard.scope.last() { Done::Until } else { Done::All })
}

/// Puts the person's answers in, asks the agent where there is one, and tries the checks.
fn fill(
    context: &Context,
    wizards: &Wizards<'_>,
    mut view: WizardView,
    phase: WizardPhase,
    manner: &Manner,
) -> Result<WizardView, Fault> {
    let id = view.wizard.id.clone();
    if let Some(given) = manner.answers.phase(phase) {
        view = wizards.fill_in(&id, phase, given)?;
    }
    for lock in manner.answers.locks(phase) {
        view = wizards.edit(&id, &lock, None)?;
    }
    let record = view.wizard.record(phase);
    let wants_agent = match phase {
        WizardPhase::Launch => false,
        // The rules recommend already, and have their reasons.
        WizardPhase::IterationMode => record.state == PhaseState::Open,
        _ => !record.answered || matches!(record.state, PhaseState::OutOfDate | PhaseState::Failed),
    };
    if wants_agent && view.wizard.agent.is_some() {
        view = ask(context, wizards, &id, phase, &PhaseRequest::default())?;
    }
    for edit in manner.answers.edits_of(phase) {
        view = wizards.edit(&id, edit, None)?;
    }
    if phase == WizardPhase::BuildTest && manner.yes {
        if manner.commands == ProposedCommands::Agreed {
            view = try_checks(context, wizards, &id)?;
        } else if !context.json {
            say!(
                "  {}",
                styled(QUIET, "the proposed checks were not tried: --trust agrees to their commands")
            );
        }
    }
    Ok(view)
}

/// Lets the agent work on a phase and tells what it does, in a line each.
pub(super) fn ask(
    context: &Context,
    wizards: &Wizards<'_>,
    id: &WizardId,
    phase: WizardPhase,
    request: &PhaseRequest,
) -> Result<WizardView, Fault> {
    let quiet = context.json;
    if !quiet {
        say!("{} {} of 9, {}", styled(QUIET, "phase"), phase.number(), phase.label());
    }
    let mut observer = |update: WizardUpdate| {
        if quiet {
            return;
        }
        match update {
            WizardUpdate::Again { problem, .. } => {
                say!("  {} {}", styled(CARE, "asked again:"), plain(&problem));
            }
            WizardUpdate::Arrived { name, items, .. } => {
                say!("  {}", styled(QUIET, format!("{name} {items}")));
            }
            _ => {}
        }
    };
    let stop = StopHandle::new();
    let view = context.wait(async {
        signals::watch(stop.clone(), None);
        wizards.run_phase(id, phase, request, &mut observer, stop.clone()).await
    })?;
    if stop.urgency().is_some() {
        return Err(stopped());
    }
    if !quiet && let Some(cost) = figures::cost(&view.wizard.usage) {
        say!("  {}", styled(QUIET, format!("used so far: {cost}")));
    }
    Ok(view)
}

/// Runs the proposed checks once and tells how each went.
pub(super) fn try_checks(
    context: &Context,
    wizards: &Wizards<'_>,
    id: &WizardId,
) -> Result<WizardView, Fault> {
    let quiet = context.json;
    let mut observer = |update: WizardUpdate| {
        if let (WizardUpdate::Check { trial }, false) = (update, quiet) {
            say!("  {}  {}", plain(&trial.command), styled(QUIET, plain(&trial.summary)));
        }
    };
    context.wait(wizards.try_checks(id, None, &mut observer))
}

fn stopped() -> Fault {
    Fault::new(loopwright_domain::ErrorCode::AgentFailed, "the phase was stopped")
        .hint("Everything is saved: go on with \"loopwright new --resume\".")
}
