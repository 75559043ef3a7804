//! Where things stand, as a short Markdown for whoever goes on: a colleague, or an agent without memory.

use std::fmt::Write;
use std::fs;

use loopwright_config::text_file::io_fault;
use loopwright_domain::{Fault, GateKind, Outcome, Task, TaskFilter, TaskGraph, TaskId, TaskStatus};
use loopwright_store::StoredGate;
use serde::Serialize;

use crate::dispatch::dispatcher::Dispatcher;
use crate::project::ProjectRuns;

/// As many of each kind as are named.
const NAMED: usize = 20;
/// As many commits as are named.
const COMMITS: u32 = 5;
/// How many runs, and how many iterations of each, are looked through for commits.
const RUNS: u32 = 10;
const ITERATIONS: u32 = 20;

/// A task that needs a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct BlockedWork {
    /// The task.
    pub task: TaskId,
    /// Its title.
    pub title: String,
    /// Why.
    pub reason: String,
    /// How often it had failed by then.
    pub attempts: u32,
    /// Since when.
    pub at: String,
}

/// Where things stand.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Handoff {
    /// How many tasks there are, without cancelled ones.
    pub total: u32,
    /// The finished ones, by id.
    pub done: Vec<(TaskId, String)>,
    /// What is being worked on.
    pub in_progress: Vec<(TaskId, String)>,
    /// What waits for a person's decision.
    pub waiting: Vec<String>,
    /// What is blocked.
    pub blocked: Vec<BlockedWork>,
    /// What waits for blocked or cancelled tasks.
    pub held: Vec<(TaskId, String)>,
    /// What comes next, in order.
    pub next: Vec<(TaskId, String)>,
    /// The last commits of runs, newest first: id and title.
    pub commits: Vec<(String, String)>,
}

impl ProjectRuns<'_> {
    /// Where things stand.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn handoff(self) -> Result<Handoff, Fault> {
        let tasks = self.project.store().tasks().await?;
        let gates = self.project.store().open_gates().await?;
        let graph = TaskGraph::new(&tasks);
        let all = TaskFilter::default();
        let titled = |task: &Task| (task.id, task.draft.title.clone());
        let with = |status| tasks.iter().filter(move |task| task.status == status);
        let by_id = |id: &TaskId| graph.task(*id).map(titled);
        let blocked = |task: &Task| {
            let blocked = task.blocked.clone();
            let (reason, attempts, at) =
                blocked.map(|it| (it.reason, it.attempts, it.at)).unwrap_or_default();
            BlockedWork { task: task.id, title: task.draft.title.clone(), reason, attempts, at }
        };
        let counted = tasks.iter().filter(|task| task.status != TaskStatus::Cancelled).count();
        Ok(Handoff {
            total: u32::try_from(counted).unwrap_or(u32::MAX),
            done: with(TaskStatus::Done).map(titled).collect(),
            in_progress: with(TaskStatus::InProgress).map(titled).collect(),
            waiting: gates.iter().map(|gate| waiting(gate, &tasks)).collect(),
            blocked: with(TaskStatus::Blocked).map(blocked).collect(),
            held: graph.held(&all).iter().filter_map(|held| by_id(&held.task)).collect(),
            next: graph.ready(&all).iter().filter_map(by_id).collect(),
            commits: self.last_commits(&tasks).await?,
        })
    }

    /// The last commits of runs: of tasks, and of whole waves.
    async fn last_commits(self, tasks: &[Task]) -> Result<Vec<(String, String)>, Fault> {
        let mut commits: Vec<(String, String, String)> = Vec::new();
        for wave in self.project.store().wave_commits(COMMITS).await? {
            let named: Vec<String> = wave.tasks.iter().map(ToString::to_string).collect();
            commits.push((wave.at, wave.commit, format!("wave {}: {}", wave.wave, named.join(", "))));
        }
        for run in self.list(RUNS, None).await? {
            for iteration in self.project.store().last_iterations(run.id, ITERATIONS).await? {
                let Some(commit) = iteration.commit.filter(|_| iteration.outcome == Some(Outcome::Succeeded))
                else {
                    continue;
                };
                let task = tasks.iter().find(|task| Some(task.id) == iteration.task);
                let title = task.map_or_else(|| run.title.clone(), |task| task.draft.title.clone());
                commits.push((iteration.ended_at.unwrap_or_default(), commit, title));
            }
        }
        commits.sort_by(|(one, ..), (other, ..)| other.cmp(one));
        Ok(commits.into_iter().take(COMMITS as usize).map(|(_, commit, title)| (commit, title)).collect())
    }
}

impl Dispatcher<'_> {
    /// Writes where things stand into the file that was asked for. One that cannot be written is told, no more.
    pub(crate) async fn write_handoff(&mut self) {
        let file = self.options.tasks.as_ref().and_then(|selection| selection.handoff.clone());
        let Some(file) = file else { return };
        let path = self.project.layout().root.join(file);
        let written = match self.project.runs().handoff().await {
            Ok(handoff) => fs::write(&path, handoff.markdown(&self.project.name(&self.config)))
                .map_err(|error| io_fault("write", &path, &error)),
            Err(fault) => Err(fault),
        };
        if let Err(fault) = written {
            tracing::warn!(run = %self.run.id, "the handoff is not written: {}", fault.message);
        }
    }
}

fn waiting(stored: &StoredGate, tasks: &[Task]) -> String {
    let gate = &stored.gate;
    let task = tasks.iter().find(|task| Some(task.id) == gate.task);
    let about = task.map(|task| format!("{} {}", task.id, task.draft.title));
    match (gate.kind, about) {
        (GateKind::Plan, Some(about)) => format!("The plan for {about}"),
        (_, Some(about)) => about,
        (_, None) => "A look back at finished tasks".to_owned(),
    }
}

impl Handoff {
    /// As Markdown.
    #[must_use]
    pub fn markdown(&self, name: &str) -> String {
        let mut text =
            format!("# Where {name} stands\n\n{} of {} tasks are done.\n", self.done.len(), self.total);
        let titled = |(id, title): &(TaskId, String)| format!("{id} {title}");
        let why = |it: &BlockedWork| {
            let times = match it.attempts {
                0 => String::new(),
                1 => " (failed once)".to_owned(),
                times => format!(" (failed {times} times)"),
            };
            format!("{} {}: {}{times}", it.task, it.title, it.reason)
        };
        let commit = |(id, title): &(String, String)| format!("`{}` {title}", id.get(..7).unwrap_or(id));
        list(&mut text, "Waiting for a person", &self.waiting);
        list(&mut text, "Blocked", &self.blocked.iter().map(why).collect::<Vec<_>>());
        list(&mut text, "Held back by those", &self.held.iter().map(titled).collect::<Vec<_>>());
        list(&mut text, "In progress", &self.in_progress.iter().map(titled).collect::<Vec<_>>());
        list(&mut text, "Next", &self.next.iter().map(titled).collect::<Vec<_>>());
        list(&mut text, "Done", &self.done.iter().map(titled).collect::<Vec<_>>());
        list(&mut text, "Last commits", &self.commits.iter().map(commit).collect::<Vec<_>>());
        text
    }
}

fn list(text: &mut String, heading: &str, items: &[String]) {
    if items.is_empty() {
        return;
    }
    // Writing into a string does not fail.
    let _ = write!(text, "\n## {heading}\n\n");
    for item in items.iter().take(NAMED) {
        let _ = writeln!(text, "- {}", item.replace('\n', " "));
    }
    if items.len() > NAMED {
        let _ = writeln!(text, "- and {} more", items.len() - NAMED);
    }
}
