//! Git, through a runner that a hostile repository cannot make execute anything.
//!
//! A repository is data from strangers, and git executes programs that its configuration names: hooks, the file
//! monitor, filters, helpers. This crate looks at repositories in two ways that execute nothing of the kind:
//!
//! - by reading files: [`discover`], [`head`], [`hooks`] and [`findings`] start no process at all;
//! - by asking git under the *inspect* profile: [`Inspector`] and most of [`Workspace`] run git by its absolute path,
//!   in an environment built from nothing, with every program the repository could name switched off (`harden.rs`).
//!
//! A run works through a [`Workspace`]: it takes checkpoints that leave the user's index, HEAD, stash and status as
//! they are, compares trees, puts back what the run changed and nothing else, and keeps a backup outside of the
//! repository, from which [`Git::recover`] brings back what was deleted. Only [`Workspace::commit`] runs programs of
//! the user's: hooks, filters and signing, once the folder is trusted.
#![deny(missing_docs)]
#![deny(clippy::indexing_slicing)]
#![cfg_attr(not(test), deny(clippy::string_slice))]

mod agent_repository;
mod backup;
mod commit_subject;
mod config;
mod create;
mod discover;
mod display_text;
mod error;
mod executing_settings;
mod finding_kind;
mod findings;
mod generated;
mod git;
mod git_locks;
mod harden;
mod head;
mod hooks;
mod inspect;
mod limited_read;
mod oid;
mod operation;
mod patch;
mod profile;
mod references;
mod repository;
mod repository_record;
mod secrets;
mod status;
#[cfg(unix)]
#[path = "unix.rs"]
mod system;
#[cfg(windows)]
#[path = "windows.rs"]
mod system;
mod user_settings;
mod version;
mod workspace;

pub use agent_repository::{AgentCommit, AgentCommits, AgentRepository, AgentRepositoryOptions};
pub use backup::{Backup, Recovered};
pub use commit_subject::subject;
pub use discover::discover;
pub use error::VcsError;
pub use finding_kind::FindingKind;
pub use findings::{Finding, findings};
pub use generated::is_generated;
pub use git::Git;
pub use head::{Head, Position, head};
pub use hooks::{Hook, hooks};
pub use inspect::{Inspector, MAX_CHANGED, RepoSummary};
pub use oid::{NotAnOid, Oid};
pub use operation::Operation;
pub use patch::{PatchLine, PatchPart, PatchParts, read_patch};
pub use repository::Repository;
pub use repository_record::{AGENT_REFLOG_ACTION, PutBack, RepositoryRecord, TakenOff};
pub use secrets::{is_own_state, is_secret, may_hold_secrets};
pub use system::free_space;
pub use version::{MINIMUM_VERSION, Version};
pub use workspace::{
    ChangeKind, Checkpoint, CheckpointName, CommitRequest, Committed, Conflict, Edits, FileChange, Limits,
    OutsideChange, OutsideKind, OutsideOutcome, Patch, Produced, RestorePlan, Restored, SkipReason, Skipped,
    Snapshot, Staged, State, Unsaved, Without, Workspace,
};
