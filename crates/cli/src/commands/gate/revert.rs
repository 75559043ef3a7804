//! `loopwright revert`.

use std::process::ExitCode;

use loopwright_domain::{ErrorCode, Fault, Origin};

use crate::args::RevertArgs;
use crate::context::Context;
use crate::output::{self, GOOD, QUIET, say, styled};
use crate::prompt;

pub(in crate::commands) fn revert(context: &Context, args: &RevertArgs) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    project.require_person("revert work")?;
    let iteration = match iteration_number(&args.work) {
        Some(number) => {
            let run = context.wait(project.runs().find(None))?;
            context.wait(project.iterations().numbered(&run, Some(number)))?
        }
        None => context.wait(project.gates().find_work(&args.work))?,
    };
    if !args.yes {
        ask(iteration.number + 1, iteration.task.is_some())?;
    }
    let reverted = context.wait(project.gates().revert_work(iteration.id, Origin::Cli))?;
    if context.json {
        return output::json(&reverted);
    }
    say!("{} {}", styled(GOOD, "Reverted:"), styled(QUIET, &reverted.commit));
    if let Some(task) = reverted.task {
        say!("  Task {task} is to be done again.");
    }
    Ok(ExitCode::SUCCESS)
}

/// The number of an iteration of the last run, as `show` prints it. Commits are written with more digits.
fn iteration_number(work: &str) -> Option<u32> {
    work.parse().ok().filter(|_| work.len() < 5)
}

fn ask(number: u32, has_task: bool) -> Result<(), Fault> {
    let refused =
        |message: &str, hint: &str| Err(Fault::new(ErrorCode::ConfirmationDeclined, message).hint(hint));
    if !prompt::interactive() {
        return refused("nobody can be asked whether to revert", "Say --yes.");
    }
    let task = if has_task { ", and its task put back into the queue" } else { "" };
    if prompt::agree(&format!("Iteration {number} will be reverted with a new commit{task}. Go on?")) {
        return Ok(());
    }
    refused("nothing was reverted", "Nothing was changed.")
}
