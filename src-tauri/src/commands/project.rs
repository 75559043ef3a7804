//! The calling window's own project.

use loopwright_domain::{ErrorCode, EventEnvelope, EventSeq, Fault, Origin, TaskId, TrustDigest};
use loopwright_engine::{Look, Overview};
use tauri::{Runtime, State, WebviewWindow};

use super::{confirmed, waiting};
use crate::confirmation;
use crate::shell::Shell;

const MOST_EVENTS: u32 = 1000;
const MOST_TASKS: u32 = 100;
const LONGEST_SEARCH: usize = 1000;

/// The project at one glance. Nothing in its folder is executed.
#[tauri::command]
#[specta::specta]
pub(crate) async fn overview<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
) -> Result<Overview, Fault> {
    let project = shell.project(window.label()).await?;
    let mut overview = project.overview(Look::Ask).await?;
    let remembered = shell.remember(window.label(), &project, &overview.project.name, &overview.tasks);
    overview.problems.extend(remembered.err());
    Ok(overview)
}

/// Trusts what the person was shown, if it is still what is there, after they have agreed in a native dialog.
#[tauri::command]
#[specta::specta]
pub(crate) async fn trust_project<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    digest: String,
) -> Result<Overview, Fault> {
    let project = shell.project(window.label()).await?;
    let shown = TrustDigest(digest);
    let report = project.require_shown(&shown)?;
    confirmed(&window, &shell, confirmation::trust(&report), "Nothing was trusted.").await?;
    project.trust(&shown, Origin::App).await?;
    project.overview(Look::Ask).await
}

/// The tasks that speak of some words, best first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn search_tasks<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    text: String,
) -> Result<Vec<TaskId>, Fault> {
    if text.len() > LONGEST_SEARCH {
        return Err(Fault::new(ErrorCode::UsageInvalid, "that is too much text to search for")
            .hint("Search for a few words."));
    }
    shell.project(window.label()).await?.tasks().search(&text, MOST_TASKS).await
}

/// Events after a place in history, oldest first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn events_since<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    seq: EventSeq,
    limit: u32,
) -> Result<Vec<EventEnvelope>, Fault> {
    shell.project(window.label()).await?.events().since(seq, limit.min(MOST_EVENTS)).await
}

/// Shows the project's folder in the file manager.
#[tauri::command]
#[specta::specta]
pub(crate) async fn reveal_project<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
) -> Result<(), Fault> {
    let project = shell.project(window.label()).await?;
    let desktop = shell.desktop();
    waiting(move || desktop.reveal(project.host(), &project.layout().root)).await?
}
