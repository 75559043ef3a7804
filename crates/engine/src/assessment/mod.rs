//! Looks at what an iteration changed, and says why a person should look too.

pub(crate) mod diff_folding;
mod rules;

use std::collections::BTreeSet;

use loopwright_domain::risk::{self, ChangedFile, FileKind, Hunk, LeftOut, Line};
use loopwright_domain::{Fault, GateReason, ReviewMode, RiskFlag};
use loopwright_process::Secrets;
use loopwright_store::ChangeSize;
use loopwright_vcs::{ChangeKind, FileChange, Oid, PatchPart, Workspace, read_patch};

use crate::assessment::diff_folding::is_read_by_nobody;
pub use rules::GateRules;

/// As much of a patch as is looked through; what is larger counts as large in any case.
const MOST_BYTES: usize = 32 * 1024 * 1024;

/// Unchanged lines around each change: enough to see the test it is in.
const CONTEXT: u32 = 100;
/// How often a script that names another one is followed.
const DEEPEST: usize = 8;
/// As many scripts and targets are followed.
const MOST_CHECKS: usize = 500;
/// A larger file is no script that somebody wrote.
const LARGEST_SCRIPT: usize = 256 * 1024;

/// What was found about a change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Assessment {
    /// Why a person has to look before the work is committed; empty when nobody has to.
    pub(crate) reasons: Vec<GateReason>,
    /// What is risky.
    pub(crate) flags: Vec<RiskFlag>,
    /// How large the change is.
    pub(crate) size: ChangeSize,
    /// The tree that the change was compared with.
    pub(crate) from: Option<String>,
}

impl Assessment {
    /// Adds what the commit would lack and a check may have used.
    pub(crate) fn add_left_out(&mut self, left_out: &[LeftOut], rules: &GateRules) {
        let flags = risk::left_out_flags(left_out, &rules.always);
        if !flags.is_empty() && !self.reasons.contains(&GateReason::Risk) {
            self.reasons.push(GateReason::Risk);
        }
        self.flags.extend(flags);
    }
}

/// Assesses what changed between two trees, by the rules of the run. `secrets` are what must not be committed unseen. Without trees, in a folder without git, only the
/// review mode counts.
///
/// # Errors
/// A tree is not there, or git fails.
pub(crate) async fn assess(
    workspace: Option<&Workspace>,
    rules: &GateRules,
    from: Option<&str>,
    to: Option<&str>,
    secrets: &Secrets,
) -> Result<Assessment, Fault> {
    let mut found = Assessment { from: from.map(str::to_owned), ..Assessment::default() };
    let trees = from.and_then(Oid::parse).zip(to.and_then(Oid::parse));
    if let Some((workspace, (from, to))) = workspace.zip(trees)
        && from != to
    {
        let (files, size) = changed_files(workspace, &from, &to).await?;
        let checks = check_files(workspace, rules.checks.iter().cloned(), &from).await?.items;
        found.size = size;
        found.flags = flags(&files, rules, &checks, &project_of(workspace), secrets);
    }
    if rules.mode == ReviewMode::Each {
        found.reasons.push(GateReason::Mode);
    }
    if !found.flags.is_empty() {
        found.reasons.push(GateReason::Risk);
    }
    Ok(found)
}

/// What checks run, as it was before a change.
pub(crate) struct CheckFiles {
    /// What their commands name, and what that names in turn.
    pub(crate) items: BTreeSet<String>,
    /// The text of each file among it.
    pub(crate) texts: Vec<String>,
}

/// The project's folder as paths in the repository begin with it: nothing, or it ends with a slash.
fn project_of(workspace: &Workspace) -> String {
    let project = workspace.repository().project.to_string_lossy().replace('\\', "/");
    if project.is_empty() { project } else { project + "/" }
}

/// Follows what the commands of checks name, from the project's folder.
pub(crate) async fn check_files(
    workspace: &Workspace,
    named: impl IntoIterator<Item = String>,
    before: &Oid,
) -> Result<CheckFiles, Fault> {
    let mut found = CheckFiles { items: named.into_iter().collect(), texts: Vec::new() };
    let mut next: Vec<String> = found.items.iter().cloned().collect();
    let project = project_of(workspace);
    for _ in 0..DEEPEST {
        let path = |item: &str| format!("{project}{}", item.split('#').next().unwrap_or_default());
        let paths: Vec<String> = next.iter().map(|item| path(item)).collect();
        if paths.is_empty() || found.items.len() > MOST_CHECKS {
            break;
        }
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let texts = workspace.read_files(before, &paths, LARGEST_SCRIPT).await?;
        let texts = texts.into_iter().map(|text| Some(String::from_utf8_lossy(&text?).into_owned()));
        let texts: Vec<(String, String)> =
            next.into_iter().zip(texts).filter_map(|(item, text)| Some((item, text?))).collect();
        let named = texts.iter().flat_map(|(item, text)| risk::named_in(item, text));
        next = named.filter(|item| found.items.insert(item.clone())).collect();
        found.texts.extend(texts.into_iter().map(|(_, text)| text));
    }
    Ok(found)
}

/// `secrets` knows keys by their form, and the values of the user's own.
fn flags(
    files: &[ChangedFile],
    rules: &GateRules,
    checks: &BTreeSet<String>,
    project: &str,
    secrets: &Secrets,
) -> Vec<RiskFlag> {
    let protected = rules.protected();
    let in_project = |path: &str| path.strip_prefix(project).map(str::to_owned);
    let is_new = |path: &str| files.iter().any(|file| file.kind == FileKind::Added && file.path == path);
    let rules = risk::Rules {
        kinds: &rules.always,
        max_lines: rules.max_lines,
        is_protected: &|path| {
            protected.is_match(path) || in_project(path).is_some_and(|own| protected.is_match(own))
        },
        is_check: &|path| in_project(path).is_some_and(|own| risk::is_among(checks, &own)),
        is_compared: &|path| in_project(path).is_some_and(|own| risk::is_compared(checks, &own)),
        is_secret_file: &|path| {
            let name = path.as_bytes();
            loopwright_vcs::is_secret(name) || (loopwright_vcs::may_hold_secrets(name) && is_new(path))
        },
        has_secret: &|line| secrets.stands_in(line),
    };
    risk::flags(files, rules)
}

async fn changed_files(
    workspace: &Workspace,
    from: &Oid,
    to: &Oid,
) -> Result<(Vec<ChangedFile>, ChangeSize), Fault> {
    let changes = workspace.changes(from, to).await?;
    let patch = workspace.diff_in_context(from, to, CONTEXT, MOST_BYTES).await?;
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
        binary: change.binary,
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
