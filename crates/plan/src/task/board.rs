//! Looking at tasks: all of them and how they hang together.

use std::collections::BTreeSet;

use loopwright_domain::{ErrorCode, Fault, NextAction, Task, TaskFilter, TaskGraph, TaskId, TaskStatus};

use super::model::{HandWork, TaskBoard, TaskRow, WaveCommit};
use crate::plan::Plan;

/// As many commits of waves as are shown.
const MOST_WAVE_COMMITS: u32 = 200;

impl Plan<'_> {
    /// All tasks and how they hang together. `by_hand` is what a person works on.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn task_board(&self, by_hand: Option<HandWork>) -> Result<TaskBoard, Fault> {
        let tasks = self.store().tasks().await?;
        let graph = TaskGraph::new(&tasks);
        let commits = self.store().wave_commits(MOST_WAVE_COMMITS).await?;
        let current = tasks.iter().find(|task| task.status == TaskStatus::InProgress);
        let tags: BTreeSet<&String> = tasks.iter().filter_map(|task| task.draft.tag.as_ref()).collect();
        Ok(TaskBoard {
            tasks: graph.in_order().into_iter().map(|task| TaskRow::of(task, &graph)).collect(),
            waves: graph.summaries(),
            cycle: graph.cycle().map_or_else(Vec::new, |circle| circle.tasks.clone()),
            critical_path: graph.critical_path(),
            next: graph.next(&TaskFilter::default()),
            current: current.map(|task| task.id),
            held: graph.held(&TaskFilter::default()),
            tags: tags.into_iter().cloned().collect(),
            wave_commits: commits.into_iter().map(WaveCommit::from).collect(),
            by_hand,
        })
    }

    /// One task.
    ///
    /// # Errors
    /// There is none, or the state cannot be read.
    pub async fn find_task(&self, id: TaskId) -> Result<Task, Fault> {
        self.store().task(id).await?.ok_or_else(|| no_task(id))
    }

    /// What a run over the meant tasks would take next.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn next_task(&self, filter: &TaskFilter) -> Result<Option<Task>, Fault> {
        let tasks = self.store().tasks().await?;
        let graph = TaskGraph::new(&tasks);
        Ok(graph.next(filter).and_then(|id| graph.task(id)).cloned())
    }

    /// The tasks that have failed at least so often over all runs, the most often first; none for 0. What a person has
    /// forgiven does not count.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn chronic_tasks(&self, limit: u32) -> Result<Vec<Task>, Fault> {
        // With 0 no task is ever blocked for it, and so none is chronic.
        if limit == 0 {
            return Ok(Vec::new());
        }
        let chronic = self.store().chronic_tasks(limit).await?;
        let mut tasks = self.store().tasks().await?;
        tasks.retain(|task| chronic.binary_search(&task.id).is_ok());
        tasks.sort_unstable_by_key(|task| (std::cmp::Reverse(task.failures), task.id));
        Ok(tasks)
    }
}

/// The fault for a task that is not there.
#[must_use]
pub fn no_task(id: TaskId) -> Fault {
    Fault::new(ErrorCode::TaskNotFound, format!("there is no task {id}"))
        .next(NextAction::ListTasks, "See them all")
}

impl TaskRow {
    /// A task without its long texts.
    #[must_use]
    pub fn of(task: &Task, graph: &TaskGraph<'_>) -> Self {
        Self {
            id: task.id,
            title: task.draft.title.clone(),
            status: task.status,
            priority: task.draft.priority,
            size: task.draft.size,
            complexity: task.draft.complexity,
            kind: task.draft.kind,
            tag: task.draft.tag.clone(),
            depends_on: task.draft.depends_on.clone(),
            blocked: task.blocked.clone(),
            attempts: task.attempts,
            failures: task.failures,
            commit: task.commit.clone(),
            external: task.external.clone(),
            wave: graph.wave_of(task.id),
            updated_at: task.updated_at.clone(),
        }
    }
}

impl From<loopwright_store::RecordedWave> for WaveCommit {
    fn from(wave: loopwright_store::RecordedWave) -> Self {
        Self { run: wave.run, wave: wave.wave, commit: wave.commit, at: wave.at, tasks: wave.tasks }
    }
}
