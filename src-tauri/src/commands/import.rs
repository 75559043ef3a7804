//! Importing tasks and documents of the spec into the calling window's project, after a look at what would change.

use std::path::PathBuf;

use loopwright_domain::{ErrorCode, Fault, Origin};
use loopwright_engine::Project;
use loopwright_engine::import::{ImportReport, ImportRequest};
use loopwright_engine::spec::SpecImport;
use tauri::{Runtime, State, WebviewWindow};

use super::waiting;
use crate::dto::{FilePurpose, ImportSpec, ImportTasks};
use crate::folder;
use crate::shell::Shell;

/// As many documents as can be imported at once.
const MOST_FILES: usize = 1000;
/// The longest tag.
const LONGEST_TAG: usize = 1000;

/// Lets the person choose files to import in a native dialog.
#[tauri::command]
#[specta::specta]
pub(crate) async fn choose_files<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    purpose: FilePurpose,
) -> Result<Vec<String>, Fault> {
    let title = match purpose {
        FilePurpose::Tasks => "Choose a file with tasks",
        FilePurpose::Spec => "Choose documents of the spec",
        FilePurpose::Plan => "Choose documents to plan from",
    };
    let (desktop, label) = (shell.desktop(), window.label().to_owned());
    let chosen = waiting(move || desktop.choose_files(&label, title)).await?;
    shell.remember_chosen(&chosen);
    Ok(chosen.iter().map(|path| path.display().to_string()).collect())
}

/// Imports tasks from a file, or says what that would change.
#[tauri::command]
#[specta::specta]
pub(crate) async fn import_tasks<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    request: ImportTasks,
) -> Result<ImportReport, Fault> {
    let project = shell.project(window.label()).await?;
    let file = allowed(&shell, &project, &request.file)?;
    if request.tag.as_ref().is_some_and(|tag| tag.len() > LONGEST_TAG) {
        return Err(Fault::new(ErrorCode::UsageInvalid, "the tag is too long").hint("Use a shorter one."));
    }
    let tag = request.tag.filter(|tag| !tag.trim().is_empty());
    let import = ImportRequest { file, format: None, tag, dry_run: request.dry_run };
    project.tasks().import(&import, Origin::App).await
}

/// Imports documents of the spec, or says what that would change. The documents lie in the project.
#[tauri::command]
#[specta::specta]
pub(crate) async fn import_spec<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    request: ImportSpec,
) -> Result<SpecImport, Fault> {
    let project = shell.project(window.label()).await?;
    if request.files.len() > MOST_FILES {
        return Err(Fault::new(ErrorCode::UsageInvalid, "these are too many documents to import at once")
            .hint(format!("Choose {MOST_FILES} at most.")));
    }
    let files: Vec<PathBuf> =
        request.files.iter().map(|file| allowed(&shell, &project, file)).collect::<Result<_, _>>()?;
    if request.dry_run {
        project.spec().preview_import(&files, request.replace).await
    } else {
        project.spec().import(&files, request.replace, Origin::App).await
    }
}

/// A file of the project, or one that the person chose in a native dialog: a page names no other file of the machine.
fn allowed(shell: &Shell, project: &Project, file: &str) -> Result<PathBuf, Fault> {
    let root = &project.layout().root;
    let path = folder::named(shell.host(), &root.join(file).to_string_lossy())?;
    if path.starts_with(root) || shell.was_chosen(&path) {
        return Ok(path);
    }
    Err(Fault::new(ErrorCode::UsageInvalid, format!("{} is outside of the project", path.display()))
        .hint("Choose it with Browse."))
}
