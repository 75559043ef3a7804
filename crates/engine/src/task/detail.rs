//! One task in full, and what a person works on.

use loopwright_domain::{EventEnvelope, Fault, GateId, GateStatus, Section, Task, TaskGraph, TaskId};
use loopwright_plan::task::no_task;
use serde::{Deserialize, Serialize};

use crate::project::ProjectTasks;
use crate::watch::iteration_model::IterationRow;

/// As many attempts at one task as are shown.
const MOST_ATTEMPTS: u32 = 200;
/// As many events of one task as are shown.
const MOST_EVENTS: u32 = 500;

/// One task in full.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct TaskDetail {
    /// The task.
    pub task: Task,
    /// Its wave.
    pub wave: Option<u32>,
    /// What waits for it.
    pub dependants: Vec<TaskId>,
    /// The sections it carries out.
    pub sections: Vec<Section>,
    /// Its attempts over all runs, newest first.
    pub attempts: Vec<IterationRow>,
    /// The gate it waits at.
    pub gate: Option<GateId>,
    /// What was written down about it, oldest first.
    pub journal: Vec<EventEnvelope>,
}

impl ProjectTasks<'_> {
    /// One task in full.
    ///
    /// # Errors
    /// There is none, or the state cannot be read.
    pub async fn detail(self, id: TaskId) -> Result<TaskDetail, Fault> {
        let tasks = self.list().await?;
        let graph = TaskGraph::new(&tasks);
        let task = graph.task(id).ok_or_else(|| no_task(id))?;
        let gate = self.project.store().gates_of_task(id, 1).await?.into_iter().next();
        let attempts = self.project.store().attempts_at(id, MOST_ATTEMPTS).await?;
        Ok(TaskDetail {
            task: task.clone(),
            wave: graph.wave_of(id),
            dependants: graph.dependencies().dependants(id).collect(),
            sections: self.project.store().sections_of(id).await?,
            attempts: self.project.iterations().rows(attempts).await?,
            gate: gate.filter(|gate| gate.status == GateStatus::Open).map(|gate| gate.id),
            journal: self.project.store().events_about(id, MOST_EVENTS).await?,
        })
    }
}
