//! Taking a commit back: what the files would be without it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::changes::{Difference, Entry};
use super::{Memory, Workspace, shown_path};
use crate::error::VcsError;
use crate::oid::Oid;
use crate::version::Version;

/// The oldest git that merges trees without files.
const NEEDED: Version = Version { major: 2, minor: 38, patch: 0 };

/// What HEAD would be without a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Without {
    /// HEAD's tree, and the same without what the commit brought. Both are the same where nothing of it is left.
    Trees {
        /// HEAD's tree.
        head: Oid,
        /// That tree without it.
        without: Oid,
    },
    /// Later work changed the same lines in these files.
    Conflicts(Vec<PathBuf>),
}

/// A file that the commit changed, and later work too.
struct Both {
    name: Vec<u8>,
    /// As the commit left it.
    taken: Entry,
    /// As it is now.
    now: Entry,
    /// As it was before the commit.
    before: Entry,
}

impl Workspace {
    /// What HEAD's tree would be without what a commit changed. Files, index and branches stay as they are. A file that
    /// later work renamed stands in the way.
    ///
    /// # Errors
    /// The commit is not there, nothing is committed yet, git is too old for this, or git fails.
    pub async fn without(&self, commit: &Oid) -> Result<Without, VcsError> {
        let mut memory = self.remembered().await?;
        let taken = self.tree_of(&mut memory, commit).await?;
        let before = self.tree_before(&memory, commit).await?;
        drop(memory);
        self.without_change(&before, &taken).await
    }

    /// What HEAD's tree would be without what lies between two trees. Otherwise as [`Workspace::without`].
    ///
    /// # Errors
    /// A tree is not there, nothing is committed yet, git is too old for this, or git fails.
    pub async fn without_change(&self, before: &Oid, taken: &Oid) -> Result<Without, VcsError> {
        let mut memory = self.remembered().await?;
        let head = self.calm_state(&memory).await?.head.commit;
        let head = head.ok_or(VcsError::Missing { name: "a commit to go back from".to_owned() })?;
        let head_tree = self.tree_of(&mut memory, &head).await?;
        let later: BTreeMap<Vec<u8>, Option<Entry>> = self
            .differences(&memory, taken, &head_tree)
            .await?
            .into_iter()
            .map(|change| (change.name, change.new))
            .collect();
        let mut back = Vec::new();
        let (mut both, mut conflicts) = (Vec::new(), Vec::new());
        for change in self.differences(&memory, taken, before).await? {
            match (later.get(&change.name), &change.old, &change.new) {
                (None, ..) => back.push(change),
                (Some(now), _, wanted) if now == wanted => {}
                (Some(Some(now)), Some(old), Some(wanted)) => {
                    let (taken, now, before) = (old.clone(), now.clone(), wanted.clone());
                    both.push(Both { name: change.name, taken, now, before });
                }
                _ => conflicts.push(shown_path(&change.name)),
            }
        }
        match self.merged(&memory, both).await? {
            Ok(merged) => back.extend(merged),
            Err(files) => conflicts.extend(files),
        }
        if !conflicts.is_empty() {
            return Ok(Without::Conflicts(conflicts));
        }
        let without = self.tree_with(&memory, &head_tree, &back).await?;
        Ok(Without::Trees { head: head_tree, without })
    }

    /// The tree before a commit; an empty one before the first.
    async fn tree_before(&self, memory: &Memory, commit: &Oid) -> Result<Oid, VcsError> {
        let parent = format!("{commit}^1^{{tree}}");
        let call = self.privately(memory, &["rev-parse", "--verify", "--quiet", &parent]);
        match Oid::from_line(&self.git.finish(call).await?.output.stdout) {
            Some(tree) => Ok(tree),
            None => self.make_tree(memory, Vec::new()).await,
        }
    }

    /// A tree of its own with nothing but some files.
    async fn make_tree(&self, memory: &Memory, input: Vec<u8>) -> Result<Oid, VcsError> {
        let mut call = self.privately(memory, &["mktree", "-z"]);
        call.input = input;
        self.object(call, "git mktree").await
    }

    /// Puts the lines of files together that were changed on both sides, each under a number: so no file is taken for
    /// another one that was renamed. The error names those that do not go together.
    async fn merged(
        &self,
        memory: &Memory,
        both: Vec<Both>,
    ) -> Result<Result<Vec<Difference>, Vec<PathBuf>>, VcsError> {
        if both.is_empty() {
            return Ok(Ok(Vec::new()));
        }
        let found = self.git.version().await?;
        if found < NEEDED {
            return Err(VcsError::TooOld { found, needed: NEEDED });
        }
        let listed = |side: fn(&Both) -> &Entry| {
            let entries = both.iter().map(side).enumerate();
            let lines = entries.map(|(number, Entry { mode, oid })| format!("{mode} blob {oid}\t{number}\0"));
            lines.collect::<String>().into_bytes()
        };
        let base = self.make_tree(memory, listed(|file| &file.taken)).await?;
        let now = self.make_tree(memory, listed(|file| &file.now)).await?;
        let wanted = self.make_tree(memory, listed(|file| &file.before)).await?;
        let message = || "Loopwright: taking a commit back\n".to_owned();
        let base = self.commit_tree(memory, &base, &[], message()).await?;
        let ours = self.commit_tree(memory, &now, &[&base], message()).await?;
        let theirs = self.commit_tree(memory, &wanted, &[&base], message()).await?;
        let args = [
            "merge-tree",
            "--write-tree",
            "-z",
            "--name-only",
            "--no-messages",
            ours.as_str(),
            theirs.as_str(),
        ];
        let finished = self.git.finish(self.privately(memory, &args)).await?;
        let mut words = finished.output.stdout.split(|byte| *byte == 0).filter(|word| !word.is_empty());
        let unexpected = || VcsError::Unexpected { command: "git merge-tree" };
        let tree = words.next().and_then(Oid::from_line).ok_or_else(unexpected)?;
        let numbered = |word: &[u8]| both.get(std::str::from_utf8(word).ok()?.parse::<usize>().ok()?);
        if !finished.exit.success() {
            return Ok(Err(words.filter_map(numbered).map(|file| shown_path(&file.name)).collect()));
        }
        let merged = self.differences(memory, &now, &tree).await?;
        let named = merged.into_iter().map(|change| {
            Some(Difference { name: numbered(&change.name)?.name.clone(), old: change.old, new: change.new })
        });
        named.collect::<Option<_>>().map(Ok).ok_or_else(unexpected)
    }

    /// A tree with some files changed.
    async fn tree_with(&self, memory: &Memory, tree: &Oid, changes: &[Difference]) -> Result<Oid, VcsError> {
        if changes.is_empty() {
            return Ok(tree.clone());
        }
        let mut environment = self.private_environment(memory);
        environment.insert("GIT_INDEX_FILE".into(), memory.private.file("revert-index").into());
        self.git.run(self.call(&["read-tree", tree.as_str()], environment.clone())).await?;
        let zeros = Oid::zeros(memory.profile.format);
        self.stage_objects(environment.clone(), changes, &zeros).await?;
        self.object(self.call(memory.write_tree(), environment), "git write-tree").await
    }
}
