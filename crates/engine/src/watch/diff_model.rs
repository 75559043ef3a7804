//! What changed between two trees that runs have left, file by file.

use loopwright_domain::IterationId;
use serde::{Deserialize, Serialize};

use crate::assessment::diff_folding::Folded;

/// Before or after the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum TreeSide {
    /// As the iteration found it.
    Before,
    /// As the iteration left it.
    After,
    /// What the newest gate about the iteration's work compares with.
    GateFrom,
    /// What the newest gate about the iteration's work shows.
    GateTree,
}

/// The tree of an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct TreeOf {
    /// The iteration.
    pub iteration: IterationId,
    /// Which of its two.
    pub side: TreeSide,
}

/// Two trees to compare. One iteration's own changes are from its `before` to its `after`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Comparison {
    /// The older.
    pub from: TreeOf,
    /// The newer.
    pub to: TreeOf,
}

/// What happened to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum FileStatus {
    /// It is new.
    Added,
    /// It is another now.
    Modified,
    /// It is gone.
    Deleted,
    /// It has another name.
    Renamed,
    /// It was something else before: a link, a folder, a submodule.
    TypeChanged,
}

/// One file that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct DiffFile {
    /// Its path, with forward slashes.
    pub path: String,
    /// Its path before, when it was renamed.
    pub old_path: Option<String>,
    /// What happened to it.
    pub status: FileStatus,
    /// Lines added.
    pub added: u32,
    /// Lines removed.
    pub removed: u32,
    /// Why its lines are not shown unasked.
    pub folded: Option<Folded>,
    /// Its mode before, such as `100644`; none when it is new.
    pub old_mode: Option<String>,
    /// Its mode now; none when it is gone.
    pub new_mode: Option<String>,
}

/// The files that differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct DiffReport {
    /// The files, by path.
    pub files: Vec<DiffFile>,
    /// How many files differ in all; more than `files` holds when there are very many.
    pub total: u32,
    /// Lines added in all.
    pub added: u32,
    /// Lines removed in all.
    pub removed: u32,
}

/// What a line of a diff is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum LineKind {
    /// The same on both sides.
    Context,
    /// Only on the newer side.
    Added,
    /// Only on the older side.
    Removed,
}

/// One line of a diff.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct DiffLine {
    /// What it is.
    pub kind: LineKind,
    /// Its number on the older side, counted from 1.
    pub old: Option<u32>,
    /// Its number on the newer side.
    pub new: Option<u32>,
    /// The text without its end, cut when it is very long. What cannot be seen is made visible.
    pub text: String,
    /// Whether the file ends here without a line break.
    pub no_line_break: bool,
}

/// Lines that changed, with those around them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Hunk {
    /// The first line on the older side.
    pub old_start: u32,
    /// The first line on the newer side.
    pub new_start: u32,
    /// What git says it is in: a function, a heading.
    pub section: String,
    /// The lines.
    pub lines: Vec<DiffLine>,
}

/// One file's changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct FileDiff {
    /// The file.
    pub file: DiffFile,
    /// Its hunks; none for a file that is no text.
    pub hunks: Vec<Hunk>,
    /// Whether there are more lines than are here.
    pub cut: bool,
}

/// What restoring a tree would do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct RestorePreview {
    /// The tree as it is now: restoring is refused when it is another by then.
    pub now: String,
    /// Files that would be written, the first of them.
    pub writes: Vec<String>,
    /// How many in all.
    pub writes_total: u32,
    /// Files that would be deleted, the first of them.
    pub deletes: Vec<String>,
    /// How many in all.
    pub deletes_total: u32,
    /// Files that stay as they are, and why.
    pub kept: Vec<String>,
}

/// What restoring a tree did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct TreeRestored {
    /// The commit that keeps everything as it was before.
    pub safety: String,
    /// The tree as it is now: with it and `safety` the restore can be undone.
    pub now: String,
    /// How many files were written.
    pub written: u32,
    /// How many files were deleted.
    pub deleted: u32,
    /// What a person should know.
    pub notes: Vec<String>,
}
