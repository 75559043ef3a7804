//! What snapshots leave out and an attempt made or changed: told at once, asked about when a check may have used it, put
//! back with a failed attempt as far as that is possible.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

use jiff::Timestamp;
use loopwright_checks::{Check, CheckMode, NoEdits};
use loopwright_config::TrustedCheck;
use loopwright_config::text_file::make_private;
use loopwright_domain::risk::{self, LeftOut, LeftOutReason};
use loopwright_domain::{Fault, Iteration, Verdict};
use loopwright_transcript::IterationFiles;
use loopwright_vcs::{
    Oid, OutsideChange, OutsideKind, OutsideOutcome, SkipReason, Skipped, Snapshot, Workspace, is_generated,
    is_own_state,
};
use serde::{Deserialize, Serialize};

use crate::assessment::check_files;
use crate::attempt::checks::round::CheckRound;
use crate::attempt::link::AttemptMessage;
use crate::attempt::tree::set_aside::SetAside;
use crate::attempt::tree::work_tree::WorkTree;
use crate::attempt::unit::Attempt;
use crate::display_text::shown_path;

/// How many paths are named in a message before the rest is counted.
const NAMED: usize = 10;
/// As many files as are looked for among the words of checks.
const MOST_WORDS: usize = 200;
/// Packages that are installed beside a project; nobody expects them in a commit.
const INSTALLED: &[&str] = &["node_modules", "venv", ".venv", ".tox", ".nox", "bower_components", "vendor"];

/// What was outside of the snapshot after an agent, as kept with its iteration.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Omissions {
    /// What is left out and is new or was changed since the run began.
    left_out: Vec<Skipped>,
    /// What the attempt changed outside of snapshots.
    outside: Vec<OutsideChange>,
}

impl Omissions {
    fn of(snapshot: &Snapshot) -> Self {
        Self { left_out: snapshot.left_out().cloned().collect(), outside: snapshot.outside.clone() }
    }

    fn is_empty(&self) -> bool {
        self.left_out.is_empty() && self.outside.is_empty()
    }

    /// What was kept with an iteration; nothing when nothing was.
    fn read(files: &IterationFiles) -> Option<Self> {
        serde_json::from_slice(&fs::read(files.omissions()).ok()?).ok()
    }

    /// What the commit would lack whatever the checks do with it.
    fn certain(&self) -> impl Iterator<Item = LeftOut> {
        let certain = self.left_out.iter().filter(|skipped| skipped.why != SkipReason::Ignored);
        certain.map(|skipped| LeftOut {
            path: shown_path(&skipped.path),
            why: reason(skipped.why),
            size: skipped.size,
        })
    }

    /// Ignored files and folders that were not there when the run began.
    fn new_ignored(&self) -> impl Iterator<Item = &Path> {
        let new = |skipped: &&Skipped| skipped.why == SkipReason::Ignored && skipped.new;
        self.left_out.iter().filter(new).map(|skipped| skipped.path.as_path())
    }
}

const fn reason(why: SkipReason) -> LeftOutReason {
    match why {
        SkipReason::TooLarge => LeftOutReason::TooLarge,
        SkipReason::TooManyFiles => LeftOutReason::TooManyFiles,
        SkipReason::Secret => LeftOutReason::Secret,
        SkipReason::Unreadable => LeftOutReason::Unreadable,
        SkipReason::Special => LeftOutReason::Special,
        SkipReason::Ignored => LeftOutReason::Ignored,
        SkipReason::Nested => LeftOutReason::Nested,
    }
}

impl Attempt<'_> {
    /// Keeps what a snapshot after an agent leaves out, and tells what the attempt made or changed there.
    pub(crate) async fn note_omissions(
        &mut self,
        iteration: &Iteration,
        snapshot: &Snapshot,
    ) -> Result<(), Fault> {
        let omissions = Omissions::of(snapshot);
        let files = self.project.iterations().files(iteration);
        if omissions.is_empty() {
            let _ = fs::remove_file(files.omissions());
            return Ok(());
        }
        files.make()?;
        files.write(&files.omissions(), &serde_json::to_string(&omissions).unwrap_or_default())?;
        let saved = keep_former(&self.tree, &files, &omissions.outside).await?;
        if let Some(told) = words(&omissions.outside) {
            let saved =
                saved.map(|folder| format!("; as they were: {}", folder.display())).unwrap_or_default();
            self.warn(Some(iteration.id), format!("no snapshot has what the agent did to {told}{saved}"))
                .await?;
        }
        Ok(())
    }

    /// What the commit of an iteration's work would lack and a check may have used. Of ignored files only those without
    /// which a check fails: that is tried.
    pub(crate) async fn left_out(&mut self, iteration: &Iteration) -> Result<Vec<LeftOut>, Fault> {
        let omissions = Omissions::read(&self.project.iterations().files(iteration)).unwrap_or_default();
        let mut left: Vec<LeftOut> = omissions.certain().collect();
        let trees = (iteration.tree_before.as_deref(), iteration.tree_after.as_deref());
        if let (Some(workspace), (Some(from), Some(to))) = (self.tree.workspace(), trees)
            && let Some((from, to)) = Oid::parse(from).zip(Oid::parse(to))
        {
            let converted = workspace.converted(&from, &to).await?;
            left.extend(converted.iter().map(|path| LeftOut {
                path: shown_path(path),
                why: LeftOutReason::Converted,
                size: 0,
            }));
        }
        let mut doubtful: BTreeSet<PathBuf> = omissions.new_ignored().map(Path::to_owned).collect();
        doubtful.extend(self.named_by_checks(iteration).await?);
        doubtful.retain(|path| {
            let listed = left.iter().any(|left| path.starts_with(&left.path));
            !listed && !self.not_needed.contains(path)
        });
        left.extend(self.needed(iteration, doubtful).await?);
        Ok(left)
    }

    /// What the commands of checks name, or of build output the scripts that they run, is there since the run began, and
    /// the tree does not have.
    async fn named_by_checks(&self, iteration: &Iteration) -> Result<Vec<PathBuf>, Fault> {
        let tree = iteration.tree_after.as_deref().and_then(Oid::parse);
        let (Some(workspace), Some(tree)) = (self.tree.workspace(), tree) else { return Ok(Vec::new()) };
        let work_tree = &workspace.repository().work_tree;
        let root = self.project.layout().root.strip_prefix(work_tree).unwrap_or(Path::new("")).to_owned();
        let mut named = Vec::new();
        let mut words: BTreeSet<PathBuf> =
            self.checks.iter().flat_map(|check| paths_of(check, &root)).collect();
        words.extend(self.output_named_by_scripts(workspace, iteration, &root).await?);
        for word in words.into_iter().take(MOST_WORDS) {
            let Some(path) = behind_links(work_tree, &word) else { continue };
            // What a link leads to, for the link itself may be in the tree.
            let path = target_in(work_tree, &path).unwrap_or(path);
            let Ok(found) = work_tree.join(&path).symlink_metadata() else { continue };
            let name = path.to_string_lossy().replace('\\', "/");
            let installed =
                path.components().any(|part| INSTALLED.iter().any(|name| part.as_os_str() == *name));
            // A folder of build output is named to be filled.
            if installed || (found.is_dir() && is_generated(name.as_bytes())) {
                continue;
            }
            if workspace.changed_in_run(&path).await? && !workspace.has_path(&tree, &name).await? {
                named.push(path);
            }
        }
        Ok(named)
    }

    /// Files of build output and of the folder for signals, by the names that they have in the scripts of required checks.
    async fn output_named_by_scripts(
        &self,
        workspace: &Workspace,
        iteration: &Iteration,
        root: &Path,
    ) -> Result<Vec<PathBuf>, Fault> {
        let Some(before) = iteration.tree_before.as_deref().and_then(Oid::parse) else {
            return Ok(Vec::new());
        };
        let commands = self.checks.iter().filter(|check| check.required).filter_map(|check| check.executes());
        let named: Vec<String> =
            commands.flat_map(|command| risk::named_by(&command.argv, &command.dir)).collect();
        if named.is_empty() {
            return Ok(Vec::new());
        }
        let texts = check_files(workspace, named, &before).await?.texts;
        let words: BTreeSet<PathBuf> =
            texts.iter().flat_map(|text| paths_in(text)).filter_map(|word| plain(&root.join(word))).collect();
        let is_output = |path: &PathBuf| {
            let name = path.to_string_lossy().replace('\\', "/");
            let name = name.as_bytes();
            (is_generated(name) || is_own_state(name))
                && workspace.repository().work_tree.join(path).is_file()
        };
        Ok(words.into_iter().filter(is_output).collect())
    }

    /// Those without which the required checks fail. They are set aside for as long as the checks run once more.
    async fn needed(
        &mut self,
        iteration: &Iteration,
        doubtful: BTreeSet<PathBuf>,
    ) -> Result<Vec<LeftOut>, Fault> {
        let Some(work_tree) = self.tree.workspace().map(|it| it.repository().work_tree.clone()) else {
            return Ok(Vec::new());
        };
        let checks: Vec<TrustedCheck> =
            self.checks.iter().filter(|check| check.required && check.enabled).cloned().collect();
        if doubtful.is_empty() || checks.is_empty() {
            return Ok(Vec::new());
        }
        let names: Vec<String> = doubtful.iter().map(|path| shown_path(path)).collect();
        let message = format!("checking once more without what no commit has: {}", named(&names));
        self.warn(Some(iteration.id), message).await?;
        let aside = SetAside::begin(&self.project.layout().state_dir, &work_tree, &doubtful)?;
        let marker = iteration.id.to_string();
        let round = CheckRound {
            checks: &checks,
            mode: CheckMode::StopAtFirstRequiredFailure,
            marker: &marker,
            outputs: None,
            iteration: None,
            no_edits: NoEdits::Forbidden,
        };
        let results = self.run_round(round).await;
        aside.end()?;
        self.leave_out_made(iteration).await?;
        if Verdict::of(&results) == Verdict::Passed {
            self.link.tell(AttemptMessage::NotNeeded(doubtful.iter().cloned().collect()));
            self.not_needed.extend(doubtful);
            return Ok(Vec::new());
        }
        let left = |path: &PathBuf| {
            let found = work_tree.join(path).symlink_metadata();
            let is_plain = found.is_ok_and(|found| {
                found.is_file() || found.is_symlink() || has_entries(&work_tree.join(path))
            });
            let why = if is_plain { LeftOutReason::Ignored } else { LeftOutReason::Special };
            LeftOut { path: shown_path(path), why, size: 0 }
        };
        Ok(doubtful.iter().map(left).collect())
    }
}

/// Whether a person has to see what an iteration did outside of its snapshot: then it did change something.
pub(crate) fn omits_work(files: &IterationFiles) -> bool {
    Omissions::read(files).is_some_and(|omissions| omissions.certain().next().is_some())
}

impl WorkTree {
    /// What an attempt did outside of snapshots.
    pub(crate) async fn outside_changes(
        &self,
        files: &IterationFiles,
        iteration: &Iteration,
    ) -> Result<Vec<OutsideChange>, Fault> {
        let Some(workspace) = self.workspace() else { return Ok(Vec::new()) };
        Ok(match Omissions::read(files) {
            Some(omissions) => omissions.outside,
            // Of an attempt that was looked at there is nothing to put back; one that was not is looked at now.
            None if iteration.tree_after.is_some() => Vec::new(),
            None => workspace.snapshot().await?.outside,
        })
    }

    /// Puts back what an attempt did outside of snapshots, and returns what a person should know, and what is left.
    pub(crate) async fn put_back_outside(
        &self,
        outside: &[OutsideChange],
        files: &IterationFiles,
        iteration: &Iteration,
    ) -> Result<(Vec<String>, Vec<String>), Fault> {
        let Some(workspace) = self.workspace().filter(|_| !outside.is_empty()) else {
            return Ok((Vec::new(), Vec::new()));
        };
        let keep = files.left_out();
        let since = iteration.started_at.parse::<Timestamp>().ok().map(SystemTime::from);
        let done = workspace.put_back_outside(outside, &keep, since).await?;
        let of = |wanted: fn(&OutsideOutcome) -> Option<&PathBuf>| -> Vec<String> {
            done.iter().filter_map(wanted).map(|path| shown_path(path)).collect()
        };
        let restored = of(|one| if let OutsideOutcome::Restored(path) = one { Some(path) } else { None });
        let moved = of(|one| if let OutsideOutcome::Moved(path) = one { Some(path) } else { None });
        let left = of(|one| if let OutsideOutcome::Left(path) = one { Some(path) } else { None });
        let kept = keep.display();
        let mut notes = Vec::new();
        if !restored.is_empty() {
            notes.push(format!(
                "put back as before the attempt: {}; what it made of them is in {kept}",
                named(&restored)
            ));
        }
        if !moved.is_empty() {
            notes.push(format!("taken away with the attempt: {}; kept in {kept}", named(&moved)));
        }
        if !left.is_empty() {
            notes.push(format!("left as they are, for no snapshot has them: {}", named(&left)));
        }
        Ok((notes, left))
    }
}

/// Copies what files held before the attempt, where that was saved, beside the iteration. Returns the folder.
async fn keep_former(
    tree: &WorkTree,
    files: &IterationFiles,
    outside: &[OutsideChange],
) -> Result<Option<PathBuf>, Fault> {
    let Some(workspace) = tree.workspace() else { return Ok(None) };
    let folder = files.left_out().join("before");
    let mut kept = false;
    for change in outside.iter().filter(|change| change.saved) {
        let Some(saved) = workspace.saved_outside(&change.path).await? else { continue };
        let target = folder.join(&change.path);
        let copied = target.parent().map_or(Ok(()), make_private).and_then(|()| fs::copy(saved, &target));
        kept |= copied.is_ok();
    }
    Ok(kept.then_some(folder))
}

/// What an attempt did outside of snapshots, in words.
fn words(outside: &[OutsideChange]) -> Option<String> {
    let told: Vec<String> = outside
        .iter()
        .map(|change| {
            let kind = match change.kind {
                OutsideKind::Made => "made",
                OutsideKind::Changed => "changed",
                OutsideKind::Deleted => "deleted",
            };
            let why = match change.why {
                SkipReason::TooLarge => "too large",
                SkipReason::TooManyFiles => "too many files",
                SkipReason::Secret => "by its name a secret",
                SkipReason::Unreadable => "unreadable",
                SkipReason::Special => "no plain file",
                SkipReason::Ignored => "ignored",
                SkipReason::Nested => "a repository of its own",
            };
            format!("{} ({kind}, {why})", shown_path(&change.path))
        })
        .collect();
    (!told.is_empty()).then(|| named(&told))
}

fn named(names: &[String]) -> String {
    let shown = names.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(NAMED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

fn has_entries(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some())
}

/// The words of a check's command that could be paths below the project, from the top of the repository.
fn paths_of(check: &Check, root: &Path) -> Vec<PathBuf> {
    let Some(command) = check.executes().filter(|_| check.required) else { return Vec::new() };
    let folder = root.join(&command.dir);
    let words = command.argv.iter().flat_map(|word| paths_in(word));
    words.filter_map(|word| plain(&folder.join(word))).collect()
}

/// The words of a text that could be paths.
fn paths_in(text: &str) -> impl Iterator<Item = &str> {
    let is_edge = |letter: char| letter.is_whitespace() || "'\"`;&|<>()=,".contains(letter);
    text.split(is_edge).filter(|word| !word.is_empty() && !word.starts_with('-'))
}

/// The same file or folder by a path without links above it; none when those lead out of the work tree.
fn behind_links(work_tree: &Path, path: &Path) -> Option<PathBuf> {
    let (above, name) = (work_tree.join(path).parent()?.canonicalize().ok()?, path.file_name()?);
    Some(above.strip_prefix(work_tree.canonicalize().ok()?).ok()?.join(name))
}

/// What a link of the work tree leads to, when that is in the work tree too.
fn target_in(work_tree: &Path, path: &Path) -> Option<PathBuf> {
    let place = work_tree.join(path);
    if !place.symlink_metadata().is_ok_and(|found| found.is_symlink()) {
        return None;
    }
    let target = place.canonicalize().ok()?;
    Some(target.strip_prefix(work_tree.canonicalize().ok()?).ok()?.to_owned())
}

/// A path below the top without `.` and `..`; none when it leads out or is the top itself.
fn plain(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => plain.push(name),
            Component::CurDir => {}
            Component::ParentDir => {
                if !plain.pop() {
                    return None;
                }
            }
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    (!plain.as_os_str().is_empty()).then_some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_command_that_could_be_paths_are_read() {
        let check =
            Check::verifying("sh -c 'node out/a.js; test -d ./empty' --dir=b /etc/x", 0).unwrap().remove(0);
        let paths: Vec<String> =
            paths_of(&check, Path::new("app")).iter().map(|path| shown_path(path)).collect();
        assert_eq!(paths, ["app/sh", "app/node", "app/out/a.js", "app/test", "app/empty", "app/b"]);
        assert_eq!(plain(Path::new("a/./b/../c")), Some("a/c".into()));
        assert_eq!(plain(Path::new("../a")), None);
        assert_eq!(plain(Path::new("/etc/passwd")), None);
        assert_eq!(plain(Path::new(".")), None);
    }
}
