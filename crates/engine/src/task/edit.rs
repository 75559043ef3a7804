//! Changing tasks, with what follows from it: the task as it then is, the files that tasks came from.

use loopwright_domain::{Fault, Origin, TaskDraft, TaskId, TaskMove};
use loopwright_plan::task::Moved;

use crate::project::ProjectTasks;
use crate::task::TaskDetail;

impl ProjectTasks<'_> {
    /// Edits a task: all of it is as the draft says afterwards. `seen` is its `updated_at` when it was read; an edit of
    /// something older is refused.
    ///
    /// # Errors
    /// There is no such task, it was changed meanwhile, it cannot be so, an agent asks, or the state cannot be written.
    pub async fn edit(
        self,
        id: TaskId,
        seen: &str,
        draft: TaskDraft,
        origin: Origin,
    ) -> Result<TaskDetail, Fault> {
        self.project.plan().edit_task(id, seen, draft, origin).await?;
        self.detail(id).await
    }

    /// Finishes, blocks, cancels or reopens tasks, all of them or none, and says what cannot start because of it.
    ///
    /// # Errors
    /// There is no such task, its status does not allow that, an agent asks, or the state cannot be written.
    pub async fn change_status(self, ids: &[TaskId], to: &TaskMove, origin: Origin) -> Result<Moved, Fault> {
        let moved = self.project.plan().move_tasks(ids, to, origin).await?;
        if let Err(fault) = self.project.sync_moved(&moved.changed).await {
            tracing::warn!("the files that tasks came from are not in step: {}", fault.message);
        }
        Ok(moved)
    }
}
