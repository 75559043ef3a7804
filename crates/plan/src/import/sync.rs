//! Files of other tools kept in step: where a task stands here is written back to where it came from.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use loopwright_config::text_file;
use loopwright_domain::{ErrorCode, Fault, Origin, Task, TaskId, TaskStatus};
use loopwright_store::External;

use super::files::FILE_LIMIT;
use super::merge::{Kept, Statuses, stored};
use super::model::qualified;
use super::status_edit::restate;
use super::{Format, ImportRequest};
use crate::plan::Plan;

/// Where SCUD keeps its tasks.
const SCUD: &str = ".scud/tasks";
/// SCUD's graph of all tags.
const GRAPH: &str = ".scud/tasks/tasks.scg";

/// What tasks of one file are to say, by their names there.
type Wanted = HashMap<String, TaskStatus>;
/// The same for each file, and whether the file is only a companion.
type ByFile = BTreeMap<(String, bool), Wanted>;

/// How often a file is read anew because another program wrote it at the same time.
const MOST_READS: u32 = 5;

/// What came of writing statuses back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Synced {
    /// Whether a file had to be changed.
    pub written: bool,
    /// What could not be written.
    pub faults: Vec<Fault>,
}

impl Plan<'_> {
    /// Writes where tasks stand into the files they came from: nothing but their statuses is changed. What could not
    /// be written is told, and is no reason to stop: a later call writes it.
    pub async fn sync_external(&self, tasks: &[TaskId]) -> Synced {
        let mut synced = Synced::default();
        let (by_file, kept) = match self.wanted(tasks).await {
            Ok(wanted) => wanted,
            Err(fault) => return Synced { faults: vec![fault], ..synced },
        };
        for ((file, companion), wanted) in &by_file {
            match self.sync_file(file, wanted) {
                Ok(written) => synced.written |= written,
                Err(fault) if !companion => synced.faults.push(Fault {
                    message: format!("{file} does not say yet where its tasks stand: {}", fault.message),
                    ..fault
                }),
                Err(_) => {}
            }
        }
        if synced.faults.is_empty() && !kept.is_empty() {
            synced.faults.extend(self.store().keep_externals(&kept).await.err().map(Fault::from));
        }
        synced
    }

    /// Whether a file would have to be changed, or cannot be looked at, by [`Plan::sync_external`].
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn is_out_of_step(&self, tasks: &[TaskId]) -> Result<bool, Fault> {
        let (by_file, _) = self.wanted(tasks).await?;
        let root = &self.layout().root;
        let differs = |file: &str, wanted: &Wanted| {
            let Some(text) = text_file::read(&root.join(file), FILE_LIMIT)? else { return Ok(false) };
            Ok::<_, Fault>(restate(file, &text, Format::of(file, &text)?, wanted)? != text)
        };
        Ok(by_file.iter().any(|((file, _), wanted)| differs(file, wanted).unwrap_or(true)))
    }

    /// Tasks that the files they came from do not know to stand where they do: somebody ended before it was written,
    /// or it could not be. What is worked on is written when that is settled.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn behind(&self) -> Result<Vec<TaskId>, Fault> {
        let is_behind = |(external, status): &(External, TaskStatus)| {
            let kept: Option<Kept> =
                external.rest.as_deref().and_then(|rest| serde_json::from_str(rest).ok());
            match (status, kept) {
                (TaskStatus::InProgress | TaskStatus::AwaitingApproval, _) | (_, None) => false,
                (status, Some(kept)) => stored(kept.item.status) != *status,
            }
        };
        let moved = self.store().moved_externals().await?.into_iter();
        Ok(moved.filter(is_behind).map(|(external, _)| external.task).collect())
    }

    /// The files to be written, each with whether it is only a companion of the one that tasks came from; and how
    /// those have the tasks then, so that a later import sees what somebody else changed.
    async fn wanted(&self, tasks: &[TaskId]) -> Result<(ByFile, Vec<(TaskId, String)>), Fault> {
        let externals = self.store().externals_of(tasks).await?;
        let tasks: HashMap<TaskId, Task> =
            self.store().some_tasks(tasks).await?.into_iter().map(|task| (task.id, task)).collect();
        let (mut by_file, mut rests) = (ByFile::new(), Vec::new());
        for external in externals {
            let Some(file) = external.file else { continue };
            let Some(task) = tasks.get(&external.task) else { continue };
            let kept: Option<Kept> = external.rest.and_then(|rest| serde_json::from_str(&rest).ok());
            // What was taken apart stays so: it is done when its parts are.
            if task.status == TaskStatus::Done && kept.as_ref().is_some_and(is_expanded) {
                continue;
            }
            for (companion, name) in companions(&file, &external.external, task.draft.tag.as_deref()) {
                by_file.entry((companion, true)).or_default().insert(name, task.status);
            }
            by_file.entry((file, false)).or_default().insert(external.external, task.status);
            if let Some(mut kept) = kept.filter(|kept| kept.item.status != task.status) {
                kept.item.status = task.status;
                rests.extend(serde_json::to_string(&kept).ok().map(|rest| (task.id, rest)));
            }
        }
        Ok((by_file, rests))
    }

    /// Writes one file, and says whether it had to be. It is read right before, so that what others wrote stays. A file
    /// of the project is written only where it lies in the project; one that was imported from outside by its full path
    /// is a person's choice.
    fn sync_file(&self, file: &str, wanted: &Wanted) -> Result<bool, Fault> {
        let root = &self.layout().root;
        let path = root.join(file);
        let write = |text: &str| match Path::new(file).is_absolute() {
            true => text_file::write(&path, text),
            false => text_file::write_inside(root, &path, text),
        };
        for _ in 0..MOST_READS {
            let Some(text) = text_file::read(&path, FILE_LIMIT)? else { return Ok(false) };
            let restated = restate(file, &text, Format::of(file, &text)?, wanted)?;
            if restated == text {
                return Ok(false);
            }
            if text_file::read(&path, FILE_LIMIT)?.as_ref() == Some(&text) {
                return write(&restated).map(|()| true);
            }
        }
        Err(Fault::new(ErrorCode::IoFailed, "another program keeps changing it"))
    }

    /// Makes sure that the tasks of a SCUD tag are in the project: those of `.scud/tasks/<tag>.json`, else of the graph.
    /// Tasks that are there are brought up to date, but for where they stand. Whether there was such a file.
    ///
    /// # Errors
    /// The file cannot be understood, or the state cannot be written.
    pub async fn ensure_imported(&self, tag: &str, origin: Origin) -> Result<bool, Fault> {
        let Some(request) = self.file_of_tag(tag).await? else { return Ok(false) };
        self.import_file(&request, Statuses::Keep, origin).await?;
        Ok(true)
    }

    /// All tasks as they would be after [`Plan::ensure_imported`]. Nothing is written.
    ///
    /// # Errors
    /// As there.
    pub async fn tasks_as_imported(&self, tag: Option<&str>) -> Result<Vec<Task>, Fault> {
        let request = match tag {
            Some(tag) => self.file_of_tag(tag).await?,
            None => None,
        };
        match request {
            Some(request) => self.tasks_with_file(&request, Statuses::Keep).await,
            None => Ok(self.store().tasks().await?),
        }
    }

    /// The file of a SCUD tag that a run reads first; none when the tag's tasks came from elsewhere.
    async fn file_of_tag(&self, tag: &str) -> Result<Option<ImportRequest>, Fault> {
        let plain = !tag.is_empty() && !tag.contains(['/', '\\', ':']) && tag != "." && tag != "..";
        let own = format!("{SCUD}/{tag}.json");
        let root = &self.layout().root;
        let candidates = [own.as_str(), GRAPH, ".scud/tasks/tasks.json"];
        let holds = |file: &&str| plain && holds_tag(&root.join(file), file, tag);
        let Some(file) = candidates.into_iter().find(holds) else { return Ok(None) };
        let externals = self.store().externals().await?;
        let from: BTreeMap<TaskId, Option<String>> =
            externals.into_iter().map(|external| (external.task, external.file)).collect();
        let tasks = self.store().tasks().await?;
        let mut of_tag = tasks.iter().filter(|task| task.draft.tag.as_deref() == Some(tag)).peekable();
        let from_file = |id: TaskId| from.get(&id).is_some_and(|from| from.as_deref() == Some(file));
        if of_tag.peek().is_some() && !of_tag.any(|task| from_file(task.id)) {
            return Ok(None);
        }
        let tag = Some(tag.to_owned());
        Ok(Some(ImportRequest { file: file.into(), format: None, tag, dry_run: false }))
    }
}

fn is_expanded(kept: &Kept) -> bool {
    let word = kept.item.raw.get("status").and_then(serde_json::Value::as_str).unwrap_or_default();
    matches!(word.to_ascii_lowercase().as_str(), "expanded" | "x")
}

/// SCUD's other files that speak of the same task, and what it is called there.
fn companions(file: &str, name: &str, tag: Option<&str>) -> Vec<(String, String)> {
    let (true, Some(tag)) = (file.starts_with(SCUD), tag) else { return Vec::new() };
    let local = name.strip_prefix(tag).and_then(|rest| rest.strip_prefix(':')).unwrap_or(name);
    let own = format!("{SCUD}/{tag}.json");
    match file {
        GRAPH => vec![(own, local.to_owned())],
        _ if file == own => vec![(GRAPH.to_owned(), qualified(Some(tag), local))],
        _ => Vec::new(),
    }
}

/// Whether a file has a group of that tag. One that cannot be understood is looked at by the import, which says why.
fn holds_tag(path: &Path, file: &str, tag: &str) -> bool {
    let Ok(Some(text)) = text_file::read(path, FILE_LIMIT) else { return path.exists() };
    let Ok(format) = Format::of(file, &text) else { return true };
    match super::read(file, &text, format) {
        Ok(document) => {
            document.groups.iter().any(|group| group.tag.as_deref().is_none_or(|there| there == tag))
        }
        Err(_) => true,
    }
}
