//! `loopwright demo --yes`: the sample from its first task to its last, with a person's yes given beforehand.

use std::process::ExitCode;

use loopwright_domain::{Fault, GateDecision, Origin, Run, TaskFilter};
use loopwright_engine::Project;
use loopwright_engine::config::key;
use loopwright_engine::run::{Earlier, Request, RunRequest, StopHandle, TaskSelection};

use super::printer::Printer;
use crate::context::Context;
use crate::output::{self, CARE, GOOD, say, styled};
use crate::signals::{self, Notice};

/// Trusts the sample, works until nothing is left, and approves at each gate what is shown there.
pub(in crate::commands) fn run_demo(context: &Context, project: Project) -> Result<ExitCode, Fault> {
    let report = project.trust_report(&project.config().strict()?)?;
    if !report.state.may_run() {
        context.wait(project.trust(&report.digest, Origin::Cli))?;
    }
    context.begin_log(&project);
    let stop = StopHandle::new();
    let mut printer = Printer::new(context.json, false, None);
    printer.name_tasks(context.wait(project.tasks().list())?);
    let mut earlier = context.wait(project.runs().resumable(None)).ok();
    loop {
        if earlier.is_none() && context.wait(project.tasks().next(&TaskFilter::default()))?.is_none() {
            return nothing_left(context);
        }
        let run = work(context, &project, earlier.take(), &mut printer, &stop)?;
        if !approve_all(context, &project)? {
            return super::finish(context, project, printer, &run, &stop);
        }
        earlier = Some(run);
    }
}

/// Goes on with a run, or begins one.
fn work(
    context: &Context,
    project: &Project,
    earlier: Option<Run>,
    printer: &mut Printer,
    stop: &StopHandle,
) -> Result<Run, Fault> {
    let grace = project.config().value(key::AGENT_INTERRUPT_GRACE).unwrap_or_default();
    context.wait(async {
        signals::watch(stop.clone(), Some(Notice::of_run(context.json, grace)));
        if let Some(run) = earlier {
            printer.follow(&run);
            return project.runs().resume(Some(run.id), Origin::Cli, printer, stop.clone()).await;
        }
        let request = RunRequest::new(Request::Tasks(TaskSelection::default()));
        let prepared = project.runs().prepare(&request)?;
        printer.set_limits(prepared.options.limits);
        project.runs().start(prepared, Earlier::Ask, Origin::Cli, printer, stop.clone()).await
    })
}

/// Approves what waits for a person. Says whether anything did.
fn approve_all(context: &Context, project: &Project) -> Result<bool, Fault> {
    let open = context.wait(project.gates().inbox())?.open;
    for summary in &open {
        let gate = context.wait(project.gates().detail(summary.id))?.gate;
        if !context.json {
            let mark = styled(CARE, format!("Gate {}:", gate.id));
            say!("\n{mark} {} waits for you.", output::plain(&summary.title));
            for flag in &gate.flags {
                let place = flag.path.as_deref().map(|path| format!("{path}: ")).unwrap_or_default();
                say!("  {}", output::plain(&format!("{place}{}", flag.detail)));
            }
        }
        let answer =
            project.gates().decide(gate.id, gate.tree.as_deref(), &GateDecision::Approve, Origin::Cli);
        context.wait(answer)?;
        if !context.json {
            say!("  {} You said yes beforehand, with --yes.\n", styled(GOOD, "Approved."));
        }
    }
    Ok(!open.is_empty())
}

fn nothing_left(context: &Context) -> Result<ExitCode, Fault> {
    if !context.json {
        say!("All tasks of the sample are done. Name another folder to see it played again.");
    }
    Ok(ExitCode::SUCCESS)
}
