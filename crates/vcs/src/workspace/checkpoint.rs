//! Checkpoints: snapshots that are kept under a reference of our own.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::outside_files::Outside;
use super::run_start::RunStart;
use super::snapshot::Snapshot;
use super::{Memory, Workspace};
use crate::create::set_identity;
use crate::display_text::shown;
use crate::error::VcsError;
use crate::head::resolve;
use crate::oid::Oid;

/// Where checkpoints are kept.
const CHECKPOINTS: &str = "refs/loopwright/checkpoints";
/// Where the work of failed attempts is kept.
const ATTEMPTS: &str = "refs/loopwright/attempts";
/// Who makes the commits of checkpoints; by this they are told apart from all others.
const MAKER: (&str, &str) = ("Loopwright", "checkpoint@loopwright.invalid");

/// What a checkpoint is called: the run, and the iteration or another word such as `safety-3`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct CheckpointName {
    run: String,
    label: String,
}

impl CheckpointName {
    /// A name of two words of letters, digits, `-` and `_`.
    ///
    /// # Errors
    /// A word holds something else.
    pub fn new(run: impl fmt::Display, label: impl fmt::Display) -> Result<Self, VcsError> {
        Ok(Self { run: plain_word(run.to_string())?, label: plain_word(label.to_string())? })
    }

    /// The same with a number added.
    pub(super) fn numbered(&self, number: u32) -> Self {
        Self { run: self.run.clone(), label: format!("{}-{number}", self.label) }
    }

    /// The reference it is kept under.
    #[must_use]
    pub fn reference(&self) -> String {
        format!("{CHECKPOINTS}/{}/{}", self.run, self.label)
    }
}

fn plain_word(word: String) -> Result<String, VcsError> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if word.is_empty() || word.len() > 100 || word.starts_with('-') || !word.bytes().all(plain) {
        return Err(VcsError::BadName { name: shown(word.as_bytes()) });
    }
    Ok(word)
}

/// A kept snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Checkpoint {
    /// The commit that keeps it; HEAD's own when nothing was changed or staged.
    pub commit: Oid,
    /// What it holds.
    pub snapshot: Snapshot,
}

impl Workspace {
    /// Remembers the work tree under a name, before somebody works on it. The user's index, HEAD, stash and status stay
    /// as they are.
    ///
    /// A checkpoint of the same name with the same content is returned as it is. With the first one of a run the run
    /// begins: what is ignored or left out then is known, and what becomes of it later is told.
    ///
    /// # Errors
    /// As [`Workspace::snapshot`]; or the name is taken by another checkpoint.
    pub async fn checkpoint(&self, name: &CheckpointName) -> Result<Checkpoint, VcsError> {
        let mut memory = self.remembered().await?;
        self.calm_state(&memory).await?;
        let begins = !memory.private.start.is_of(&name.run);
        self.see_index(&mut memory, true).await?;
        if begins {
            memory.private.start = RunStart::default();
            self.forget_untracked(&mut memory).await?;
        }
        let (snapshot, scan) = self.look(&mut memory).await?;
        if begins {
            let folder = memory.private.kept_folder().to_owned();
            RunStart::begin(&folder, &name.run, &scan.ignored, scan.overfull.iter())
                .map_err(|error| VcsError::file(&folder, &error))?;
            memory.private.start = RunStart::load(&folder);
        }
        let folder = memory.private.kept_folder().to_owned();
        let outside = &memory.private.outside;
        outside
            .record(&folder, &self.repository.work_tree, &scan, begins)
            .map_err(|error| VcsError::file(&folder, &error))?;
        if !outside.is_current(&folder) {
            memory.private.outside = Outside::load(&folder);
        }
        let commit = self.keep(&mut memory, &name.reference(), &snapshot).await?;
        Ok(Checkpoint { commit, snapshot })
    }

    /// Remembers the work tree under a name while somebody's work is in it.
    pub(super) async fn checkpoint_between(&self, name: &CheckpointName) -> Result<Checkpoint, VcsError> {
        let mut memory = self.remembered().await?;
        let snapshot = self.take(&mut memory).await?;
        let commit = self.keep(&mut memory, &name.reference(), &snapshot).await?;
        Ok(Checkpoint { commit, snapshot })
    }

    /// Keeps the work of an attempt, named by its iteration, and returns its commit.
    ///
    /// # Errors
    /// The name is not plain or taken by another snapshot, or git fails.
    pub async fn keep_attempt(
        &self,
        iteration: impl fmt::Display,
        snapshot: &Snapshot,
    ) -> Result<Oid, VcsError> {
        let reference = format!("{ATTEMPTS}/{}", plain_word(iteration.to_string())?);
        let mut memory = self.remembered().await?;
        self.keep(&mut memory, &reference, snapshot).await
    }

    /// Keeps the tree that an attempt left, named by its iteration, and returns its commit. Where it is kept so already,
    /// nothing is done.
    ///
    /// # Errors
    /// The tree is not there, the name is not plain or taken by another, or git fails.
    pub async fn keep_attempt_tree(&self, iteration: impl fmt::Display, tree: &Oid) -> Result<Oid, VcsError> {
        self.keep_tree_as(&format!("{ATTEMPTS}/{}", plain_word(iteration.to_string())?), tree).await
    }

    /// Keeps a tree that a snapshot had, under a name of its own, and returns its commit. Where it is kept so already,
    /// nothing is done.
    ///
    /// # Errors
    /// The tree is not there, the name is taken by another, or git fails.
    pub async fn keep_tree(&self, name: &CheckpointName, tree: &Oid) -> Result<Oid, VcsError> {
        self.keep_tree_as(&name.reference(), tree).await
    }

    async fn keep_tree_as(&self, reference: &str, tree: &Oid) -> Result<Oid, VcsError> {
        let mut memory = self.remembered().await?;
        if let Some(there) = self.reference(&memory, reference).await?
            && self.load(&memory, &there).await?.snapshot.tree == *tree
        {
            return Ok(there);
        }
        let head = self.state_now(&memory).await?.head.commit;
        let staged = match &head {
            Some(head) => self.tree_of(&mut memory, head).await?,
            None => tree.clone(),
        };
        let snapshot = Snapshot {
            tree: tree.clone(),
            index_tree: staged,
            head,
            skipped: Vec::new(),
            skipped_count: 0,
            nested: Vec::new(),
            outside: Vec::new(),
        };
        self.keep(&mut memory, reference, &snapshot).await
    }

    /// Finds a checkpoint by its name. None when there is none.
    ///
    /// # Errors
    /// It is damaged, or git fails.
    pub async fn find_checkpoint(&self, name: &CheckpointName) -> Result<Option<Checkpoint>, VcsError> {
        let memory = self.remembered().await?;
        match self.reference(&memory, &name.reference()).await? {
            Some(commit) => self.load(&memory, &commit).await.map(Some),
            None => Ok(None),
        }
    }

    /// Reads a checkpoint by its commit, as long as its objects are there, even if its reference is gone.
    ///
    /// # Errors
    /// It is not there, or git fails.
    pub async fn load_checkpoint(&self, commit: &Oid) -> Result<Checkpoint, VcsError> {
        let memory = self.remembered().await?;
        self.load(&memory, commit).await
    }

    pub(super) async fn keep(
        &self,
        memory: &mut Memory,
        reference: &str,
        snapshot: &Snapshot,
    ) -> Result<Oid, VcsError> {
        let head_tree = match &snapshot.head {
            Some(head) => Some(self.tree_of(memory, head).await?),
            None => None,
        };
        let is_clean = head_tree.as_ref() == Some(&snapshot.tree) && snapshot.index_tree == snapshot.tree;
        let commit = match &snapshot.head {
            Some(head) if is_clean => head.clone(),
            _ => self.commit_snapshot(memory, reference, snapshot, head_tree.as_ref()).await?,
        };
        match self.create_reference(memory, reference, &commit).await {
            Err(VcsError::Exists { name }) => {
                let there = self
                    .reference(memory, reference)
                    .await?
                    .ok_or(VcsError::Exists { name: name.clone() })?;
                let kept = self.load(memory, &there).await?.snapshot;
                let same = kept.tree == snapshot.tree
                    && kept.index_tree == snapshot.index_tree
                    && kept.head == snapshot.head;
                if same { Ok(there) } else { Err(VcsError::Exists { name }) }
            }
            created => {
                created?;
                memory.last_kept = Some((reference.to_owned(), commit.clone()));
                Ok(commit)
            }
        }
    }

    /// Makes the commits: one of the work tree and, when something is staged, one of the index.
    async fn commit_snapshot(
        &self,
        memory: &mut Memory,
        reference: &str,
        snapshot: &Snapshot,
        head_tree: Option<&Oid>,
    ) -> Result<Oid, VcsError> {
        let head = snapshot.head.as_ref();
        let mut parents: Vec<Oid> = head.cloned().into_iter().collect();
        if head_tree != Some(&snapshot.index_tree) {
            parents.push(self.index_commit(memory, snapshot).await?);
        }
        let parents: Vec<&Oid> = parents.iter().collect();
        let message = format!(
            "Loopwright: {reference}\n\nhead {}\nindex {}\n",
            head.map_or("none", Oid::as_str),
            snapshot.index_tree
        );
        self.commit_tree(memory, &snapshot.tree, &parents, message).await
    }

    /// A commit of what is staged. The last one is used again: its objects are kept by the checkpoint it was made for.
    async fn index_commit(&self, memory: &mut Memory, snapshot: &Snapshot) -> Result<Oid, VcsError> {
        let (head, staged) = (&snapshot.head, &snapshot.index_tree);
        if let Some((known_head, known_tree, commit)) = &memory.index_commit
            && (known_head, known_tree) == (head, staged)
        {
            return Ok(commit.clone());
        }
        let parents: Vec<&Oid> = head.iter().collect();
        let commit = self.commit_tree(memory, staged, &parents, "Loopwright: the index\n".to_owned()).await?;
        memory.index_commit = Some((head.clone(), staged.clone(), commit.clone()));
        Ok(commit)
    }

    pub(super) async fn commit_tree(
        &self,
        memory: &Memory,
        tree: &Oid,
        parents: &[&Oid],
        message: String,
    ) -> Result<Oid, VcsError> {
        let mut args = vec!["commit-tree", "--no-gpg-sign", tree.as_str()];
        for parent in parents {
            args.extend(["-p", parent.as_str()]);
        }
        let mut environment = self.private_environment(memory);
        set_identity(&mut environment, MAKER.0, MAKER.1);
        let mut call = self.call(&args, environment);
        call.input = message.into_bytes();
        self.object(call, "git commit-tree").await
    }

    async fn load(&self, memory: &Memory, commit: &Oid) -> Result<Checkpoint, VcsError> {
        let call = self.privately(memory, &["cat-file", "commit", commit.as_str()]);
        let finished = self.git.finish(call).await?;
        if !finished.exit.success() {
            return Err(VcsError::Missing { name: commit.to_string() });
        }
        let text = String::from_utf8_lossy(&finished.output.stdout).into_owned();
        let snapshot = read_commit(commit, &text).ok_or(VcsError::Unexpected { command: "git cat-file" })?;
        Ok(Checkpoint { commit: commit.clone(), snapshot })
    }

    /// The object a reference names. None when there is no such reference.
    pub(super) async fn reference(&self, memory: &Memory, name: &str) -> Result<Option<Oid>, VcsError> {
        if !memory.profile.reftable {
            return Ok(resolve(&self.repository.common_dir, name));
        }
        let call = self.inspecting(memory, &["rev-parse", "--verify", "--quiet", name]);
        Ok(Oid::from_line(&self.git.finish(call).await?.output.stdout))
    }

    /// Makes a reference that must not be there yet.
    pub(super) async fn create_reference(
        &self,
        memory: &Memory,
        name: &str,
        oid: &Oid,
    ) -> Result<(), VcsError> {
        let zeros = Oid::zeros(memory.profile.format);
        let call = self.inspecting(memory, &["update-ref", "--no-deref", name, oid.as_str(), &zeros]);
        match self.git.run(call).await {
            Err(VcsError::Failed { .. }) if self.reference(memory, name).await?.is_some() => {
                Err(VcsError::Exists { name: name.to_owned() })
            }
            done => done.map(drop),
        }
    }
}

/// Reads a commit as a checkpoint. One that we did not make stands for itself: nothing was changed or staged.
fn read_commit(commit: &Oid, text: &str) -> Option<Snapshot> {
    let (headers, message) = text.split_once("\n\n").unwrap_or((text, ""));
    let value = |part: &str, word: &str| {
        part.lines().find_map(|line| line.strip_prefix(word)?.strip_prefix(' ').map(str::to_owned))
    };
    let tree = Oid::parse(&value(headers, "tree")?)?;
    let ours = value(headers, "committer")?.contains(&format!("<{}>", MAKER.1));
    let (head, index_tree) = if ours {
        (Oid::parse(&value(message, "head")?), Oid::parse(&value(message, "index")?)?)
    } else {
        (Some(commit.clone()), tree.clone())
    };
    Some(Snapshot {
        tree,
        index_tree,
        head,
        skipped: Vec::new(),
        skipped_count: 0,
        nested: Vec::new(),
        outside: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_two_plain_words() {
        let name = CheckpointName::new("0192-abc", 3).unwrap();
        assert_eq!(name.reference(), "refs/loopwright/checkpoints/0192-abc/3");
        for (run, label) in [("", "1"), ("a/b", "1"), ("..", "1"), ("a", "-x"), ("a", "x.lock"), ("a", "ä")]
        {
            assert!(CheckpointName::new(run, label).is_err(), "{run} {label}");
        }
    }

    #[test]
    fn a_foreign_commit_stands_for_itself() {
        let oid = |digit: &str| Oid::parse(&digit.repeat(40)).unwrap();
        let text =
            format!("tree {}\nauthor A <a@x> 1 +0000\ncommitter A <a@x> 1 +0000\n\nhead none\n", oid("1"));
        let snapshot = read_commit(&oid("2"), &text).unwrap();
        assert_eq!((snapshot.tree, snapshot.index_tree, snapshot.head), (oid("1"), oid("1"), Some(oid("2"))));
        assert_eq!(read_commit(&oid("2"), ""), None);
    }
}
