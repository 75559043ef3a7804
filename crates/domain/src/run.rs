//! Runs: what one execution of the loop is, how it stands, and how it ended.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::agent_facts::Hold;
use crate::baseline::Baseline;
use crate::fault::ErrorCode;
use crate::ids::RunId;
use crate::origin::Origin;
use crate::usage::Usage;
use crate::word::words;

words! {
    /// The source of a run's work.
    RunKind {
        /// One prompt or one procedure, again and again.
        Loop = "loop",
        /// The failing checks.
        Fix = "fix",
        /// The pending tasks, wave by wave.
        Run = "run",
    }
}

words! {
    /// Where a run stands.
    RunStatus {
        /// Working, or about to: a live process holds the lock.
        Running = "running",
        /// A person asked it to pause.
        Paused = "paused",
        /// Held until something outside changes.
        Waiting = "waiting",
        /// Ended as it was meant to: its goal is reached, or it had none besides its iterations.
        Completed = "completed",
        /// Ended by failures or by a limit.
        Aborted = "aborted",
        /// Stopped from outside; can be resumed.
        Interrupted = "interrupted",
        /// A person ended it.
        Cancelled = "cancelled",
    }
}

impl WaitReason {
    /// Whether a person has to do something and no process is needed meanwhile.
    #[must_use]
    pub const fn is_for_a_person(self) -> bool {
        matches!(self, Self::Approval | Self::Environment | Self::Baseline)
    }
}

impl RunStatus {
    /// Whether nothing more will happen in this run.
    #[must_use]
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Completed | Self::Aborted | Self::Cancelled)
    }
}

words! {
    /// What a waiting run waits for.
    WaitReason {
        /// An agent's usage limit to reset.
        Limit = "limit",
        /// A person's decision.
        Approval = "approval",
        /// Room on the disk, or state that can be written again.
        Disk = "disk",
        /// Something outside of the work to be put right: a program, a key, a hook, the disk.
        Environment = "environment",
        /// A person to look at a check that failed before the run as well.
        Baseline = "baseline",
    }
}

words! {
    /// Why a run ended or stopped.
    ExitReason {
        /// The agent gave the completion promise, and required checks pass.
        Promise = "promise",
        /// The agent ended well and no promise was asked for.
        ProcessSuccess = "process_success",
        /// Every required check passes.
        ChecksPass = "checks_pass",
        /// The agent said through the signal that it is done, and required checks pass.
        ExitSignal = "exit_signal",
        /// The source of work has nothing left.
        Finished = "finished",
        /// All iterations were used.
        MaxIterations = "max_iterations",
        /// Too many iterations failed in a row.
        FailureThreshold = "failure_threshold",
        /// The time is used up.
        Time = "time",
        /// The money is used up.
        Money = "money",
        /// The tokens are used up.
        Tokens = "tokens",
        /// The tree and the failures stayed the same several times.
        NoProgress = "no_progress",
        /// The agent said that it cannot go on without help.
        Blocked = "blocked",
        /// A person has to say that the next iteration may start.
        NeedsPerson = "needs_person",
        /// Something outside of the work has to be put right; then the run goes on from there.
        Environment = "environment",
        /// A task is blocked by a failure that was there before the run.
        RedBefore = "red_before",
        /// A required check failed before the run, and the run was not to start then.
        BaselineRefused = "baseline_refused",
        /// A person ended the run.
        Cancelled = "cancelled",
        /// Ctrl-C, a signal or a crash stopped it; it can be resumed.
        Interrupted = "interrupted",
        /// The repository or the state was deleted or damaged while the run worked.
        WorkspaceDamaged = "workspace_damaged",
        /// The agent's account is used up for now and the run is not to wait; it can be resumed.
        AgentLimit = "agent_limit",
        /// Something else went wrong.
        Error = "error",
    }
}

impl ExitReason {
    /// The status a run has after ending for this reason. `goal` says whether the run had a goal besides using up its
    /// iterations: one that used them without reaching it is not completed.
    #[must_use]
    pub const fn status(self, goal: bool) -> RunStatus {
        match self {
            Self::Promise | Self::ProcessSuccess | Self::ChecksPass | Self::ExitSignal | Self::Finished => {
                RunStatus::Completed
            }
            Self::MaxIterations if !goal => RunStatus::Completed,
            Self::Cancelled => RunStatus::Cancelled,
            // What went wrong around the run can be mended, and then the run goes on.
            Self::Interrupted | Self::AgentLimit | Self::Error => RunStatus::Interrupted,
            Self::NeedsPerson | Self::Environment | Self::RedBefore => RunStatus::Paused,
            _ => RunStatus::Aborted,
        }
    }

    /// Whether more of what the run was given lets it go on: iterations, time, money, tokens.
    #[must_use]
    pub const fn is_limit(self) -> bool {
        matches!(self, Self::MaxIterations | Self::Time | Self::Money | Self::Tokens)
    }

    /// The exit code of the command that carried the run. `goal` says whether the run had a goal besides using
    /// up its iterations: a procedure without a promise has none.
    #[must_use]
    pub const fn exit_code(self, goal: bool) -> u8 {
        match self {
            Self::Promise | Self::ProcessSuccess | Self::ChecksPass | Self::ExitSignal | Self::Finished => 0,
            Self::MaxIterations if !goal => 0,
            Self::MaxIterations
            | Self::Time
            | Self::Money
            | Self::Tokens
            | Self::NoProgress
            | Self::AgentLimit => 3,
            Self::Blocked => 4,
            Self::NeedsPerson | Self::Environment | Self::RedBefore => 5,
            Self::BaselineRefused => 2,
            Self::Cancelled | Self::Interrupted => 130,
            Self::FailureThreshold | Self::WorkspaceDamaged | Self::Error => 1,
        }
    }
}

words! {
    /// When the work of a run over tasks is committed.
    CommitMode {
        /// Each finished task.
        Task = "task",
        /// Each finished wave.
        Wave = "wave",
        /// Each good iteration.
        Iteration = "iteration",
        /// Never: the work stays in the tree.
        None = "none",
    }
}

/// When a person looks at work. It is written as `autonomous`, `review_each` or `review_every:N`; one that cannot be
/// read is the careful one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum ReviewMode {
    /// Only when something is risky.
    Autonomous,
    /// Before every commit.
    Each,
    /// After this many finished tasks, at what is committed.
    Every(u32),
}

impl ReviewMode {
    /// The mode as it is written: `autonomous`, `review_each` or `review_every:N` with N from 1.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "autonomous" => Some(Self::Autonomous),
            "review_each" => Some(Self::Each),
            _ => {
                let number = text.strip_prefix("review_every:")?.parse().ok()?;
                (number > 0).then_some(Self::Every(number))
            }
        }
    }
}

impl fmt::Display for ReviewMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Autonomous => f.write_str("autonomous"),
            Self::Each => f.write_str("review_each"),
            Self::Every(number) => write!(f, "review_every:{number}"),
        }
    }
}

impl From<String> for ReviewMode {
    fn from(text: String) -> Self {
        Self::parse(&text).unwrap_or(Self::Each)
    }
}

impl From<ReviewMode> for String {
    fn from(mode: ReviewMode) -> Self {
        mode.to_string()
    }
}

/// What may stop a run. Zero or none means that there is no such limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Limits {
    /// How many iterations; 0 is without end.
    pub max_iterations: u32,
    /// How many failures in a row; 0 never stops.
    pub failure_threshold: u32,
    /// How many iterations may change nothing, one after another; 0 never stops.
    pub no_progress: u32,
    /// How long the run may work, in milliseconds of working time.
    #[cfg_attr(feature = "specta", specta(type = Option<u32>))]
    pub max_runtime_ms: Option<u64>,
    /// How much it may cost, in millionths of a US dollar.
    #[cfg_attr(feature = "specta", specta(type = Option<u32>))]
    pub max_cost_micros: Option<u64>,
    /// How many tokens it may use.
    #[cfg_attr(feature = "specta", specta(type = Option<u32>))]
    pub max_tokens: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_iterations: 20,
            failure_threshold: 3,
            no_progress: 3,
            max_runtime_ms: Some(8 * 60 * 60 * 1000),
            max_cost_micros: Some(25_000_000),
            max_tokens: Some(20_000_000),
        }
    }
}

/// What a run has used and how it went so far. It grows only by [`crate::decide::advance`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Progress {
    /// How many iterations are settled; the number of the next one, counted from 0.
    pub iteration: u32,
    /// Failures since the last success.
    pub consecutive_failures: u32,
    /// Iterations since the last one that changed the tree or the failures.
    pub unchanged: u32,
    /// Working time in milliseconds: agents and checks, without sleep and without the time between sessions.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub worked_ms: u64,
    /// Tokens and money.
    pub usage: Usage,
}

/// One execution of the loop over one source of work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Run {
    /// Its id.
    pub id: RunId,
    /// The source of its work.
    pub kind: RunKind,
    /// What it is about, for people: the procedure's name or the beginning of the prompt.
    pub title: String,
    /// The procedure, when it runs one.
    pub procedure: Option<String>,
    /// The agent.
    pub harness: String,
    /// Where it stands.
    pub status: RunStatus,
    /// What it waits for.
    pub waiting: Option<WaitReason>,
    /// Why it ended or stopped.
    pub reason: Option<ExitReason>,
    /// The code of what went wrong, when something did.
    pub code: Option<ErrorCode>,
    /// The same in words.
    pub message: Option<String>,
    /// What may stop it.
    pub limits: Limits,
    /// How it went so far.
    pub progress: Progress,
    /// Whether it has a goal besides using up its iterations.
    pub goal: bool,
    /// Who started it.
    pub origin: Origin,
    /// When it was started.
    pub started_at: String,
    /// When the last iteration was settled.
    pub last_iteration_at: Option<String>,
    /// When it ended or stopped.
    pub ended_at: Option<String>,
    /// The commit the run started from.
    pub head: Option<String>,
    /// The tree the run left last, so that a resumed run knows its own work.
    pub tree: Option<String>,
    /// How the checks stood before it; none when nobody looked.
    #[serde(default)]
    pub baseline: Option<Baseline>,
    /// The tree the run began on; what it changed is measured from here. None in a folder without git.
    pub start_tree: Option<String>,
    /// The tree that a person approved last in `loop` and `fix`: gates show what changed since.
    pub approved_tree: Option<String>,
    /// The agents that have to rest; a run that waits for a limit waits for the first of them.
    pub holds: Vec<Hold>,
    /// All options it was started with, as JSON: what a resume needs. Documents show them as a document, not as this text.
    #[serde(skip)]
    pub options: String,
}

words! {
    /// What a person asks of a run, from any terminal or window.
    ControlKind {
        /// Stop after the running phase, keep everything, wait for a resume.
        Pause = "pause",
        /// Stop after this iteration, wait for a resume.
        PauseAfterIteration = "pause_after_iteration",
        /// Go on.
        Resume = "resume",
        /// End the run for good.
        Cancel = "cancel",
    }
}

/// A request to a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Control {
    /// Its place in the order of requests.
    pub id: u32,
    /// The run.
    pub run: RunId,
    /// What is asked.
    pub kind: ControlKind,
    /// Who asks.
    pub origin: Origin,
    /// When it was asked.
    pub at: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_are_those_of_the_design() {
        let cases = [
            (ExitReason::Promise, true, 0),
            (ExitReason::ChecksPass, true, 0),
            (ExitReason::Finished, true, 0),
            (ExitReason::MaxIterations, true, 3),
            (ExitReason::MaxIterations, false, 0),
            (ExitReason::FailureThreshold, false, 1),
            (ExitReason::Money, true, 3),
            (ExitReason::AgentLimit, false, 3),
            (ExitReason::Blocked, true, 4),
            (ExitReason::NeedsPerson, true, 5),
            (ExitReason::Environment, true, 5),
            (ExitReason::RedBefore, true, 5),
            (ExitReason::BaselineRefused, true, 2),
            (ExitReason::Cancelled, true, 130),
        ];
        for (reason, goal, code) in cases {
            assert_eq!(reason.exit_code(goal), code, "{reason}");
        }
    }

    #[test]
    fn words_read_back() {
        for reason in ExitReason::ALL {
            assert_eq!(ExitReason::parse(reason.as_str()), Some(*reason));
            assert_eq!(serde_json::to_value(reason).unwrap(), reason.as_str());
        }
        assert_eq!(RunStatus::parse("done"), None);
    }
}
