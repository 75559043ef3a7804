//! The documents that sections come from: whether they changed since, and what they depend on.

use std::collections::BTreeMap;
use std::path::Path;

use loopwright_config::text_file::leads_out;
use loopwright_domain::Fault;
use loopwright_domain::digest::sha256_hex;
use loopwright_store::{Source, SourceDependency};
use serde::Serialize;

use super::document::FrontMatter;
use crate::plan::Plan;

/// Where a document stands against what was imported of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum SourceState {
    /// As it was imported.
    Current,
    /// Its file changed since: it can be imported again.
    Changed,
    /// Its file is gone.
    Missing,
}

/// A document of the spec.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct SpecSource {
    /// The file, named from the project folder.
    pub file: String,
    /// Whether it changed since it was imported.
    pub state: SourceState,
    /// Documents it depends on that changed since it was imported: it may be out of date, and is when somebody has
    /// looked at it and imported it again.
    pub outdated_by: Vec<String>,
}

/// All documents that names can mean, with their hashes.
pub(super) struct Documents<'a> {
    root: &'a Path,
    /// From what documents call themselves to their files.
    by_name: BTreeMap<String, String>,
    known: BTreeMap<String, String>,
}

impl<'a> Documents<'a> {
    /// Those that were imported before, and those that are read just now: file, hash and front matter.
    pub(super) fn new(root: &'a Path, before: &[Source], read: &[(String, String, FrontMatter)]) -> Self {
        let mut documents = Self { root, by_name: BTreeMap::new(), known: BTreeMap::new() };
        let named = before.iter().map(|source| (source.name.as_ref(), &source.file));
        for (name, file) in named.chain(read.iter().map(|(file, _, front)| (front.id.as_ref(), file))) {
            if let Some(name) = name {
                documents.by_name.insert(name.clone(), file.clone());
            }
        }
        documents.known = read.iter().map(|(file, hash, _)| (file.clone(), hash.clone())).collect();
        documents
    }

    /// What is to be remembered of the documents that are read.
    pub(super) fn sources(&self, read: Vec<(String, String, FrontMatter)>) -> Vec<Source> {
        let source = |(file, hash, front): (String, String, FrontMatter)| {
            let dependency = |name: String| SourceDependency { hash: self.hash_of(&file, &name), name };
            let depends_on = front.depends_on.into_iter().map(dependency).collect();
            Source { file: file.clone(), name: front.id, hash, depends_on }
        };
        read.into_iter().map(source).collect()
    }

    /// The hash of the document that another one means by a name: what it calls itself, else a path beside the other
    /// one, else a path from the project folder.
    fn hash_of(&self, file: &str, name: &str) -> Option<String> {
        if let Some(named) = self.by_name.get(name) {
            return self.hash(named);
        }
        let beside = Path::new(file).parent().unwrap_or(Path::new("")).join(name);
        let beside = beside.to_string_lossy().replace('\\', "/");
        self.hash(&beside).or_else(|| self.hash(name))
    }

    /// The hash of a file of the project; none when there is none.
    fn hash(&self, file: &str) -> Option<String> {
        if let Some(hash) = self.known.get(file) {
            return Some(hash.clone());
        }
        let path = self.root.join(file);
        if leads_out(self.root, &path) {
            return None;
        }
        std::fs::read(path).ok().map(|bytes| sha256_hex(&bytes))
    }
}

impl Plan<'_> {
    /// The documents of the spec, and which of them changed since they were imported or depend on one that did.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn spec_sources(&self) -> Result<Vec<SpecSource>, Fault> {
        let sources = self.store().sources().await?;
        let sections = self.store().sections().await?;
        let used = |source: &&Source| {
            sections.iter().any(|stored| stored.section.file.as_deref() == Some(source.file.as_str()))
        };
        let documents = Documents::new(&self.layout().root, &sources, &[]);
        let state = |source: &Source| {
            let state = match documents.hash(&source.file) {
                Some(hash) if hash == source.hash => SourceState::Current,
                Some(_) => SourceState::Changed,
                None => SourceState::Missing,
            };
            let changed = |dependency: &&SourceDependency| {
                documents.hash_of(&source.file, &dependency.name) != dependency.hash
            };
            let outdated_by =
                source.depends_on.iter().filter(changed).map(|dependency| dependency.name.clone()).collect();
            SpecSource { file: source.file.clone(), state, outdated_by }
        };
        Ok(sources.iter().filter(used).map(state).collect())
    }
}
