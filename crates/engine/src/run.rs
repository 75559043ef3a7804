//! Runs: the loop over any source of work, from the first intent to the last outcome.
//!
//! [`ProjectRuns::prepare`](crate::ProjectRuns::prepare) resolves a [`RunRequest`] into everything a run works by,
//! [`ProjectRuns::start`](crate::ProjectRuns::start) carries it out, [`ProjectRuns::resume`](crate::ProjectRuns::resume) takes up
//! one that was stopped. All of it is written down as it happens, so that any other process can watch and steer.

pub use loopwright_plan::spec::ContextItem;
pub use loopwright_transcript::IterationFiles;
pub use loopwright_vcs::FileChange;

pub use crate::assessment::diff_folding::Folded;
pub use crate::attempt::agent::signal::Signal;
pub use crate::attempt::agent::signal_endpoint::{AssignedCheck, Assignment, SignalEndpoint};
pub use crate::crash::{POINTS as CRASH_POINTS, TASK_POINTS as TASK_CRASH_POINTS};
pub use crate::dispatch::handoff::{BlockedWork, Handoff};
pub use crate::launch::AgentOptions;
pub use crate::launch::manual_harness::BY_HAND;
pub use crate::observer::{Observer, Unobserved, Update, UpdateStream};
pub use crate::prepare::options::{AgentTimeouts, GitOptions, RunOptions};
pub use crate::prepare::prepared::{Prepared, PreparedDigest};
pub use crate::prepare::request::{Request, RunRequest, TaskSelection};
pub use crate::prepare::sandbox_options::SandboxOptions;
pub use crate::prepare::source::{
    CheckSource, PromptSource, RepeatedPrompt, Source, SourceFuture, TaskSource, WorkContext,
};
pub use crate::prepare::task_rules::TaskRules;
pub use crate::prompt::compose::PromptSize;
pub use crate::recover::restore_state::Recovered;
pub use crate::report;
pub use crate::run_lock::Holder;
pub use crate::start::choices::{HarnessChoice, ProcedureChoice, RunChoices, StartDefaults};
pub use crate::start::resume::ControlOutcome;
pub use crate::start::{DryRun, Earlier};
pub use crate::stop::{StopHandle, Urgency};
pub use crate::watch::diff_model::{
    Comparison, DiffFile, DiffLine, DiffReport, FileDiff, FileStatus, Hunk, LineKind, RestorePreview, TreeOf,
    TreeRestored, TreeSide,
};
pub use crate::watch::follow::{FollowWaker, Follower};
pub use crate::watch::iteration_model::{
    IterationColumn, IterationDetail, IterationPage, IterationRow, IterationSort, KeptText,
};
pub use crate::watch::run_state::{RunState, RunSummary, RunUpdate};
pub use crate::watch::run_view::{IterationView, RunView};
pub use crate::watch::runs::Changes;
