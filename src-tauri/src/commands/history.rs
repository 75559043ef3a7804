//! Iterations: the list, one of them, its changes, and going back to it.

use loopwright_domain::{Fault, IterationId, RunId};
use loopwright_engine::run::{
    Comparison, DiffReport, FileDiff, IterationDetail, IterationPage, IterationSort, RestorePreview, TreeOf,
    TreeRestored,
};
use tauri::{Runtime, State, WebviewWindow};

use super::pending;
use crate::shell::Shell;

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
    let _ = (run, sort, offset, limit);
    pending(window, shell)
}

/// One iteration.
#[tauri::command]
#[specta::specta]
pub(crate) async fn iteration<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    id: IterationId,
) -> Result<IterationDetail, Fault> {
    let _ = id;
    pending(window, shell)
}

/// The files that differ between two trees.
#[tauri::command]
#[specta::specta]
pub(crate) async fn diff_files<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    comparison: Comparison,
) -> Result<DiffReport, Fault> {
    let _ = comparison;
    pending(window, shell)
}

/// The lines that differ in one file.
#[tauri::command]
#[specta::specta]
pub(crate) async fn diff_file<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    comparison: Comparison,
    path: String,
) -> Result<FileDiff, Fault> {
    let _ = (comparison, path);
    pending(window, shell)
}

/// What going back to a tree would do. Nothing is changed.
#[tauri::command]
#[specta::specta]
pub(crate) async fn preview_restore<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    tree: TreeOf,
) -> Result<RestorePreview, Fault> {
    let _ = tree;
    pending(window, shell)
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
    let _ = (tree, now);
    pending(window, shell)
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
    let _ = (safety, now);
    pending(window, shell)
}

/// Opens a file of the project in the person's editor, at a line when there is one.
#[tauri::command]
#[specta::specta]
pub(crate) async fn open_file<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    path: String,
    line: Option<u32>,
) -> Result<(), Fault> {
    let _ = (path, line);
    pending(window, shell)
}

/// Opens a web page in the browser, after the person has agreed in a native dialog. Only http and https.
#[tauri::command]
#[specta::specta]
pub(crate) async fn open_link<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    url: String,
) -> Result<(), Fault> {
    let _ = url;
    pending(window, shell)
}
