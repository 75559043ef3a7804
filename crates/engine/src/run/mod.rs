//! Runs: the loop over any source of work, from the first intent to the last outcome.
//!
//! [`Project::prepare`](crate::Project::prepare) resolves a [`RunRequest`] into everything a run works by,
//! [`Project::start`](crate::Project::start) carries it out, [`Project::resume`](crate::Project::resume) takes up
//! one that was stopped. All of it is written down as it happens, so that any other process can watch and steer.

pub(crate) mod agent;
mod attach;
mod backup;
mod checking;
mod choices;
mod commit;
mod confine;
mod crash;
mod desk;
mod diff;
mod difference;
mod driver;
mod fence;
mod files;
mod folding;
mod follow;
mod hand;
pub(crate) mod harness;
mod heard;
mod history;
mod iterate;
mod iterations;
mod journal;
mod left;
mod lock;
mod lookout;
mod mirror;
mod observe;
mod options;
mod outage;
pub(crate) mod papers;
mod prompt;
mod pulse;
mod read;
mod reconcile;
mod recover;
pub mod report;
mod restore;
mod resume;
mod room;
mod signal;
mod source;
mod spending;
mod start;
mod state;
mod steer;
mod stop;
mod tasks;
mod transcript;
mod tree;
mod view;
mod visible;

use loopwright_domain::{IterationId, RunId};

pub use choices::{HarnessChoice, ProcedureChoice, RunChoices, StartDefaults};
pub use crash::{POINTS as CRASH_POINTS, TASK_POINTS as TASK_CRASH_POINTS};
pub use desk::{AssignedCheck, Assignment, Desk};
pub use difference::{
    Comparison, DiffFile, DiffLine, DiffReport, FileDiff, FileStatus, Folded, Hunk, LineKind, RestorePreview,
    TreeOf, TreeRestored, TreeSide,
};
pub(crate) use driver::{Driver, Ending};
pub use fence::Fence;
pub use files::IterationFiles;
pub(crate) use folding::is_read_by_nobody;
pub use follow::{FollowWaker, Follower};
pub use hand::BY_HAND;
pub(crate) use hand::Hand;
pub use history::{IterationColumn, IterationDetail, IterationPage, IterationRow, IterationSort, KeptText};
pub use lock::Holder;
pub(crate) use lock::RunLock;
pub use observe::{Observer, Stream, Unobserved, Update};
pub use options::{AgentOptions, GitOptions, Request, RunOptions, RunRequest, TaskSelection, Times};
pub use prompt::{ContextItem, PromptSize};
pub use read::Changes;
pub(crate) use reconcile::reconcile;
pub use recover::Recovered;
pub use resume::Asked;
pub use signal::Signal;
pub use source::{Answer, Failing, Repeated, SoFar, Source, Tasks, Work};
pub(crate) use start::interrupted;
pub use start::{DryRun, Earlier, Prepared};
pub use state::{RunState, RunSummary, RunUpdate};
pub use stop::{StopHandle, Urgency};
pub use tasks::{BlockedWork, Handoff, TaskRules};
pub(crate) use tasks::{Carried, attempt_reference, commit_of};
pub(crate) use transcript::HostEvent;
pub(crate) use tree::Tree;
pub use view::{IterationView, RunView};
pub(crate) use visible::shown_path;

use crate::host::Host;

/// Fresh random bytes. The system's generator does not fail on any system Loopwright runs on; if it ever did, the
/// clock still keeps ids apart.
fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    let _ = getrandom::fill(&mut bytes);
    bytes
}

fn unix_millis(host: &Host) -> u64 {
    u64::try_from((host.now)().as_millisecond()).unwrap_or(0)
}

pub(crate) fn new_run_id(host: &Host) -> RunId {
    RunId::from_parts(unix_millis(host), random())
}

pub(crate) fn new_iteration_id(host: &Host) -> IterationId {
    IterationId::from_parts(unix_millis(host), random())
}

/// A word nobody can guess, that ties a signal to its iteration.
fn nonce() -> String {
    random::<16>().iter().map(|byte| format!("{byte:02x}")).collect()
}
