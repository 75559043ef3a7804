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
pub mod agent_format;
pub mod automation;
pub mod baseline;
pub mod caps;
pub mod change;
pub mod check;
pub mod code;
pub mod decide;
pub mod dependencies;
pub mod digest;
pub mod ending;
pub mod environment;
pub mod event;
mod event_name;
pub mod failure;
pub mod fault;
pub mod figures;
pub mod gate;
pub mod ids;
pub mod iteration;
pub mod json;
pub mod learning;
pub mod limit;
mod markdown;
pub mod memory;
pub mod next_action;
mod normalised;
pub mod origin;
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
pub mod tokens;
pub mod trust;
pub mod usage;
pub mod wave;
pub mod wizard;
mod word;

pub use agent_event::{AgentEvent, AgentProblem, ProblemKind, UsageLimit};
pub use agent_facts::{AgentFacts, Hold, LoginState, OnLimit, SandboxState};
pub use agent_format::{OutputFormat, PromptMode};
pub use automation::Automation;
pub use baseline::{Baseline, BaselineCheck, BaselineMode};
pub use change::Change;
pub use check::{CheckResult, CheckStatus, Issue, Severity, Verdict};
pub use decide::{Facts, Goal};
pub use dependencies::{Dependencies, DependencyCycle, DependencyProblem};
pub use ending::{Ending, ending};
pub use event::{Event, EventEnvelope};
pub use failure::{Diagnosis, Failure, FailureCategory, UNKNOWN_PATTERN};
pub use fault::{Cause, ErrorCode, ErrorKind, Fault, Location};
pub use gate::{Gate, GateDecision, GateKind, GateReason, GateStatus, LineComment, RiskFlag, RiskKind};
pub use ids::{EventSeq, GateId, IterationId, RunId, SectionId, TaskId, TermId};
pub use iteration::{Claim, EndCause, FailureCause, Iteration, Outcome, Phase};
pub use learning::{Learning, LearningCategory, LearningDraft, LearningScope};
pub use limit::OutageRules;
pub use memory::health::{HealthDirection, HealthFactor, HealthFactorKind, HealthPoint, HealthReport};
pub use memory::metrics::{
    AgentMetrics, BurndownPoint, DayMetrics, HarnessCost, MetricTotals, Metrics, PatternMetrics,
};
pub use memory::prompt_item::{
    ItemChoice, ItemState, PromptChoice, PromptGroup, PromptItem, PromptItemKind, PromptPreview,
    SuggestedSolution,
};
pub use memory::solution::{Fix, MemoryEffect, MemoryOrigin, Solution, SolutionDetail, SolutionDraft};
pub use memory::solution_trust::{SolutionState, SolutionTrust, TrustChange, TrustReason};
pub use memory::user_pattern::{
    FailurePattern, PatternStatus, PatternSuggestion, UserPattern, is_pattern_name, suggest_patterns,
};
pub use next_action::{NextAction, NextStep};
pub use origin::Origin;
pub use output_stream::OutputStream;
pub use price::{Price, Prices};
pub use reorder::reorder;
pub use run::{
    CommitMode, Control, ControlKind, ExitReason, Limits, Progress, ReviewMode, Run, RunKind, RunStatus,
    WaitReason,
};
pub use section::{Section, SectionRevision};
pub use settle::{AttemptFacts, Failures, Settlement, TaskLimits};
pub use task::{Blocked, DraftProblem, Task, TaskDraft, TaskKind, TaskSize, TaskStatus};
pub use task_graph::{HeldTask, TaskFilter, TaskGraph};
pub use task_move::TaskMove;
pub use term::{Term, TermProblem};
pub use tokens::estimate_tokens;
pub use trust::{Executable, TrustDigest, TrustState};
pub use usage::Usage;
pub use wave::{Wave, WaveSummary};
