//! Taking a commit back: what the files would be without it.

use std::path::PathBuf;

use super::{Workspace, shown_path};
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

impl Workspace {
    /// What HEAD's tree would be without what a commit changed. Files, index and branches stay as they are.
    ///
    /// # Errors
    /// The commit is not there, nothing is committed yet, git is too old for this, or git fails.
    pub async fn without(&self, commit: &Oid) -> Result<Without, VcsError> {
        let found = self.git.version().await?;
        if found < NEEDED {
            return Err(VcsError::TooOld { found, needed: NEEDED });
        }
        let mut memory = self.remembered().await?;
        let head = self.calm_state(&memory).await?.head.commit;
        let head = head.ok_or(VcsError::Missing { name: "a commit to go back from".to_owned() })?;
        let head_tree = self.tree_of(&mut memory, &head).await?;
        let taken = self.tree_of(&mut memory, commit).await?;
        let before = self.tree_before(&memory, commit).await?;
        let message = || "Loopwright: taking a commit back\n".to_owned();
        let base = self.commit_tree(&memory, &taken, &[], message()).await?;
        let ours = self.commit_tree(&memory, &head_tree, &[&base], message()).await?;
        let theirs = self.commit_tree(&memory, &before, &[&base], message()).await?;
        let args = [
            "merge-tree",
            "--write-tree",
            "-z",
            "--name-only",
            "--no-messages",
            ours.as_str(),
            theirs.as_str(),
        ];
        let merged = self.git.finish(self.privately(&memory, &args)).await?;
        let mut words = merged.output.stdout.split(|byte| *byte == 0).filter(|word| !word.is_empty());
        let tree = words.next().and_then(Oid::from_line);
        match (tree, merged.exit.success()) {
            (Some(without), true) => Ok(Without::Trees { head: head_tree, without }),
            (Some(_), false) => Ok(Without::Conflicts(words.map(shown_path).collect())),
            (None, _) => Err(VcsError::Unexpected { command: "git merge-tree" }),
        }
    }

    /// The tree before a commit; an empty one before the first.
    async fn tree_before(&self, memory: &super::Memory, commit: &Oid) -> Result<Oid, VcsError> {
        let parent = format!("{commit}^1^{{tree}}");
        let call = self.privately(memory, &["rev-parse", "--verify", "--quiet", &parent]);
        if let Some(tree) = Oid::from_line(&self.git.finish(call).await?.output.stdout) {
            return Ok(tree);
        }
        self.object(self.privately(memory, &["mktree"]), "git mktree").await
    }
}
