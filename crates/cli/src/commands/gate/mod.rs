//! `loopwright gate`, `approve`, `reject` and `revert`: where a person decides.

mod decide;
mod inline;
mod revert;
mod show;

use std::process::ExitCode;

use loopwright_domain::{ErrorCode, Fault, GateId};
use loopwright_engine::Project;

#[cfg(test)]
pub(super) use self::{decide::AnsweredGate, show::ShownGate};
pub(super) use decide::{approve, reject};
pub(super) use inline::{AfterGate, ask_inline};
pub(super) use revert::revert;

use crate::args::GateCommand;
use crate::context::Context;
use crate::output;

pub(super) fn run(context: &Context, command: &GateCommand) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    match command {
        GateCommand::List => {
            let inbox = context.wait(project.gates().inbox())?;
            if context.json {
                return output::json(&inbox);
            }
            show::list(&inbox);
        }
        GateCommand::Show { gate, diff } => {
            let gate = find(context, &project, *gate)?;
            let shown = show::ShownGate::read(context, &project, gate)?;
            if context.json {
                return output::json(&shown);
            }
            if *diff {
                inline::show_diff(context, &project, &shown)?;
                return Ok(ExitCode::SUCCESS);
            }
            shown.tell();
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The gate that is meant: the one named, else the only open one.
fn find(context: &Context, project: &Project, named: Option<GateId>) -> Result<GateId, Fault> {
    if let Some(gate) = named {
        return Ok(gate);
    }
    let open = context.wait(project.gates().inbox())?.open;
    match open.as_slice() {
        [gate] => Ok(gate.id),
        [] => Err(Fault::new(ErrorCode::GateNotFound, "nothing waits for you")
            .hint("\"loopwright status\" shows where the project stands.")),
        several => {
            let numbers: Vec<String> = several.iter().map(|gate| gate.id.to_string()).collect();
            let message = format!("{} gates wait for you: {}", several.len(), numbers.join(", "));
            Err(Fault::new(ErrorCode::UsageInvalid, message).hint("Name the one you mean."))
        }
    }
}
