//! What agents and checks printed, page by page.

use loopwright_domain::Fault;
use loopwright_engine::output::{Entry, OutputFilter, OutputInfo, OutputMatches, OutputPage, OutputTarget};
use tauri::{Runtime, State, WebviewWindow};

use crate::shell::Shell;

/// How much there is in a file.
#[tauri::command]
#[specta::specta]
pub(crate) async fn output_info<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    target: OutputTarget,
) -> Result<OutputInfo, Fault> {
    shell.project(window.label()).await?.output().info(target).await
}

/// Some entries of a file, at most 500. `first` counts only what the filter lets through.
#[tauri::command]
#[specta::specta]
pub(crate) async fn output_page<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    target: OutputTarget,
    filter: OutputFilter,
    first: u32,
    count: u32,
) -> Result<OutputPage, Fault> {
    shell.project(window.label()).await?.output().page(target, &filter, first, count).await
}

/// One entry with all of its text, up to a megabyte. `n` is its place among all entries.
#[tauri::command]
#[specta::specta]
pub(crate) async fn output_entry<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    target: OutputTarget,
    n: u32,
) -> Result<Entry, Fault> {
    shell.project(window.label()).await?.output().entry(target, n).await
}

/// Where a text is found, whatever its case, among what the filter lets through; at most 10,000 places.
#[tauri::command]
#[specta::specta]
pub(crate) async fn search_output<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    target: OutputTarget,
    filter: OutputFilter,
    text: String,
) -> Result<OutputMatches, Fault> {
    shell.project(window.label()).await?.output().search(target, &filter, &text).await
}

/// The place of the next error after a place, or of the one before it; none when there is none. Places count only
/// what the filter lets through; without `from` the first, or the last.
#[tauri::command]
#[specta::specta]
pub(crate) async fn find_error<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    target: OutputTarget,
    filter: OutputFilter,
    from: Option<u32>,
    backwards: bool,
) -> Result<Option<u32>, Fault> {
    shell.project(window.label()).await?.output().find_error(target, &filter, from, backwards).await
}
