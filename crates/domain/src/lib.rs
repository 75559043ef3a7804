//! Loopwright's types and rules.
//!
//! Everything here is plain data and pure functions: no IO, no async runtime, no clock, no randomness.
//! What is decided here is carried out by the crates above (`store`, `vcs`, `engine`), so each rule can be
//! tested as a table of examples.
#![deny(missing_docs)]
#![deny(clippy::indexing_slicing)]
#![cfg_attr(not(test), deny(clippy::string_slice))]

pub mod agent_event;
mod agent_facts;
pub mod automation;
pub mod baseline;
pub mod caps;
pub mod change;
pub mod check;
pub mod decide;
pub mod dependencies;
pub mod digest;
pub mod ending;
pub mod environment;
pub mod event;
pub mod failure;
pub mod fault;
pub mod figures;
pub mod gate;
pub mod ids;
pub mod iteration;
pub mod json;
pub mod learning;
pub mod limit;
mod normalised;
mod output_stream;
mod per_task;
pub mod price;
pub mod promise;
pub mod quality;
pub mod reorder;
pub mod risk;
pub mod run;
pub mod sanitize;
pub mod secret;
pub mod section;
pub mod settle;
pub mod signal;
pub mod task;
pub mod task_graph;
#[cfg(test)]
mod task_graph_tests;
pub mod task_move;
pub mod template;
pub mod term;
pub mod trust;
pub mod usage;
pub mod wave;
mod word;

pub use agent_event::{AgentEvent, AgentProblem, ProblemKind, UsageLimit};
pub use agent_facts::{AgentFacts, Hold, LoginState, OnLimit, SandboxState};
pub use automation::Automation;
pub use baseline::{Baseline, BaselineCheck, BaselineMode};
pub use change::Change;
pub use check::{CheckResult, CheckStatus, Issue, Severity, Verdict};
pub use decide::{Facts, Goal};
pub use dependencies::{Dependencies, DependencyCycle, DependencyProblem};
pub use ending::{Ending, NextAction, NextStep, ending};
pub use event::{Event, EventEnvelope, Origin};
pub use failure::{Diagnosis, Failure, FailureCategory, UNKNOWN_PATTERN};
pub use fault::{ErrorCode, ErrorKind, Fault, Location};
pub use gate::{Gate, GateDecision, GateKind, GateReason, GateStatus, LineComment, RiskFlag, RiskKind};
pub use ids::{EventSeq, GateId, IterationId, RunId, SectionId, TaskId, TermId};
pub use iteration::{Claim, EndCause, FailureCause, Iteration, Outcome, Phase};
pub use learning::{Learning, LearningCategory};
pub use limit::OutageRules;
pub use output_stream::OutputStream;
pub use price::{Price, Prices};
pub use reorder::reorder;
pub use run::{
    CommitMode, Control, ControlKind, ExitReason, Limits, Progress, ReviewMode, Run, RunKind, RunStatus,
    WaitReason,
};
pub use section::Section;
pub use settle::{AttemptFacts, Failures, Settlement, TaskLimits};
pub use task::{Blocked, DraftProblem, Task, TaskDraft, TaskKind, TaskSize, TaskStatus};
pub use task_graph::{HeldTask, TaskFilter, TaskGraph};
pub use task_move::TaskMove;
pub use term::{Term, TermProblem};
pub use trust::{Executable, TrustDigest, TrustState};
pub use usage::{Usage, estimate_tokens};
pub use wave::{Wave, WaveSummary};
