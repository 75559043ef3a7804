//! `begin`, `finish` and `handoff`: tasks that a person works on, and where things stand.

use std::process::ExitCode;

use loopwright_domain::{ErrorCode, Fault, Origin};
use loopwright_engine::task::Finished;

use super::request::task_id;
use crate::args::{FinishArgs, HandoffArgs};
use crate::context::Context;
use crate::output::{self, BAD, CARE, GOOD, plain, say, styled};

/// Begins to work on a task by hand.
pub(in crate::commands) fn begin(context: &Context, task: &str) -> Result<ExitCode, Fault> {
    let project = super::open(context)?;
    let work = context.wait(project.tasks().begin(task_id(task)?, Origin::Cli))?;
    if context.json {
        return output::json(&work);
    }
    say!("{} You work on task {}.", styled(GOOD, "Begun."), work.task);
    say!("  What an agent would be told: {}", plain(&work.prompt_file));
    say!("  When it is done: loopwright finish. To give it up: loopwright finish --give-up.");
    Ok(ExitCode::SUCCESS)
}

/// Ends work by hand.
pub(in crate::commands) fn finish(context: &Context, args: &FinishArgs) -> Result<ExitCode, Fault> {
    let project = super::open(context)?;
    let finished = match args.give_up {
        true => context.wait(project.tasks().give_up(Origin::Cli))?,
        false => context.wait(project.tasks().finish(&args.summary, Origin::Cli))?,
    };
    let code = match &finished {
        Finished::Done { .. } | Finished::GivenUp { .. } => 0,
        Finished::ChecksFailed { .. } => 1,
        Finished::Gate { .. } => 5,
    };
    if context.json {
        output::json(&finished)?;
        return Ok(ExitCode::from(code));
    }
    match finished {
        Finished::Done { commit: Some(commit) } => {
            say!("{} Commit {}.", styled(GOOD, "Done."), commit.get(..7).unwrap_or(&commit));
        }
        Finished::Done { commit: None } => say!("{} Nothing was committed.", styled(GOOD, "Done.")),
        Finished::Gate { gate } => {
            say!("{} Gate {gate} waits: loopwright approve.", styled(CARE, "Waiting for approval."));
        }
        Finished::ChecksFailed { checks } => {
            say!("{} {}.", styled(BAD, "Checks failed:"), plain(&checks.join(", ")));
            say!("  Your files are as they were. Mend them, then: loopwright finish.");
        }
        Finished::GivenUp { kept } => {
            let kept = kept.map_or_else(String::new, |kept| format!(" What was done is kept in {kept}."));
            say!("Given up, the files are put back.{kept}");
        }
    }
    Ok(ExitCode::from(code))
}

/// Says where things stand.
pub(in crate::commands) fn handoff(context: &Context, args: &HandoffArgs) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let handoff = context.wait(project.runs().handoff())?;
    let text = handoff.markdown(&project.name(&project.config()));
    // A dash is standard output, as everywhere.
    let file = args.file.as_ref().filter(|file| file.as_os_str() != "-");
    if let Some(file) = file {
        let path = context.folder.join(file);
        std::fs::write(&path, &text).map_err(|error| {
            Fault::caused(ErrorCode::IoFailed, format_args!("cannot write {}", path.display()), &error)
        })?;
    }
    if context.json {
        return output::json(&handoff);
    }
    match file {
        Some(file) => say!("Written to {}.", file.display()),
        None => say!("{}", output::plain_text(text.trim_end())),
    }
    Ok(ExitCode::SUCCESS)
}
