//! Removing tasks that nobody ever worked on. What was worked on stays: its history, commits and gates name it.

use loopwright_domain::{Event, Origin, TaskId};

use super::edit::{read_dependencies, read_tasks};
use crate::error::{StoreError, StoreProblem};
use crate::event_rows::insert_events;
use crate::store::Store;
use crate::values::to_json;
use crate::write::Write;

/// What belongs to a task and goes with it. Learnings are worth keeping without it.
const STATEMENTS: [&str; 6] = [
    "DELETE FROM task_dependencies WHERE task_id IN (SELECT value FROM json_each(?))",
    "DELETE FROM task_sections WHERE task_id IN (SELECT value FROM json_each(?))",
    "DELETE FROM stale_tasks WHERE task_id IN (SELECT value FROM json_each(?))",
    "DELETE FROM prompt_choices WHERE task IN (SELECT value FROM json_each(?))",
    "UPDATE learnings SET task = NULL WHERE task IN (SELECT value FROM json_each(?))",
    "DELETE FROM tasks WHERE id IN (SELECT value FROM json_each(?))",
];

impl Store {
    /// Removes tasks, all of them or none, each with its event. Their numbers are never given to others.
    ///
    /// # Errors
    ///
    /// When there is no such task, when one was worked on, when another task waits for one, or when the database cannot
    /// be written. Then nothing has changed.
    pub async fn remove_tasks(&self, at: &str, ids: &[TaskId], origin: Origin) -> Result<(), StoreError> {
        self.observed(async {
            let mut writer = self.writer().await?;
            let mut write = self.begin(&mut writer).await?;
            let tasks = read_tasks(&mut write, ids).await?;
            for task in &tasks {
                require_unworked(&mut write, task.id).await?;
            }
            require_unneeded(&mut write, ids).await?;
            let list = to_json(&ids)?;
            for statement in STATEMENTS {
                write.execute(sqlx::query(statement).bind(list.as_str())).await?;
            }
            let removed = tasks.into_iter().map(|task| Event::TaskRemoved {
                task: task.id,
                title: task.draft.title,
                origin,
            });
            insert_events(&mut write, at, &removed.collect::<Vec<_>>()).await?;
            write.commit().await
        })
        .await
    }
}

async fn require_unworked(write: &mut Write<'_>, task: TaskId) -> Result<(), StoreProblem> {
    let count = "SELECT count(*) FROM iterations WHERE task = ?";
    match write.number(sqlx::query_scalar(count).bind(task.0)).await? {
        0 => Ok(()),
        _ => Err(StoreProblem::TaskWorkedOn(task)),
    }
}

/// Makes sure that no task that stays waits for one of these.
async fn require_unneeded(write: &mut Write<'_>, ids: &[TaskId]) -> Result<(), StoreProblem> {
    let staying = read_dependencies(write).await?.into_iter().filter(|(id, _)| !ids.contains(id));
    for (by, on) in staying {
        if let Some(task) = on.into_iter().find(|on| ids.contains(on)) {
            return Err(StoreProblem::TaskNeeded { task, by });
        }
    }
    Ok(())
}
