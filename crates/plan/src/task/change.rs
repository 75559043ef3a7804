//! Changing tasks: only a person does. An agent says what it did with `loopwright signal`, and the run decides.

use std::collections::HashMap;

use loopwright_domain::{
    ErrorCode, Fault, HeldTask, Origin, Task, TaskDraft, TaskFilter, TaskGraph, TaskId, TaskMove, reorder,
};
use loopwright_store::Edit;

use super::board::no_task;
use super::model::{BulkEdit, Moved};
use crate::plan::Plan;

/// The longest reason, in characters.
const LONGEST_REASON: usize = 2_000;

impl Plan<'_> {
    /// Adds a task.
    ///
    /// # Errors
    /// It cannot be as it is, an agent asks, or the state cannot be written.
    pub async fn add_task(&self, draft: TaskDraft) -> Result<TaskId, Fault> {
        self.require_person("add tasks")?;
        let draft = draft.tidied();
        draft.check().map_err(|problem| {
            Fault::new(ErrorCode::TaskInvalid, format!("the task cannot be added: {problem}"))
        })?;
        self.require_tasks(&draft.depends_on).await?;
        let added = self.store().add_tasks(&self.host().timestamp(), &[draft.into()]).await?;
        added.first().copied().ok_or_else(|| Fault::new(ErrorCode::Internal, "the task was not added"))
    }

    /// Says which task is missing; where two are quicker than this look, the store says it.
    async fn require_tasks(&self, ids: &[TaskId]) -> Result<(), Fault> {
        for id in ids {
            self.find_task(*id).await?;
        }
        Ok(())
    }

    /// Edits a task: all of it is as the draft says afterwards. `seen` is its `updated_at` when it was read; an edit of
    /// something older is refused.
    ///
    /// # Errors
    /// There is no such task, it was changed meanwhile, it cannot be so, an agent asks, or the state cannot be written.
    pub async fn edit_task(
        &self,
        id: TaskId,
        seen: &str,
        draft: TaskDraft,
        origin: Origin,
    ) -> Result<Moved, Fault> {
        let draft = draft.tidied();
        self.change_tasks(&[id], Some(seen), origin, |_, task| *task = draft.clone()).await
    }

    /// Changes many tasks at once, all of them or none.
    ///
    /// # Errors
    /// As [`Plan::edit_task`].
    pub async fn edit_tasks(&self, ids: &[TaskId], edit: &BulkEdit, origin: Origin) -> Result<Moved, Fault> {
        self.change_tasks(ids, None, origin, |_, draft| {
            draft.priority = edit.priority.unwrap_or(draft.priority);
            draft.kind = edit.kind.or(draft.kind);
            draft.size = edit.size.or(draft.size);
            if let Some(tag) = edit.tag.as_deref().map(str::trim) {
                draft.tag = (!tag.is_empty()).then(|| tag.to_owned());
            }
        })
        .await
    }

    /// Lets a task wait for others.
    ///
    /// # Errors
    /// It would wait for itself, for nothing or in a circle, an agent asks, or the state cannot be written.
    pub async fn depend(&self, id: TaskId, on: &[TaskId], origin: Origin) -> Result<Moved, Fault> {
        self.change_tasks(&[id], None, origin, |_, draft| {
            draft.depends_on.extend(on);
            draft.depends_on.sort_unstable();
            draft.depends_on.dedup();
        })
        .await
    }

    /// Lets a task no longer wait for others.
    ///
    /// # Errors
    /// There is no such task, an agent asks, or the state cannot be written.
    pub async fn undepend(&self, id: TaskId, on: &[TaskId], origin: Origin) -> Result<Moved, Fault> {
        self.change_tasks(&[id], None, origin, |_, draft| draft.depends_on.retain(|one| !on.contains(one)))
            .await
    }

    /// Finishes, blocks, cancels or reopens tasks, all of them or none, and says what cannot start because of it.
    ///
    /// # Errors
    /// There is no such task, its status does not allow that, an agent asks, or the state cannot be written.
    pub async fn move_tasks(&self, ids: &[TaskId], to: &TaskMove, origin: Origin) -> Result<Moved, Fault> {
        self.require_person("change a task's status")?;
        let to = with_reason(to)?;
        let changed = self.store().move_tasks(&self.host().timestamp(), ids, &to, origin).await?;
        let held = match to {
            TaskMove::Cancel | TaskMove::Block { .. } => self.held_by(ids).await?,
            TaskMove::Done | TaskMove::Unblock | TaskMove::Reopen => Vec::new(),
        };
        Ok(Moved { changed, held })
    }

    /// Puts a task right before another one of its wave, or last, by changing as few priorities as can be.
    ///
    /// # Errors
    /// There is no such task, they are in different waves, an agent asks, or the state cannot be written.
    pub async fn place_task(
        &self,
        id: TaskId,
        before: Option<TaskId>,
        origin: Origin,
    ) -> Result<Moved, Fault> {
        let tasks = self.store().tasks().await?;
        let graph = TaskGraph::new(&tasks);
        if let Some(missing) = before.into_iter().chain([id]).find(|id| graph.task(*id).is_none()) {
            return Err(no_task(missing));
        }
        let order: Vec<(TaskId, u32)> = graph
            .in_order()
            .into_iter()
            .filter(|task| graph.wave_of(task.id) == graph.wave_of(id))
            .map(|task| (task.id, task.draft.priority))
            .collect();
        let changes = reorder(&order, id, before).ok_or_else(|| {
            Fault::new(ErrorCode::TaskInvalid, "these tasks are in different waves")
                .hint("What tasks wait for decides their waves; the order can be changed inside of one.")
        })?;
        let priorities: HashMap<TaskId, u32> = changes.into_iter().collect();
        let ids: Vec<TaskId> = priorities.keys().copied().collect();
        self.change_tasks(&ids, None, origin, |id, draft| {
            draft.priority = priorities.get(&id).copied().unwrap_or(draft.priority);
        })
        .await
    }

    /// Removes tasks that nobody ever worked on, all of them or none, and returns them as they were.
    ///
    /// # Errors
    /// There is no such task, one was worked on, another one waits for it, an agent asks, or the state cannot be written.
    pub async fn remove_tasks(&self, ids: &[TaskId], origin: Origin) -> Result<Vec<Task>, Fault> {
        self.require_person("remove tasks")?;
        let mut removed = Vec::new();
        for id in ids {
            removed.push(self.find_task(*id).await?);
        }
        self.store().remove_tasks(&self.host().timestamp(), ids, origin).await?;
        Ok(removed)
    }

    async fn change_tasks(
        &self,
        tasks: &[TaskId],
        seen: Option<&str>,
        origin: Origin,
        change: impl Fn(TaskId, &mut TaskDraft),
    ) -> Result<Moved, Fault> {
        self.require_person("edit tasks")?;
        let at = self.host().timestamp();
        let changed = self.store().edit_tasks(Edit { at: &at, tasks, seen, origin }, change).await?;
        Ok(Moved { changed, held: Vec::new() })
    }

    /// The pending tasks that some others keep from starting.
    async fn held_by(&self, obstacles: &[TaskId]) -> Result<Vec<HeldTask>, Fault> {
        let tasks = self.store().tasks().await?;
        let mut held = TaskGraph::new(&tasks).held(&TaskFilter::default());
        held.retain(|held| held.by.iter().any(|task| obstacles.contains(task)));
        Ok(held)
    }
}

/// The move with its reason as it is written down.
fn with_reason(to: &TaskMove) -> Result<TaskMove, Fault> {
    let Some(reason) = to.reason().map(str::trim) else { return Ok(to.clone()) };
    if reason.is_empty() || reason.chars().count() > LONGEST_REASON {
        return Err(Fault::new(
            ErrorCode::TaskInvalid,
            format!("a task is blocked for a reason of 1 to {LONGEST_REASON} characters"),
        )
        .hint("Say what has to happen before it can go on."));
    }
    Ok(TaskMove::Block { reason: reason.to_owned() })
}
