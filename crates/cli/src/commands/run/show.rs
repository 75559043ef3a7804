//! `history`, `show` and `log`: what runs did.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use loopwright_domain::{
    Baseline, CheckResult, Fault, Iteration, Outcome, Phase, Run, RunId, RunStatus, SandboxState, Task,
    TaskId, Usage,
};
use loopwright_engine::Project;
use loopwright_engine::run::report::{RED_BEFORE, cost, elapsed, grouped};
use loopwright_engine::run::{IterationFiles, RunOptions, RunView, StopHandle, Urgency};
use serde::Serialize;

use super::agent_wait;
use super::ending::show_next;
use super::find_run;
use crate::args::{IterationArgs, LogArgs, LogPart};
use crate::context::Context;
use crate::display::{cut, line_width};
use crate::output::{self, BAD, CARE, GOOD, HEADING, QUIET, columns, padded, plain, say, styled};
use crate::signals;

/// As many lines of a failed check are shown.
const EXCERPT_LINES: usize = 30;
const LOOK: Duration = Duration::from_millis(200);

pub(in crate::commands) fn history(context: &Context, limit: u32) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let runs = context.wait(project.runs().list(limit, None))?;
    if context.json {
        return output::json(&runs.iter().map(RunDocument::of).collect::<Vec<_>>());
    }
    if runs.is_empty() {
        say!("No runs yet. Start one with \"loopwright loop\" or \"loopwright fix\".");
    }
    let width = runs.iter().map(|run| columns(&plain(&run.harness))).max().unwrap_or(0);
    for run in &runs {
        say!(
            "{}  {}  {:<4} {:>3} iterations  {:>7}  {}  {}  {}{}",
            styled(QUIET, run.id),
            output::local_time(&run.started_at),
            run.kind,
            run.progress.iteration,
            elapsed(run.progress.worked_ms),
            status_word(run.status),
            padded(&plain(&run.harness), width),
            plain(&run.title),
            styled(CARE, waits(run))
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// A run as `history --json` lists it.
#[derive(Serialize)]
#[cfg_attr(test, derive(specta::Type))]
pub(in crate::commands) struct RunDocument<'a> {
    #[serde(flatten)]
    run: &'a Run,
    /// What it was started with; null for a run of an older Loopwright that cannot be read any more.
    options: Option<RunOptions>,
}

impl<'a> RunDocument<'a> {
    fn of(run: &'a Run) -> Self {
        Self { run, options: serde_json::from_str(&run.options).ok() }
    }
}

/// Until when a run waits for its agent.
fn waits(run: &Run) -> String {
    let live = run.waiting.filter(|_| run.status == RunStatus::Waiting);
    let until = agent_wait::waits_until(live, &run.holds, Timestamp::now(), &TimeZone::system());
    until.map(|until| format!("  waits until {until}")).unwrap_or_default()
}

fn status_word(status: RunStatus) -> String {
    styled(status_style(status), format!("{:<11}", status.as_str()))
}

fn status_style(status: RunStatus) -> anstyle::Style {
    match status {
        RunStatus::Completed => GOOD,
        RunStatus::Aborted => BAD,
        RunStatus::Running | RunStatus::Paused | RunStatus::Waiting | RunStatus::Interrupted => CARE,
        RunStatus::Cancelled => QUIET,
    }
}

pub(in crate::commands) fn show(context: &Context, args: &IterationArgs) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let run = find_run(context, &project, &args.which)?;
    let Some(number) = args.iteration else {
        let view = context.wait(project.runs().view(Some(run.id)))?;
        return match view {
            Some(view) if context.json => output::json(&view),
            Some(view) => {
                show_run(&view, &context.wait(project.tasks().list())?);
                Ok(ExitCode::SUCCESS)
            }
            None => Ok(ExitCode::SUCCESS),
        };
    };
    let iteration = context.wait(project.iterations().numbered(&run, Some(number)))?;
    let checks = context.wait(project.iterations().check_results(&iteration))?;
    if context.json {
        return output::json(&ShownIteration { iteration: iteration.counted_from_one(), checks });
    }
    show_iteration(&iteration, &checks, &project.iterations().files(&iteration));
    Ok(ExitCode::SUCCESS)
}

/// What `show N --json` prints.
#[derive(Serialize)]
#[cfg_attr(test, derive(specta::Type))]
pub(in crate::commands) struct ShownIteration {
    /// The iteration; its number is counted from 1.
    iteration: Iteration,
    /// How its checks went.
    checks: Vec<CheckResult>,
}

/// A run in a few lines: for `show` and `status`. `tasks` are the project's, for the names of those that were worked on.
pub(in crate::commands) fn show_run(view: &RunView, tasks: &[Task]) {
    let count = match view.max_iterations {
        0 => format!("{}", view.iteration),
        max => format!("{}/{max}", view.iteration),
    };
    say!(
        "{} {}: {}  {}",
        styled(HEADING, "Run"),
        view.kind,
        plain(&view.title),
        styled(status_style(view.status), view.status)
    );
    let around = around(view.sandbox);
    say!("  iterations {count}, worked {}, agent {}{around}", elapsed(view.worked_ms), plain(&view.harness));
    show_usage(&view.usage);
    if let Some(holder) = &view.live {
        let phase = view.phase.map_or("starting", Phase::as_str);
        say!("  process {} since {}, phase {phase}", holder.pid, output::local_time(&holder.since));
    }
    if let Some(message) = &view.message {
        say!("  {}", plain(message));
    }
    let red: Vec<String> =
        view.baseline.iter().flat_map(Baseline::red).map(|check| plain(&check.name)).collect();
    if !red.is_empty() {
        say!("  {}", styled(CARE, format!("{RED_BEFORE}: {}", red.join(", "))));
    }
    if !view.status.is_over() {
        for line in agent_wait::lines(&view.holds, Timestamp::now(), &TimeZone::system()) {
            say!("  {}", styled(CARE, line));
        }
    }
    show_next(view);
    show_iterations(view, tasks);
}

/// What was used, when anything is known of it.
fn show_usage(usage: &Usage) {
    if usage.tokens() > 0 {
        let cost = cost(usage).map(|cost| format!(", {cost}")).unwrap_or_default();
        say!("  {} tokens{cost}", grouped(usage.tokens()));
    }
}

/// The last iterations, the newest first, each with its task; with their agents where those are not all the same.
fn show_iterations(view: &RunView, tasks: &[Task]) {
    let last: Vec<_> = view.iteration_summaries.iter().rev().take(10).collect();
    let workers: Vec<_> =
        last.iter().map(|each| worker(each.harness.as_deref(), each.model.as_deref())).collect();
    let differ = workers.windows(2).any(|pair| pair[0] != pair[1]);
    let width = workers.iter().map(|worker| columns(worker)).max().unwrap_or(0);
    let taken = 40 + if differ { width + 2 } else { 0 };
    let room = line_width().saturating_sub(taken).max(20);
    let names: Vec<String> = last.iter().map(|each| task_name(each.task, tasks, room / 2)).collect();
    let name_width = names.iter().map(|name| columns(name)).max().unwrap_or(0);
    for ((iteration, worker), name) in last.into_iter().zip(workers).zip(names) {
        let exit = iteration.exit_code.map_or_else(|| "-".to_owned(), |code| code.to_string());
        let preview: String = plain(iteration.output_preview.lines().next().unwrap_or_default());
        let worker = if differ { format!("{}  ", padded(&worker, width)) } else { String::new() };
        let name = if name_width > 0 { format!("{}  ", padded(&name, name_width)) } else { String::new() };
        let preview = cut(&preview, room.saturating_sub(columns(&name)));
        say!(
            "  {:>4}  {:>7}  exit {exit:<3}  {:<11}  {worker}{name}{preview}",
            iteration.iteration,
            elapsed(iteration.elapsed_ms),
            iteration.outcome.map_or("running", Outcome::as_str)
        );
    }
}

/// A task's number and title in so many columns; nothing where there is no task.
fn task_name(task: Option<TaskId>, tasks: &[Task], width: usize) -> String {
    let Some(id) = task else { return String::new() };
    let title = tasks.iter().find(|task| task.id == id).map_or("", |task| &task.draft.title);
    cut(plain(&format!("{id} {title}")).trim_end(), width)
}

/// Who worked, as settings write it: the agent, with its model where that is known.
fn worker(harness: Option<&str>, model: Option<&str>) -> String {
    match (harness, model) {
        (Some(harness), Some(model)) => plain(&format!("{harness}/{model}")),
        (Some(harness), None) => plain(harness),
        (None, _) => "-".to_owned(),
    }
}

fn show_iteration(iteration: &Iteration, checks: &[CheckResult], files: &IterationFiles) {
    let outcome = match iteration.outcome {
        Some(Outcome::Succeeded) => styled(GOOD, "succeeded"),
        Some(Outcome::Failed) => styled(BAD, "failed"),
        Some(Outcome::Interrupted) => styled(CARE, "interrupted"),
        None => styled(CARE, iteration.phase),
    };
    say!("{} {}  {outcome}", styled(HEADING, "Iteration"), iteration.number + 1);
    if let Some(message) = &iteration.message {
        say!("  {}", plain(message));
    }
    let exit = match (iteration.exit_code, iteration.exit_signal) {
        (Some(code), _) => format!("exit {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => "no exit code".to_owned(),
    };
    let agent = &iteration.agent;
    let worker = agent.harness.as_deref().map(|harness| worker(Some(harness), agent.model.as_deref()));
    say!(
        "  agent {}{} ({exit}), all {}",
        worker.map(|worker| format!("{worker}, ")).unwrap_or_default(),
        elapsed(iteration.agent_ms),
        elapsed(iteration.elapsed_ms)
    );
    show_usage(&iteration.usage);
    let started = output::local_time(&iteration.started_at);
    say!("  started {started}{}", around(iteration.agent.sandbox));
    if let Some(commit) = &iteration.commit {
        say!("  commit {commit}");
    }
    for check in checks {
        let mark = if check.passed() { GOOD } else { BAD };
        let before = match check.red_before {
            Some(true) => format!(", {RED_BEFORE}"),
            Some(false) => ", green before this run".to_owned(),
            None => String::new(),
        };
        say!(
            "  check {}: {} in {}{before}",
            plain(&check.name),
            styled(mark, check.status),
            elapsed(check.elapsed_ms)
        );
        for issue in &check.issues {
            let place = match (&issue.file, issue.line) {
                (Some(file), Some(line)) => format!("{}:{line}: ", plain(file)),
                (Some(file), None) => format!("{}: ", plain(file)),
                _ => String::new(),
            };
            let mut lines = issue.message.lines();
            say!("    {} {place}{}", issue.severity, plain(lines.next().unwrap_or_default()));
            lines.for_each(|line| say!("      {}", plain(line)));
        }
        if check.failed() && check.issues.iter().all(|issue| issue.file.is_none()) {
            show_excerpt(&check.excerpt);
        }
    }
    if !iteration.preview.is_empty() {
        say!("\n{}", output::plain_text(&iteration.preview));
    }
    say!("\n{}", styled(QUIET, files.folder().display()));
}

/// The end of what a check printed: that is where it says what is wrong.
fn show_excerpt(excerpt: &str) {
    let lines: Vec<&str> = excerpt.trim_end().lines().collect();
    let from = lines.len().saturating_sub(EXCERPT_LINES);
    lines.iter().skip(from).for_each(|line| say!("{}", format!("      {}", plain(line)).trim_end()));
}

/// What was around the agent.
const fn around(sandbox: Option<SandboxState>) -> &'static str {
    match sandbox {
        Some(SandboxState::Sandbox) => ", in the sandbox",
        Some(SandboxState::Off) => ", without the sandbox: it was off",
        Some(SandboxState::Unavailable) => ", without a sandbox: there was none",
        None => "",
    }
}

pub(in crate::commands) fn log(context: &Context, args: &LogArgs) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let run = find_run(context, &project, &args.which)?;
    let iteration = context.wait(project.iterations().numbered(&run, args.iteration))?;
    if context.json && !args.follow {
        return log_document(&project, &iteration, args.part);
    }
    let stop = StopHandle::new();
    context.wait(async {
        signals::watch(stop.clone(), None);
        let mut shown = print_part(&project, &iteration, args.part, 0);
        if !args.follow {
            return Ok(ExitCode::SUCCESS);
        }
        loop {
            // What was written before the iteration ended is read after that is known.
            let now = project.iterations().numbered(&run, Some(iteration.number + 1)).await?;
            let over = now.outcome.is_some() || project.runs().live().is_none();
            shown = print_part(&project, &iteration, args.part, shown);
            if over {
                break;
            }
            tokio::select! {
                () = tokio::time::sleep(LOOK) => {}
                () = stop.wait(Urgency::Gentle) => break,
            }
        }
        Ok(ExitCode::SUCCESS)
    })
}

/// What `log --json` prints.
#[derive(Serialize)]
#[cfg_attr(test, derive(specta::Type))]
pub(in crate::commands) struct LogDocument {
    /// The iteration, counted from 1.
    iteration: u32,
    /// Its run.
    run: RunId,
    /// Which of its files it is.
    part: &'static str,
    /// The text; of a transcript the list of its events.
    content: serde_json::Value,
}

/// A file of an iteration as one document; a transcript is a list of its events.
fn log_document(project: &Project, iteration: &Iteration, part: LogPart) -> Result<ExitCode, Fault> {
    let path = part_file(&project.iterations().files(iteration), part);
    let text = String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned();
    let content = match part {
        LogPart::Transcript => {
            text.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok()).collect()
        }
        _ => serde_json::Value::String(text),
    };
    let (number, run) = (iteration.number + 1, iteration.run);
    output::json(&LogDocument { iteration: number, run, part: part.as_str(), content })
}

/// Prints a file from a place on, safe for a terminal, and says how far it came.
fn print_part(project: &Project, iteration: &Iteration, part: LogPart, from: u64) -> u64 {
    let path = part_file(&project.iterations().files(iteration), part);
    let Ok(mut file) = File::open(path) else { return from };
    // A log that is put together at its end may be shorter than its parts were.
    let length = file.metadata().map_or(0, |metadata| metadata.len());
    if length <= from || file.seek(SeekFrom::Start(from)).is_err() {
        return from;
    }
    let mut out = output::stdout();
    let mut chunk = vec![0; 64 * 1024];
    let mut held = 0;
    let mut place = from;
    while let Ok(count) = file.read(&mut chunk[held..]) {
        if count == 0 {
            break;
        }
        place += count as u64;
        let filled = held + count;
        let whole = filled - cut_character(&chunk[..filled]);
        let text = output::plain_text(&String::from_utf8_lossy(&chunk[..whole]));
        if out.write_all(text.as_bytes()).is_err() {
            break;
        }
        chunk.copy_within(whole..filled, 0);
        held = filled - whole;
    }
    place -= held as u64;
    let _ = out.flush();
    place
}

/// How many bytes at the end are the beginning of a character whose rest has not been read yet.
fn cut_character(bytes: &[u8]) -> usize {
    let length = |lead: u8| match lead {
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf7 => 4,
        _ => 1,
    };
    (1..=bytes.len().min(3)).find(|back| length(bytes[bytes.len() - back]) > *back).unwrap_or(0)
}

fn part_file(files: &IterationFiles, part: LogPart) -> PathBuf {
    match part {
        LogPart::Output => files.stdout(),
        LogPart::Stderr => files.stderr(),
        LogPart::Prompt => files.prompt(),
        LogPart::Response => files.response(),
        LogPart::Transcript => files.transcript(),
    }
}
