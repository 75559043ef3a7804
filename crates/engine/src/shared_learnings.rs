//! Learnings that hold beyond one project: each project publishes its own in a file of the user's data folder, and takes
//! over those of others that hold where it is.

use std::path::{Path, PathBuf};

use loopwright_config::text_file;
use loopwright_domain::{
    Fault, Learning, LearningCategory, LearningDraft, LearningScope, MemoryOrigin, digest::short_name,
};
use loopwright_store::NewLearning;
use serde::{Deserialize, Serialize};

use crate::project::Project;

/// The version of published files.
const VERSION: u32 = 1;
/// The largest file that is read, in bytes, and as many learnings of one project as are taken over.
const FILE_LIMIT: u64 = 4 * 1024 * 1024;
const MOST: usize = 1_000;

/// What a project publishes.
#[derive(Debug, Serialize, Deserialize)]
struct Published {
    version: u32,
    learnings: Vec<PublishedLearning>,
}

#[derive(Debug, Serialize, Deserialize)]
struct PublishedLearning {
    id: u32,
    category: LearningCategory,
    title: String,
    when: String,
    text: String,
    scope: LearningScope,
    stack: Option<String>,
    pattern: Option<String>,
}

impl PublishedLearning {
    fn of(learning: Learning) -> Self {
        let Learning { id, category, title, when, text, scope, stack, pattern, .. } = learning;
        Self { id, category, title, when, text, scope, stack, pattern }
    }

    /// Whether it holds in a project of this stack.
    fn holds_in(&self, stack: &str) -> bool {
        match self.scope {
            LearningScope::Everywhere => true,
            LearningScope::Stack => self.stack.as_deref() == Some(stack),
            LearningScope::Project => false,
        }
    }
}

impl Project {
    /// Publishes the learnings of this project that hold beyond it, in place of what it published before.
    ///
    /// # Errors
    /// The state cannot be read, or the file cannot be written.
    pub(crate) async fn publish_learnings(&self) -> Result<(), Fault> {
        let shared = self.store().shared_learnings().await?;
        let file = self.published();
        if shared.is_empty() && !file.exists() {
            return Ok(());
        }
        let learnings = shared.into_iter().map(PublishedLearning::of).collect();
        let published = Published { version: VERSION, learnings };
        text_file::write(&file, &serde_json::to_string_pretty(&published).unwrap_or_default())
    }

    /// Takes over what other projects published since and what holds here. That it cannot be read or kept is no reason
    /// not to work.
    pub(crate) async fn take_over_learnings(&self) {
        if self.require_person("take over learnings").is_err() {
            return;
        }
        if let Err(fault) = self.take_over().await {
            tracing::warn!("learnings of other projects are not taken over: {fault}");
        }
    }

    async fn take_over(&self) -> Result<(), Fault> {
        let own = self.published();
        let files = published_files(&self.folder());
        let mut found: Vec<(String, LearningDraft, Option<String>)> = Vec::new();
        let here = stack(&self.layout().root);
        let known = if files.is_empty() { return Ok(()) } else { self.store().taken_over().await? };
        for file in files.into_iter().filter(|file| *file != own) {
            let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let new = read(&file).into_iter().filter(|one| one.holds_in(here)).take(MOST);
            for one in new {
                let key = format!("{name}:{}", one.id);
                if !known.contains(&key) {
                    let PublishedLearning { category, title, when, text, scope, stack, pattern, .. } = one;
                    // Another project's own patterns are not known here.
                    let is_known = |name: &String| self.failures().known_pattern(name).is_ok();
                    let pattern = pattern.filter(is_known);
                    let draft = LearningDraft { category, title, when, text, scope, pattern };
                    if !draft.text.trim().is_empty() {
                        found.push((key, draft, stack));
                    }
                }
            }
        }
        if found.is_empty() {
            return Ok(());
        }
        let new: Vec<(String, NewLearning<'_>)> = found
            .iter()
            .map(|(key, draft, stack)| {
                let stack = stack.as_deref();
                let origin = MemoryOrigin::Import;
                (key.clone(), NewLearning { draft, stack, origin, task: None, iteration: None })
            })
            .collect();
        self.store().take_over_learnings(&self.host().timestamp(), &new).await?;
        Ok(())
    }

    fn folder(&self) -> PathBuf {
        self.host().data_dir.join("learnings")
    }

    /// The file of this project.
    fn published(&self) -> PathBuf {
        let root = self.layout().root.as_os_str().as_encoded_bytes();
        self.folder().join(format!("{}.json", short_name(root)))
    }
}

/// The files of all projects, in order of their names.
fn published_files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    files
}

/// What a file publishes; nothing where it cannot be read.
fn read(file: &Path) -> Vec<PublishedLearning> {
    let text = text_file::read(file, FILE_LIMIT).ok().flatten().unwrap_or_default();
    let published: Option<Published> = serde_json::from_str(&text).ok();
    published.filter(|it| it.version == VERSION).map(|it| it.learnings).unwrap_or_default()
}

/// What a project is built with, by the files in its folder.
pub(crate) fn stack(root: &Path) -> &'static str {
    const STACKS: &[(&str, &str)] = &[
        ("Cargo.toml", "rust"),
        ("go.mod", "go"),
        ("package.json", "javascript"),
        ("pyproject.toml", "python"),
        ("requirements.txt", "python"),
        ("setup.py", "python"),
        ("pom.xml", "java"),
        ("build.gradle", "java"),
        ("build.gradle.kts", "java"),
        ("Package.swift", "swift"),
        ("Gemfile", "ruby"),
        ("composer.json", "php"),
        ("CMakeLists.txt", "cpp"),
    ];
    STACKS.iter().find(|(file, _)| root.join(file).is_file()).map_or("other", |(_, stack)| stack)
}
