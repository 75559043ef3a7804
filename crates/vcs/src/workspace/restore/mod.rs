//! Putting files back the way a checkpoint has them.
//!
//! First a plan, then a safety checkpoint, then each file by itself, and only where the file still is what the plan
//! says it is. A run takes back only what it made itself. A person who returns to a tree gets all of it, but for what
//! no checkpoint could bring back: that is never overwritten or deleted.

mod apply;
mod disk;
mod index;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::changes::Entry;
use super::checkpoint::{Checkpoint, CheckpointName};
use super::snapshot::Snapshot;
use super::{Memory, Workspace, shown_path};
use crate::error::VcsError;
use crate::oid::Oid;
use disk::PathEntry;
pub(super) use disk::make_folders;

/// The mode of a submodule: its files are not ours to write.
pub(super) const SUBMODULE: &str = "160000";
/// The mode of a link.
const LINK: &str = "120000";
/// The mode of a file that may be executed.
const EXECUTABLE: &str = "100755";
/// How many safety checkpoints of one name there can be.
const SAFETY_NAMES: u32 = 100;

/// Why a file is left as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum Unsaved {
    /// It is not what the run made of it: somebody else changed it.
    Edited,
    /// A folder with other files, or another file, is in its place.
    InTheWay,
    /// It was ignored before, so that nobody can tell whether the run made it.
    Ignored,
    /// It is a repository of its own.
    Submodule,
    /// What git has for it is not what was saved: the object was rewritten.
    Damaged,
    /// The system refused.
    Refused,
}

/// A file that is left as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Conflict {
    /// The path, counted from the work tree.
    pub path: PathBuf,
    /// Why.
    pub why: Unsaved,
}

impl Conflict {
    fn new(name: &[u8], why: Unsaved) -> Self {
        Self { path: shown_path(name), why }
    }
}

/// One file to be put back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    name: Vec<u8>,
    /// What it is to be; none when the run made it.
    wanted: Option<Entry>,
    /// What the run made of it.
    produced: Option<Entry>,
}

/// What a restore would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RestorePlan {
    /// Files that get back the content they had.
    pub write: Vec<PathBuf>,
    /// Files that the run made and that go.
    pub delete: Vec<PathBuf>,
    /// Files that the run changed and that are left, because they are no longer what it made of them.
    pub conflicts: Vec<Conflict>,
    /// Files of the run's work that a person has committed or staged since: they become what is committed or staged, and
    /// are not put back any further.
    pub owned: Vec<PathBuf>,
    /// Whether HEAD is not where it was at the checkpoint: somebody committed or switched branches since.
    pub head_moved: bool,
    steps: Vec<Step>,
    /// What was staged, where the index is to follow.
    index: Option<PlannedIndex>,
    since: Option<SystemTime>,
}

/// The index that a restore brings back.
#[derive(Clone, Debug, PartialEq, Eq)]
struct PlannedIndex {
    tree: Oid,
    /// What the run staged, if that is known.
    produced: Option<Oid>,
    /// What a person has committed or staged since.
    owned: Owned,
}

/// Files that a person has committed or staged, and what they are there; none when they are gone.
type Owned = BTreeMap<Vec<u8>, Option<Entry>>;

impl RestorePlan {
    /// Whether there is nothing to do.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }
}

/// The last thing that a run recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Produced {
    /// The files.
    pub tree: Oid,
    /// What is staged.
    pub staged: Staged,
}

/// What is staged, and by whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Staged {
    /// Nobody knows.
    Unknown,
    /// By the run, too: what was not staged at the checkpoint is taken back.
    ByAnyone(Oid),
    /// By the user alone, whose index the run could not reach.
    ByUser(Oid),
}

impl From<&Snapshot> for Produced {
    fn from(snapshot: &Snapshot) -> Self {
        Self { tree: snapshot.tree.clone(), staged: Staged::ByAnyone(snapshot.index_tree.clone()) }
    }
}

impl From<&Oid> for Produced {
    fn from(tree: &Oid) -> Self {
        Self { tree: tree.clone(), staged: Staged::Unknown }
    }
}

/// What a restore did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restored {
    /// Everything as it was just before.
    pub safety: Checkpoint,
    /// Files that have their content back.
    pub written: Vec<PathBuf>,
    /// Files that the run had made.
    pub deleted: Vec<PathBuf>,
    /// Files that are left as they are.
    pub left: Vec<Conflict>,
    /// Whether the index is back too, for the same files; it is not when it was locked all the time.
    pub index_restored: bool,
}

impl Workspace {
    /// Plans how to put the files back the way a checkpoint has them.
    ///
    /// `produced` is the last thing that the run recorded: a file that is something else by now was changed by somebody
    /// else and is left. What a person has committed since, or staged where only they could, is theirs. Folders made after `since` are removed when they become empty.
    ///
    /// # Errors
    /// A tree is not there, or git fails.
    pub async fn plan_restore(
        &self,
        target: &Checkpoint,
        produced: impl Into<Produced>,
        since: Option<SystemTime>,
    ) -> Result<RestorePlan, VcsError> {
        let produced = produced.into();
        let mut memory = self.remembered().await?;
        let head = self.state_now(&memory).await?.head.commit;
        let head_moved = head != target.snapshot.head;
        let mut owned = Owned::new();
        if let (true, Some(was), Some(is)) = (head_moved, &target.snapshot.head, &head) {
            let (was, is) = (self.tree_of(&mut memory, was).await?, self.tree_of(&mut memory, is).await?);
            let committed = self.differences(&memory, &was, &is).await?;
            owned.extend(committed.into_iter().map(|change| (change.name, change.new)));
        }
        let index = match produced.staged {
            Staged::Unknown => None,
            Staged::ByAnyone(tree) => Some(tree),
            Staged::ByUser(tree) => {
                let staged = self.differences(&memory, &target.snapshot.index_tree, &tree).await?;
                owned.extend(staged.into_iter().map(|change| (change.name, change.new)));
                None
            }
        };
        let mut plan = self.plan(&memory, &target.snapshot.tree, &produced.tree, &owned).await?;
        plan.index = Some(PlannedIndex { tree: target.snapshot.index_tree.clone(), produced: index, owned });
        Ok(RestorePlan { head_moved, since, ..plan })
    }

    /// Plans how to make the files what a tree has, whoever changed them since.
    ///
    /// `now` is the tree as it is: what goes or is overwritten is in it. A file that is not in it, because it is
    /// ignored or too large, is left. HEAD and index stay as they are; folders that become empty go.
    ///
    /// # Errors
    /// A tree is not there, or git fails.
    pub async fn plan_return(&self, tree: &Oid, now: &Oid) -> Result<RestorePlan, VcsError> {
        let memory = self.remembered().await?;
        let plan = self.plan(&memory, tree, now, &Owned::new()).await?;
        let written = plan.steps.iter().filter(|step| step.wanted.is_some());
        // All of it has to be there before anything is touched.
        self.chunks(&memory, written.collect()).await?;
        Ok(RestorePlan { since: Some(SystemTime::UNIX_EPOCH), ..plan })
    }

    async fn plan(
        &self,
        memory: &Memory,
        tree: &Oid,
        produced: &Oid,
        owned: &Owned,
    ) -> Result<RestorePlan, VcsError> {
        let mut plan = RestorePlan {
            write: Vec::new(),
            delete: Vec::new(),
            conflicts: Vec::new(),
            owned: Vec::new(),
            head_moved: false,
            steps: Vec::new(),
            index: None,
            since: None,
        };
        for change in self.differences(memory, tree, produced).await? {
            let mut step = Step { name: change.name, wanted: change.old, produced: change.new };
            if let Some(entry) = owned.get(&step.name) {
                plan.owned.push(shown_path(&step.name));
                step.wanted.clone_from(entry);
            }
            let is_submodule =
                |entry: &Option<Entry>| entry.as_ref().is_some_and(|entry| entry.mode == SUBMODULE);
            if is_submodule(&step.wanted) || is_submodule(&step.produced) {
                plan.conflicts.push(Conflict::new(&step.name, Unsaved::Submodule));
                continue;
            }
            let found = self.found(memory, &step.name);
            if found.is(step.wanted.as_ref()) && found != PathEntry::Folder {
                continue;
            }
            if !found.is(step.produced.as_ref()) {
                plan.conflicts.push(Conflict::new(&step.name, Unsaved::Edited));
                continue;
            }
            let list = if step.wanted.is_some() { &mut plan.write } else { &mut plan.delete };
            list.push(shown_path(&step.name));
            plan.steps.push(step);
        }
        Ok(plan)
    }

    /// Carries a plan out, after a safety checkpoint of this name. If there is another of that name, a number is added.
    ///
    /// # Errors
    /// The safety checkpoint cannot be taken: then nothing was changed. Trouble with single files is told in the result.
    pub async fn restore(&self, plan: &RestorePlan, safety: &CheckpointName) -> Result<Restored, VcsError> {
        let safety = self.safety_checkpoint(safety).await?;
        self.carry_out(plan, safety).await
    }

    /// Carries a plan out when the safety checkpoint is taken already.
    ///
    /// # Errors
    /// Git fails. Trouble with single files is told in the result.
    pub async fn carry_out(&self, plan: &RestorePlan, safety: Checkpoint) -> Result<Restored, VcsError> {
        let memory = self.remembered().await?;
        let mut restored = Restored {
            written: Vec::new(),
            deleted: Vec::new(),
            left: plan.conflicts.clone(),
            index_restored: true,
            safety,
        };
        let touched = self.act(&memory, plan, &mut restored).await?;
        restored.index_restored = self.restore_index(&memory, plan, &restored, &touched).await?;
        Ok(restored)
    }

    async fn safety_checkpoint(&self, name: &CheckpointName) -> Result<Checkpoint, VcsError> {
        for number in 1..=SAFETY_NAMES {
            let name = if number == 1 { name.clone() } else { name.numbered(number) };
            match self.checkpoint_between(&name).await {
                Err(VcsError::Exists { .. }) => {}
                taken => return taken,
            }
        }
        Err(VcsError::Exists { name: name.reference() })
    }
}
