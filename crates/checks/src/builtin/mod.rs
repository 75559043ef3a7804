//! Checks that Loopwright does itself. They read files and ask git; nothing of the folder is executed.

mod markers;
mod placeholders;
mod python;

use std::path::Path;

use loopwright_config::check::{Builtin, Check};
use loopwright_domain::{CheckResult, CheckStatus, ErrorCode, Fault, Issue, Severity};

use crate::diff::{ChangedFile, DiffSource};
use crate::judge;

/// A larger file is not looked into: nobody wrote it by hand.
const LARGEST_FILE: u64 = 4 * 1024 * 1024;

/// Runs a built-in check.
pub(super) async fn run(
    check: &Check,
    builtin: Builtin,
    root: &Path,
    diff: Option<&dyn DiffSource>,
    drift: Option<&[Issue]>,
) -> Result<CheckResult, Fault> {
    if builtin == Builtin::SpecDrift {
        let drift = drift.ok_or_else(|| {
            Fault::new(
                ErrorCode::ProjectNotFound,
                "it needs the project's spec, and there is no project here",
            )
        })?;
        return Ok(judge::found(check, drift.to_vec()));
    }
    let diff = diff.ok_or_else(|| {
        Fault::new(
            ErrorCode::GitFailed,
            "it needs to know what changed, and this folder is in no git repository",
        )
        .hint("Run \"git init\", or switch the check off with enabled = false.")
    })?;
    let issues = match builtin {
        Builtin::CleanTree => match diff.uncommitted().await? {
            Some(paths) => paths.into_iter().map(uncommitted).collect(),
            None => return Ok(passed_over(check)),
        },
        Builtin::Placeholders => in_files(root, diff.changed().await?, placeholders::find),
        Builtin::MergeMarkers => in_files(root, diff.changed().await?, markers::find),
        Builtin::SpecDrift => Vec::new(),
    };
    Ok(judge::found(check, issues))
}

fn uncommitted(path: String) -> Issue {
    let message = "differs from the last commit".to_owned();
    Issue { severity: Severity::Error, file: Some(path), line: None, message }
}

/// During a run the work is committed after the checks, so a tree that is not clean says nothing.
fn passed_over(check: &Check) -> CheckResult {
    let problem = "a run commits after its checks, so the tree is not judged while it works".to_owned();
    CheckResult { problem: Some(problem), ..judge::result(check, CheckStatus::Skipped) }
}

/// What a finder says about a line, counted from 1.
type LineFinding = (u32, String);

fn in_files(
    root: &Path,
    files: Vec<ChangedFile>,
    find: impl Fn(&ChangedFile, &str) -> Vec<LineFinding>,
) -> Vec<Issue> {
    let mut issues = Vec::new();
    for file in files {
        let Some(text) = read(&root.join(&file.path)) else { continue };
        issues.extend(find(&file, &text).into_iter().map(|(line, message)| Issue {
            severity: Severity::Error,
            file: Some(file.path.clone()),
            line: Some(line),
            message,
        }));
    }
    issues
}

/// A regular file's text; none for links, binary files and very large ones.
fn read(path: &Path) -> Option<String> {
    let metadata = std::fs::symlink_metadata(path).ok()?;
    if !metadata.is_file() || metadata.len() > LARGEST_FILE {
        return None;
    }
    let bytes = std::fs::read(path).ok()?;
    (!bytes.contains(&0)).then(|| String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
