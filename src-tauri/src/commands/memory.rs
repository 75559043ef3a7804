//! What the calling window's project remembers: failures, solutions, learnings, patterns of a person's own.

use std::path::PathBuf;

use loopwright_domain::{
    ErrorCode, Failure, Fault, Learning, LearningDraft, Origin, SolutionDetail, SolutionDraft,
};
use loopwright_engine::memory::LearningQuery;
use tauri::{Runtime, State, WebviewWindow};

use super::{waiting, write_chosen};
use crate::shell::Shell;

/// As many failures as are handed out at once.
const MOST_FAILURES: u32 = 500;
/// The largest file of solutions that is read, in bytes.
const LARGEST_IMPORT: u64 = 16 * 1024 * 1024;

/// Failures, the newest first: all of them, or those of a pattern.
#[tauri::command]
#[specta::specta]
pub(crate) async fn failures<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    pattern: Option<String>,
    limit: u32,
) -> Result<Vec<Failure>, Fault> {
    let project = shell.project(window.label()).await?;
    project.failures().list(pattern.as_deref(), None, limit.min(MOST_FAILURES)).await
}

/// Every solution, also those that are out of use.
#[tauri::command]
#[specta::specta]
pub(crate) async fn solutions<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
) -> Result<Vec<SolutionDetail>, Fault> {
    shell.project(window.label()).await?.memory().solutions(None).await
}

/// One solution with its history.
#[tauri::command]
#[specta::specta]
pub(crate) async fn solution<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    id: u32,
) -> Result<SolutionDetail, Fault> {
    shell.project(window.label()).await?.memory().solution(id).await
}

/// Adds a solution, or changes the one of this number.
#[tauri::command]
#[specta::specta]
pub(crate) async fn save_solution<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    id: Option<u32>,
    draft: SolutionDraft,
) -> Result<SolutionDetail, Fault> {
    let project = shell.project(window.label()).await?;
    let id = match id {
        Some(id) => {
            project.memory().edit_solution(id, &draft, Origin::App).await?;
            id
        }
        None => project.memory().add_solution(&draft, Origin::App).await?,
    };
    project.memory().solution(id).await
}

/// Takes a solution out of use, or back into it.
#[tauri::command]
#[specta::specta]
pub(crate) async fn retire_solution<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    id: u32,
    retired: bool,
) -> Result<SolutionDetail, Fault> {
    let project = shell.project(window.label()).await?;
    if retired {
        project.memory().retire_solution(id, "", Origin::App).await?;
    } else {
        project.memory().restore_solution(id, Origin::App).await?;
    }
    project.memory().solution(id).await
}

/// Says that a solution still holds.
#[tauri::command]
#[specta::specta]
pub(crate) async fn refresh_solution<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    id: u32,
) -> Result<SolutionDetail, Fault> {
    let project = shell.project(window.label()).await?;
    project.memory().refresh_solution(id, Origin::App).await?;
    project.memory().solution(id).await
}

/// Writes the solutions in use to a file that the person names in a native dialog. Gives back where; none when the dialog
/// was closed.
#[tauri::command]
#[specta::specta]
pub(crate) async fn export_solutions<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
) -> Result<Option<String>, Fault> {
    let project = shell.project(window.label()).await?;
    let export = project.memory().export_solutions().await?;
    let text = serde_json::to_string_pretty(&export)
        .map_err(|error| Fault::caused(ErrorCode::Internal, "the solutions cannot be written", &error))?;
    write_chosen(&window, &shell, "Export solutions", "solutions.json", text + "\n").await
}

/// Reads solutions from a file that the person chooses in a native dialog. Gives back how many came in; none when the
/// dialog was closed.
#[tauri::command]
#[specta::specta]
pub(crate) async fn import_solutions<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
) -> Result<Option<u32>, Fault> {
    let project = shell.project(window.label()).await?;
    let (desktop, label) = (shell.desktop(), window.label().to_owned());
    let chosen = waiting(move || desktop.choose_files(&label, "Import solutions")).await?;
    let Some(file) = chosen.into_iter().next() else { return Ok(None) };
    let text = waiting(move || read(file)).await??;
    let imported = project.memory().import_solutions(&text, Origin::App).await?;
    Ok(Some(u32::try_from(imported.added.len()).unwrap_or(u32::MAX)))
}

/// The text of a file of a size that can be one of solutions.
fn read(file: PathBuf) -> Result<String, Fault> {
    let failed = |what: String| Fault::new(ErrorCode::IoFailed, format!("{}: {what}", file.display()));
    let size = std::fs::metadata(&file).map_err(|error| failed(error.to_string()))?.len();
    if size > LARGEST_IMPORT {
        return Err(failed("the file is too large for solutions".to_owned()));
    }
    std::fs::read_to_string(&file).map_err(|error| failed(error.to_string()))
}

/// Learnings with these words, the best first; without any words all of them, the newest first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn learnings<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    search: String,
) -> Result<Vec<Learning>, Fault> {
    let query = LearningQuery { text: search, ..LearningQuery::default() };
    shell.project(window.label()).await?.memory().learnings(&query).await
}

/// Adds a learning, or changes the one of this number.
#[tauri::command]
#[specta::specta]
pub(crate) async fn save_learning<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    id: Option<u32>,
    draft: LearningDraft,
) -> Result<Learning, Fault> {
    let project = shell.project(window.label()).await?;
    let id = match id {
        Some(id) => {
            project.memory().edit_learning(id, &draft, Origin::App).await?;
            id
        }
        None => project.memory().add_learning(&draft, None, Origin::App).await?,
    };
    project.memory().learning(id).await
}

/// Removes a learning.
#[tauri::command]
#[specta::specta]
pub(crate) async fn remove_learning<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    id: u32,
) -> Result<(), Fault> {
    shell.project(window.label()).await?.memory().remove_learning(id, Origin::App).await
}
