//! Tasks as they are shown, and what changes them.

use loopwright_domain::{
    Blocked, HeldTask, IterationId, RunId, TaskId, TaskKind, TaskSize, TaskStatus, WaveSummary,
};
use serde::{Deserialize, Serialize};

/// A task in a list: without its long texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct TaskRow {
    /// Its number.
    pub id: TaskId,
    /// One line.
    pub title: String,
    /// Where it stands.
    pub status: TaskStatus,
    /// Smaller is sooner.
    pub priority: u32,
    /// How much work it is.
    pub size: Option<TaskSize>,
    /// How hard it is; 0 is not estimated.
    pub complexity: u32,
    /// What kind of work it is.
    pub kind: Option<TaskKind>,
    /// Its group.
    pub tag: Option<String>,
    /// What it waits for.
    pub depends_on: Vec<TaskId>,
    /// Why it is blocked.
    pub blocked: Option<Blocked>,
    /// Attempts over all runs.
    pub attempts: u32,
    /// Of these, failed.
    pub failures: u32,
    /// The commit of its last good attempt; a task that is done has none when nothing was committed for it.
    pub commit: Option<String>,
    /// What it is called where it was imported from.
    pub external: Option<String>,
    /// Its wave; none when it waits in a circle.
    pub wave: Option<u32>,
    /// When anything about it changed.
    pub updated_at: String,
}

/// A commit that holds a whole wave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct WaveCommit {
    /// The run.
    pub run: RunId,
    /// The wave, counted from 1.
    pub wave: u32,
    /// The commit.
    pub commit: String,
    /// When.
    pub at: String,
    /// Its finished tasks.
    pub tasks: Vec<TaskId>,
}

/// All tasks and how they hang together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct TaskBoard {
    /// Every task, in the order a run takes them: by wave, priority, id.
    pub tasks: Vec<TaskRow>,
    /// The waves.
    pub waves: Vec<WaveSummary>,
    /// A circle of tasks that wait for each other; empty when there is none.
    pub cycle: Vec<TaskId>,
    /// The longest chain of unfinished work, weighed by complexity.
    pub critical_path: Vec<TaskId>,
    /// What a run would take next.
    pub next: Option<TaskId>,
    /// What is being worked on.
    pub current: Option<TaskId>,
    /// Pending tasks that others stand in the way of.
    pub held: Vec<HeldTask>,
    /// All groups there are.
    pub tags: Vec<String>,
    /// The commits of whole waves, newest first.
    pub wave_commits: Vec<WaveCommit>,
    /// What a person works on by hand.
    pub by_hand: Option<HandWork>,
}

/// What is changed in many tasks at once; none leaves it as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct BulkEdit {
    /// The new priority.
    pub priority: Option<u32>,
    /// The new group; empty takes it away.
    pub tag: Option<String>,
    /// The new kind.
    pub kind: Option<TaskKind>,
    /// The new size.
    pub size: Option<TaskSize>,
}

/// What moving tasks came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Moved {
    /// The tasks that changed.
    pub changed: Vec<TaskId>,
    /// Unfinished tasks that wait for a cancelled one and so cannot start.
    pub held: Vec<HeldTask>,
}

/// A task that a person works on, between `begin` and `finish`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct HandWork {
    /// The task.
    pub task: TaskId,
    /// Its iteration.
    pub iteration: IterationId,
    /// The prompt an agent would have got, as a file to read or hand to an interactive agent.
    pub prompt_file: String,
    /// When it was begun.
    pub started_at: String,
}
