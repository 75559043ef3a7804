//! Comparing a repository with its record, and putting losses back.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::{INDEX, RepositoryRecord, files, links};
use crate::create::set_identity;
use crate::error::VcsError;
use crate::git_locks;
use crate::oid::Oid;
use crate::workspace::{Memory, Workspace};

/// New references that change what all others show.
const REPLACE: &str = "refs/replace/";
/// Tags do not move.
const TAGS: &str = "refs/tags/";
/// Names the newest stashed change; the others are in its log.
const STASH_REFERENCE: &str = "refs/stash";
/// Who puts stashed changes back, where git does not know the user.
const MAKER: (&str, &str) = ("Loopwright", "checkpoint@loopwright.invalid");
/// As many digits of a commit's name as are shown.
const SHORT: usize = 7;

/// What was found and done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PutBack {
    /// What was lost and is there again, in words.
    pub restored: Vec<String>,
    /// What is new or moved on and was left, in words.
    pub left: Vec<String>,
}

impl Workspace {
    /// Compares the repository with a record and puts losses back. Doing it again changes nothing.
    ///
    /// # Errors
    /// A file cannot be written, or git fails.
    pub async fn put_back_repository(
        &self,
        record: &RepositoryRecord,
        folder: &Path,
    ) -> Result<PutBack, VcsError> {
        let mut done = PutBack::default();
        self.replace_links(record, &mut done)?;
        // Before git is asked for anything: it would obey them.
        self.put_back_files(record, folder, &mut done)?;
        self.take_away_locks(record, folder, &mut done)?;
        let memory = self.remembered().await?;
        self.put_back_references(&memory, record, &mut done).await?;
        self.put_back_stash(&memory, record, &mut done).await?;
        self.put_back_flags(&memory, folder, &mut done).await?;
        Ok(done)
    }

    /// Puts folders in the place of links that were not there before, so that nothing is written through them.
    fn replace_links(&self, record: &RepositoryRecord, done: &mut PutBack) -> Result<(), VcsError> {
        loop {
            // Behind one link there may be another.
            let now = links::links(self.repository());
            let is_new = |(name, target): &(&String, &PathBuf)| record.links.get(*name) != Some(*target);
            let Some((name, target)) = now.iter().find(is_new) else { return Ok(()) };
            let path = self.repository().common_dir.join(name);
            links::replace(&path).map_err(|error| VcsError::file(&path, &error))?;
            done.restored.push(format!(
                "{} was made a link to {}, and is a folder again",
                path.display(),
                target.display()
            ));
        }
    }

    fn put_back_files(
        &self,
        record: &RepositoryRecord,
        folder: &Path,
        done: &mut PutBack,
    ) -> Result<(), VcsError> {
        let mut now = files::recorded(self.repository());
        for name in record.files.keys() {
            now.entry(name.clone()).or_insert_with(|| files::content(&files::place(self.repository(), name)));
        }
        for (name, found) in now {
            let before = record.files.get(&name).and_then(Option::as_ref);
            if before == found.as_ref() {
                continue;
            }
            let bytes =
                |content: Option<&files::Content>| content.map(|it| it.bytes.clone()).unwrap_or_default();
            let path = files::place(self.repository(), &name);
            if links::is_behind(&record.links, &name) {
                done.left.push(format!("{} was changed, behind a link, and is left", path.display()));
                continue;
            }
            if name == files::CONFIG && !files::is_harmful(&bytes(before), &bytes(found.as_ref())) {
                done.left.push(format!("{} was changed", path.display()));
                continue;
            }
            files::put(&path, before, folder, &name).map_err(|error| VcsError::file(&path, &error))?;
            let what = match (before, &found) {
                (None, _) => "was made, and is taken away: git would obey it",
                (Some(_), None) => "was removed, and is there again",
                (Some(_), Some(_)) => "was changed, and is as it was: git obeys it",
            };
            done.restored.push(format!("{} {what}", path.display()));
        }
        Ok(())
    }

    /// Takes locks away that were not there before and that no git holds any more.
    fn take_away_locks(
        &self,
        record: &RepositoryRecord,
        folder: &Path,
        done: &mut PutBack,
    ) -> Result<(), VcsError> {
        let repository = self.repository();
        for name in git_locks::locks(repository).difference(&record.locks) {
            let path = git_locks::lock_place(repository, name);
            if crate::system::git_works_in(&repository.work_tree) {
                done.left.push(format!(
                    "{} is left: another git works here. Remove it when that has ended",
                    path.display()
                ));
                continue;
            }
            files::put(&path, None, folder, name).map_err(|error| VcsError::file(&path, &error))?;
            done.restored.push(format!("{} was left behind, and is taken away", path.display()));
        }
        Ok(())
    }

    async fn put_back_references(
        &self,
        memory: &Memory,
        record: &RepositoryRecord,
        done: &mut PutBack,
    ) -> Result<(), VcsError> {
        let now = self.users_references(memory).await?;
        let mut input = Vec::new();
        let current = record.head.branch.as_ref().map(|branch| format!("refs/heads/{branch}"));
        for (name, was) in &record.refs {
            let words = match now.get(name) {
                Some(is) if is == was => continue,
                Some(is) if !name.starts_with(TAGS) && self.follows(memory, was, is).await? => {
                    if Some(name) != current.as_ref() {
                        done.left.push(format!("{name} moved on to {}", short(is)));
                    }
                    continue;
                }
                Some(is) => {
                    input.extend(format!("update {name}\0{was}\0{is}\0").into_bytes());
                    format!("{name} was moved away to {}, and is at {} again", short(is), short(was))
                }
                None => {
                    input.extend(format!("create {name}\0{was}\0").into_bytes());
                    format!("{name} was removed, and is there again at {}", short(was))
                }
            };
            done.restored.push(words);
        }
        for (name, is) in now.iter().filter(|(name, _)| !record.refs.contains_key(*name)) {
            if name.starts_with(REPLACE) {
                input.extend(format!("delete {name}\0{is}\0").into_bytes());
                done.restored.push(format!("{name} was made, and is taken away: it hides history"));
            } else {
                done.left.push(format!("{name} is new, at {}", short(is)));
            }
        }
        if input.is_empty() {
            return Ok(());
        }
        let args = ["update-ref", "--no-deref", "-m", "loopwright: put back", "--stdin", "-z"];
        let mut call = self.inspecting(memory, &args);
        call.input = input;
        self.git().run(call).await.map(drop)
    }

    /// Whether one commit is part of another's history.
    async fn follows(&self, memory: &Memory, old: &Oid, new: &Oid) -> Result<bool, VcsError> {
        let args = ["merge-base", "--is-ancestor", old.as_str(), new.as_str()];
        Ok(self.git().finish(self.inspecting(memory, &args)).await?.exit.success())
    }

    async fn put_back_stash(
        &self,
        memory: &Memory,
        record: &RepositoryRecord,
        done: &mut PutBack,
    ) -> Result<(), VcsError> {
        let now = self.stash(memory).await?;
        let is_new = |entry: &&(Oid, String)| !record.stash.iter().any(|(oid, _)| *oid == entry.0);
        done.left
            .extend(now.iter().filter(is_new).map(|(_, message)| format!("a change was stashed: {message}")));
        let lost = record.stash.iter().filter(|entry| !now.iter().any(|(oid, _)| *oid == entry.0));
        if now.is_empty() && !record.stash.is_empty() {
            // A reference without its log, or a log without its reference, would hide or double what is stored.
            let args = ["update-ref", "--no-deref", "-d", STASH_REFERENCE];
            self.git().finish(self.inspecting(memory, &args)).await?;
            let _ = fs::remove_file(self.repository().common_dir.join("logs").join(STASH_REFERENCE));
        }
        // The oldest first: each goes on top.
        for (oid, message) in lost.rev() {
            let mut call =
                self.inspecting(memory, &["stash", "store", "--quiet", "--message", message, oid.as_str()]);
            call.with_environment(|environment| set_identity(environment, MAKER.0, MAKER.1));
            self.git().run(call).await?;
            done.restored.push(format!("a stashed change was gone, and is there again: {message}"));
        }
        Ok(())
    }

    /// Takes flags back by which git does not see changes of files, and gives back those that were taken.
    async fn put_back_flags(
        &self,
        memory: &Memory,
        folder: &Path,
        done: &mut PutBack,
    ) -> Result<(), VcsError> {
        let (before, index) = (folder.join(INDEX), self.repository().git_dir.join(INDEX));
        if !before.exists() || fs::read(&before).ok() == fs::read(&index).ok() {
            return Ok(());
        }
        let (was, mut is) = (self.flags(memory, &before).await?, self.flags(memory, &index).await?);
        let is_on_disk = |name: &&Vec<u8>| {
            let path = crate::workspace::path_of(name).map(|path| self.repository().work_tree.join(path));
            path.is_some_and(|path| path.symlink_metadata().is_ok())
        };
        let gone: BTreeSet<&Vec<u8>> =
            was.keys().filter(|name| !is.contains_key(*name)).filter(is_on_disk).collect();
        if !gone.is_empty() {
            self.put_back_entries(memory, &before, &gone, done).await?;
            is = self.flags(memory, &index).await?;
        }
        let mut changes: BTreeMap<&str, Vec<&Vec<u8>>> = BTreeMap::new();
        for (name, now) in &is {
            let Some(old) = was.get(name) else { continue };
            let mut differ = |one: bool, other: bool, on: &'static str, off: &'static str| {
                if one != other {
                    changes.entry(if one { on } else { off }).or_default().push(name);
                }
            };
            differ(old.assumed, now.assumed, "--assume-unchanged", "--no-assume-unchanged");
            differ(old.skipped, now.skipped, "--skip-worktree", "--no-skip-worktree");
        }
        for (option, names) in changes {
            let mut call = self.inspecting(memory, &["update-index", option, "-z", "--stdin"]);
            call.input = names.iter().flat_map(|name| name.iter().copied().chain([0])).collect();
            self.git().run(call).await?;
            done.restored.push(format!(
                "flags of git's index by which it sees or does not see changes are as they were: {}",
                shown(&names)
            ));
        }
        Ok(())
    }

    /// Puts files back into the index that git would no longer track, although they are there.
    async fn put_back_entries(
        &self,
        memory: &Memory,
        before: &Path,
        gone: &BTreeSet<&Vec<u8>>,
        done: &mut PutBack,
    ) -> Result<(), VcsError> {
        let mut listing = self.inspecting(memory, &["ls-files", "--stage", "-z"]);
        listing.set("GIT_INDEX_FILE", before.as_os_str());
        let entries = self.git().run(listing).await?.stdout;
        let is_gone = |entry: &&[u8]| {
            let name = entry.splitn(2, |byte| *byte == b'\t').nth(1);
            name.is_some_and(|name| gone.contains(&name.to_vec()))
        };
        let mut call = self.inspecting(memory, &["update-index", "-z", "--index-info"]);
        let wanted = entries.split(|byte| *byte == 0).filter(is_gone);
        call.input = wanted.flat_map(|entry| entry.iter().copied().chain([0])).collect();
        self.git().run(call).await?;
        done.restored
            .push(format!("files were taken out of git's index, and are in it again: {}", shown(gone)));
        Ok(())
    }

    /// The files of an index whose changes git does not see.
    async fn flags(&self, memory: &Memory, index: &Path) -> Result<BTreeMap<Vec<u8>, Flags>, VcsError> {
        let mut call = self.inspecting(memory, &["ls-files", "-v", "-z"]);
        call.set("GIT_INDEX_FILE", index.as_os_str());
        let output = self.git().run(call).await?;
        let lines = output.stdout.split(|byte| *byte == 0);
        let flags = lines.filter_map(|line| {
            let (tag, name) = (line.first()?, line.get(2..)?);
            let flags = Flags { assumed: tag.is_ascii_lowercase(), skipped: tag.eq_ignore_ascii_case(&b'S') };
            Some((name.to_vec(), flags))
        });
        Ok(flags.collect())
    }
}

/// How git looks at a file.
struct Flags {
    assumed: bool,
    skipped: bool,
}

/// The first of many files, and how many there are.
fn shown<'a>(names: impl IntoIterator<Item = &'a &'a Vec<u8>>) -> String {
    let names: Vec<_> = names.into_iter().map(|name| String::from_utf8_lossy(name)).collect();
    let first: Vec<_> = names.iter().take(5).map(AsRef::as_ref).collect();
    format!("{} ({} files)", first.join(", "), names.len())
}

fn short(oid: &Oid) -> &str {
    oid.as_str().get(..SHORT).unwrap_or_default()
}
