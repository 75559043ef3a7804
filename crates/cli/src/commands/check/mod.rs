//! `loopwright check`: runs checks, or shows and changes which there are.

mod manage;
mod printer;

use std::process::ExitCode;

use loopwright_domain::{Automation, CheckResult, ErrorCode, Fault, Origin, Verdict};
use loopwright_engine::Project;
use loopwright_engine::check::CheckObserver;
use loopwright_engine::check::work_list::WorkList;
use loopwright_engine::config::key;
use loopwright_engine::run::{StopHandle, Urgency};
use serde::Serialize;
use tokio::sync::watch;

use crate::args::{CheckArgs, CheckCommand};
use crate::context::Context;
use crate::output::{self, say};
use crate::signals::{self, Notice};
#[cfg(test)]
pub(super) use manage::ListedCheck;
use printer::Printer;

/// What a person or a program is told.
#[derive(Serialize)]
#[cfg_attr(test, derive(specta::Type))]
pub(in crate::commands) struct CheckRound<'a> {
    verdict: Verdict,
    checks: &'a [CheckResult],
}

pub(super) fn run(context: &Context, args: &CheckArgs) -> Result<ExitCode, Fault> {
    if args.command.is_some() && (args.prompt || args.trust) {
        return Err(Fault::new(ErrorCode::UsageInvalid, "--prompt and --trust are for running checks")
            .hint("Leave them out; a check of that name is run with \"loopwright check -- NAME\"."));
    }
    match &args.command {
        None => check(context, args),
        Some(CheckCommand::List) => manage::list(context),
        Some(CheckCommand::Add(add)) => manage::add(context, add),
        Some(CheckCommand::Edit(edit)) => manage::edit(context, edit),
        Some(CheckCommand::Move { name, place }) => manage::move_to(context, name, *place),
        Some(CheckCommand::Enable { name }) => manage::enable(context, name, true),
        Some(CheckCommand::Disable { name }) => manage::enable(context, name, false),
        Some(CheckCommand::Remove { name }) => manage::remove(context, name),
        Some(CheckCommand::Suggest { add }) => manage::suggest(context, add),
    }
}

fn check(context: &Context, args: &CheckArgs) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    if args.trust {
        let report = project.trust_report(&project.config().strict()?)?;
        if !report.state.may_run() {
            context.wait(project.trust(&report.digest, Origin::Cli))?;
        }
    }
    let stop = StopHandle::new();
    let quiet = context.json || args.prompt;
    let results = if quiet {
        round(context, &project, &args.names, &mut (), &stop)?
    } else {
        let results = round(context, &project, &args.names, &mut Printer, &stop)?;
        if stop.urgency().is_none() {
            printer::conclude(&results, &project.checks().outputs());
        }
        results
    };
    if stop.urgency().is_some() {
        return Ok(ExitCode::from(if stop.by_system() { 143 } else { 130 }));
    }
    if args.prompt {
        let list = WorkList::of(&results, automation(&project, args));
        if context.json {
            output::json(&list)?
        } else {
            print_whole(&list.render())
        };
    } else if context.json {
        output::json(&CheckRound { verdict: Verdict::of(&results), checks: &results })?;
    }
    Ok(if Verdict::of(&results) == Verdict::Failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The text ends with a line of its own, as every line does.
fn print_whole(text: &str) -> ExitCode {
    say!("{}", text.trim_end());
    ExitCode::SUCCESS
}

fn automation(project: &Project, args: &CheckArgs) -> Automation {
    match args.automation.as_deref() {
        Some(word) => Automation::parse(word).unwrap_or(Automation::Auto),
        None => project.config().value(key::LOOP_AUTOMATION),
    }
}

/// Runs the checks; Ctrl-C ends the running one with all it started.
fn round(
    context: &Context,
    project: &Project,
    names: &[String],
    observer: &mut dyn CheckObserver,
    stop: &StopHandle,
) -> Result<Vec<CheckResult>, Fault> {
    context.wait(async {
        signals::watch(stop.clone(), Some(Notice::of_checks(context.json)));
        let (sender, mut receiver) = watch::channel(false);
        let running = project.checks().run(names, observer, &mut receiver);
        tokio::pin!(running);
        tokio::select! {
            results = &mut running => results,
            () = stop.wait(Urgency::Gentle) => {
                let _ = sender.send(true);
                running.await
            }
        }
    })
}
