//! A run as a document: its [`RunState`], which command line and app share, with its iterations. Holds every field of
//! Descartes' loop state and of rooda's iteration state.

use loopwright_domain::{
    Baseline, Ending, ErrorCode, ExitReason, Hold, Iteration, Outcome, Phase, RunId, RunKind, RunStatus,
    SandboxState, TaskId, Usage, WaitReason,
};
use serde::{Serialize, Serializer};

use crate::prepare::options::RunOptions;
use crate::report::{self, DurationSummary};
use crate::run_lock::Holder;
use crate::watch::run_state::RunState;

/// One iteration in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct IterationView {
    /// Its number, counted from 1.
    pub iteration: u32,
    /// The task it works on, in a run over tasks.
    pub task: Option<TaskId>,
    /// When it was planned.
    pub started_at: String,
    /// When it was settled.
    pub completed_at: Option<String>,
    /// The agent that worked; none before one was chosen.
    pub harness: Option<String>,
    /// The model that answered, else the one that was asked for.
    pub model: Option<String>,
    /// The agent's exit code.
    pub exit_code: Option<i32>,
    /// The beginning of the agent's last words.
    pub output_preview: String,
    /// Whether those were searched for the promise.
    pub promise_checked: bool,
    /// How it ended.
    pub outcome: Option<Outcome>,
    /// The code of what kept the agent from working, when something did.
    pub code: Option<ErrorCode>,
    /// Why it failed.
    pub message: Option<String>,
    /// How long it took, in milliseconds.
    pub elapsed_ms: u64,
    /// What it used.
    pub usage: Usage,
    /// The commit that holds its work.
    pub commit: Option<String>,
}

/// A run and what is going on in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct RunView {
    /// The version of this document.
    pub version: &'static str,
    /// The run's id.
    pub run: RunId,
    /// Its kind.
    pub kind: RunKind,
    /// What it is about.
    pub title: String,
    /// Where it stands, seen from now: a run whose process is gone is interrupted whatever it wrote last.
    pub status: RunStatus,
    /// What it waits for.
    pub waiting: Option<WaitReason>,
    /// How the checks stood before it; none when nobody looked.
    pub baseline: Option<Baseline>,
    /// The agents that have to rest; a run that waits for a limit waits for the first of them.
    pub holds: Vec<Hold>,
    /// Who runs it.
    pub live: Option<Holder>,
    /// How many iterations are settled.
    pub iteration: u32,
    /// How many there may be; 0 is without end.
    pub max_iterations: u32,
    /// Failures since the last success.
    pub consecutive_failures: u32,
    /// How many are too many.
    pub failure_threshold: u32,
    /// When the run was started.
    pub started_at: String,
    /// When its last iteration was settled.
    pub last_iteration_at: Option<String>,
    /// When it ended or stopped.
    pub ended_at: Option<String>,
    /// The procedure.
    pub procedure_name: Option<String>,
    /// How long each iteration took that was not stopped halfway, as people read it.
    pub elapsed_per_iteration: Vec<String>,
    /// The same summed up.
    pub times: Option<DurationSummary>,
    /// Whether it ended as it was meant to.
    pub completed: bool,
    /// When the promise was found.
    pub completion_detected_at: Option<String>,
    /// The words of the promise.
    pub completion_text: Option<String>,
    /// Why it ended or stopped; written as `running` while it works.
    #[serde(serialize_with = "or_running")]
    #[cfg_attr(feature = "specta", specta(type = String))]
    pub exit_reason: Option<ExitReason>,
    /// The code of what went wrong, when something did.
    pub code: Option<ErrorCode>,
    /// The same in words.
    pub message: Option<String>,
    /// What went wrong, when something did.
    pub error: Option<String>,
    /// What ended or stopped it, and what to do next; none while it works.
    pub ending: Option<Ending>,
    /// The phase of the iteration under way.
    pub phase: Option<Phase>,
    /// The agent.
    pub harness: String,
    /// What was around the agent that was started last.
    #[serde(rename = "confinement")]
    pub sandbox: Option<SandboxState>,
    /// What was used.
    pub usage: Usage,
    /// Working time in milliseconds.
    pub worked_ms: u64,
    /// What the run works by.
    pub config: Option<RunOptions>,
    /// Its last iterations, the first one first.
    pub iteration_summaries: Vec<IterationView>,
}

impl From<&Iteration> for IterationView {
    fn from(iteration: &Iteration) -> Self {
        Self {
            iteration: iteration.number.saturating_add(1),
            task: iteration.task,
            started_at: iteration.started_at.clone(),
            completed_at: iteration.ended_at.clone(),
            harness: iteration.agent.harness.clone(),
            model: iteration.agent.model.clone(),
            exit_code: iteration.exit_code,
            output_preview: iteration.preview.clone(),
            promise_checked: iteration.promise_checked,
            outcome: iteration.outcome,
            code: iteration.agent.code,
            message: iteration.message.clone(),
            elapsed_ms: iteration.elapsed_ms,
            usage: iteration.usage,
            commit: iteration.commit.clone(),
        }
    }
}

impl RunView {
    /// A run as it is shown. `iterations` are its last ones, the first one first.
    #[must_use]
    pub fn new(state: RunState, iterations: &[Iteration]) -> Self {
        let RunState { run, options, live, ending, .. } = state;
        let promised = iterations.iter().rev().find(|iteration| {
            matches!(run.reason, Some(ExitReason::Promise | ExitReason::ExitSignal))
                && iteration.claim_text.is_some()
        });
        let completed =
            |iteration: &&Iteration| iteration.outcome.is_some_and(|outcome| outcome != Outcome::Interrupted);
        let settled: Vec<u64> =
            iterations.iter().filter(completed).map(|iteration| iteration.elapsed_ms).collect();
        let failed = run.status == RunStatus::Aborted || run.reason == Some(ExitReason::Error);
        Self {
            version: "1.0",
            run: run.id,
            kind: run.kind,
            title: run.title,
            status: run.status,
            waiting: run.waiting,
            baseline: run.baseline,
            holds: run.holds,
            iteration: run.progress.iteration,
            max_iterations: run.limits.max_iterations,
            consecutive_failures: run.progress.consecutive_failures,
            failure_threshold: run.limits.failure_threshold,
            started_at: run.started_at,
            last_iteration_at: run.last_iteration_at,
            ended_at: run.ended_at,
            procedure_name: run.procedure,
            elapsed_per_iteration: settled.iter().map(|ms| report::elapsed(*ms)).collect(),
            times: report::times(settled),
            completed: run.status == RunStatus::Completed,
            completion_detected_at: promised.and_then(|iteration| iteration.ended_at.clone()),
            completion_text: promised.and_then(|iteration| iteration.claim_text.clone()),
            exit_reason: run.reason,
            code: run.code,
            error: run.message.clone().filter(|_| failed),
            message: run.message,
            ending,
            phase: live.as_ref().and(iterations.last()).map(|iteration| iteration.phase),
            live,
            harness: run.harness,
            sandbox: iterations.iter().rev().find_map(|iteration| iteration.agent.sandbox),
            usage: run.progress.usage,
            worked_ms: run.progress.worked_ms,
            config: options,
            iteration_summaries: iterations.iter().map(IterationView::from).collect(),
        }
    }
}

fn or_running<S: Serializer>(reason: &Option<ExitReason>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(reason.map_or("running", ExitReason::as_str))
}
