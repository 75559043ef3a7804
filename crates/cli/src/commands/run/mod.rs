//! `loopwright run`, `loop`, `fix` and `resume`: a run in this terminal.

mod agent_wait;
mod background;
mod by_hand;
mod control;
mod demo;
mod diff;
mod ending;
mod printer;
mod request;
mod restore;
mod show;
mod watch;

use std::process::ExitCode;
use std::time::Duration;

use loopwright_domain::{ErrorCode, ExitReason, Fault, Origin, Run, RunId, RunStatus};
use loopwright_engine::Project;
use loopwright_engine::agent::learn_login_path;
use loopwright_engine::notify::Notifier;
use loopwright_engine::run::report::{elapsed, grouped};
use loopwright_engine::run::{Earlier, Prepared, RunOptions, RunRequest, StopHandle};

pub(crate) use background::StartReply;
pub(super) use by_hand::{begin, finish as finish_by_hand, handoff};
pub(super) use control::{ask, recover, signal};
pub(super) use demo::run_demo;
pub(super) use diff::{PATCH_LIMIT, coloured_patch, diff, show_files};
pub(super) use request::read_prompt;
pub(super) use restore::restore;
pub(super) use show::{history, log, show, show_run};
pub(super) use watch::watch;

/// What runs print as documents and lines.
#[cfg(test)]
pub(super) mod documents {
    pub(in crate::commands) use super::background::Begun;
    pub(in crate::commands) use super::control::Asked;
    pub(in crate::commands) use super::diff::PatchDocument;
    pub(in crate::commands) use super::printer::{EventLine, RunLine};
    pub(in crate::commands) use super::show::{LogDocument, RunDocument, ShownIteration};
}

use crate::args::{FixArgs, LoopArgs, ResumeArgs, RunArgs, RunTasksArgs, WhichRun};
use crate::commands::gate::{self, AfterGate};
use crate::context::Context;
use crate::display::StreamMode;
use crate::output::{self, QUIET, say, styled};
use crate::prompt;
use crate::signals::{self, Notice};
use printer::Printer;

/// As many events are looked at for the iterations of a run that goes on.
const RECENT: u32 = 500;

pub(super) fn start_tasks(context: &Context, args: &RunTasksArgs) -> Result<ExitCode, Fault> {
    let manner = Manner::of(&args.run);
    if args.run.resume {
        return resume_run(context, None, manner);
    }
    if args.run.detach {
        return background::start(context, Vec::new());
    }
    let request = request::of_tasks(context, args)?;
    start(context, &args.run, manner, &request)
}

/// How a run is carried by this process.
#[derive(Clone, Copy, Debug)]
struct Manner {
    verbose: bool,
    stream: Option<StreamMode>,
    detach: bool,
    /// Whether it waits at gates.
    wait: bool,
}

impl Manner {
    const fn of(args: &RunArgs) -> Self {
        Self { verbose: args.verbose, stream: args.stream, detach: args.detach, wait: args.wait }
    }
}

pub(super) fn start_loop(context: &Context, args: &LoopArgs) -> Result<ExitCode, Fault> {
    if args.run.resume {
        return resume_run(context, None, Manner::of(&args.run));
    }
    if args.run.detach {
        return background::start(context, request::input_of_loop(context, args)?);
    }
    let request = request::of_loop(context, args)?;
    start(context, &args.run, Manner::of(&args.run), &request)
}

pub(super) fn start_fix(context: &Context, args: &FixArgs) -> Result<ExitCode, Fault> {
    if args.run.resume {
        return resume_run(context, None, Manner::of(&args.run));
    }
    if args.run.detach {
        return background::start(context, Vec::new());
    }
    let request = request::of_fix(context, args)?;
    start(context, &args.run, Manner::of(&args.run), &request)
}

/// Opens the project for work, and tells when its state was damaged and had to be begun anew.
fn open(context: &Context) -> Result<Project, Fault> {
    let project = context.project()?;
    if let Some(damage) = project.recovery() {
        output::tell(damage);
    }
    Ok(project)
}

/// Prepares a run. An agent that is not found is looked for where the login shell looks, too.
fn prepare(context: &Context, project: &Project, request: &RunRequest) -> Result<Prepared, Fault> {
    match project.runs().prepare(request) {
        Err(fault) if fault.code == ErrorCode::AgentMissing => {
            context.wait(learn_login_path(project.host()));
            project.runs().prepare(request)
        }
        prepared => prepared,
    }
}

fn start(context: &Context, args: &RunArgs, manner: Manner, request: &RunRequest) -> Result<ExitCode, Fault> {
    let project = open(context)?;
    if args.trust {
        let config = project.config().strict()?;
        let report = project.trust_report(&config)?;
        if !report.state.may_run() {
            context.wait(project.trust(&report.digest, Origin::Cli))?;
        }
    }
    let prepared = prepare(context, &project, request)?;
    if !args.dry_run {
        context.begin_log(&project);
    }
    if args.dry_run {
        let dry = context.wait(project.runs().dry_run(prepared))?;
        return show_dry_run(context, request, &dry);
    }
    let mut printer = printer_of(context, &project, manner)?;
    printer.set_limits(prepared.options.limits);
    printer.answer_into(context.answer_file.clone());
    let stop = StopHandle::new();
    let notice = stop_notice(context, &prepared.options);
    let earlier = if args.new { Earlier::Leave } else { Earlier::Ask };
    let started = context.wait(async {
        signals::watch(stop.clone(), Some(notice));
        project.runs().start(prepared, earlier, Origin::Cli, &mut printer, stop.clone()).await
    });
    match started {
        Ok(run) => {
            let code = finish(context, project, printer, &run, &stop)?;
            go_on_at_gate(context, manner, &run, code)
        }
        Err(fault) if fault.code == ErrorCode::RunInterrupted && prompt::interactive() && !context.json => {
            choose(context, manner, request, &fault)
        }
        Err(fault) => Err(fault),
    }
}

/// A printer that knows the project's tasks and files.
fn printer_of(context: &Context, project: &Project, manner: Manner) -> Result<Printer, Fault> {
    let tasks = context.wait(project.tasks().list())?;
    let mut printer = Printer::new(context.json, manner.verbose, manner.stream);
    printer.name_tasks(tasks);
    printer.set_root(&project.layout().root);
    printer.wait_at_gates(manner.wait);
    match notifier(context, project) {
        Ok(notifier) => printer.notify_by(notifier),
        // A run is worth more than its notifications.
        Err(fault) => output::tell(&fault),
    }
    Ok(printer)
}

/// What tells a person elsewhere; none where the user has set nothing.
pub(super) fn notifier(context: &Context, project: &Project) -> Result<Option<Notifier>, Fault> {
    let config = project.config();
    Notifier::of(&context.host, &config, &project.name(&config), &project.layout().root)
}

/// What a run says at the first Ctrl-C.
fn stop_notice(context: &Context, options: &RunOptions) -> Notice {
    Notice::of_run(context.json, Duration::from_millis(options.times.grace_ms))
}

/// On a terminal a person says whether to go on with the earlier run.
fn choose(context: &Context, manner: Manner, request: &RunRequest, fault: &Fault) -> Result<ExitCode, Fault> {
    say!("{}.", output::plain(&fault.message));
    if prompt::agree("Resume it? (no: begin anew)") {
        return resume_run(context, None, Manner { detach: false, ..manner });
    }
    let project = context.project()?;
    let prepared = project.runs().prepare(request)?;
    let mut printer = printer_of(context, &project, manner)?;
    printer.set_limits(prepared.options.limits);
    let stop = StopHandle::new();
    let notice = stop_notice(context, &prepared.options);
    let run = context.wait(async {
        signals::watch(stop.clone(), Some(notice));
        project.runs().start(prepared, Earlier::Leave, Origin::Cli, &mut printer, stop.clone()).await
    })?;
    let code = finish(context, project, printer, &run, &stop)?;
    go_on_at_gate(context, manner, &run, code)
}

/// On a terminal a gate is decided right there, and the run goes on. `code` is the exit code when nothing is decided.
fn go_on_at_gate(context: &Context, manner: Manner, run: &Run, code: ExitCode) -> Result<ExitCode, Fault> {
    let at_gate = run.status == RunStatus::Waiting && run.reason == Some(ExitReason::NeedsPerson);
    if !at_gate || context.json || manner.detach || !prompt::interactive() {
        return Ok(code);
    }
    let project = context.project()?;
    if gate::ask_inline(context, &project)? == AfterGate::Open {
        return Ok(code);
    }
    let now = context.wait(project.runs().find(Some(run.id)))?;
    drop(project);
    match now.status.is_over() {
        true => Ok(ExitCode::from(exit_code(&now))),
        false => resume_run(context, Some(run.id), manner),
    }
}

fn show_dry_run(
    context: &Context,
    request: &RunRequest,
    dry: &loopwright_engine::run::DryRun,
) -> Result<ExitCode, Fault> {
    if context.json {
        return output::json(dry);
    }
    let mark = styled(QUIET, "[DRY RUN]");
    let what = match &request.request {
        loopwright_engine::run::Request::Procedure(_) => "Procedure",
        loopwright_engine::run::Request::Prompt(_) => "Prompt",
        loopwright_engine::run::Request::Fix(_) => "Run",
        loopwright_engine::run::Request::Tasks(_) => "Tasks",
    };
    say!("{mark} {what}: {}", output::plain(&dry.title));
    for note in &dry.notes {
        say!("{mark} {}", output::plain(note));
    }
    if dry.prompt.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    say!("{mark} Would execute with: {}", output::plain(&dry.command));
    let over = if dry.size.over() { " (over budget)" } else { "" };
    let budget = grouped(dry.size.budget);
    say!("{mark} Token count: {} / {budget} budget{over}\n", grouped(dry.size.tokens));
    if let Some(preview) = &dry.preview {
        crate::commands::memory::prompt_items(preview);
        say!("");
    }
    say!("{}", output::plain_text(dry.prompt.trim_end()));
    Ok(ExitCode::SUCCESS)
}

pub(super) fn resume(context: &Context, args: &ResumeArgs) -> Result<ExitCode, Fault> {
    let id = args.run.as_deref().map(parse_run).transpose()?;
    let limits = request::of_limits(&args.limits);
    let manner = Manner { verbose: args.verbose, stream: args.stream, detach: args.detach, wait: args.wait };
    if limits.is_empty() {
        return resume_run(context, id, manner);
    }
    let run = context.wait(open(context)?.runs().give_limits(id, &limits))?;
    resume_run(context, Some(run.id), manner)
}

fn resume_run(context: &Context, id: Option<RunId>, manner: Manner) -> Result<ExitCode, Fault> {
    let project = open(context)?;
    let run = context.wait(project.runs().resumable(id))?;
    if project.runs().live().is_some() {
        return ask(context, loopwright_domain::ControlKind::Resume);
    }
    if manner.detach {
        return background::start(context, Vec::new());
    }
    context.begin_log(&project);
    let mut printer = printer_of(context, &project, manner)?;
    printer.follow(&run);
    printer.count_earlier(&run);
    printer.remember(&context.wait(project.events().recent(RECENT))?);
    printer.answer_into(context.answer_file.clone());
    if !context.json {
        tell_earlier(&context.host.timestamp(), &printer, &run);
    }
    let stop = StopHandle::new();
    let notice = serde_json::from_str(&run.options).ok().map(|options| stop_notice(context, &options));
    let run = context.wait(async {
        signals::watch(stop.clone(), notice);
        project.runs().resume(Some(run.id), Origin::Cli, &mut printer, stop.clone()).await
    })?;
    let code = finish(context, project, printer, &run, &stop)?;
    go_on_at_gate(context, manner, &run, code)
}

fn tell_earlier(now: &str, printer: &Printer, run: &Run) {
    let max = match run.limits.max_iterations {
        0 => "unlimited".to_owned(),
        max => format!("max {max}"),
    };
    let done = run.progress.iteration;
    let title = output::plain(&run.title);
    printer.line(now, &format!("Resuming {}: {title} from iteration {done} ({max})", run.kind));
    let worked = elapsed(run.progress.worked_ms);
    printer.line(now, &format!("Previous session: {done} iterations completed in {worked}"));
}

/// Sums a run up. Its state is closed, so that the log it has filled is folded in once, here, and not read through by
/// whatever is asked next; where that fails nothing is lost.
fn finish(
    context: &Context,
    project: Project,
    mut printer: Printer,
    run: &Run,
    stop: &StopHandle,
) -> Result<ExitCode, Fault> {
    if let Ok(Some(view)) = context.wait(project.runs().view(Some(run.id))) {
        printer.sum_up(&view);
    }
    let _folded_in = context.wait(project.close());
    let code = exit_code(run);
    let terminated = code == 130 && stop.by_system();
    Ok(ExitCode::from(if terminated { 143 } else { code }))
}

/// What a run's end means for whoever waited for it.
fn exit_code(run: &Run) -> u8 {
    run.reason.map_or(0, |reason| reason.exit_code(run.goal))
}

/// The run that is named, else the last one.
fn find_run(context: &Context, project: &Project, which: &WhichRun) -> Result<Run, Fault> {
    let id = which.run.as_deref().map(parse_run).transpose()?;
    context.wait(project.runs().find(id))
}

pub(super) fn parse_run(text: &str) -> Result<RunId, Fault> {
    text.parse().map_err(|_| {
        Fault::new(ErrorCode::UsageInvalid, format!("\"{text}\" is not the id of a run"))
            .hint("\"loopwright history\" lists them.")
    })
}
