//! Whether a check that must not edit files does.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use loopwright_config::check::{Check, Pending};
use loopwright_domain::{CheckResult, CheckStatus, Issue, Severity};
use loopwright_vcs::{Oid, Workspace};

use crate::judge;

/// How many files are named in an issue of their own.
const MOST_NAMED: usize = 20;

/// Looks at the files around a check.
pub trait EditWatch: Send + Sync {
    /// Notes the files as they are.
    fn note(&self) -> Pending<'_, ()>;

    /// The files that are not as they were noted, from the project folder. New files do not count. They are noted anew.
    fn edited(&self) -> Pending<'_, Vec<String>>;
}

/// Which checks must not edit files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoEdits {
    /// Those that say so.
    Forbidden,
    /// All of them: what they edited before has been taken.
    Again,
}

impl NoEdits {
    /// Whether a check must not edit.
    pub(crate) fn concerns(self, check: &Check) -> bool {
        self == Self::Again || !check.edits
    }

    /// The result of a check that edited all the same.
    pub(crate) fn failed(self, check: &Check, result: CheckResult, files: &[String]) -> CheckResult {
        let why = match check.edits {
            false => "though it may not (edits = false)",
            true => "again, after its edits were taken",
        };
        let issue = |file: &String| Issue {
            severity: Severity::Error,
            file: Some(file.clone()),
            line: None,
            message: format!("the check changed this file {why}"),
        };
        let mut issues: Vec<Issue> = files.iter().take(MOST_NAMED).map(issue).collect();
        issues.extend(result.issues);
        judge::put_in_order(&mut issues);
        let more = if files.len() > 1 { format!(" and {} more", files.len() - 1) } else { String::new() };
        let first = files.first().map_or("files", String::as_str);
        let problem = format!("it changed {first}{more} {why}");
        let status = if result.status == CheckStatus::Passed { CheckStatus::Failed } else { result.status };
        CheckResult { status, issues, problem: Some(problem), ..result }
    }
}

/// Watches the files of a repository.
pub struct TreeWatch {
    workspace: Arc<Workspace>,
    root: PathBuf,
    noted: Mutex<Option<Oid>>,
}

impl TreeWatch {
    /// Watches the files of a project folder.
    #[must_use]
    pub fn new(workspace: Arc<Workspace>, root: &Path) -> Self {
        Self { workspace, root: root.to_owned(), noted: Mutex::new(None) }
    }

    fn keep(&self, tree: Oid) {
        *self.noted.lock().unwrap_or_else(PoisonError::into_inner) = Some(tree);
    }

    fn kept(&self) -> Option<Oid> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// A path of the work tree as one from the project folder, if it is below it.
    fn shown(&self, path: &Path) -> String {
        let project = self.root.strip_prefix(&self.workspace.repository().work_tree).unwrap_or(Path::new(""));
        let path = path.strip_prefix(project).unwrap_or(path);
        let parts: Vec<_> = path.components().map(|part| part.as_os_str().to_string_lossy()).collect();
        parts.join("/")
    }
}

impl EditWatch for TreeWatch {
    fn note(&self) -> Pending<'_, ()> {
        Box::pin(async {
            self.keep(self.workspace.snapshot().await?.tree);
            Ok(())
        })
    }

    fn edited(&self) -> Pending<'_, Vec<String>> {
        Box::pin(async {
            let Some(before) = self.kept() else { return Ok(Vec::new()) };
            let (now, edited) = self.workspace.edited_since(&before).await?;
            self.keep(now);
            Ok(edited.iter().map(|path| self.shown(path)).collect())
        })
    }
}
