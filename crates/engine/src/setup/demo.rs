//! The sample project: a small git repository with a spec, checks, tasks in three waves and a scripted agent.
//! It needs nothing but git.

use std::path::Path;

use loopwright_config::text_file::{self, io_fault};
use loopwright_config::{Host, Layout, PROJECT_DIR, Registry, trust};
use loopwright_domain::{ErrorCode, Event, Fault, Origin, SectionId, TaskDraft, TaskKind, TaskSize};
use loopwright_plan::spec::SectionRow;
use loopwright_store::NewTask;
use toml_edit::{Document, Item, Table};

use crate::project::Project;

macro_rules! sample_files {
    ($($path:literal),+ $(,)?) => {
        &[$(($path, include_str!(concat!("../../sample/files/", $path)))),+]
    };
}

/// Everything that is written into the new folder.
const FILES: &[(&str, &str)] = sample_files![
    ".gitattributes",
    ".loopwright/.gitignore",
    ".loopwright/config.toml",
    ".loopwright/rehearsal.toml",
    "README.md",
    "SPEC.md",
    "house/prices.txt",
    "house/texts/hours.txt",
    "site/index.html",
];
const TASKS: &str = include_str!("../../sample/tasks.toml");
const SPEC: &str = "SPEC.md";
const FIRST_COMMIT: &str = "Begin the sample project";

/// Makes the sample project in a folder that does not exist or is empty. It appears whole or not at all.
///
/// # Errors
/// The folder has files in it, git is missing, or it cannot be written.
pub async fn create_sample(host: &Host, path: &Path, origin: Origin) -> Result<Project, Fault> {
    trust::require_person("make a project")?;
    let git = host.git()?;
    refuse_files(path)?;
    let make = |error: std::io::Error| io_fault("make", path, &error);
    let place = std::path::absolute(path).map_err(make)?;
    let parent = place.parent().unwrap_or(&place);
    std::fs::create_dir_all(parent).map_err(make)?;
    let draft = tempfile::Builder::new().prefix(".loopwright-sample-").tempdir_in(parent).map_err(make)?;
    for (name, text) in FILES {
        text_file::write(&draft.path().join(name), text)?;
    }
    git.create_repository(draft.path(), FIRST_COMMIT).await?;
    furnish(host, draft.path(), origin).await?;
    open_up(draft.path()).map_err(make)?;
    let root = loopwright_config::folder(parent)?.join(place.file_name().unwrap_or_default());
    Registry::of(host).update(&root, |record| record.sample = true)?;
    move_in(draft, &root).map_err(make)?;
    Project::open_layout(host, Layout::of(&root)?).await
}

/// Opens the folder as the sample project if it is that; none when it is not there or empty.
///
/// # Errors
/// The folder is something else, or cannot be opened.
pub async fn open_sample(host: &Host, path: &Path) -> Result<Option<Project>, Fault> {
    let Ok(layout) = Layout::of(path) else { return Ok(None) };
    let known = Registry::of(host).find(&layout.root).is_some_and(|record| record.sample);
    if known && layout.root.join(PROJECT_DIR).is_dir() {
        return Project::open_layout(host, layout).await.map(Some);
    }
    refuse_files(path).map(|()| None)
}

/// Gives the new project its history and its tasks. It is not trusted: that is the person's to say, in the
/// sample as anywhere.
async fn furnish(host: &Host, folder: &Path, origin: Origin) -> Result<(), Fault> {
    let project = Project::open_layout(host, Layout::of(folder)?).await?;
    let name = project.name(&project.config());
    let at = host.timestamp();
    project.store().append(&at, &Event::ProjectCreated { name, origin, sample: true }).await?;
    project.spec().import(&[SPEC.into()], false, origin).await?;
    let sections = project.spec().rows().await?;
    let store = project.into_store();
    store.add_tasks(&at, &sample_tasks(&sections)?).await?;
    store.close().await?;
    Ok(())
}

/// Puts the finished draft in its place. An empty folder that is there stays the same folder: a person may be in it.
fn move_in(draft: tempfile::TempDir, root: &Path) -> std::io::Result<()> {
    if !root.exists() {
        return std::fs::rename(draft.keep(), root);
    }
    for entry in std::fs::read_dir(draft.path())? {
        let entry = entry?;
        std::fs::rename(entry.path(), root.join(entry.file_name()))?;
    }
    Ok(())
}

fn refuse_files(path: &Path) -> Result<(), Fault> {
    match std::fs::read_dir(path).map(|mut entries| entries.next().is_none()) {
        Ok(true) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Ok(false) => {
            Err(Fault::new(ErrorCode::FolderNotEmpty, format!("{} has files in it", path.display()))
                .hint("Name a folder that does not exist yet, or an empty one."))
        }
        Err(error) => Err(io_fault("use", path, &error)),
    }
}

/// Temporary folders are private; the finished sample is an ordinary folder.
#[cfg(unix)]
fn open_up(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn open_up(_folder: &Path) -> std::io::Result<()> {
    Ok(())
}

/// Reads the tasks that ship with Loopwright. They wait only for tasks listed before them, and carry out sections of
/// the spec, which are named by their numbers.
fn sample_tasks(sections: &[SectionRow]) -> Result<Vec<NewTask>, Fault> {
    let broken =
        |what: &str| Fault::new(ErrorCode::Internal, format!("the sample's tasks cannot be read: {what}"));
    let document = Document::parse(TASKS).map_err(|error| broken(error.message()))?;
    let tables = document.get("task").and_then(Item::as_array_of_tables).ok_or_else(|| broken("no task"))?;
    let mut keys: Vec<&str> = Vec::new();
    let mut tasks = Vec::new();
    for table in tables {
        let text = |key: &str| table.get(key).and_then(Item::as_str).ok_or_else(|| broken(key));
        let draft = TaskDraft {
            description: text("description")?.trim().to_owned(),
            acceptance: texts(table, "acceptance").ok_or_else(|| broken("acceptance"))?,
            priority: number(table, "priority").ok_or_else(|| broken("priority"))?,
            size: Some(TaskSize::parse(text("size")?).ok_or_else(|| broken("size"))?),
            complexity: number(table, "complexity").ok_or_else(|| broken("complexity"))?,
            kind: Some(TaskKind::parse(text("kind")?).ok_or_else(|| broken("kind"))?),
            sections: carried_out(table, sections).ok_or_else(|| broken("spec"))?,
            ..TaskDraft::titled(text("title")?)
        };
        let after = prerequisites(table, &keys).ok_or_else(|| broken("depends_on"))?;
        tasks.push(NewTask { draft, after });
        keys.push(text("key")?);
    }
    Ok(tasks)
}

fn number(table: &Table, key: &str) -> Option<u32> {
    u32::try_from(table.get(key)?.as_integer()?).ok()
}

fn texts(table: &Table, key: &str) -> Option<Vec<String>> {
    table.get(key)?.as_array()?.iter().map(|item| Some(item.as_str()?.to_owned())).collect()
}

fn carried_out(table: &Table, sections: &[SectionRow]) -> Option<Vec<SectionId>> {
    let find =
        |number: &String| sections.iter().find(|section| section.number == *number).map(|section| section.id);
    texts(table, "spec")?.iter().map(find).collect()
}

fn prerequisites(table: &Table, keys: &[&str]) -> Option<Vec<usize>> {
    let place = |name: &str| keys.iter().position(|key| *key == name);
    table.get("depends_on")?.as_array()?.iter().map(|item| place(item.as_str()?)).collect()
}
