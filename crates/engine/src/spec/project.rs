//! The spec of a project: importing documents, and sections written by hand.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use loopwright_domain::{ErrorCode, Fault, Origin, Section, SectionId, TaskId};
use loopwright_store::{PutSection, SpecChange, StoredSection};
use serde::Serialize;

use super::cut::{cut, words};
use super::files::read_document;
use super::meet::{RemovedSection, meet};
use crate::project::Project;
use crate::task::SectionRow;
use crate::text_file::io_fault;

/// A section with what belongs to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SpecSection {
    /// The section.
    #[serde(flatten)]
    pub section: Section,
    /// Whether a person changed it since it was imported.
    pub edited: bool,
    /// The tasks that carry it out.
    pub tasks: Vec<TaskId>,
}

impl From<StoredSection> for SpecSection {
    fn from(stored: StoredSection) -> Self {
        Self { section: stored.section, edited: stored.edited, tasks: stored.tasks }
    }
}

/// What importing documents came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SpecImport {
    /// The documents.
    pub files: Vec<String>,
    /// How many sections are new.
    pub added: u32,
    /// How many were there and changed.
    pub updated: u32,
    /// How many are as they were.
    pub unchanged: u32,
    /// Those that are no longer in their document.
    pub removed: Vec<RemovedSection>,
    /// Those that a person changed and that were left as they are.
    pub kept: Vec<SectionId>,
}

/// What a person writes in a section; none leaves it as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SectionEdit {
    /// The heading.
    pub title: Option<String>,
    /// The text.
    pub content: Option<String>,
}

impl Project {
    /// The sections in a list.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn section_rows(&self) -> Result<Vec<SectionRow>, Fault> {
        let row = |stored: StoredSection| {
            let Section { id, number, title, level, file, words, .. } = stored.section;
            SectionRow { id, number, title, level, file, words }
        };
        Ok(self.store().sections().await?.into_iter().map(row).collect())
    }

    /// Every section in full, in the order of its document.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn spec(&self) -> Result<Vec<SpecSection>, Fault> {
        Ok(self.store().sections().await?.into_iter().map(SpecSection::from).collect())
    }

    /// One section, by its id (`7` or `§7`), its dotted number, or its heading.
    ///
    /// # Errors
    /// There is none, or there are several.
    pub async fn section(&self, name: &str) -> Result<SpecSection, Fault> {
        find(self.spec().await?, name)
    }

    /// The sections that speak of some words, best first. Any text may be asked for.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn search_spec(&self, text: &str, limit: u32) -> Result<Vec<SpecSection>, Fault> {
        let ids = self.store().search_sections(text, limit).await?;
        let sections = self.spec().await?;
        let by_id = |id: &SectionId| sections.iter().find(|found| found.section.id == *id).cloned();
        Ok(ids.iter().filter_map(by_id).collect())
    }

    /// Imports documents: files, and all Markdown of folders. Whole or not at all; sections of other documents and
    /// those written by hand are not touched.
    ///
    /// # Errors
    /// A document cannot be read, or an agent asks. Then nothing has changed.
    pub async fn import_spec(
        &self,
        paths: &[PathBuf],
        replace: bool,
        origin: Origin,
    ) -> Result<SpecImport, Fault> {
        let root = &self.layout().root;
        let mut files = BTreeSet::new();
        for path in paths {
            let path = root.join(path);
            self.document_name(&path)?;
            markdown_below(&path, &mut files)?;
        }
        let stored = self.store().sections().await?;
        let mut report = SpecImport::default();
        let mut put = Vec::new();
        for file in files {
            let name = self.document_name(&file)?;
            let text = read_document(root, &name)?;
            let old: Vec<StoredSection> =
                stored.iter().filter(|old| old.section.file.as_ref() == Some(&name)).cloned().collect();
            let met = meet(&old, &cut(&text, &name), replace);
            report.added += met.added;
            report.updated += met.updated;
            report.unchanged += met.unchanged;
            report.removed.extend(met.removed);
            report.kept.extend(met.kept);
            put.extend(met.put);
            report.files.push(name);
        }
        let what = match report.files.as_slice() {
            [] => {
                return Err(Fault::new(ErrorCode::UsageInvalid, "there is no Markdown file in that folder"));
            }
            [one] => format!("imported {one}"),
            many => format!("imported {} documents", many.len()),
        };
        let remove: Vec<SectionId> = report.removed.iter().map(|removed| removed.id).collect();
        self.change_spec(&what, &put, &remove, origin).await?;
        Ok(report)
    }

    /// Writes a new section by hand, below another one or at the end.
    ///
    /// # Errors
    /// It has no title, there is no section to put it below, or an agent asks.
    pub async fn add_section(
        &self,
        title: &str,
        content: &str,
        under: Option<&str>,
        origin: Origin,
    ) -> Result<SpecSection, Fault> {
        let title = checked_title(title)?;
        let all = self.spec().await?;
        let parent = under.map(|name| find(all.clone(), name)).transpose()?.map(|found| found.section);
        let prefix = parent.as_ref().map_or_else(String::new, |parent| format!("{}.", parent.number));
        let file = parent.as_ref().and_then(|parent| parent.file.clone());
        let same = |section: &&Section| section.file.is_none() || section.file == file;
        let used: BTreeSet<&str> = all
            .iter()
            .map(|found| &found.section)
            .filter(same)
            .map(|section| section.number.as_str())
            .collect();
        let number = (1..=u32::MAX).map(|number| format!("{prefix}{number}"));
        let number = number.into_iter().find(|number| !used.contains(number.as_str())).unwrap_or_default();
        let section = Section {
            id: SectionId(0),
            number,
            title,
            level: parent.map_or(1, |parent| parent.level.saturating_add(1).min(6)),
            content: content.trim_end().to_owned(),
            file: None,
            words: words(content),
        };
        let position = all.iter().filter(|found| found.section.file.is_none()).count();
        let put = PutSection {
            id: None,
            position: u32::try_from(position).unwrap_or(u32::MAX),
            section,
            edited: false,
        };
        let what = format!("added {}", put.section.title);
        let ids = self.change_spec(&what, std::slice::from_ref(&put), &[], origin).await?;
        let id = ids.first().copied().unwrap_or(SectionId(0));
        Ok(SpecSection { section: Section { id, ..put.section }, edited: false, tasks: Vec::new() })
    }

    /// Changes a section. Another import of its document leaves it as it is then.
    ///
    /// # Errors
    /// There is no such section, it would have no title, or an agent asks.
    pub async fn edit_section(
        &self,
        id: SectionId,
        edit: &SectionEdit,
        origin: Origin,
    ) -> Result<SpecSection, Fault> {
        let stored = self.store().sections().await?;
        let place = stored.iter().position(|found| found.section.id == id);
        let mut found =
            place.and_then(|place| stored.get(place)).cloned().ok_or_else(|| missing(&id.to_string()))?;
        if let Some(title) = &edit.title {
            found.section.title = checked_title(title)?;
        }
        if let Some(content) = &edit.content {
            found.section.content = content.trim_end().to_owned();
            found.section.words = words(content);
        }
        if place.and_then(|place| stored.get(place)).is_some_and(|before| before.section == found.section) {
            // Nothing is different, so an import may still bring it up to date.
            return Ok(found.into());
        }
        found.edited = found.section.file.is_some();
        let before = stored.iter().take(place.unwrap_or_default());
        let position = before.filter(|other| other.section.file == found.section.file).count();
        let put = PutSection {
            id: Some(id),
            position: u32::try_from(position).unwrap_or(u32::MAX),
            section: found.section.clone(),
            edited: found.edited,
        };
        self.change_spec(&format!("edited {}", found.section.title), &[put], &[], origin).await?;
        Ok(found.into())
    }

    /// Removes sections, and with them their links to tasks.
    ///
    /// # Errors
    /// One of them is not there, or an agent asks. Then nothing has changed.
    pub async fn remove_sections(&self, ids: &[SectionId], origin: Origin) -> Result<(), Fault> {
        let what = match ids {
            [one] => format!("removed {one}"),
            many => format!("removed {} sections", many.len()),
        };
        self.change_spec(&what, &[], ids, origin).await.map(drop)
    }

    async fn change_spec(
        &self,
        what: &str,
        put: &[PutSection],
        remove: &[SectionId],
        origin: Origin,
    ) -> Result<Vec<SectionId>, Fault> {
        self.require_person("change the spec")?;
        let at = self.host().timestamp();
        Ok(self.store().change_spec(SpecChange { at: &at, what, put, remove, origin }).await?)
    }

    /// What a document is called in the project.
    fn document_name(&self, path: &Path) -> Result<String, Fault> {
        let real = |path: &Path| dunce::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let (root, path) = (real(&self.layout().root), real(path));
        let name = path.strip_prefix(&root).map_err(|_| {
            Fault::new(ErrorCode::UsageInvalid, format!("{} is outside of the project", path.display()))
                .hint("Copy it into the project folder, then name it there.")
        })?;
        Ok(name.to_string_lossy().replace('\\', "/"))
    }
}

fn checked_title(title: &str) -> Result<String, Fault> {
    let title = title.trim();
    if title.is_empty() || title.contains(['\n', '\r']) {
        return Err(Fault::new(ErrorCode::UsageInvalid, "a section needs a heading of one line"));
    }
    Ok(title.to_owned())
}

fn missing(name: &str) -> Fault {
    Fault::new(ErrorCode::SectionNotFound, format!("there is no section {name}"))
        .hint("\"loopwright spec list\" shows all sections with their numbers.")
}

fn find(all: Vec<SpecSection>, name: &str) -> Result<SpecSection, Fault> {
    let id = name.strip_prefix('§').unwrap_or(name).parse().ok().map(SectionId);
    if let Some(id) = id {
        return all.into_iter().find(|found| found.section.id == id).ok_or_else(|| missing(&id.to_string()));
    }
    let by_number = |found: &&SpecSection| found.section.number == name;
    let by_title = |found: &&SpecSection| found.section.title.to_lowercase() == name.trim().to_lowercase();
    let mut found: Vec<&SpecSection> = all.iter().filter(by_number).collect();
    if found.is_empty() {
        found = all.iter().filter(by_title).collect();
    }
    match found.as_slice() {
        [] => Err(missing(&format!("\"{name}\""))),
        [one] => Ok((*one).clone()),
        many => {
            let ids: Vec<String> = many.iter().map(|found| found.section.id.to_string()).collect();
            Err(Fault::new(ErrorCode::SectionNotFound, format!("several sections are called \"{name}\""))
                .hint(format!("Name one by its id: {}.", ids.join(", "))))
        }
    }
}

/// A file, or all Markdown files below a folder. Hidden folders and those of other people's code are left out.
fn markdown_below(path: &Path, files: &mut BTreeSet<PathBuf>) -> Result<(), Fault> {
    if !path.is_dir() {
        files.insert(path.to_path_buf());
        return Ok(());
    }
    let entries = std::fs::read_dir(path).map_err(|error| io_fault("read", path, &error))?;
    for entry in entries {
        let entry = entry.map_err(|error| io_fault("read", path, &error))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let kind = entry.file_type().map_err(|error| io_fault("read", &entry.path(), &error))?;
        let skipped = name.starts_with('.') || matches!(name.as_str(), "node_modules" | "target" | "vendor");
        if kind.is_dir() && !skipped {
            markdown_below(&entry.path(), files)?;
        } else if kind.is_file() && (name.ends_with(".md") || name.ends_with(".markdown")) {
            files.insert(entry.path());
        }
    }
    Ok(())
}
