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

mod backup;
mod config;
mod create;
mod discover;
mod error;
mod findings;
mod git;
mod harden;
mod head;
mod hooks;
mod inspect;
mod oid;
mod operation;
mod patch;
mod profile;
mod read;
mod secrets;
mod sinks;
mod status;
mod subject;
#[cfg(unix)]
#[path = "unix.rs"]
mod system;
#[cfg(windows)]
#[path = "windows.rs"]
mod system;
mod text;
mod user;
mod version;
mod workspace;

pub use backup::{Backup, Recovered};
pub use discover::{Repository, discover};
pub use error::VcsError;
pub use findings::{Finding, FindingKind, findings};
pub use git::Git;
pub use head::{Head, Position, head};
pub use hooks::{Hook, hooks};
pub use inspect::{Inspector, MAX_CHANGED, RepoSummary};
pub use oid::{NotAnOid, Oid};
pub use operation::Operation;
pub use patch::{PatchLine, PatchPart, PatchParts, read_patch};
pub use secrets::is_secret;
pub use subject::subject;
pub use version::{MINIMUM_VERSION, Version};
pub use workspace::{
    ChangeKind, Checkpoint, CheckpointName, CommitRequest, Committed, Conflict, FileChange, Limits, Patch,
    Produced, RestorePlan, Restored, SkipReason, Skipped, Snapshot, State, Unsaved, Without, Workspace,
};
