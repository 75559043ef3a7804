//! What a run does with a repository: remember the work tree, compare, put back, commit.
//!
//! Looking and saving go through a *private* git folder (`private_git_dir.rs`): its own index, its own configuration and
//! attributes, and the repository's object store. Nothing that the repository names has a say there, files are taken
//! byte by byte, and the user's index, HEAD, stash and status stay as they are.

mod changes;
mod checkpoint;
mod commit;
mod commit_base;
mod commit_check;
mod commit_hooks;
mod commit_index;
mod converted_files;
mod edits;
mod folders;
mod hook_edits;
mod index_cache;
mod index_file;
mod index_swap;
mod left_out;
mod made_files;
mod outside_files;
mod private_git_dir;
mod refs;
mod restore;
mod revert;
mod run_start;
mod scan;
mod set_id;
mod snapshot;
mod uncommitted;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

pub use changes::{ChangeKind, FileChange, Patch};
pub use checkpoint::{Checkpoint, CheckpointName};
pub use commit::{CommitRequest, Committed};
pub use edits::Edits;
use loopwright_process::Captured;
pub use outside_files::{OutsideChange, OutsideKind, OutsideOutcome};
pub use restore::{Conflict, Produced, RestorePlan, Restored, Staged, Unsaved};
pub use revert::Without;
pub use scan::{SkipReason, Skipped};
use serde::{Deserialize, Serialize};
pub use snapshot::Snapshot;
use tokio::sync::{Mutex, MutexGuard};

use crate::error::VcsError;
use crate::git::{Call, Git, WRITE_TIMEOUT};
use crate::harden::Environment;
use crate::head::{Position, position, resolve};
use crate::inspect::refuse_git_of_the_project;
use crate::oid::{ObjectFormat, Oid};
use crate::operation::Operation;
use crate::profile::Profile;
use crate::repository::Repository;
use crate::user_settings::UserSettings;
use private_git_dir::Private;
pub(crate) use refs::is_ref_name;

/// As much as git may print when it lists files.
const LISTING_LIMIT: usize = 64 * 1024 * 1024;

/// What a checkpoint may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Larger files that git does not track are left out.
    pub file_bytes: u64,
    /// Folders with more files that git does not track are left out.
    pub folder_files: usize,
    /// More new and changed bytes are refused.
    pub total_bytes: u64,
    /// A disk with less free space is refused.
    pub free_bytes: u64,
    /// As many files as are named among those left out; the rest is counted.
    pub listed: usize,
    /// As much of a listing of changed and new files as is read at once.
    pub listing_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        const MIB: u64 = 1024 * 1024;
        Self {
            file_bytes: 10 * MIB,
            folder_files: 5_000,
            total_bytes: 2 * 1024 * MIB,
            free_bytes: 1024 * MIB,
            listed: 1_000,
            listing_bytes: LISTING_LIMIT,
        }
    }
}

/// Where a repository stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// The branch and the commit.
    pub head: Position,
    /// A merge, rebase or the like that is under way.
    pub operation: Option<Operation>,
}

/// One repository, for as long as a run works in it.
#[derive(Debug)]
pub struct Workspace {
    git: Git,
    repository: Repository,
    user: UserSettings,
    limits: Limits,
    memory: Mutex<Memory>,
}

/// What is remembered from one call to the next, so that few git processes are needed.
#[derive(Debug)]
pub(crate) struct Memory {
    profile: Profile,
    private: Private,
    /// A commit and its tree.
    head_tree: Option<(Oid, Oid)>,
    /// HEAD, a tree that was staged on it, and the commit made of that.
    index_commit: Option<(Option<Oid>, Oid, Oid)>,
    /// The last reference that was made, and what it names. While it is there, the objects above are there too.
    last_kept: Option<(String, Oid)>,
}

impl Memory {
    /// How a tree is written. That all it names is there can only be asked for where nothing is left elsewhere.
    fn write_tree(&self) -> &'static [&'static str] {
        if self.profile.partial { &["write-tree", "--missing-ok"] } else { &["write-tree"] }
    }

    /// Whether a file was ignored when the run began, and no person has included it since.
    pub(crate) fn ignored_at_start(&self, name: &[u8]) -> bool {
        self.private.start.ignores(name)
    }

    /// Forgets everything that rests on objects which somebody may have removed.
    fn forget_objects(&mut self) {
        self.private.forget_kept();
        self.private.taken = None;
        self.head_tree = None;
        self.index_commit = None;
        self.last_kept = None;
    }

    /// What is staged, as it was last seen.
    fn index_tree(&self) -> Option<&Oid> {
        self.private.taken.as_ref().map(|taken| &taken.index_tree)
    }

    /// What is known about the repository.
    pub(crate) const fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Whether objects have the longer names.
    pub(crate) fn is_sha256(&self) -> bool {
        self.profile.format == ObjectFormat::Sha256
    }
}

impl Git {
    /// Opens a repository for a run.
    ///
    /// # Errors
    /// Git is too old or refuses, or the work tree is a home folder or a whole disk.
    pub async fn workspace(&self, repository: &Repository) -> Result<Workspace, VcsError> {
        refuse_git_of_the_project(self, repository)?;
        refuse_whole_disks(&repository.work_tree)?;
        let (_, user) = tokio::try_join!(self.version(), UserSettings::read(self))?;
        let profile = Profile::read(self, repository, &user, WRITE_TIMEOUT).await?;
        let private = Private::create(repository)?;
        let memory =
            Mutex::new(Memory { profile, private, head_tree: None, index_commit: None, last_kept: None });
        Ok(Workspace {
            git: self.clone(),
            repository: repository.clone(),
            user,
            limits: Limits::default(),
            memory,
        })
    }
}

/// A home folder or a disk has more in it than anybody wants in a checkpoint.
fn refuse_whole_disks(work_tree: &Path) -> Result<(), VcsError> {
    let is_home = std::env::home_dir()
        .and_then(|home| dunce::canonicalize(home).ok())
        .is_some_and(|home| home == work_tree);
    if is_home || work_tree.parent().is_none() {
        return Err(VcsError::BadFolder { dir: work_tree.to_owned() });
    }
    Ok(())
}

impl Workspace {
    /// Removes what processes that are gone have left of commits. Whatever still makes one of them has to be ended before.
    pub fn sweep_commits(&self) {
        private_git_dir::sweep_all(&self.repository);
    }

    /// Changes what a checkpoint may hold.
    #[must_use]
    pub const fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The repository.
    #[must_use]
    pub const fn repository(&self) -> &Repository {
        &self.repository
    }

    /// The git program.
    pub(crate) const fn git(&self) -> &Git {
        &self.git
    }

    /// Where the repository stands. Reads files only, unless references are kept in a form that only git can read.
    ///
    /// # Errors
    /// HEAD is damaged, or git's folder is gone.
    pub async fn state(&self) -> Result<State, VcsError> {
        let memory = self.remembered().await?;
        self.state_now(&memory).await
    }

    pub(crate) async fn state_now(&self, memory: &Memory) -> Result<State, VcsError> {
        let head = match position(&self.repository) {
            Some(head) => head,
            None if memory.profile.reftable => self.ask_for_position(memory).await?,
            None => return Err(VcsError::Gone { dir: self.repository.git_dir.clone() }),
        };
        Ok(State { head, operation: Operation::under_way(&self.repository.git_dir) })
    }

    async fn ask_for_position(&self, memory: &Memory) -> Result<Position, VcsError> {
        let ask = async |args: &[&str]| {
            let finished = self.git.finish(self.inspecting(memory, args)).await?;
            let said = String::from_utf8_lossy(&finished.output.stdout).trim_end().to_owned();
            Ok::<_, VcsError>(finished.exit.success().then_some(said))
        };
        let branch = ask(&["symbolic-ref", "--quiet", "HEAD"]).await?;
        let commit = ask(&["rev-parse", "--quiet", "--verify", "HEAD^{commit}"]).await?;
        Ok(Position {
            branch: branch.map(|name| name.strip_prefix("refs/heads/").unwrap_or(&name).to_owned()),
            commit: commit.and_then(|oid| Oid::parse(&oid)),
        })
    }

    /// The state, when no larger operation is under way.
    async fn calm_state(&self, memory: &Memory) -> Result<State, VcsError> {
        let state = self.state_now(memory).await?;
        match state.operation {
            Some(operation) => Err(VcsError::Busy { operation }),
            None => Ok(state),
        }
    }

    /// What is remembered, with the hardened settings read again if any file they came from has changed.
    pub(crate) async fn remembered(&self) -> Result<MutexGuard<'_, Memory>, VcsError> {
        let mut memory = self.memory.lock().await;
        let common = &self.repository.common_dir;
        if !common.join("objects").is_dir()
            || self.repository.git_dir.join("HEAD").symlink_metadata().is_err()
        {
            return Err(VcsError::Gone { dir: common.clone() });
        }
        if !memory.profile.is_current() {
            memory.profile = Profile::read(&self.git, &self.repository, &self.user, WRITE_TIMEOUT).await?;
        }
        if !memory.private.is_whole() {
            memory.private = Private::create(&self.repository)?;
        }
        if let Some((name, oid)) = &memory.last_kept
            && !memory.profile.reftable
            && resolve(common, name).as_ref() != Some(oid)
        {
            memory.forget_objects();
        }
        let Memory { profile, private, .. } = &mut *memory;
        private.configure(&self.repository, profile)?;
        Ok(memory)
    }

    /// A call under the inspect profile, with the repository's own references.
    pub(crate) fn inspecting<A: Into<OsString> + Clone>(&self, memory: &Memory, args: &[A]) -> Call {
        self.call(args, memory.profile.environment.clone())
    }

    /// A call in the private folder: the repository's objects, and nothing else of it.
    fn privately<A: Into<OsString> + Clone>(&self, memory: &Memory, args: &[A]) -> Call {
        self.call(args, self.private_environment(memory))
    }

    /// The same for the rest of the crate.
    pub(crate) fn private_call(&self, memory: &Memory, args: &[String]) -> Call {
        self.privately(memory, args)
    }

    /// The object a reference names. None when there is no such reference.
    pub(crate) async fn reference_now(&self, memory: &Memory, name: &str) -> Result<Option<Oid>, VcsError> {
        self.reference(memory, name).await
    }

    /// Says that HEAD is not where it has to be.
    pub(crate) fn moved(&self, expected: &Position, found: &Position) -> VcsError {
        commit::moved(expected, found)
    }

    /// Sets paths of the user's index to what HEAD has. False when it stays locked.
    pub(crate) async fn reset_names(&self, memory: &Memory, names: &BTreeSet<Vec<u8>>) -> bool {
        self.reset_index(memory, names.iter().map(|name| &**name).collect()).await
    }

    fn private_environment(&self, memory: &Memory) -> Environment {
        let mut environment = self.git.environment();
        memory.private.place(&mut environment, &self.repository);
        environment
    }

    fn call<A: Into<OsString> + Clone>(&self, args: &[A], environment: Environment) -> Call {
        let mut call = Call::new(&self.repository.work_tree, args, environment);
        call.timeout = WRITE_TIMEOUT;
        call.output_limit = LISTING_LIMIT;
        call
    }

    /// Runs a call whose output does not matter.
    pub(crate) async fn git_run(&self, call: Call) -> Result<(), VcsError> {
        self.git.run(call).await.map(drop)
    }

    /// Runs a call that prints the name of one object.
    async fn object(&self, call: Call, command: &'static str) -> Result<Oid, VcsError> {
        let Captured { stdout, .. } = self.git.run(call).await?;
        Oid::from_line(&stdout).ok_or(VcsError::Unexpected { command })
    }

    /// The tree of a commit.
    async fn tree_of(&self, memory: &mut Memory, commit: &Oid) -> Result<Oid, VcsError> {
        if let Some((known, tree)) = &memory.head_tree
            && known == commit
        {
            return Ok(tree.clone());
        }
        let call =
            self.privately(memory, &["rev-parse", "--verify", "--quiet", &format!("{commit}^{{tree}}")]);
        let finished = self.git.finish(call).await?;
        let tree = Oid::from_line(&finished.output.stdout)
            .ok_or_else(|| VcsError::Missing { name: commit.to_string() })?;
        memory.head_tree = Some((commit.clone(), tree.clone()));
        Ok(tree)
    }

    /// A path of the work tree by its name in git.
    fn on_disk(&self, name: &[u8]) -> Option<PathBuf> {
        Some(self.repository.work_tree.join(path_of(name)?))
    }
}

/// A path, counted from the work tree, by its name in git.
pub(crate) fn path_of(name: &[u8]) -> Option<PathBuf> {
    crate::system::text_from_git(name.to_vec()).map(PathBuf::from)
}

/// A path for people, even one that this system could not have.
fn shown_path(name: &[u8]) -> PathBuf {
    path_of(name).unwrap_or_else(|| PathBuf::from(String::from_utf8_lossy(name).into_owned()))
}
