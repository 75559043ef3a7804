//! Loopwright's types and rules.
//!
//! Everything here is plain data and pure functions: no IO, no async runtime, no clock, no randomness.
//! What is decided here is carried out by the crates above (`store`, `vcs`, `engine`), so each rule can be
//! tested as a table of examples.
#![deny(missing_docs)]

pub mod agent_event;
pub mod automation;
pub mod check;
pub mod decide;
pub mod digest;
pub mod ending;
pub mod event;
pub mod fault;
pub mod figures;
pub mod ids;
pub mod iteration;
pub mod promise;
pub mod run;
pub mod task;
pub mod template;
pub mod trust;
pub mod usage;
pub mod wave;
mod word;

pub use agent_event::{AgentEvent, AgentProblem, ProblemKind, UsageLimit};
pub use automation::Automation;
pub use check::{CheckResult, CheckStatus, Issue, Severity, Verdict};
pub use decide::{Facts, Goal};
pub use ending::{Ending, NextAction, NextStep, ending};
pub use event::{Event, EventEnvelope, Origin};
pub use fault::{ErrorCode, ErrorKind, Fault, Location};
pub use ids::{EventSeq, IterationId, RunId, TaskId};
pub use iteration::{Claim, EndCause, FailureCause, Iteration, Outcome, Phase};
pub use run::{Control, ControlKind, ExitReason, Limits, Progress, Run, RunKind, RunStatus, WaitReason};
pub use task::{Task, TaskStatus};
pub use trust::{Executable, TrustDigest, TrustState};
pub use usage::{Usage, estimate_tokens};
pub use wave::{DependencyCycle, Wave, WaveSummary, plan_waves};
