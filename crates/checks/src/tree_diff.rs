//! What changed in a repository, for the built-in checks.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use loopwright_config::check::{CheckWork, Pending};
use loopwright_config::{Host, Layout, PROJECT_DIR, TrustedCheck};
use loopwright_domain::{ErrorCode, Fault, Iteration};
use loopwright_store::Store;
use loopwright_vcs::{ChangeKind, FileChange, Oid, Repository, Snapshot, Workspace};

use crate::diff::{ChangedFile, DiffSource};
use crate::patch;

/// A patch beyond this is not looked through.
const LARGEST_PATCH: usize = 64 * 1024 * 1024;
/// The tree without files, by the two ways git names things.
const EMPTY_TREES: [&str; 2] = [
    "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
];

/// Compares a project's files with a base. Git is asked only when a check wants to know.
#[derive(Debug)]
pub struct TreeDiff {
    host: Host,
    repository: Repository,
    root: PathBuf,
    base: Option<String>,
}

impl TreeDiff {
    /// For a project in a repository; none elsewhere. The base is the commit or tree a run began with; without one it
    /// is the last commit.
    #[must_use]
    pub fn open(host: &Host, layout: &Layout, base: Option<String>) -> Option<Self> {
        Some(Self {
            host: host.clone(),
            repository: layout.repository.clone()?,
            root: layout.root.clone(),
            base,
        })
    }

    /// The base for the checks of a run's iteration: the tree before the run's first agent, so that a placeholder which
    /// one iteration leaves is still new in the next. The journal is asked only when a check wants to know.
    pub async fn base_of(store: &Store, checks: &[TrustedCheck], iteration: &Iteration) -> Option<String> {
        let own = || iteration.tree_before.clone();
        if !checks.iter().any(|check| check.enabled && matches!(check.work, CheckWork::Builtin(_))) {
            return own();
        }
        let first = store.iteration_by_number(iteration.run, 0).await.ok().flatten();
        first.and_then(|first| first.tree_before).or_else(own)
    }

    async fn look(&self) -> Result<(Workspace, Snapshot), Fault> {
        let workspace = self.host.git()?.workspace(&self.repository).await?;
        let snapshot = workspace.snapshot().await?;
        Ok((workspace, snapshot))
    }

    /// A path of the repository as one from the project folder; none when it is outside.
    fn inner(&self, path: &Path) -> Option<String> {
        let project = self.root.strip_prefix(&self.repository.work_tree).unwrap_or(Path::new(""));
        let inner = path.strip_prefix(project).ok()?;
        let parts: Vec<_> = inner.components().map(|part| part.as_os_str().to_string_lossy()).collect();
        (!parts.is_empty()).then(|| parts.join("/"))
    }

    async fn added(&self) -> Result<Vec<ChangedFile>, Fault> {
        let (workspace, snapshot) = self.look().await?;
        let from = match &self.base {
            Some(base) => oid(base)?,
            None => head_or_empty(&snapshot)?,
        };
        let patch = workspace.diff(&from, &snapshot.tree, LARGEST_PATCH).await?;
        if patch.truncated {
            return Err(Fault::new(ErrorCode::GitTooLarge, "the changes are too large to be looked through")
                .hint("Commit some of them, or keep generated files out of git."));
        }
        let inner = |file: ChangedFile| {
            Some(ChangedFile { path: self.inner(Path::new(&file.path))?, added: file.added })
        };
        let mut files: Vec<ChangedFile> =
            patch::added_lines(&patch.text).into_iter().filter_map(inner).collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(files)
    }

    async fn dirty(&self) -> Result<Vec<String>, Fault> {
        let (workspace, snapshot) = self.look().await?;
        let head = head_or_empty(&snapshot)?;
        let mut paths = BTreeSet::new();
        for tree in [&snapshot.tree, &snapshot.index_tree] {
            let changes = workspace.changes(&head, tree).await?;
            paths.extend(
                changes.iter().filter(|change| !is_own(change)).filter_map(|change| self.inner(&change.path)),
            );
        }
        Ok(paths.into_iter().collect())
    }
}

/// Loopwright's own new files do not make a tree unclean.
fn is_own(change: &FileChange) -> bool {
    change.kind == ChangeKind::Added && change.path.iter().any(|part| part == PROJECT_DIR)
}

fn head_or_empty(snapshot: &Snapshot) -> Result<Oid, Fault> {
    let empty = EMPTY_TREES.into_iter().find(|empty| empty.len() == snapshot.tree.as_str().len());
    match &snapshot.head {
        Some(head) => Ok(head.clone()),
        None => oid(empty.unwrap_or_default()),
    }
}

fn oid(text: &str) -> Result<Oid, Fault> {
    text.parse().map_err(|_| Fault::new(ErrorCode::Internal, format!("\"{text}\" names nothing in git")))
}

impl DiffSource for TreeDiff {
    fn changed(&self) -> Pending<'_, Vec<ChangedFile>> {
        Box::pin(self.added())
    }

    fn uncommitted(&self) -> Pending<'_, Option<Vec<String>>> {
        Box::pin(async {
            match self.base {
                Some(_) => Ok(None),
                None => self.dirty().await.map(Some),
            }
        })
    }
}
