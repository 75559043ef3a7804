//! A run on the terminal, line by line with its time; or as JSON lines.

mod failure;
mod github;
mod live;
mod outcome;
mod summary;

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use loopwright_domain::{
    AgentEvent, BaselineCheck, CheckResult, CheckStatus, Event, EventEnvelope, Iteration, IterationId,
    Limits, Outcome, Run, RunKind, Task, TaskId, TaskStatus, Usage,
};
use loopwright_engine::notify::Notifier;
use loopwright_engine::output::Entry;
use loopwright_engine::run::report::{RED_BEFORE, elapsed, grouped};
use loopwright_engine::run::{Observer, PromptSize, RunState, RunView};

use self::live::Live;
use self::summary::{BlockedTask, FailedAttempt, Tally};
use super::background::StartReply;
use crate::display::StreamMode;
use crate::output::{self, BAD, CARE, GOOD, QUIET, plain, plain_text, styled};
use crate::prompt;

/// As many files are named on a line.
const NAMED: usize = 20;

/// Prints a run as it goes. A reader that has gone away does not stop the run: it goes on unseen.
pub(crate) struct Printer {
    json: bool,
    verbose: bool,
    /// Whether a person can be asked.
    interactive: bool,
    zone: TimeZone,
    kind: Option<RunKind>,
    max: u32,
    number: u32,
    threshold: u32,
    failures: u32,
    /// How many iterations are done, those of an earlier session too.
    done: u32,
    /// How long they took, in milliseconds.
    spent_ms: u64,
    /// Where to say that the run has begun.
    answer_file: Option<PathBuf>,
    /// Whether this process waits at gates.
    waits: bool,
    /// What is worked on, in a run over tasks.
    task: Option<String>,
    /// The wave that was told last.
    wave: Option<u32>,
    /// What tasks are called, for whoever only watches.
    titles: HashMap<TaskId, String>,
    live: Live,
    tally: Tally,
    notifier: Option<Notifier>,
    /// Whether GitHub Actions reads along: it is told groups and annotations.
    on_github: bool,
    /// The project's folder, for links to files.
    root: Option<PathBuf>,
}

impl Printer {
    /// `stream` is what of the agent's work is to be shown; without it a terminal shows all of it.
    pub(crate) fn new(json: bool, verbose: bool, stream: Option<StreamMode>) -> Self {
        Self {
            json,
            verbose,
            interactive: !json && prompt::interactive(),
            zone: TimeZone::system(),
            kind: None,
            max: 0,
            number: 0,
            threshold: 0,
            failures: 0,
            done: 0,
            spent_ms: 0,
            answer_file: None,
            waits: false,
            task: None,
            wave: None,
            titles: HashMap::new(),
            live: Live::new(json, stream),
            tally: Tally::default(),
            notifier: None,
            on_github: !json && github::is_here(),
            root: None,
        }
    }

    /// Knows what tasks are called, and how many are done.
    pub(crate) fn name_tasks(&mut self, tasks: Vec<Task>) {
        self.live.count_tasks(&tasks);
        self.titles = tasks.into_iter().map(|task| (task.id, task.draft.title)).collect();
    }

    /// Whether a task has no name here yet.
    pub(crate) fn needs_name(&self, event: &Event) -> bool {
        matches!(event, Event::TaskStatusChanged { task, .. } if !self.titles.contains_key(task))
    }

    /// Whether this process waits at gates.
    pub(crate) fn wait_at_gates(&mut self, waits: bool) {
        self.waits = waits;
    }

    /// Picks up where a run stands: for one that is resumed or watched.
    pub(crate) fn follow(&mut self, run: &Run) {
        self.kind = Some(run.kind);
        self.max = run.limits.max_iterations;
        self.threshold = run.limits.failure_threshold;
        self.failures = run.progress.consecutive_failures;
        self.live.kind(run.kind);
        self.live.limit(run.limits, run.progress.usage, run.progress.worked_ms);
    }

    /// Counts what an earlier session has done: for a run that is resumed.
    pub(crate) fn count_earlier(&mut self, run: &Run) {
        self.done = run.progress.iteration;
        // What an earlier process left unfinished is counted where it stands.
        self.number = run.progress.iteration;
        self.spent_ms = run.progress.worked_ms;
    }

    /// Tells a person elsewhere too.
    pub(crate) fn notify_by(&mut self, notifier: Option<Notifier>) {
        self.notifier = notifier;
    }

    /// Knows where the project's files are.
    pub(crate) fn set_root(&mut self, root: &Path) {
        self.root = Some(root.to_owned());
    }

    /// Knows what the run may use.
    pub(crate) fn set_limits(&mut self, limits: Limits) {
        self.threshold = limits.failure_threshold;
        self.live.limit(limits, Usage::default(), 0);
    }

    /// Takes in where a run of another process stands.
    pub(crate) fn state(&mut self, state: &RunState) {
        self.live.state(state);
    }

    /// Takes in what the agent of another process printed.
    pub(crate) fn entries(&mut self, iteration: IterationId, first: u32, entries: &[Entry], over: bool) {
        if self.json {
            return;
        }
        let lines = self.live.entries(iteration, first, entries, over);
        lines.iter().for_each(|line| self.write(line));
    }

    /// Says in a file when the run has begun: for one in the background.
    pub(crate) fn answer_into(&mut self, file: Option<PathBuf>) {
        self.answer_file = file;
    }

    pub(crate) fn line(&self, at: &str, text: &str) {
        let time = at.parse::<Timestamp>().map_or_else(
            |_| at.to_owned(),
            |at| at.to_zoned(self.zone.clone()).strftime("%H:%M:%S").to_string(),
        );
        self.write(&format!("{} {text}", styled(QUIET, format!("[{time}]"))));
    }

    fn write(&self, text: &str) {
        if let Some(text) = self.live.line(text) {
            let inert = if self.on_github { github::inert(text) } else { text.to_owned() };
            let _ = writeln!(output::stdout(), "{inert}");
        }
    }

    /// Tells GitHub Actions something; nobody else.
    fn command_github(&self, command: &str) {
        if self.on_github {
            let _ = writeln!(output::stdout(), "{command}");
        }
    }

    /// Whether the attempt that was told last is one at this task.
    fn tells_of(&self, task: TaskId) -> bool {
        self.task.as_ref().is_some_and(|told| told.split(' ').next() == Some(&task.to_string()))
    }

    /// A task's number, and its title where that is known.
    fn named(&self, task: TaskId) -> String {
        match self.titles.get(&task) {
            Some(title) => format!("{task} {}", plain(title)),
            None => task.to_string(),
        }
    }

    fn which(&self) -> String {
        match self.max {
            0 => format!("Iteration {}", self.number + 1),
            max => format!("Iteration {}/{max}", self.number + 1),
        }
    }

    fn tell(&mut self, at: &str, event: &Event) {
        match event {
            Event::RunStarted { kind, title, max_iterations, harness, .. } => {
                self.kind = Some(*kind);
                self.max = *max_iterations;
                (self.failures, self.done, self.spent_ms) = (0, 0, 0);
                let limit = match max_iterations {
                    0 => "unlimited iterations".to_owned(),
                    max => format!("max {max} iterations"),
                };
                let title = plain(title);
                self.line(at, &format!("Starting {kind}: {title} ({limit}, agent {})", plain(harness)));
            }
            // Attempts at tasks are told with their task.
            Event::IterationStarted { number, .. } if self.kind == Some(RunKind::Run) => {
                self.number = *number
            }
            Event::IterationStarted { number, attempt, .. } => {
                self.number = *number;
                let again = if *attempt > 1 { " again" } else { "" };
                self.command_github(&github::group(&self.which()));
                self.line(at, &format!("{} starting{again}...", self.which()));
            }
            Event::RunBaseline { checks, .. } => self.baseline(at, checks),
            // What the agent failed by was told with the attempt.
            Event::FailureRecorded { diagnosis, check: Some(check), .. } => {
                self.command_github(&github::error(check, diagnosis));
                let links = self.live.is_drawn().then_some(self.root.as_deref()).flatten();
                failure::lines(diagnosis, self.number + 1, links).iter().for_each(|line| self.write(line));
            }
            Event::IterationSettled { outcome, message, elapsed_ms, commit, .. } => {
                self.command_github(github::END_GROUP);
                self.settled(at, *outcome, message.as_deref(), *elapsed_ms, commit.as_deref());
            }
            // Whoever only watches has not been told of the attempt.
            Event::TaskStatusChanged { task, to: TaskStatus::InProgress, .. } if !self.tells_of(*task) => {
                let name = self.named(*task);
                self.line(at, &format!("{name}..."));
                self.task = Some(name);
            }
            Event::TaskStatusChanged { task, to: TaskStatus::Blocked, reason, .. } => {
                let why = reason.as_deref().map(|reason| format!(": {}", plain(reason))).unwrap_or_default();
                self.line(at, &format!("{} {}{why}", styled(BAD, "Blocked"), self.named(*task)));
            }
            Event::WaveFinished { wave, commit, .. } => {
                let commit = commit.as_deref().map(short).unwrap_or_default();
                self.line(at, &format!("{}{commit}", styled(GOOD, format!("Wave {wave} is finished"))));
            }
            Event::FilesCommitted { files, more, .. } => {
                self.write(&styled(QUIET, format!("           committed: {}", names(files, *more))));
            }
            Event::FilesPutBack { removed, restored, more, kept, .. } => {
                self.files_put_back(removed, restored, *more, kept);
            }
            Event::LearningRecorded { category, text, .. } => {
                self.line(at, &styled(QUIET, format!("Learned ({category}): {}", plain(text))));
            }
            Event::AgentEnded { strays, .. } if !strays.is_empty() => {
                let names = plain(&strays.join(", "));
                self.warning(at, &format!("the agent left programs running; they were ended: {names}"));
            }
            Event::RunWarning { message, .. } => self.warning(at, &plain(message)),
            Event::RunStatusChanged { status, reason, message, .. } => {
                self.status(at, *status, *reason, message);
            }
            Event::ControlRequested { control, .. } => {
                self.line(at, &styled(QUIET, format!("{control} was asked for")));
            }
            _ => {}
        }
    }

    /// Which files were put back, and how to get one of them again: a person's own may be among them.
    fn files_put_back(&self, removed: &[String], restored: &[String], more: u32, kept: &str) {
        for (what, files) in [("removed", removed), ("as before", restored)] {
            if !files.is_empty() {
                let more = if what == "removed" && !restored.is_empty() { 0 } else { more };
                self.write(&styled(QUIET, format!("           {what}: {}", names(files, more))));
            }
        }
        let back = format!("           to get one again: git restore --source={kept} -- :/PATH");
        self.write(&styled(QUIET, back));
    }

    /// How the checks stand before the first agent.
    fn baseline(&self, at: &str, checks: &[BaselineCheck]) {
        let red: Vec<&BaselineCheck> = checks.iter().filter(|check| check.is_red()).collect();
        for check in &red {
            let why = check.summary.as_deref().map(|why| format!(": {}", plain(why))).unwrap_or_default();
            let optional = if check.required { "" } else { " (optional)" };
            self.warning(at, &format!("{RED_BEFORE}: {}{optional}{why}", plain(&check.name)));
        }
        if red.is_empty() {
            let known =
                if checks.iter().all(|check| check.cached) { ", known from an earlier run" } else { "" };
            let pass = output::count(checks.len(), "check passes", "checks pass");
            self.line(at, &styled(QUIET, format!("Before the first agent {pass}{known}")));
        }
    }

    fn warning(&self, at: &str, text: &str) {
        self.line(at, &format!("{} {text}", styled(CARE, "WARNING:")));
    }

    /// Takes the status area away.
    pub(crate) fn close(&mut self) {
        self.live.close();
    }

    /// The last lines: how long iterations took and what was used.
    pub(crate) fn sum_up(&mut self, view: &RunView) {
        self.live.close();
        if let Some(notifier) = &mut self.notifier {
            notifier.wait();
        }
        if self.json {
            return output::json_line(&serde_json::json!({ "type": "run", "run": view }));
        }
        let over_tasks = self.kind == Some(RunKind::Run);
        self.tally.lines(view, over_tasks).iter().for_each(|line| self.write(line));
    }

    /// Remembers what the end tells.
    fn count(&mut self, event: &Event) {
        match event {
            Event::IterationSettled { outcome: Outcome::Failed, message, number, .. } => {
                self.tally.failed.push(FailedAttempt {
                    iteration: number + 1,
                    what: self.task.clone().unwrap_or_else(|| format!("iteration {}", number + 1)),
                    why: plain(message.as_deref().unwrap_or("failed")),
                });
            }
            Event::TaskStatusChanged { task, to: TaskStatus::Done, .. } => {
                let name = self.named(*task);
                self.tally.blocked.retain(|blocked| blocked.task != *task);
                self.tally.done.push(name);
            }
            Event::TaskStatusChanged { task, to: TaskStatus::Blocked, reason, .. } => {
                let (name, why) = (self.named(*task), plain(reason.as_deref().unwrap_or("no reason given")));
                self.tally.blocked.push(BlockedTask { task: *task, name, why });
            }
            Event::FilesCommitted { .. } => self.tally.commits += 1,
            Event::LearningRecorded { .. } => self.tally.learned += 1,
            _ => {}
        }
    }
}

impl Observer for Printer {
    fn event(&mut self, event: &EventEnvelope) {
        if let Event::RunStarted { run, .. } | Event::RunResumed { run, .. } = &event.event
            && let Some(file) = self.answer_file.take()
        {
            StartReply::Run(*run).write(&file);
        }
        if let Some(notifier) = &mut self.notifier {
            notifier.event(event);
        }
        if self.json {
            return output::json_line(event);
        }
        let number = match &event.event {
            Event::IterationStarted { number, .. } => *number,
            _ => self.number,
        };
        let ended = self.live.event(&event.event, (number + 1, self.max));
        ended.iter().for_each(|line| self.write(line));
        self.count(&event.event);
        self.tell(&event.at, &event.event);
    }

    fn task(&mut self, iteration: &Iteration, task: &Task, attempt: u32) {
        self.titles.insert(task.id, task.draft.title.clone());
        self.task = Some(self.named(task.id));
        if self.json {
            return;
        }
        if let Some(wave) = iteration.wave.filter(|wave| Some(*wave) != self.wave) {
            self.wave = Some(wave);
            self.line(&iteration.started_at, &format!("Wave {wave}"));
        }
        let again = if attempt > 1 { format!(", attempt {attempt}") } else { String::new() };
        let name = self.task.clone().unwrap_or_default();
        self.command_github(&github::group(&format!("{name}{again}")));
        self.line(&iteration.started_at, &format!("{name}{again}..."));
        self.live.task(name, attempt, iteration.wave);
    }

    fn task_again(&mut self, iteration: &Iteration, task: &Task) {
        self.number = iteration.number;
        self.wave = iteration.wave;
        self.titles.insert(task.id, task.draft.title.clone());
        self.task = Some(self.named(task.id));
    }

    fn waits_at_gates(&self) -> bool {
        self.waits
    }

    fn agent(&mut self, _iteration: &Iteration, event: &AgentEvent) {
        if self.json {
            return;
        }
        let lines = self.live.agent(event);
        lines.iter().for_each(|line| self.write(line));
    }

    fn check_started(&mut self, name: &str) {
        self.live.check(Some(plain(name)));
    }

    fn prompt(&mut self, _iteration: &Iteration, prompt: &str, size: PromptSize) {
        if self.verbose && !self.json {
            self.write(&styled(QUIET, format!("--- prompt, {} tokens", grouped(size.tokens))));
            self.write(plain_text(prompt).trim_end());
            self.write(&styled(QUIET, "---"));
        }
    }

    fn response(&mut self, _iteration: &Iteration, text: &str) {
        if self.verbose && !self.json {
            self.write(&styled(QUIET, "--- response"));
            self.write(plain_text(text).trim_end());
            self.write(&styled(QUIET, "---"));
        }
    }

    fn check_ended(&mut self, result: &CheckResult) {
        self.live.check(None);
        if self.json {
            return;
        }
        let mark = match result.status {
            CheckStatus::Passed => styled(GOOD, "passed"),
            CheckStatus::Skipped | CheckStatus::Stopped => styled(QUIET, result.status),
            _ => styled(BAD, result.status),
        };
        let optional = if result.required { "" } else { " (optional)" };
        let red = if result.red_before == Some(true) { format!(", {RED_BEFORE}") } else { String::new() };
        self.write(&format!(
            "           check {}{optional}: {mark} in {}{red}",
            plain(&result.name),
            elapsed(result.elapsed_ms)
        ));
    }

    fn may_start(&mut self, number: u32) -> bool {
        self.interactive && prompt::agree(&format!("Start iteration {}?", number + 1))
    }
}

/// Files by their names, as many as fit a few lines.
fn names(files: &[String], more: u32) -> String {
    let shown: Vec<String> = files.iter().take(NAMED).map(|name| plain(name)).collect();
    match files.len() - shown.len() + usize::try_from(more).unwrap_or(usize::MAX) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

fn short(commit: &str) -> String {
    format!(", commit {}", commit.get(..7).unwrap_or(commit))
}
