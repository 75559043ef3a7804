//! A run on the terminal, line by line with its time; or as JSON lines.

mod details;
mod event_line;
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
    AgentEvent, CheckResult, Event, EventEnvelope, Iteration, IterationId, Limits, Outcome, Run, RunKind,
    Task, TaskId, TaskStatus, Usage,
};
use loopwright_engine::notify::Notifier;
use loopwright_engine::output::Entry;
use loopwright_engine::run::report::grouped;
use loopwright_engine::run::{Observer, PromptSize, RunState, RunView};
use serde::Serialize;

use self::details::names;
#[cfg(test)]
pub(crate) use self::event_line::EventLine;
use self::event_line::EventLines;
use self::live::Live;
use self::summary::{BlockedTask, FailedAttempt, Tally};
use super::background::StartReply;
use crate::display::StreamMode;
use crate::output::{self, BAD, CARE, GOOD, QUIET, plain, plain_text, styled};
use crate::prompt;

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
    /// Whether another process works.
    watching: bool,
    /// Whether this process waits at gates.
    waits: bool,
    /// What is worked on, in a run over tasks.
    task: Option<String>,
    /// The wave that was told last.
    wave: Option<u32>,
    /// What tasks are called, for whoever only watches.
    titles: HashMap<TaskId, String>,
    /// What the lines for programs say of each event.
    event_lines: EventLines,
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
            watching: false,
            waits: false,
            task: None,
            wave: None,
            titles: HashMap::new(),
            event_lines: EventLines::default(),
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
        let named = match event {
            Event::TaskStatusChanged { task, .. } | Event::IterationStarted { task: Some(task), .. } => task,
            _ => return false,
        };
        !self.titles.contains_key(named)
    }

    /// Knows that another process works, and only its events tell of it.
    pub(crate) fn watch(&mut self) {
        self.watching = true;
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

    /// Knows the iterations that events of an earlier session began, so that later ones name them.
    pub(crate) fn remember(&mut self, events: &[EventEnvelope]) {
        events.iter().for_each(|envelope| self.event_lines.learn(&envelope.event));
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
            Event::IterationStarted { number, task: Some(task), attempt, .. } => {
                self.attempt_begins(at, *number, *task, *attempt);
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
                let (root, links) = (self.root.as_deref(), self.live.is_drawn());
                failure::lines(diagnosis, self.number + 1, root, links)
                    .iter()
                    .for_each(|line| self.write(line));
            }
            Event::IterationSettled { outcome, message, elapsed_ms, commit, .. } => {
                self.command_github(github::END_GROUP);
                self.settled(at, *outcome, message.as_deref(), *elapsed_ms, commit.as_deref());
            }
            Event::CheckEnded { name, status, red_before, elapsed_ms, .. } if self.watching => {
                self.tell_check(name, *status, true, *red_before, *elapsed_ms);
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
            return output::json_line(&RunLine { kind: "run", run: view });
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

/// The last line of a run for programs.
#[derive(Serialize)]
#[cfg_attr(test, derive(specta::Type))]
pub(crate) struct RunLine<'a> {
    /// Always `run`.
    #[serde(rename = "type")]
    kind: &'static str,
    /// The run as `status` shows it.
    run: &'a RunView,
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
            return output::json_line(&self.event_lines.line(event));
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
        let name = self.task.clone().unwrap_or_default();
        self.tell_attempt(&iteration.started_at, &name, attempt);
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
        self.tell_check(&result.name, result.status, result.required, result.red_before, result.elapsed_ms);
    }

    fn may_start(&mut self, number: u32) -> bool {
        self.interactive && prompt::agree(&format!("Start iteration {}?", number + 1))
    }
}

fn short(commit: &str) -> String {
    format!(", commit {}", commit.get(..7).unwrap_or(commit))
}
