//! A run on the terminal, line by line with its time; or as JSON lines.

use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use loopwright_domain::{
    AgentEvent, BaselineCheck, CheckResult, CheckStatus, Event, EventEnvelope, ExitReason, Iteration,
    Outcome, Run, RunKind, RunStatus, Task, TaskId, TaskStatus,
};
use loopwright_engine::run::report::{RED_BEFORE, STOPPED, cost, elapsed, grouped};
use loopwright_engine::run::{Observer, PromptSize, RunView};

use super::background::StartReply;
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
}

impl Printer {
    pub(crate) fn new(json: bool, verbose: bool) -> Self {
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
        }
    }

    /// Knows what tasks are called.
    pub(crate) fn name_tasks(&mut self, tasks: Vec<Task>) {
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
    }

    /// Counts what an earlier session has done: for a run that is resumed.
    pub(crate) fn count_earlier(&mut self, run: &Run) {
        self.done = run.progress.iteration;
        // What an earlier process left unfinished is counted where it stands.
        self.number = run.progress.iteration;
        self.spent_ms = run.progress.worked_ms;
    }

    pub(crate) fn set_threshold(&mut self, threshold: u32) {
        self.threshold = threshold;
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
        let _ = writeln!(output::stdout(), "{text}");
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
                self.line(at, &format!("{} starting{again}...", self.which()));
            }
            Event::RunBaseline { checks, .. } => self.baseline(at, checks),
            Event::IterationSettled { outcome, message, elapsed_ms, commit, .. } => {
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

    /// That an agent has trouble with its service, and tries again by itself.
    pub(crate) fn agent_waits(&self, what: &str, text: &str) {
        if !self.json {
            self.write(&format!("           {} {}", styled(CARE, format!("agent {what}:")), plain(text)));
        }
    }

    fn warning(&self, at: &str, text: &str) {
        self.line(at, &format!("{} {text}", styled(CARE, "WARNING:")));
    }

    fn settled(
        &mut self,
        at: &str,
        outcome: Outcome,
        message: Option<&str>,
        elapsed_ms: u64,
        commit: Option<&str>,
    ) {
        if self.kind == Some(RunKind::Run) {
            return self.attempt_settled(at, outcome, message, elapsed_ms, commit);
        }
        match outcome {
            // In "fix" an iteration that mends something counts neither as a failure nor as the end of failures.
            Outcome::Succeeded if self.kind == Some(RunKind::Fix) => {}
            Outcome::Succeeded => self.failures = 0,
            Outcome::Failed => {
                self.failures += 1;
                let why = plain(message.unwrap_or("failed"));
                let count = match self.threshold {
                    0 => format!("{}", self.failures),
                    threshold => format!("{}/{threshold}", self.failures),
                };
                self.warning(at, &format!("{why}, consecutive failures: {count}"));
            }
            Outcome::Interrupted => {
                return self.line(at, &format!("{} stopped{}", self.which(), because(message)));
            }
        }
        self.done += 1;
        self.spent_ms += elapsed_ms;
        let commit = commit.map(short);
        let text = format!("{} completed in {}", self.which(), elapsed(elapsed_ms));
        self.line(at, &format!("{text}{}", commit.unwrap_or_default()));
    }

    /// How an attempt at a task ended.
    fn attempt_settled(
        &mut self,
        at: &str,
        outcome: Outcome,
        message: Option<&str>,
        elapsed_ms: u64,
        commit: Option<&str>,
    ) {
        let task = self.task.clone().unwrap_or_else(|| self.which());
        let took = elapsed(elapsed_ms);
        let why = plain(message.unwrap_or("failed"));
        match outcome {
            Outcome::Succeeded => {
                let commit = commit.map_or_else(|| ", not committed".to_owned(), short);
                self.line(at, &format!("{} {task} in {took}{commit}", styled(GOOD, "Done")));
            }
            Outcome::Failed => self.line(at, &format!("{} {task} in {took}: {why}", styled(CARE, "Failed"))),
            Outcome::Interrupted => {
                let because = because(message);
                return self.line(at, &format!("Stopped {task}{because}; its files are put back"));
            }
        }
        self.done += 1;
        self.spent_ms += elapsed_ms;
    }

    fn status(&self, at: &str, status: RunStatus, reason: Option<ExitReason>, message: &str) {
        let message = capitalised(&plain(message));
        match status {
            RunStatus::Completed => self.line(at, &format!("{} {}", styled(GOOD, message), self.total())),
            RunStatus::Aborted => {
                let count = format!("{} iterations completed", self.done);
                let total = elapsed(self.spent_ms);
                self.line(at, &format!("{} {message} ({count}, total: {total})", styled(BAD, "ERROR:")));
            }
            RunStatus::Interrupted if reason == Some(ExitReason::AgentLimit) => {
                self.line(at, &styled(CARE, message));
                self.line(at, "State saved. Resume with: loopwright resume");
            }
            RunStatus::Interrupted if reason == Some(ExitReason::Error) => {
                self.line(at, &format!("{} {message}", styled(BAD, "ERROR:")));
                self.line(at, "State saved. Resume with: loopwright resume");
            }
            RunStatus::Interrupted => {
                self.line(at, "Interrupted. State saved. Resume with: loopwright resume");
            }
            RunStatus::Waiting if reason == Some(ExitReason::Environment) => {
                self.line(at, &styled(CARE, message));
                self.line(at, "The work is kept. When that is put right, go on with: loopwright resume");
            }
            RunStatus::Waiting if reason == Some(ExitReason::RedBefore) => {
                self.line(at, &styled(CARE, message));
                self.line(at, "Go on with: loopwright resume");
            }
            RunStatus::Waiting if reason == Some(ExitReason::NeedsPerson) => {
                self.line(at, &styled(CARE, message));
                self.line(at, "Look at it and decide: loopwright gate show. Then go on: loopwright resume");
            }
            RunStatus::Paused if reason == Some(ExitReason::NeedsPerson) => {
                self.line(at, &format!("{message}. Go on with: loopwright resume"));
            }
            RunStatus::Paused => self.line(at, "Paused. Go on with: loopwright resume"),
            RunStatus::Cancelled => self.line(at, "Cancelled."),
            RunStatus::Waiting | RunStatus::Running => self.line(at, &message),
        }
    }

    fn total(&self) -> String {
        format!("(total: {})", elapsed(self.spent_ms))
    }

    /// The last lines: how long iterations took and what was used.
    pub(crate) fn sum_up(&self, view: &RunView) {
        if self.json {
            return output::json_line(&serde_json::json!({ "type": "run", "run": view }));
        }
        let Some(times) = view.times.filter(|times| times.count > 1) else { return };
        let mut text = format!(
            "{} iterations: mean {}, min {}, max {}",
            times.count,
            elapsed(times.mean_ms),
            elapsed(times.min_ms),
            elapsed(times.max_ms)
        );
        if view.usage.tokens() > 0 {
            text.push_str(&format!("; {} tokens", grouped(view.usage.tokens())));
        }
        if let Some(cost) = cost(&view.usage) {
            text.push_str(&format!("; {cost}"));
        }
        self.write(&styled(QUIET, text));
    }
}

impl Observer for Printer {
    fn event(&mut self, event: &EventEnvelope) {
        if let Event::RunStarted { run, .. } | Event::RunResumed { run, .. } = &event.event
            && let Some(file) = self.answer_file.take()
        {
            StartReply::Run(*run).write(&file);
        }
        if self.json {
            output::json_line(event);
        } else {
            self.tell(&event.at, &event.event);
        }
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
        self.line(&iteration.started_at, &format!("{name}{again}..."));
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
        match event {
            AgentEvent::Retry { attempt, attempts, wait_ms, problem } => {
                self.agent_waits("retry", &problem.retried(*attempt, *attempts, *wait_ms));
            }
            AgentEvent::Limit { limit } => self.agent_waits("limit", &limit.message),
            _ => {}
        }
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

/// Why something was stopped, where there is more to say than that it was.
fn because(message: Option<&str>) -> String {
    let told = message.filter(|message| *message != STOPPED);
    told.map(|message| format!(": {}", plain(message))).unwrap_or_default()
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

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
