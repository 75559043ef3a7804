//! Moving tasks: what a person does to their statuses.

use loopwright_domain::{Event, Origin, Task, TaskId, TaskMove};

use super::edit::read_tasks;
use crate::effect;
use crate::error::{StoreError, StoreProblem};
use crate::event_rows::insert_events;
use crate::store::Store;
use crate::values::to_json;
use crate::write::Write;

impl Store {
    /// Moves tasks, all of them or none, each with its event, and returns those that changed, by id. What is there
    /// already stays as it is. Taking a task up again forgives its failures so far. `at` is the caller's clock as
    /// RFC 3339 in UTC.
    ///
    /// # Errors
    ///
    /// When there is no such task, when its status does not allow that, or when the database cannot be written. Then
    /// nothing has changed.
    pub async fn move_tasks(
        &self,
        at: &str,
        tasks: &[TaskId],
        to: &TaskMove,
        origin: Origin,
    ) -> Result<Vec<TaskId>, StoreError> {
        self.observed(async {
            let mut writer = self.writer().await?;
            let mut write = self.begin(&mut writer).await?;
            let mut tasks = read_tasks(&mut write, tasks).await?;
            if let Some(task) = tasks.iter().find(|task| !to.is_allowed(task.status)) {
                return Err(StoreProblem::TaskAt { task: task.id, status: task.status });
            }
            tasks.retain(|task| differs(task, to));
            let changed: Vec<TaskId> = tasks.iter().map(|task| task.id).collect();
            let events: Vec<Event> = tasks.iter().map(|task| event(task, to, origin)).collect();
            for event in &events {
                effect::carry_out(&mut write, at, event).await?;
            }
            if to.forgives() {
                forgive(&mut write, &changed).await?;
            }
            insert_events(&mut write, at, &events).await?;
            write.commit().await?;
            Ok(changed)
        })
        .await
    }
}

fn differs(task: &Task, to: &TaskMove) -> bool {
    let reason = task.blocked.as_ref().map(|blocked| blocked.reason.as_str());
    task.status != to.target() || reason != to.reason()
}

fn event(task: &Task, to: &TaskMove, origin: Origin) -> Event {
    Event::TaskStatusChanged {
        task: task.id,
        from: task.status,
        to: to.target(),
        reason: to.reason().map(str::to_owned),
        iteration: None,
        origin: Some(origin),
    }
}

async fn forgive(write: &mut Write<'_>, tasks: &[TaskId]) -> Result<(), StoreProblem> {
    let update = sqlx::query(
        "UPDATE tasks SET forgiven = (
             SELECT count(*) FROM iterations WHERE task = tasks.id AND outcome = 'failed'
         ) WHERE id IN (SELECT value FROM json_each(?))",
    );
    write.execute(update.bind(to_json(&tasks)?)).await.map(drop)
}
