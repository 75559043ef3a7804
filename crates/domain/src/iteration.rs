//! Iterations: one fresh agent process and its verification, from intent to outcome.

use serde::{Deserialize, Serialize};

use crate::agent_facts::AgentFacts;
use crate::ids::{IterationId, RunId, TaskId};
use crate::usage::Usage;
use crate::word::words;

words! {
    /// How far an iteration has come. It only ever moves forward.
    Phase {
        /// The intent is written; nothing has been started.
        Planned = "planned",
        /// The agent was started.
        Running = "running",
        /// The agent has ended.
        AgentDone = "agent_done",
        /// Checks run.
        Checking = "checking",
        /// A person has to decide.
        AwaitingApproval = "awaiting_approval",
        /// The commit is being made.
        Committing = "committing",
        /// Over.
        Settled = "settled",
    }
}

words! {
    /// How an iteration ended.
    Outcome {
        /// The agent ended well and required checks pass.
        Succeeded = "succeeded",
        /// It failed; [`FailureCause`] says why.
        Failed = "failed",
        /// It was stopped from outside: no failure, and it costs no attempt.
        Interrupted = "interrupted",
    }
}

words! {
    /// Why an iteration failed.
    FailureCause {
        /// The agent could not be started.
        NotStarted = "not_started",
        /// The agent ended with another exit code than 0, or by a signal.
        AgentExit = "agent_exit",
        /// The agent took too long.
        WallTimeout = "wall_timeout",
        /// The agent was silent for too long.
        IdleTimeout = "idle_timeout",
        /// The agent never said anything.
        StartTimeout = "start_timeout",
        /// The agent ended with 0 and told of an error.
        AgentError = "agent_error",
        /// The agent said itself that it failed.
        Reported = "reported",
        /// The agent said that it is blocked.
        Blocked = "blocked",
        /// A required check failed.
        Checks = "checks",
        /// The failing issues are still all there.
        NotImproved = "not_improved",
        /// The commit could not be made.
        Commit = "commit",
        /// The agent ended without saying that the task is done.
        NoSignal = "no_signal",
        /// The agent says that the work is done, and neither changed a file nor named what satisfies it already.
        NothingChanged = "nothing_changed",
        /// The agent was to plan only, and changed files.
        PlanChangedFiles = "plan_changed_files",
        /// A person rejected the work.
        Rejected = "rejected",
        /// A person put the task aside.
        Skipped = "skipped",
        /// The agent was not allowed to use a tool, and did nothing.
        Denied = "denied",
        /// The agent's account has reached its limit: no failure of the work, and it costs no attempt.
        Limit = "limit",
        /// The model's service is overloaded or down: no failure of the work either.
        Overload = "overload",
    }
}

words! {
    /// How an agent's process came to its end.
    EndCause {
        /// By itself.
        Exited = "exited",
        /// It took longer than it was given.
        WallTimeout = "wall_timeout",
        /// It was silent for longer than allowed.
        IdleTimeout = "idle_timeout",
        /// It never printed anything.
        StartTimeout = "start_timeout",
        /// It was asked to stop.
        Interrupted = "interrupted",
        /// It was stopped at once.
        Killed = "killed",
    }
}

words! {
    /// What an agent says about its work.
    Claim {
        /// Nothing.
        None = "none",
        /// Done, by the promise in its own text.
        Promise = "promise",
        /// Done, by the signal.
        Signal = "signal",
        /// Failed.
        Failure = "failure",
        /// Cannot go on without help.
        Blocked = "blocked",
        /// Done, but not said on the last line of its last message: it counts as nothing said.
        Misplaced = "misplaced",
    }
}

/// One fresh agent process and its verification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Iteration {
    /// Its id; also the environment marker of all its processes and the trailer of its commit.
    pub id: IterationId,
    /// The run it belongs to.
    pub run: RunId,
    /// Its number in the run, counted from 0; shown from 1.
    pub number: u32,
    /// Which try at this number it is, counted from 1: a number is tried again after an interruption.
    pub attempt: u32,
    /// The task it works on, in a run over tasks.
    pub task: Option<TaskId>,
    /// The wave of that task, counted from 1.
    pub wave: Option<u32>,
    /// Whether a person works instead of an agent: between `begin` and `finish`.
    pub by_hand: bool,
    /// Whether the files were put back as they were before it; what it did is kept under a reference of its own.
    pub restored: bool,
    /// How far it has come.
    pub phase: Phase,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// Why it failed.
    pub cause: Option<FailureCause>,
    /// The same in words, for people.
    pub message: Option<String>,
    /// When it was planned.
    pub started_at: String,
    /// When it was settled.
    pub ended_at: Option<String>,
    /// How long the agent worked, in milliseconds.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub agent_ms: u64,
    /// How long agent and checks took together, in milliseconds.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub elapsed_ms: u64,
    /// The agent's process.
    pub pid: Option<u32>,
    /// When that process was started, in the system's own words: tells it from another one with the same number.
    pub process_started: Option<String>,
    /// The agent's exit code.
    pub exit_code: Option<i32>,
    /// The signal that ended the agent.
    pub exit_signal: Option<i32>,
    /// How the agent came to its end.
    pub end: Option<EndCause>,
    /// What the agent said about its work.
    pub claim: Claim,
    /// The words of that claim.
    pub claim_text: Option<String>,
    /// Whether the agent's text was searched for the promise.
    pub promise_checked: bool,
    /// The beginning of the agent's last message, at most 500 characters.
    pub preview: String,
    /// What the agent used.
    pub usage: Usage,
    /// How many tokens the prompt is, roughly.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub prompt_tokens: u64,
    /// The branch or commit that was checked out when it began.
    pub head: Option<String>,
    /// The checkpoint's commit.
    pub checkpoint: Option<String>,
    /// The tree before the agent.
    pub tree_before: Option<String>,
    /// The tree after the agent.
    pub tree_after: Option<String>,
    /// The commit that holds its work.
    pub commit: Option<String>,
    /// Short names of what failed afterwards.
    pub failing: Vec<String>,
    /// Who did the work.
    pub agent: AgentFacts,
}

impl Iteration {
    /// The same counted from 1, as people and programs outside of Loopwright count iterations.
    #[must_use]
    pub fn counted_from_one(self) -> Self {
        Self { number: self.number.saturating_add(1), ..self }
    }

    /// The iteration as it is before anything happened.
    #[must_use]
    pub fn planned(id: IterationId, run: RunId, number: u32, attempt: u32, started_at: String) -> Self {
        Self {
            id,
            run,
            number,
            attempt,
            task: None,
            wave: None,
            by_hand: false,
            restored: false,
            phase: Phase::Planned,
            outcome: None,
            cause: None,
            message: None,
            started_at,
            ended_at: None,
            agent_ms: 0,
            elapsed_ms: 0,
            pid: None,
            process_started: None,
            exit_code: None,
            exit_signal: None,
            end: None,
            claim: Claim::None,
            claim_text: None,
            promise_checked: false,
            preview: String::new(),
            usage: Usage::default(),
            prompt_tokens: 0,
            head: None,
            checkpoint: None,
            tree_before: None,
            tree_after: None,
            commit: None,
            failing: Vec::new(),
            agent: AgentFacts::default(),
        }
    }

    /// Why the agent could not do its work, by what it told; none when only its end or the checks say so.
    #[must_use]
    pub fn told(&self) -> Option<FailureCause> {
        self.cause.filter(|cause| {
            matches!(
                cause,
                FailureCause::AgentError
                    | FailureCause::Denied
                    | FailureCause::Limit
                    | FailureCause::Overload
            )
        })
    }

    /// Whether it changed the tree; none where that is not known.
    #[must_use]
    pub fn changed_tree(&self) -> Option<bool> {
        Some(self.tree_before.as_ref()? != self.tree_after.as_ref()?)
    }
}
