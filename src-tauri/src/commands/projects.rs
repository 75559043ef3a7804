//! Projects in general: the start page, and making and opening them.

use std::path::Path;

use loopwright_domain::{ErrorCode, Fault, Origin};
use loopwright_engine::{FolderReport, Host, NewProject, Project, ProjectRecord, Registry};
use tauri::{Manager as _, Runtime, State, WebviewWindow};

use super::{confirmed, waiting};
use crate::confirmation::suggested_checks;
use crate::dto::{CreateProject, FolderPurpose, ProjectRef, RecentProject, StartPage};
use crate::shell::Shell;
use crate::{folder, open_recent, windows};

const LONGEST_NAME: usize = 200;

/// What the start page shows.
#[tauri::command]
#[specta::specta]
pub(crate) fn start_page<R: Runtime>(
    _window: WebviewWindow<R>,
    shell: State<'_, Shell>,
) -> Result<StartPage, Fault> {
    let sample = shell.sample_folder();
    Ok(StartPage {
        recents: Registry::of(shell.host())
            .recent()
            .into_iter()
            .filter_map(|record| recent(shell.host(), record))
            .collect(),
        sample_exists: is_project(&sample),
        sample_path: sample.display().to_string(),
    })
}

fn recent(host: &Host, record: ProjectRecord) -> Option<RecentProject> {
    Some(RecentProject {
        shown: folder::shown(host, Path::new(&record.path)),
        last_opened: record.last_opened?,
        exists: Path::new(&record.path).is_dir(),
        path: record.path,
        name: record.name,
        sample: record.sample,
        tasks: record.last_tasks,
    })
}

fn is_project(folder: &Path) -> bool {
    folder.join(loopwright_engine::PROJECT_DIR).is_dir()
}

/// Takes a project off the list of recent ones. Its files and what was trusted stay.
#[tauri::command]
#[specta::specta]
pub(crate) fn forget_recent<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    path: String,
) -> Result<(), Fault> {
    let (path, registry) = (folder::named(shell.host(), &path)?, Registry::of(shell.host()));
    if registry.find(&path).is_some() {
        registry.update(&path, |record| record.last_opened = None)?;
        open_recent::refresh(window.app_handle(), shell.host());
    }
    Ok(())
}

/// Lets the person choose a folder in a native dialog.
#[tauri::command]
#[specta::specta]
pub(crate) async fn choose_folder<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    purpose: FolderPurpose,
) -> Result<Option<String>, Fault> {
    let title = match purpose {
        FolderPurpose::Open => "Open a project folder",
        FolderPurpose::Create => "Choose a folder for the new project",
    };
    let (desktop, label) = (shell.desktop(), window.label().to_owned());
    let chosen = waiting(move || desktop.choose_folder(&label, title)).await?;
    Ok(chosen.map(|path| path.display().to_string()))
}

/// Looks at a folder. Nothing in it is executed.
#[tauri::command]
#[specta::specta]
pub(crate) async fn inspect_folder<R: Runtime>(
    _window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    path: String,
) -> Result<FolderReport, Fault> {
    let path = folder::named(shell.host(), &path)?;
    waiting(move || loopwright_engine::inspect_folder(&path)).await
}

/// Makes a project and opens its window. Checks that the person picked are asked about in a native dialog: they run what
/// the folder's files say.
#[tauri::command]
#[specta::specta]
pub(crate) async fn create_project<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    request: CreateProject,
) -> Result<ProjectRef, Fault> {
    let path = folder::named(shell.host(), &request.path)?;
    if request.name.len() > LONGEST_NAME || request.name.chars().any(char::is_control) {
        return Err(Fault::new(ErrorCode::UsageInvalid, "the project's name is too long or not plain text")
            .hint("Use a short name on one line."));
    }
    let checks = picked(&path, &request.checks)?;
    if let Some(question) = suggested_checks(&checks, &path) {
        confirmed(&window, &shell, question, "Nothing was made.").await?;
    }
    let new = NewProject { name: request.name, git: request.git, checks };
    Project::create(shell.host(), &path, &new, Origin::App).await?;
    windows::open_project(window.app_handle(), &path, Some(window.label())).await
}

/// The suggestions with these names, as the folder makes them now.
fn picked(path: &Path, names: &[String]) -> Result<Vec<loopwright_engine::CheckSuggestion>, Fault> {
    let suggestions = loopwright_engine::suggest(path);
    let found: Vec<_> = suggestions.into_iter().filter(|check| names.contains(&check.name)).collect();
    if found.len() == names.len() {
        return Ok(found);
    }
    Err(Fault::new(ErrorCode::UsageInvalid, "the folder no longer suggests the checks you picked")
        .hint("Look at the folder again and choose the checks there are now."))
}

/// Makes the sample project, or takes the one there is, and opens its window.
#[tauri::command]
#[specta::specta]
pub(crate) async fn create_sample<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
) -> Result<ProjectRef, Fault> {
    let sample = shell.sample_folder();
    if loopwright_engine::open_sample(shell.host(), &sample).await?.is_none() {
        loopwright_engine::create_sample(shell.host(), &sample, Origin::App).await?;
    }
    windows::open_project(window.app_handle(), &sample, Some(window.label())).await
}

/// Opens a project's window or brings it to the front.
#[tauri::command]
#[specta::specta]
pub(crate) async fn open_project<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    path: String,
) -> Result<ProjectRef, Fault> {
    windows::open_project(window.app_handle(), &folder::named(shell.host(), &path)?, Some(window.label()))
        .await
}
