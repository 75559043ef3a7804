//! Tasks: the board, one of them, editing, and work by hand.

use loopwright_domain::{Fault, TaskDraft, TaskId};
use loopwright_engine::task::{
    BulkEdit, Finished, HandWork, Moved, SectionRow, TaskBoard, TaskDetail, TaskMove,
};
use tauri::{Runtime, State, WebviewWindow};

use super::pending;
use crate::shell::Shell;

macro_rules! commands {
    ($( $(#[$doc:meta])* $name:ident($($argument:ident: $kind:ty),*) -> $answer:ty; )+) => {
        $(
            $(#[$doc])*
            #[tauri::command]
            #[specta::specta]
            pub(crate) async fn $name<R: Runtime>(
                window: WebviewWindow<R>,
                shell: State<'_, Shell>,
                $($argument: $kind),*
            ) -> Result<$answer, Fault> {
                let _ = (shell.project(window.label()).await?, $($argument),*);
                pending()
            }
        )+
    };
}

commands! {
    /// All tasks and how they hang together.
    task_board() -> TaskBoard;
    /// One task in full.
    task(id: TaskId) -> TaskDetail;
    /// Adds a task.
    add_task(draft: TaskDraft) -> TaskId;
    /// Edits a task; `seen` is its `updated_at` when it was read, and an edit of something older is refused.
    edit_task(id: TaskId, seen: String, draft: TaskDraft) -> TaskDetail;
    /// Changes many tasks at once, all of them or none.
    edit_tasks(ids: Vec<TaskId>, edit: BulkEdit) -> Moved;
    /// Finishes, blocks, cancels or reopens tasks, all of them or none.
    move_tasks(ids: Vec<TaskId>, to: TaskMove) -> Moved;
    /// Puts a task right before another one, or last, by changing priorities.
    place_task(id: TaskId, before: Option<TaskId>) -> Moved;
    /// Begins to work on a task by hand.
    begin_task(id: TaskId) -> HandWork;
    /// Checks work by hand and commits it.
    finish_task(summary: String) -> Finished;
    /// Gives work by hand up: the files are put back, what was done is kept.
    give_up_task() -> Finished;
    /// The sections of the spec.
    sections() -> Vec<SectionRow>;
}
