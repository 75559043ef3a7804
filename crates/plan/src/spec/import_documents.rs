//! Importing documents into the spec: what would change, and doing it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use loopwright_config::text_file::io_fault;
use loopwright_domain::{ErrorCode, Fault, Origin, SectionId};
use loopwright_store::{PutSection, Source, StoredSection};
use serde::Serialize;

use super::document::{self, Format};
use super::outline::front_matter;
use super::reimport::{RemovedSection, SectionChange, meet};
use super::sections::ChangedSections;
use super::sources::Documents;
use super::split_sections::cut;
use crate::plan::Plan;

/// What importing documents came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct SpecImport {
    /// The documents.
    pub files: Vec<String>,
    /// How many sections are new.
    pub added: u32,
    /// How many were there and changed.
    pub updated: u32,
    /// How many are as they were.
    pub unchanged: u32,
    /// Those that are added or updated, in the order of their documents.
    pub changes: Vec<SectionChange>,
    /// Those that are no longer in their document.
    pub removed: Vec<RemovedSection>,
    /// Those that were left as they are: a person changed them, or tasks carry out what left its document.
    pub kept: Vec<SectionId>,
}

/// An import that was worked out and not carried out.
struct PlannedImport {
    report: SpecImport,
    put: Vec<PutSection>,
    sources: Vec<Source>,
}

impl Plan<'_> {
    /// What importing documents would change. Nothing is written.
    ///
    /// # Errors
    /// A document cannot be read.
    pub async fn preview_import(&self, paths: &[PathBuf], replace: bool) -> Result<SpecImport, Fault> {
        Ok(self.plan_import(paths, replace).await?.report)
    }

    /// Imports documents: files, and all documents of folders. Whole or not at all; sections of other documents and
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
        let PlannedImport { report, put, sources } = self.plan_import(paths, replace).await?;
        let what = match report.files.as_slice() {
            [one] => format!("imported {one}"),
            many => format!("imported {} documents", many.len()),
        };
        let remove: Vec<SectionId> = report.removed.iter().map(|removed| removed.id).collect();
        let change = ChangedSections { put: &put, remove: &remove, sources: &sources };
        self.change_spec(&what, change, origin).await?;
        Ok(report)
    }

    async fn plan_import(&self, paths: &[PathBuf], replace: bool) -> Result<PlannedImport, Fault> {
        let root = &self.layout().root;
        let mut files = BTreeSet::new();
        for path in paths {
            let path = root.join(path);
            self.document_name(&path)?;
            documents_below(&path, &mut files)?;
        }
        if files.is_empty() {
            return Err(Fault::new(ErrorCode::UsageInvalid, "there is no document in that folder")
                .hint("Documents are Markdown, .txt, .docx and .pdf files."));
        }
        let mut old: BTreeMap<String, Vec<StoredSection>> = BTreeMap::new();
        for stored in self.store().sections().await? {
            if let Some(file) = stored.section.file.clone() {
                old.entry(file).or_default().push(stored);
            }
        }
        let mut report = SpecImport::default();
        let (mut put, mut read) = (Vec::new(), Vec::new());
        for file in files {
            let name = self.document_name(&file)?;
            let document = document::read(root, &name)?;
            let before = old.get(&name).map(Vec::as_slice).unwrap_or_default();
            let met = meet(before, &cut(&document.text, &name), replace);
            report.added += met.added;
            report.updated += met.updated;
            report.unchanged += met.unchanged;
            report.changes.extend(met.changes);
            report.removed.extend(met.removed);
            report.kept.extend(met.kept);
            put.extend(met.put);
            let header = document.text.get(..front_matter(&document.text)).unwrap_or_default();
            read.push((name.clone(), document.hash, document::front_matter(header)));
            report.files.push(name);
        }
        let sources = Documents::new(root, &self.store().sources().await?, &read).sources(read);
        Ok(PlannedImport { report, put, sources })
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

/// A file, or all documents below a folder. Hidden folders and those of other people's code are left out.
fn documents_below(path: &Path, files: &mut BTreeSet<PathBuf>) -> Result<(), Fault> {
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
            documents_below(&entry.path(), files)?;
        } else if kind.is_file() && !name.starts_with("~$") && Format::of(&name).is_some() {
            files.insert(entry.path());
        }
    }
    Ok(())
}
