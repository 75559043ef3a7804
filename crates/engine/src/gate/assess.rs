//! Looks at what an iteration changed, and says why a person should look too.

use std::borrow::Cow;

use loopwright_domain::risk::{self, ChangedFile, FileKind, Hunk, Line};
use loopwright_domain::{Fault, GateReason, ReviewMode, RiskFlag};
use loopwright_process::Secrets;
use loopwright_store::ChangeSize;
use loopwright_vcs::{ChangeKind, FileChange, Oid, PatchPart, Workspace, read_patch};

use super::rules::GateRules;
use crate::run::is_read_by_nobody;

/// As much of a patch as is looked through; what is larger counts as large in any case.
const MOST_BYTES: usize = 32 * 1024 * 1024;

/// What was found about a change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Assessment {
    /// Why a person has to look before the work is committed; empty when nobody has to.
    pub(crate) reasons: Vec<GateReason>,
    /// What is risky.
    pub(crate) flags: Vec<RiskFlag>,
    /// How large the change is.
    pub(crate) size: ChangeSize,
}

/// Assesses what changed between two trees, by the rules of the run. Without trees, in a folder without git, only the
/// review mode counts.
///
/// # Errors
/// A tree is not there, or git fails.
pub(crate) async fn assess(
    workspace: Option<&Workspace>,
    rules: &GateRules,
    from: Option<&str>,
    to: Option<&str>,
) -> Result<Assessment, Fault> {
    let mut found = Assessment::default();
    let trees = from.and_then(Oid::parse).zip(to.and_then(Oid::parse));
    if let Some((workspace, (from, to))) = workspace.zip(trees)
        && from != to
    {
        let (files, size) = changed_files(workspace, &from, &to).await?;
        found.size = size;
        found.flags = flags(&files, rules);
    }
    if rules.review() == ReviewMode::Each {
        found.reasons.push(GateReason::Mode);
    }
    if !found.flags.is_empty() {
        found.reasons.push(GateReason::Risk);
    }
    Ok(found)
}

fn flags(files: &[ChangedFile], rules: &GateRules) -> Vec<RiskFlag> {
    let protected = rules.protected();
    let secrets = Secrets::built_in();
    let rules = risk::Rules {
        kinds: &rules.always,
        max_lines: rules.max_lines,
        is_protected: &|path| protected.is_match(path),
        is_check: &|path| rules.checks.iter().any(|named| named == path),
        is_secret_file: &|path| loopwright_vcs::is_secret(path.as_bytes()),
        has_secret: &|line| matches!(secrets.redact(line), Cow::Owned(_)),
    };
    risk::flags(files, rules)
}

async fn changed_files(
    workspace: &Workspace,
    from: &Oid,
    to: &Oid,
) -> Result<(Vec<ChangedFile>, ChangeSize), Fault> {
    let changes = workspace.changes(from, to).await?;
    let patch = workspace.diff(from, to, MOST_BYTES).await?;
    let mut files: Vec<ChangedFile> = changes.into_iter().map(changed_file).collect();
    read_lines(&patch.text, &mut files);
    let mut size = ChangeSize { files: count(files.len()), ..ChangeSize::default() };
    for file in &files {
        size.added = size.added.saturating_add(file.added);
        size.removed = size.removed.saturating_add(file.removed);
    }
    Ok((files, size))
}

fn changed_file(change: FileChange) -> ChangedFile {
    let name = |path: &std::path::Path| path.to_string_lossy().replace('\\', "/");
    let path = name(&change.path);
    ChangedFile {
        generated: is_read_by_nobody(&path, change.binary),
        old_path: change.old_path.as_deref().map(name),
        kind: match change.kind {
            ChangeKind::Added => FileKind::Added,
            ChangeKind::Deleted => FileKind::Deleted,
            ChangeKind::Renamed => FileKind::Renamed,
            ChangeKind::Modified | ChangeKind::Mode => FileKind::Modified,
        },
        added: u32::try_from(change.added).unwrap_or(u32::MAX),
        removed: u32::try_from(change.deleted).unwrap_or(u32::MAX),
        hunks: Vec::new(),
        path,
    }
}

/// Gives each file its lines. The patch has the files in the order of their paths, as the list has.
fn read_lines(patch: &[u8], files: &mut [ChangedFile]) {
    let mut current: Option<usize> = None;
    for part in read_patch(patch) {
        match part {
            PatchPart::File { old, new } => {
                let name = String::from_utf8_lossy(&new.or(old).unwrap_or_default()).into_owned();
                current = files.iter().position(|file| file.path == name);
            }
            PatchPart::Hunk { section, .. } => {
                if let Some(file) = current.and_then(|index| files.get_mut(index)) {
                    let section = String::from_utf8_lossy(section).into_owned();
                    file.hunks.push(Hunk { section, lines: Vec::new() });
                }
            }
            PatchPart::Line(line) => {
                let hunk =
                    current.and_then(|index| files.get_mut(index)).and_then(|file| file.hunks.last_mut());
                if let Some(hunk) = hunk {
                    let text = String::from_utf8_lossy(line.text).into_owned();
                    hunk.lines.push(Line { old: line.old, new: line.new, text });
                }
            }
        }
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
#[path = "corpus_tests.rs"]
mod corpus;
