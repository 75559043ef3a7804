//! Looking at tasks: all of them and how they hang together, and one in full.

use std::collections::BTreeSet;

use loopwright_domain::{ErrorCode, Fault, GateStatus, Task, TaskFilter, TaskGraph, TaskId, TaskStatus};

use super::model::{HandWork, TaskBoard, TaskDetail, TaskRow, WaveCommit};
use crate::project::Project;
use crate::run::IterationRow;

/// As many commits of waves as are shown.
const MOST_WAVE_COMMITS: u32 = 200;
/// As many attempts at one task as are shown.
const MOST_ATTEMPTS: u32 = 200;
/// As many events of one task as are shown.
const MOST_EVENTS: u32 = 500;

impl Project {
    /// All tasks and how they hang together.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn task_board(&self) -> Result<TaskBoard, Fault> {
        let tasks = self.tasks().await?;
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
            by_hand: self.work_by_hand().await?,
        })
    }

    /// One task.
    ///
    /// # Errors
    /// There is none, or the state cannot be read.
    pub async fn find_task(&self, id: TaskId) -> Result<Task, Fault> {
        self.store().task(id).await?.ok_or_else(|| no_task(id))
    }

    /// One task in full.
    ///
    /// # Errors
    /// There is none, or the state cannot be read.
    pub async fn task_detail(&self, id: TaskId) -> Result<TaskDetail, Fault> {
        let tasks = self.tasks().await?;
        let graph = TaskGraph::new(&tasks);
        let task = graph.task(id).ok_or_else(|| no_task(id))?;
        let gate = self.store().gates_of_task(id, 1).await?.into_iter().next();
        let attempts = self.store().attempts_at(id, MOST_ATTEMPTS).await?;
        Ok(TaskDetail {
            task: task.clone(),
            wave: graph.wave_of(id),
            dependants: graph.dependencies().dependants(id).collect(),
            sections: self.store().sections_of(id).await?,
            attempts: attempts.into_iter().map(IterationRow::from).collect(),
            gate: gate.filter(|gate| gate.status == GateStatus::Open).map(|gate| gate.id),
            journal: self.store().events_about(id, MOST_EVENTS).await?,
        })
    }

    /// What a run over the meant tasks would take next.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn next_task(&self, filter: &TaskFilter) -> Result<Option<Task>, Fault> {
        let tasks = self.tasks().await?;
        let graph = TaskGraph::new(&tasks);
        Ok(graph.next(filter).and_then(|id| graph.task(id)).cloned())
    }

    /// The tasks that have failed at least so often over all runs, the most often first; without a number as often as
    /// `run.max_total_failures` allows. What a person has forgiven does not count.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn chronic_tasks(&self, failures: Option<u32>) -> Result<Vec<Task>, Fault> {
        let configured = || u32::try_from(self.config().count("run.max_total_failures")).unwrap_or(u32::MAX);
        // With 0 no task is ever blocked for it, and so none is chronic.
        let limit = match failures.unwrap_or_else(configured) {
            0 => return Ok(Vec::new()),
            limit => limit,
        };
        let chronic = self.store().chronic_tasks(limit).await?;
        let mut tasks = self.tasks().await?;
        tasks.retain(|task| chronic.binary_search(&task.id).is_ok());
        tasks.sort_unstable_by_key(|task| (std::cmp::Reverse(task.failures), task.id));
        Ok(tasks)
    }

    /// What a person works on, between `begin` and `finish`.
    pub(crate) async fn work_by_hand(&self) -> Result<Option<HandWork>, Fault> {
        let unsettled = self.store().unsettled().await?;
        let Some(iteration) = unsettled.into_iter().find(|iteration| iteration.by_hand) else {
            return Ok(None);
        };
        let prompt_file = self.iteration_files(&iteration).prompt().display().to_string();
        let (id, started_at) = (iteration.id, iteration.started_at);
        Ok(iteration.task.map(|task| HandWork { task, iteration: id, prompt_file, started_at }))
    }
}

pub(super) fn no_task(id: TaskId) -> Fault {
    Fault::new(ErrorCode::TaskNotFound, format!("there is no task {id}"))
        .hint("\"loopwright task list\" shows them all.")
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
