//! Importing tasks into a project and exporting them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use loopwright_config::text_file;
use loopwright_domain::{ErrorCode, Fault, Origin, Section, Task, TaskId};
use loopwright_store::{ImportedTask, TaskImport};
use serde::Serialize;

use super::export::{self, Source};
use super::links::find_sections;
use super::merge::{Kept, Known, KnownTasks, Statuses, merge};
use super::{Document, Format, read, write};
use crate::plan::Plan;

/// A file of tasks that is larger is none.
pub(super) const FILE_LIMIT: u64 = 64 * 1024 * 1024;

/// What is to be imported.
#[derive(Clone, Debug)]
pub struct ImportRequest {
    /// The file; a relative path counts from the project folder.
    pub file: PathBuf,
    /// How it is written; none finds out.
    pub format: Option<Format>,
    /// Only the tasks of this tag, or the tag for tasks of a file without tags.
    pub tag: Option<String>,
    /// Only say what would be done.
    pub dry_run: bool,
}

/// A task that an import adds or updates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct ImportChange {
    /// The task that is updated; none for one that is added.
    pub task: Option<TaskId>,
    /// Its title, as the file has it.
    pub title: String,
}

/// What an import came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct ImportReport {
    /// The file, as it is remembered.
    pub file: String,
    /// How it is written.
    pub format: &'static str,
    /// Whether nothing was written.
    pub dry_run: bool,
    /// How many tasks are new.
    pub added: u32,
    /// How many were there and changed.
    pub updated: u32,
    /// How many are as they were.
    pub unchanged: u32,
    /// Those that are added or updated, in the order of the file.
    pub changes: Vec<ImportChange>,
    /// The tasks, in the order of the file; empty for a dry run.
    pub tasks: Vec<TaskId>,
    /// Tasks that came from the file earlier and are no longer in it. They stay.
    pub missing: Vec<TaskId>,
    /// What was left out, in words.
    pub notes: Vec<String>,
}

/// What is to be exported.
#[derive(Clone, Debug)]
pub struct ExportRequest {
    /// Where to write it; none only makes the text.
    pub file: Option<PathBuf>,
    /// How to write it; none goes by the file's name, else our own format.
    pub format: Option<Format>,
    /// Only the tasks of this tag.
    pub tag: Option<String>,
}

/// What was exported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct ExportReport {
    /// The file it was written to.
    pub file: Option<String>,
    /// How it is written.
    pub format: &'static str,
    /// How many tasks.
    pub tasks: usize,
    /// The text.
    #[serde(skip)]
    pub text: String,
}

/// A file that met the tasks that are here.
struct Meeting {
    /// What importing it comes to.
    report: ImportReport,
    /// What there is to be written.
    tasks: Vec<ImportedTask>,
}

impl Plan<'_> {
    /// Reads tasks from a file: new ones are added, those that came from it before are brought up to date. Whole or
    /// not at all.
    ///
    /// # Errors
    /// The file cannot be read or understood, or an agent asks. Then nothing has changed.
    pub async fn import_tasks(&self, request: &ImportRequest, origin: Origin) -> Result<ImportReport, Fault> {
        if !request.dry_run {
            self.require_person("import tasks")?;
        }
        self.import_file(request, Statuses::Take, origin).await
    }

    pub(super) async fn import_file(
        &self,
        request: &ImportRequest,
        statuses: Statuses,
        origin: Origin,
    ) -> Result<ImportReport, Fault> {
        let Meeting { mut report, tasks } = self.meet_file(request, statuses).await?;
        if !request.dry_run {
            let at = self.host().timestamp();
            let (format, file) = (report.format, Some(report.file.as_str()));
            let import = TaskImport { at: &at, format, file, tasks: &tasks, origin };
            report.tasks = self.store().import_tasks(import).await?.tasks;
        }
        Ok(report)
    }

    /// All tasks as they would be if a file were imported. Nothing is written.
    pub(super) async fn tasks_with_file(
        &self,
        request: &ImportRequest,
        statuses: Statuses,
    ) -> Result<Vec<Task>, Fault> {
        let Meeting { report, tasks } = self.meet_file(request, statuses).await?;
        let at = self.host().timestamp();
        let (format, file) = (report.format, Some(report.file.as_str()));
        let import = TaskImport { at: &at, format, file, tasks: &tasks, origin: Origin::Cli };
        Ok(self.store().tasks_after_import(import).await?)
    }

    /// Reads a file and brings it together with the tasks that came from it before.
    async fn meet_file(&self, request: &ImportRequest, statuses: Statuses) -> Result<Meeting, Fault> {
        let root = &self.layout().root;
        let path = root.join(&request.file);
        if path.starts_with(root) && path.exists() && text_file::leads_out(root, &path) {
            let message = format!("{} leads out of the project", request.file.display());
            return Err(Fault::new(ErrorCode::IoFailed, message).hint(
                "It is a link, or in a linked folder. Name the file that it leads to by its full path.",
            ));
        }
        let file = self.file_name(&path);
        let text = text_file::read(&path, FILE_LIMIT)?.ok_or_else(|| {
            Fault::new(ErrorCode::UsageInvalid, format!("{file} does not exist")).hint("Check the path.")
        })?;
        let format = request.format.map_or_else(|| Format::of(&file, &text), Ok)?;
        let mut document = read(&file, &text, format)?;
        choose(&mut document, request.tag.as_deref(), &file)?;
        let unlinked = find_sections(&mut document, &self.sections_for(format).await?);
        let mut known = self.known_tasks(&file).await?;
        let own = self.own_tasks(&mut document).await?;
        let here: Vec<TaskId> = own.values().map(|own| own.task.id).collect();
        known.extend(own);
        let mut merged = merge(&document, &known, statuses);
        merged.missing.retain(|id| !here.contains(id));
        merged.notes.extend(unlinked);
        let total = u32::try_from(merged.tasks.len() + here.len()).unwrap_or(u32::MAX);
        let report = ImportReport {
            file,
            format: format.name(),
            dry_run: request.dry_run,
            added: merged.added,
            updated: merged.updated,
            unchanged: total.saturating_sub(merged.added).saturating_sub(merged.updated),
            changes: merged.changes,
            tasks: Vec::new(),
            missing: merged.missing,
            notes: merged.notes,
        };
        Ok(Meeting { report, tasks: merged.tasks })
    }

    /// Writes tasks as a file of another tool, or as our own.
    ///
    /// # Errors
    /// There is no such tag, the format cannot hold them, or the file is something else or cannot be written.
    pub async fn export_tasks(&self, request: &ExportRequest) -> Result<ExportReport, Fault> {
        let path = request.file.as_ref().map(|file| self.layout().root.join(file));
        let file = path.as_deref().map(|path| self.file_name(path));
        let by_name = file.as_deref().and_then(Format::for_name);
        let format = request.format.or(by_name).unwrap_or(Format::Loopwright);
        if let (Some(path), Some(file)) = (&path, &file) {
            refuse_other(path, file)?;
        }
        let tasks = self.store().tasks().await?;
        let wanted = |task: &&Task| request.tag.is_none() || task.draft.tag == request.tag;
        let chosen: Vec<&Task> = tasks.iter().filter(wanted).collect();
        if let Some(tag) = request.tag.as_ref().filter(|_| chosen.is_empty()) {
            return Err(Fault::new(ErrorCode::UsageInvalid, format!("no task has the tag \"{tag}\"")));
        }
        let mut kept = self.kept(None).await?;
        let sources = chosen.iter().map(|task| Source { task, kept: kept.remove(&task.id) }).collect();
        let text = write(&export::document(sources, format, &self.sections_for(format).await?)?)?;
        if let Some(path) = &path {
            text_file::write(path, &text)?;
        }
        Ok(ExportReport { file, format: format.name(), tasks: chosen.len(), text })
    }

    /// The sections that tasks of a format can be linked to.
    async fn sections_for(&self, format: Format) -> Result<Vec<Section>, Fault> {
        if format != Format::Loopwright {
            return Ok(Vec::new());
        }
        Ok(self.store().sections().await?.into_iter().map(|stored| stored.section).collect())
    }

    /// What is kept with tasks about the files they came from; of one file only, when one is named.
    pub(super) async fn kept(&self, file: Option<&str>) -> Result<HashMap<TaskId, Kept>, Fault> {
        let externals = self.store().externals().await?.into_iter();
        let of_file = externals.filter(|external| file.is_none() || external.file.as_deref() == file);
        Ok(of_file
            .filter_map(|external| {
                Some((external.task, serde_json::from_str(external.rest.as_deref()?).ok()?))
            })
            .collect())
    }

    async fn known_tasks(&self, file: &str) -> Result<KnownTasks, Fault> {
        let externals = self.store().externals().await?;
        let mut tasks: HashMap<TaskId, Task> =
            self.store().tasks().await?.into_iter().map(|task| (task.id, task)).collect();
        let known = |external: loopwright_store::External| {
            let task = tasks.remove(&external.task)?;
            let kept = external.rest.and_then(|rest| serde_json::from_str(&rest).ok());
            Some((external.external, Known { task, kept }))
        };
        Ok(externals.into_iter().filter(|e| e.file.as_deref() == Some(file)).filter_map(known).collect())
    }

    /// Takes those tasks out of a document of ours that this project wrote there itself: they are here already, and
    /// what is here is newer.
    async fn own_tasks(&self, document: &mut Document) -> Result<KnownTasks, Fault> {
        let mut own = KnownTasks::new();
        if document.format != Format::Loopwright {
            return Ok(own);
        }
        let tasks = self.store().tasks().await?.into_iter().map(|task| (task.id.0.to_string(), task));
        let tasks: HashMap<String, Task> = tasks.collect();
        for group in &mut document.groups {
            group.items.retain(|item| {
                let born = item.raw.get("created_at").and_then(serde_json::Value::as_str);
                let same = tasks.get(&item.id).filter(|task| born == Some(task.created_at.as_str()));
                own.extend(same.map(|task| (item.id.clone(), Known { task: task.clone(), kept: None })));
                same.is_none()
            });
        }
        Ok(own)
    }

    /// What a file is called in the project: from the project folder where it is inside of it.
    pub(super) fn file_name(&self, path: &Path) -> String {
        let real = |path: &Path| dunce::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let (root, path) = (real(&self.layout().root), real(path));
        let name = path.strip_prefix(&root).unwrap_or(&path);
        name.to_string_lossy().replace('\\', "/")
    }
}

/// Leaves only the tasks of one tag, or gives a document without tags one.
fn choose(document: &mut Document, tag: Option<&str>, file: &str) -> Result<(), Fault> {
    let Some(tag) = tag else { return Ok(()) };
    let tags: Vec<&str> = document.groups.iter().filter_map(|group| group.tag.as_deref()).collect();
    if tags.is_empty() {
        for item in document.groups.iter_mut().flat_map(|group| &mut group.items) {
            item.draft.tag = Some(tag.to_owned());
        }
    } else if tags.contains(&tag) {
        document.groups.retain(|group| group.tag.as_deref() == Some(tag));
    } else {
        let there = tags.join(", ");
        return Err(Fault::new(ErrorCode::UsageInvalid, format!("there is no tag \"{tag}\" in the file"))
            .hint(format!("It has {there}."))
            .at(file, None));
    }
    Ok(())
}

/// A file that holds something else is not written over.
fn refuse_other(path: &Path, file: &str) -> Result<(), Fault> {
    let Some(text) = text_file::read(path, FILE_LIMIT)?.filter(|text| !text.trim().is_empty()) else {
        return Ok(());
    };
    Format::of(file, &text).map(drop).map_err(|_| {
        Fault::new(
            ErrorCode::UsageInvalid,
            format!("{file} is there and holds no tasks; it was left as it is"),
        )
        .hint("Name another file, or move that one away.")
    })
}
