//! Tasks: the board, one of them, editing, and work by hand.

use loopwright_domain::{ErrorCode, Fault, Origin, TaskDraft, TaskId};
use loopwright_engine::task::{
    BulkEdit, Finished, HandWork, Moved, SectionRow, TaskBoard, TaskDetail, TaskMove,
};
use tauri::{Runtime, State, WebviewWindow};

use crate::shell::Shell;

/// As many tasks as can be changed at once.
const MOST_TASKS: usize = 10_000;
/// The longest summary of work by hand.
const LONGEST_SUMMARY: usize = 10_000;
/// The longest text that can be a time.
const LONGEST_TIME: usize = 64;

/// All tasks and how they hang together.
#[tauri::command]
#[specta::specta]
pub(crate) async fn task_board<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
) -> Result<TaskBoard, Fault> {
    shell.project(window.label()).await?.tasks().board().await
}

/// One task in full.
#[tauri::command]
#[specta::specta]
pub(crate) async fn task<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    id: TaskId,
) -> Result<TaskDetail, Fault> {
    shell.project(window.label()).await?.tasks().detail(id).await
}

/// Adds a task.
#[tauri::command]
#[specta::specta]
pub(crate) async fn add_task<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    draft: TaskDraft,
) -> Result<TaskId, Fault> {
    shell.project(window.label()).await?.tasks().add(draft).await
}

/// Edits a task; `seen` is its `updated_at` when it was read, and an edit of something older is refused.
#[tauri::command]
#[specta::specta]
pub(crate) async fn edit_task<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    id: TaskId,
    seen: String,
    draft: TaskDraft,
) -> Result<TaskDetail, Fault> {
    if seen.len() > LONGEST_TIME {
        return Err(Fault::new(ErrorCode::UsageInvalid, "that is too long for a time")
            .hint("Hand over the task's updated_at as it was read."));
    }
    shell.project(window.label()).await?.tasks().edit(id, &seen, draft, Origin::App).await
}

/// Changes many tasks at once, all of them or none.
#[tauri::command]
#[specta::specta]
pub(crate) async fn edit_tasks<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    ids: Vec<TaskId>,
    edit: BulkEdit,
) -> Result<Moved, Fault> {
    not_too_many(&ids)?;
    shell.project(window.label()).await?.tasks().edit_many(&ids, &edit, Origin::App).await
}

/// Finishes, blocks, cancels or reopens tasks, all of them or none.
#[tauri::command]
#[specta::specta]
pub(crate) async fn move_tasks<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    ids: Vec<TaskId>,
    to: TaskMove,
) -> Result<Moved, Fault> {
    not_too_many(&ids)?;
    shell.project(window.label()).await?.tasks().change_status(&ids, &to, Origin::App).await
}

/// Puts a task right before another one, or last, by changing priorities.
#[tauri::command]
#[specta::specta]
pub(crate) async fn place_task<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    id: TaskId,
    before: Option<TaskId>,
) -> Result<Moved, Fault> {
    shell.project(window.label()).await?.tasks().place(id, before, Origin::App).await
}

fn not_too_many(ids: &[TaskId]) -> Result<(), Fault> {
    if ids.len() <= MOST_TASKS {
        return Ok(());
    }
    Err(Fault::new(ErrorCode::UsageInvalid, "these are too many tasks to change at once")
        .hint(format!("Choose {MOST_TASKS} at most.")))
}

/// The sections of the spec.
#[tauri::command]
#[specta::specta]
pub(crate) async fn sections<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
) -> Result<Vec<SectionRow>, Fault> {
    shell.project(window.label()).await?.spec().rows().await
}

/// Begins to work on a task by hand.
#[tauri::command]
#[specta::specta]
pub(crate) async fn begin_task<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    id: TaskId,
) -> Result<HandWork, Fault> {
    shell.project(window.label()).await?.tasks().begin(id, Origin::App).await
}

/// Checks work by hand and commits it.
#[tauri::command]
#[specta::specta]
pub(crate) async fn finish_task<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    summary: String,
) -> Result<Finished, Fault> {
    if summary.len() > LONGEST_SUMMARY {
        return Err(Fault::new(ErrorCode::UsageInvalid, "that is too long for a summary")
            .hint("Say in a few sentences what was done."));
    }
    shell.project(window.label()).await?.tasks().finish(&summary, Origin::App).await
}

/// Gives work by hand up: the files are put back, what was done is kept.
#[tauri::command]
#[specta::specta]
pub(crate) async fn give_up_task<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
) -> Result<Finished, Fault> {
    shell.project(window.label()).await?.tasks().give_up(Origin::App).await
}
