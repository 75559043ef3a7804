//! What agents and checks printed, page by page.

use loopwright_domain::Fault;
use loopwright_engine::output::{Entry, OutputFilter, OutputInfo, OutputMatches, OutputPage, OutputTarget};
use tauri::{Runtime, State, WebviewWindow};

use super::pending;
use crate::shell::Shell;

/// How much there is in a file.
#[tauri::command]
#[specta::specta]
pub(crate) async fn output_info<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    target: OutputTarget,
) -> Result<OutputInfo, Fault> {
    let _ = target;
    pending(window, shell)
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
    let _ = (target, filter, first, count);
    pending(window, shell)
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
    let _ = (target, n);
    pending(window, shell)
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
    let _ = (target, filter, text);
    pending(window, shell)
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
    let _ = (target, filter, from, backwards);
    pending(window, shell)
}
