//! From a section to the tasks that carry it out, their iterations and commits; and finished tasks whose sections
//! changed since.

use loopwright_domain::{Fault, IterationId, Origin, Outcome, RunId, SectionId, TaskId, TaskStatus};
use serde::Serialize;

use crate::project::{ProjectSpec, ProjectTasks};

/// As many attempts at one task as are shown.
const MOST_ATTEMPTS: u32 = 200;

/// A task that carries out a section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct TaskTrace {
    /// The task.
    pub task: TaskId,
    /// Its title.
    pub title: String,
    /// Where it stands.
    pub status: TaskStatus,
    /// Whether the section changed since it was finished.
    pub stale: bool,
    /// The commit that holds its work.
    pub commit: Option<String>,
    /// Its iterations over all runs, newest first.
    pub iterations: Vec<TracedIteration>,
}

/// An iteration that worked on a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct TracedIteration {
    /// Its id.
    pub id: IterationId,
    /// Its run.
    pub run: RunId,
    /// Its number, counted from 1.
    pub number: u32,
    /// How it ended; none while it is under way.
    pub outcome: Option<Outcome>,
    /// The commit that holds its work.
    pub commit: Option<String>,
}

impl ProjectSpec<'_> {
    /// What became of a section: its tasks, with their iterations and commits.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn trace(self, section: SectionId) -> Result<Vec<TaskTrace>, Fault> {
        let store = self.project.store();
        let stale = store.stale_tasks().await?;
        let mut traced = Vec::new();
        for task in store.tasks().await? {
            if !task.draft.sections.contains(&section) {
                continue;
            }
            let attempts = store.attempts_at(task.id, MOST_ATTEMPTS).await?;
            let iterations = attempts.into_iter().map(|iteration| TracedIteration {
                id: iteration.id,
                run: iteration.run,
                number: iteration.number.saturating_add(1),
                outcome: iteration.outcome,
                commit: iteration.commit,
            });
            traced.push(TaskTrace {
                task: task.id,
                title: task.draft.title,
                status: task.status,
                stale: stale.iter().any(|stale| stale.task == task.id && stale.section == section),
                commit: task.commit,
                iterations: iterations.collect(),
            });
        }
        Ok(traced)
    }
}

impl ProjectTasks<'_> {
    /// The sections of a finished task that changed since.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn changed_sections(self, task: TaskId) -> Result<Vec<SectionId>, Fault> {
        let stale = self.project.store().stale_tasks().await?;
        Ok(stale.into_iter().filter(|stale| stale.task == task).map(|stale| stale.section).collect())
    }

    /// Accepts finished tasks as they are, though their sections changed since: all or none. Only a person can tell.
    ///
    /// # Errors
    /// One of them is not stale, or an agent asks. Then nothing has changed.
    pub async fn accept(self, tasks: &[TaskId], origin: Origin) -> Result<(), Fault> {
        self.project.require_person("accept a task")?;
        let at = self.project.host().timestamp();
        Ok(self.project.store().accept_tasks(&at, tasks, origin).await?)
    }
}
