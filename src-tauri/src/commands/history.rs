//! Iterations: the list, one of them, its changes, and going back to it.

use loopwright_domain::{ErrorCode, Fault, IterationId, Origin, RunId};
use loopwright_engine::run::{
    Comparison, DiffReport, FileDiff, IterationDetail, IterationPage, IterationSort, RestorePreview, TreeOf,
    TreeRestored,
};
use tauri::{Runtime, State, WebviewWindow};

use crate::shell::Shell;

/// The longest path there can be, with every byte spelled out.
const LONGEST_PATH: usize = 16 * 1024;

/// A part of the list of a run's iterations, at most 500; of the newest run without an id.
#[tauri::command]
#[specta::specta]
pub(crate) async fn iterations<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    run: Option<RunId>,
    sort: IterationSort,
    offset: u32,
    limit: u32,
) -> Result<IterationPage, Fault> {
    shell.project(window.label()).await?.iterations().page(run, sort, offset, limit).await
}

/// One iteration.
#[tauri::command]
#[specta::specta]
pub(crate) async fn iteration<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    id: IterationId,
) -> Result<IterationDetail, Fault> {
    shell.project(window.label()).await?.iterations().detail(id).await
}

/// The files that differ between two trees.
#[tauri::command]
#[specta::specta]
pub(crate) async fn diff_files<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    comparison: Comparison,
) -> Result<DiffReport, Fault> {
    shell.project(window.label()).await?.iterations().diff_files(comparison).await
}

/// The lines that differ in one file, with `context` unchanged lines around each change instead of the usual few.
#[tauri::command]
#[specta::specta]
pub(crate) async fn diff_file<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    comparison: Comparison,
    path: String,
    context: Option<u32>,
) -> Result<FileDiff, Fault> {
    if path.len() > LONGEST_PATH {
        return Err(Fault::new(ErrorCode::UsageInvalid, "that is too long for a path")
            .hint("Ask for one of the files that differ."));
    }
    let project = shell.project(window.label()).await?;
    match context {
        Some(context) => project.iterations().diff_file_with_context(comparison, &path, context).await,
        None => project.iterations().diff_file(comparison, &path).await,
    }
}

/// What going back to a tree would do. Nothing is changed.
#[tauri::command]
#[specta::specta]
pub(crate) async fn preview_restore<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    tree: TreeOf,
) -> Result<RestorePreview, Fault> {
    shell.project(window.label()).await?.restore().preview(tree).await
}

/// Goes back to a tree, when the tree is still the one that was shown. Everything as it is now is kept first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn restore_tree<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    tree: TreeOf,
    now: String,
) -> Result<TreeRestored, Fault> {
    shell.project(window.label()).await?.restore().apply(tree, &now, Origin::App).await
}

/// Takes a restore back, when the tree is still the one it left. Everything as it is now is kept first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn undo_restore<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    safety: String,
    now: String,
) -> Result<TreeRestored, Fault> {
    shell.project(window.label()).await?.restore().undo(&safety, &now, Origin::App).await
}
