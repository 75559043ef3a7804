//! Turns a folder into a project: `init`, and "New project" in the app.

use std::path::{Path, PathBuf};

use loopwright_checks::{CheckDraft, CheckSuggestion, suggest};
use loopwright_config::text_file::{self, io_fault};
use loopwright_config::{Host, Layout, PROJECT_DIR, check_edit, trust};
use loopwright_domain::{ErrorCode, Event, Fault, NextAction, NextStep, Origin};
use serde::{Deserialize, Serialize};
use toml_edit::{DocumentMut, value};

use crate::project::{Project, folder_name};

/// What a folder is, before anything is done to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct FolderReport {
    /// The folder.
    pub path: String,
    /// A name for a project there.
    pub name: String,
    /// Whether it is there.
    pub exists: bool,
    /// Whether it has nothing in it.
    pub empty: bool,
    /// The project it is in already, if any.
    pub project_root: Option<String>,
    /// Whether it is in a git repository.
    pub git: bool,
    /// Checks that could be switched on.
    pub suggestions: Vec<CheckSuggestion>,
}

/// What a new project is to be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewProject {
    /// Its name; empty for the folder's.
    pub name: String,
    /// Whether to make a git repository where there is none.
    pub git: bool,
    /// The checks a person picked.
    pub checks: Vec<CheckSuggestion>,
}

/// Looks at a folder. Nothing in it is executed.
#[must_use]
pub fn inspect_folder(path: &Path) -> FolderReport {
    let found = loopwright_config::folder(path).ok();
    let folder = found.as_deref().unwrap_or(path);
    let empty = std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
    let project = found.as_ref().and_then(|folder| Layout::find(folder).ok());
    FolderReport {
        path: folder.display().to_string(),
        name: folder_name(folder),
        exists: found.is_some(),
        empty,
        project_root: project.map(|layout| layout.root.display().to_string()),
        git: found.as_ref().is_some_and(|folder| loopwright_vcs::discover(folder).is_some()),
        suggestions: found.as_ref().map(|folder| suggest(folder)).unwrap_or_default(),
    }
}

impl Project {
    /// Makes a project of a folder, which is made too if it is not there. Existing files stay as they are.
    ///
    /// # Errors
    /// It is a project already, or it cannot be written, or an agent asks.
    pub async fn create(host: &Host, path: &Path, new: &NewProject, origin: Origin) -> Result<Self, Fault> {
        trust::require_person("make a project")?;
        let root = prepare_folder(path)?;
        let folder = root.join(PROJECT_DIR);
        if folder.exists() && !folder.is_dir() {
            return Err(Fault::new(
                ErrorCode::ProjectBadFolder,
                format!("{} is not a folder", folder.display()),
            )
            .hint("Move it away; Loopwright keeps its settings in a folder of that name."));
        }
        if folder.exists() {
            return Err(Fault::new(
                ErrorCode::ProjectExists,
                format!("{} is a project already", root.display()),
            )
            .next(NextAction::ShowStatus, "See it")
            .step(NextStep::new(NextAction::ChangeSetting, "Change it").about("KEY VALUE")));
        }
        if new.git && loopwright_vcs::discover(&root).is_none() {
            host.clone().around(&root).git()?.init(&root).await?;
        }
        let name = if new.name.trim().is_empty() { folder_name(&root) } else { new.name.trim().to_owned() };
        write_project_files(&root, &name, &new.checks)?;
        let project = Self::open_layout(host, Layout::of(&root)?).await?;
        let event = Event::ProjectCreated { name, origin, sample: false };
        project.store().append(&host.timestamp(), &event).await?;
        project.trust_own_work(origin).await?;
        Ok(project)
    }
}

fn prepare_folder(path: &Path) -> Result<PathBuf, Fault> {
    std::fs::create_dir_all(path).map_err(|error| io_fault("make", path, &error))?;
    loopwright_config::folder(path)
}

/// Written beside the configuration: what never belongs in a commit.
pub(crate) const IGNORE: &str =
    "# Private to this machine; Loopwright keeps these out of commits.\n/run/\n/state/\n";

fn write_project_files(root: &Path, name: &str, checks: &[CheckSuggestion]) -> Result<(), Fault> {
    let folder = root.join(PROJECT_DIR);
    text_file::write(&folder.join("config.toml"), &config_text(name, checks))?;
    text_file::write(&folder.join(".gitignore"), IGNORE)
}

/// A new project's configuration file.
fn config_text(name: &str, checks: &[CheckSuggestion]) -> String {
    let mut document = DocumentMut::new();
    document.insert("name", value(name));
    if let Some(mut key) = document.key_mut("name") {
        let intro = "# Loopwright's settings for this project. They belong in git.\n\
                     # See them with \"loopwright config show\".\n\n";
        key.leaf_decor_mut().set_prefix(intro);
    }
    let mut text = document.to_string();
    for check in checks {
        let draft = CheckDraft::command(check.name.as_str(), check.command.as_str());
        text.push('\n');
        text.push_str(&check_edit::table_text(&draft, None));
    }
    text
}
