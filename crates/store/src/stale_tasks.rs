//! Finished tasks whose sections changed since.

use loopwright_domain::{Event, Origin, SectionId, TaskId};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use crate::error::{StoreError, StoreProblem};
use crate::event_rows::insert_events;
use crate::store::Store;
use crate::values::small_number;

/// What a task is called in its history when a person accepts it as it is.
const ACCEPTED: &str = "accepted";

/// A finished task, and a section of it that changed since.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StaleTask {
    /// The task.
    pub task: TaskId,
    /// The section.
    pub section: SectionId,
}

impl Store {
    /// Every finished task whose sections changed since, once for each of them, by task.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub async fn stale_tasks(&self) -> Result<Vec<StaleTask>, StoreError> {
        let query = sqlx::query("SELECT task_id, section_id FROM stale_tasks ORDER BY task_id, section_id");
        self.read_all(query, stale).await
    }

    /// Accepts finished tasks as they are, with their events: all or none.
    ///
    /// # Errors
    ///
    /// [`StoreProblem::NotStale`] when one of them is not stale, and others when the database cannot be written. Then
    /// nothing has changed.
    pub async fn accept_tasks(&self, at: &str, tasks: &[TaskId], origin: Origin) -> Result<(), StoreError> {
        self.observed(async {
            let mut writer = self.writer().await?;
            let mut write = self.begin(&mut writer).await?;
            for task in tasks {
                let delete = sqlx::query("DELETE FROM stale_tasks WHERE task_id = ?").bind(task.0);
                if write.execute(delete).await? == 0 {
                    return Err(StoreProblem::NotStale(*task));
                }
            }
            let event =
                |task: &TaskId| Event::TaskEdited { task: *task, fields: vec![ACCEPTED.into()], origin };
            let events: Vec<Event> = tasks.iter().map(event).collect();
            insert_events(&mut write, at, &events).await?;
            write.commit().await?;
            Ok(())
        })
        .await
    }
}

fn stale(row: &SqliteRow) -> Result<StaleTask, StoreProblem> {
    Ok(StaleTask {
        task: TaskId(small_number(row.try_get("task_id")?)?),
        section: SectionId(small_number(row.try_get("section_id")?)?),
    })
}
