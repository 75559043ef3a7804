//! Comparing two trees that runs have left: the files that differ, and the lines of one of them.

use loopwright_domain::sanitize::escape_code;
use loopwright_domain::{ErrorCode, Fault, Iteration};
use loopwright_vcs::{ChangeKind, FileChange, Oid, PatchLine, PatchPart, Workspace, read_patch};

use crate::assessment::diff_folding::{Folded, folded, is_written_by_a_program};
use crate::display_text::{shown_name, shown_path};
use crate::project::{Project, ProjectIterations};
use crate::watch::diff_model::{
    Comparison, DiffFile, DiffLine, DiffReport, FileDiff, FileStatus, Hunk, LineKind, TreeOf, TreeSide,
};

/// The longest list of files.
const MOST_FILES: usize = 5_000;
/// As much of a file's patch as is read.
const MOST_BYTES: usize = 8 * 1024 * 1024;
/// As many lines of it as are shown.
const MOST_LINES: usize = 20_000;
/// The unchanged lines around a change, where no other number is asked for.
const DIFF_CONTEXT: u32 = 3;
/// As much of a line as is shown.
const LONGEST_LINE: usize = 2_000;

impl ProjectIterations<'_> {
    /// The files that differ between two trees, at most 5,000 of them.
    ///
    /// # Errors
    /// There is no such iteration, nothing was saved there, or git fails.
    pub async fn diff_files(self, comparison: Comparison) -> Result<DiffReport, Fault> {
        let (workspace, from, to) = self.compared(comparison).await?;
        let changes = workspace.changes(&from, &to).await?;
        let mut report = DiffReport {
            total: u32::try_from(changes.len()).unwrap_or(u32::MAX),
            files: Vec::with_capacity(changes.len().min(MOST_FILES)),
            added: 0,
            removed: 0,
        };
        for change in changes {
            let file = DiffFile::from(change);
            report.added = report.added.saturating_add(file.added);
            report.removed = report.removed.saturating_add(file.removed);
            if report.files.len() < MOST_FILES {
                report.files.push(file);
            }
        }
        Ok(report)
    }

    /// The lines that differ in one of those files.
    ///
    /// # Errors
    /// As [`ProjectIterations::diff_files`]; or the file is not among them.
    pub async fn diff_file(self, comparison: Comparison, path: &str) -> Result<FileDiff, Fault> {
        self.diff_file_with_context(comparison, path, DIFF_CONTEXT).await
    }

    /// The same with so many unchanged lines around each change.
    ///
    /// # Errors
    /// As [`ProjectIterations::diff_file`].
    pub async fn diff_file_with_context(
        self,
        comparison: Comparison,
        path: &str,
        context: u32,
    ) -> Result<FileDiff, Fault> {
        let (workspace, from, to) = self.compared(comparison).await?;
        let found = workspace.change_of(&from, &to, |change| shown_path(&change.path) == path).await?;
        let Some(change) = found else {
            return Err(Fault::new(ErrorCode::UsageInvalid, format!("{path:?} is the same in both"))
                .hint("Ask for one of the files that differ."));
        };
        let patch = workspace.diff_of(&from, &to, &change, context, MOST_BYTES).await?;
        let mut file = DiffFile::from(change);
        let mut lines = Lines::default();
        lines.read(&patch.text, &file);
        lines.drop_common_carriage_returns();
        if lines.has_long_ones && file.folded.is_none() {
            file.folded = Some(Folded::Generated);
        }
        Ok(FileDiff { file, hunks: lines.hunks, cut: lines.cut || patch.truncated })
    }

    pub(crate) async fn compared(self, comparison: Comparison) -> Result<(Workspace, Oid, Oid), Fault> {
        let from = self.tree_of(comparison.from).await?.1;
        let to = self.tree_of(comparison.to).await?.1;
        Ok((self.project.workspace().await?, from, to))
    }

    /// An iteration and one of its trees.
    pub(crate) async fn tree_of(self, tree: TreeOf) -> Result<(Iteration, Oid), Fault> {
        let iteration = self.find(tree.iteration).await?;
        let gate = || self.project.store().work_gate_of(iteration.id);
        let saved = match tree.side {
            TreeSide::Before => iteration.tree_before.clone(),
            TreeSide::After => iteration.tree_after.clone(),
            TreeSide::GateFrom => gate().await?.and_then(|gate| gate.from),
            TreeSide::GateTree => gate().await?.and_then(|gate| gate.tree),
        };
        match saved.as_deref().and_then(Oid::parse) {
            Some(oid) => Ok((iteration, oid)),
            None => {
                let run = self.project.runs().find(Some(iteration.run)).await?;
                Err(self.not_saved(&run, &iteration))
            }
        }
    }
}

impl Project {
    /// The repository, opened for looking and restoring.
    pub(crate) async fn workspace(&self) -> Result<Workspace, Fault> {
        let repository = self.layout().repository.as_ref().ok_or_else(not_in_git)?;
        Ok(self.host().git()?.workspace(repository).await?)
    }
}

/// Without git nothing is saved.
pub(crate) fn not_in_git() -> Fault {
    Fault::new(ErrorCode::TreeNotSaved, "this folder is not in git, so its files were not saved")
        .hint("Make it a repository with \"git init\"; the next run saves them.")
}

impl From<FileChange> for DiffFile {
    fn from(change: FileChange) -> Self {
        let path = shown_path(&change.path);
        let [added, removed] =
            [change.added, change.deleted].map(|count| u32::try_from(count).unwrap_or(u32::MAX));
        Self {
            old_path: change.old_path.as_deref().map(shown_path),
            status: status(&change),
            folded: folded(&path, change.binary, added, removed),
            added,
            removed,
            path,
            old_mode: change.old_mode,
            new_mode: change.new_mode,
        }
    }
}

fn status(change: &FileChange) -> FileStatus {
    // The first digits tell a file from a link and a submodule, the last ones who may do what.
    let sort = |mode: &Option<String>| mode.as_deref().and_then(|mode| mode.get(..3)).map(str::to_owned);
    match (sort(&change.old_mode), sort(&change.new_mode)) {
        (Some(old), Some(new)) if old != new => FileStatus::TypeChanged,
        _ => match change.kind {
            ChangeKind::Added => FileStatus::Added,
            ChangeKind::Deleted => FileStatus::Deleted,
            ChangeKind::Renamed => FileStatus::Renamed,
            ChangeKind::Modified | ChangeKind::Mode => FileStatus::Modified,
        },
    }
}

/// The lines of one file, as they are shown.
#[derive(Default)]
struct Lines {
    hunks: Vec<Hunk>,
    count: usize,
    cut: bool,
    has_long_ones: bool,
}

impl Lines {
    /// Takes what a patch has about this file; a folder that had its name may be in the patch too.
    fn read(&mut self, patch: &[u8], file: &DiffFile) {
        let mut wanted = false;
        for part in read_patch(patch) {
            match part {
                PatchPart::File { old, new } => {
                    let name = new.or(old).unwrap_or_default();
                    wanted = shown_name(&name) == file.path;
                }
                PatchPart::Hunk { old_start, new_start, section } if wanted => {
                    let section = escape_code(&String::from_utf8_lossy(section)).into_owned();
                    self.hunks.push(Hunk { old_start, new_start, section, lines: Vec::new() });
                }
                PatchPart::Line(line) if wanted => {
                    if self.count == MOST_LINES {
                        self.cut = true;
                        return;
                    }
                    self.push(line);
                }
                PatchPart::Hunk { .. } | PatchPart::Line(_) => {}
            }
        }
    }

    fn push(&mut self, line: PatchLine<'_>) {
        self.count += 1;
        self.has_long_ones |= is_written_by_a_program(line.text.len());
        let kind = match (line.old, line.new) {
            (Some(_), Some(_)) => LineKind::Context,
            (None, _) => LineKind::Added,
            (Some(_), None) => LineKind::Removed,
        };
        let (old, new, no_line_break) = (line.old, line.new, line.no_line_break);
        if let Some(hunk) = self.hunks.last_mut() {
            hunk.lines.push(DiffLine { kind, old, new, text: shown_line(line.text), no_line_break });
        }
    }

    /// Lines that end with a carriage return say so. Where all do, it is just how the file is written.
    fn drop_common_carriage_returns(&mut self) {
        let lines = || self.hunks.iter().flat_map(|hunk| &hunk.lines);
        if lines().all(|line| line.text.ends_with(CARRIAGE_RETURN) || line.no_line_break) {
            for line in self.hunks.iter_mut().flat_map(|hunk| &mut hunk.lines) {
                if line.text.ends_with(CARRIAGE_RETURN) {
                    line.text.pop();
                }
            }
        }
    }
}

/// How a carriage return is made visible.
const CARRIAGE_RETURN: char = '␍';

fn shown_line(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let end = text.char_indices().nth(LONGEST_LINE).map_or(text.len(), |(end, _)| end);
    escape_code(&text[..end]).into_owned()
}
