//! Events: what happened in a project, in order. The same shape is stored in SQLite, printed by `--json`
//! and typed in the UI's bindings.

use serde::{Deserialize, Serialize};

use crate::baseline::BaselineCheck;
use crate::check::CheckStatus;
use crate::failure::Diagnosis;
use crate::fault::ErrorCode;
use crate::gate::{GateReason, GateStatus};
use crate::ids::{EventSeq, GateId, IterationId, RunId, TaskId};
use crate::iteration::{EndCause, Outcome, Phase};
use crate::learning::LearningCategory;
use crate::memory::solution::{Fix, MemoryOrigin};
use crate::memory::solution_trust::{SolutionTrust, TrustReason};
use crate::origin::Origin;
use crate::run::{ControlKind, ExitReason, RunKind, RunStatus};
use crate::task::TaskStatus;

/// The version written into every envelope. It grows when a reader of an older version would misread.
pub const EVENT_VERSION: u32 = 1;

/// As many files are named in one event.
pub const NAMED_FILES: usize = 100;

/// One thing that happened. Names are dotted and never change their meaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(tag = "type")]
pub enum Event {
    /// A folder became a project.
    #[serde(rename = "project.created")]
    ProjectCreated {
        /// The project's name.
        name: String,
        /// Who did it.
        origin: Origin,
        /// Whether it is the sample project.
        sample: bool,
    },
    /// A person trusted what the folder would execute.
    #[serde(rename = "project.trusted")]
    ProjectTrusted {
        /// The digest of everything that was trusted.
        digest: String,
        /// Who did it.
        origin: Origin,
    },
    /// A configuration value was changed through Loopwright.
    #[serde(rename = "config.changed")]
    ConfigChanged {
        /// The dotted key.
        key: String,
        /// The new value as TOML; none when the key was removed.
        value: Option<String>,
        /// Who did it.
        origin: Origin,
    },
    /// A damaged database was set aside and a new one begun.
    #[serde(rename = "store.recovered")]
    StoreRecovered {
        /// Where the damaged file was put.
        moved_to: String,
        /// What was wrong with it.
        reason: String,
    },
    /// A task was added.
    #[serde(rename = "task.added")]
    TaskAdded {
        /// The task.
        task: TaskId,
        /// Its title.
        title: String,
    },
    /// A person edited a task.
    #[serde(rename = "task.edited")]
    TaskEdited {
        /// The task.
        task: TaskId,
        /// The names of what changed.
        fields: Vec<String>,
        /// Who did it.
        origin: Origin,
    },
    /// A task stands elsewhere now.
    #[serde(rename = "task.status")]
    TaskStatusChanged {
        /// The task.
        task: TaskId,
        /// Where it stood.
        from: TaskStatus,
        /// Where it stands.
        to: TaskStatus,
        /// Why, in words.
        reason: Option<String>,
        /// The iteration that brought it there.
        iteration: Option<IterationId>,
        /// The person who did it; none when a run did.
        origin: Option<Origin>,
    },
    /// A task that nobody had worked on was removed.
    #[serde(rename = "task.removed")]
    TaskRemoved {
        /// Its number, which is never given to another one.
        task: TaskId,
        /// Its title.
        title: String,
        /// Who did it.
        origin: Origin,
    },
    /// Tasks were read from a file.
    #[serde(rename = "task.imported")]
    TasksImported {
        /// The format's name.
        format: String,
        /// How many are new.
        added: u32,
        /// How many were there and changed.
        updated: u32,
        /// Who did it.
        origin: Origin,
    },
    /// Every task of a wave is finished.
    #[serde(rename = "wave.finished")]
    WaveFinished {
        /// The run.
        run: RunId,
        /// The wave, counted from 1.
        wave: u32,
        /// The commit that holds it, when there is one for the wave.
        commit: Option<String>,
        /// Its finished tasks.
        tasks: Vec<TaskId>,
    },
    /// A gate waits for a person.
    #[serde(rename = "gate.opened")]
    GateOpened {
        /// The gate.
        gate: GateId,
        /// The run.
        run: RunId,
        /// The iteration whose work it is.
        iteration: IterationId,
        /// The task.
        task: Option<TaskId>,
        /// Why.
        reasons: Vec<GateReason>,
    },
    /// A gate was decided, or replaced by another one.
    #[serde(rename = "gate.decided")]
    GateDecided {
        /// The gate.
        gate: GateId,
        /// What became of it.
        status: GateStatus,
        /// Why, in a person's words.
        reason: Option<String>,
        /// Who decided; none when it was replaced.
        origin: Option<Origin>,
    },
    /// An agent or a person learned something.
    #[serde(rename = "learning.recorded")]
    LearningRecorded {
        /// The learning.
        learning: u32,
        /// What it is about.
        category: LearningCategory,
        /// What it is, in a few words; empty where it was not said.
        #[serde(default)]
        title: String,
        /// When it applies; empty where it was not said.
        #[serde(default)]
        when: String,
        /// What was learned.
        text: String,
        /// The failure pattern it is about.
        #[serde(default)]
        pattern: Option<String>,
        /// Where it came from.
        #[serde(default = "recorded_by_agent")]
        by: MemoryOrigin,
        /// The task.
        task: Option<TaskId>,
        /// The iteration.
        iteration: Option<IterationId>,
    },
    /// Learnings were edited or removed, or one was added by a person.
    #[serde(rename = "learning.changed")]
    LearningChanged {
        /// The learning.
        learning: u32,
        /// What was done with it.
        what: String,
        /// Who did it.
        origin: Origin,
    },
    /// Which solutions and learnings are in an iteration's prompt.
    #[serde(rename = "memory.included")]
    MemoryIncluded {
        /// The iteration.
        iteration: IterationId,
        /// The solutions.
        solutions: Vec<u32>,
        /// The learnings.
        learnings: Vec<u32>,
    },
    /// What fixed a failure was written down.
    #[serde(rename = "solution.recorded")]
    SolutionRecorded {
        /// The solution.
        solution: u32,
        /// What fixed what.
        fix: Box<Fix>,
        /// The task.
        task: Option<TaskId>,
        /// The iteration that passed.
        iteration: IterationId,
    },
    /// A solution's record changed: it was credited or debited, or a person did something with it.
    #[serde(rename = "solution.changed")]
    SolutionChanged {
        /// The solution.
        solution: u32,
        /// What it is, in a few words.
        title: String,
        /// Why.
        reason: TrustReason,
        /// The trust before.
        #[cfg_attr(feature = "specta", specta(type = Option<u32>))]
        before: Option<SolutionTrust>,
        /// The trust after.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        after: SolutionTrust,
        /// The iteration that it comes from.
        iteration: Option<IterationId>,
        /// Who did it; none for the loop.
        origin: Option<Origin>,
    },
    /// What made an iteration fail was written down.
    #[serde(rename = "failure.recorded")]
    FailureRecorded {
        /// The failure.
        failure: u32,
        /// The run.
        run: RunId,
        /// The iteration.
        iteration: IterationId,
        /// The task.
        task: Option<TaskId>,
        /// The check that failed; none when the agent did.
        check: Option<String>,
        /// What went wrong.
        diagnosis: Box<Diagnosis>,
    },
    /// The spec was changed.
    #[serde(rename = "spec.changed")]
    SpecChanged {
        /// What was done, in words.
        what: String,
        /// How many sections it has now.
        sections: u32,
        /// Who did it.
        origin: Origin,
    },
    /// The plan of a wizard was written: its sections, terms and tasks.
    #[serde(rename = "plan.applied")]
    PlanApplied {
        /// The wizard.
        wizard: String,
        /// How many sections were added.
        sections: u32,
        /// How many terms were added.
        terms: u32,
        /// How many tasks were added.
        tasks: u32,
        /// Who did it.
        origin: Origin,
    },
    /// A run began.
    #[serde(rename = "run.started")]
    RunStarted {
        /// The run.
        run: RunId,
        /// The source of its work.
        kind: RunKind,
        /// What it is about.
        title: String,
        /// The agent.
        harness: String,
        /// How many iterations it may take; 0 is without end.
        max_iterations: u32,
        /// Who started it.
        origin: Origin,
    },
    /// The checks ran once before the first agent.
    #[serde(rename = "run.baseline")]
    RunBaseline {
        /// The run.
        run: RunId,
        /// How they stood, in their order.
        checks: Vec<BaselineCheck>,
    },
    /// A stopped run goes on.
    #[serde(rename = "run.resumed")]
    RunResumed {
        /// The run.
        run: RunId,
        /// The number of the next iteration, counted from 0; the command line prints it from 1.
        iteration: u32,
        /// Who resumed it.
        origin: Origin,
    },
    /// A run's status changed: it ended, was stopped, paused or waits.
    #[serde(rename = "run.status")]
    RunStatusChanged {
        /// The run.
        run: RunId,
        /// Where it stands now.
        status: RunStatus,
        /// Why.
        reason: Option<ExitReason>,
        /// The code of what went wrong, when something did.
        #[serde(default)]
        code: Option<ErrorCode>,
        /// The same in words.
        message: String,
    },
    /// Something a person should know happened in a run, and the run goes on.
    #[serde(rename = "run.warning")]
    RunWarning {
        /// The run.
        run: RunId,
        /// The iteration, when it is about one.
        iteration: Option<IterationId>,
        /// What happened.
        message: String,
    },
    /// An iteration began.
    #[serde(rename = "iteration.started")]
    IterationStarted {
        /// The run.
        run: RunId,
        /// The iteration.
        iteration: IterationId,
        /// Its number, counted from 0; the command line prints it from 1.
        number: u32,
        /// The task it works on, in a run over tasks.
        #[serde(default)]
        task: Option<TaskId>,
        /// Which attempt at its task it is; without a task, which try at its number. Counted from 1.
        attempt: u32,
    },
    /// An iteration came to its next phase.
    #[serde(rename = "iteration.phase")]
    IterationPhase {
        /// The iteration.
        iteration: IterationId,
        /// The phase.
        phase: Phase,
    },
    /// The agent of an iteration ended.
    #[serde(rename = "agent.ended")]
    AgentEnded {
        /// The iteration.
        iteration: IterationId,
        /// How.
        end: EndCause,
        /// Its exit code.
        exit_code: Option<i32>,
        /// How long it worked, in milliseconds.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        elapsed_ms: u64,
        /// Programs it left behind; they were ended.
        strays: Vec<String>,
    },
    /// A check of an iteration ended.
    #[serde(rename = "check.ended")]
    CheckEnded {
        /// The iteration.
        iteration: IterationId,
        /// The check.
        name: String,
        /// How it ended.
        status: CheckStatus,
        /// Whether it failed before the run as well; none when that is not known.
        #[serde(default)]
        red_before: Option<bool>,
        /// How many issues it found.
        issues: u32,
        /// How long it took, in milliseconds.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        elapsed_ms: u64,
    },
    /// An iteration is over.
    #[serde(rename = "iteration.settled")]
    IterationSettled {
        /// The run.
        run: RunId,
        /// The iteration.
        iteration: IterationId,
        /// Its number, counted from 0; the command line prints it from 1.
        number: u32,
        /// How it ended.
        outcome: Outcome,
        /// The code of what kept the agent from working, when something did.
        #[serde(default)]
        code: Option<ErrorCode>,
        /// The same in words.
        message: Option<String>,
        /// How long it took, in milliseconds.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        elapsed_ms: u64,
        /// The commit that holds its work.
        commit: Option<String>,
    },
    /// Files were committed. Where a person works in the same folder, theirs may be among them.
    #[serde(rename = "files.committed")]
    FilesCommitted {
        /// The iteration whose work they are; none for the commit of a wave.
        iteration: Option<IterationId>,
        /// The commit.
        commit: String,
        /// The files, at most [`NAMED_FILES`].
        files: Vec<String>,
        /// How many more there are.
        more: u32,
    },
    /// Files of an attempt were put back as they were before it. Where a person works in the same folder, theirs may be
    /// among them.
    #[serde(rename = "files.put_back")]
    FilesPutBack {
        /// The iteration.
        iteration: IterationId,
        /// Files that were made since and are removed, at most [`NAMED_FILES`].
        removed: Vec<String>,
        /// Files that have their content from before, at most [`NAMED_FILES`].
        restored: Vec<String>,
        /// How many more there are.
        more: u32,
        /// The reference that keeps all of them as they were.
        kept: String,
    },
    /// The tree was put back to an earlier state.
    #[serde(rename = "tree.restored")]
    TreeRestored {
        /// What was restored, for people.
        to: String,
        /// The checkpoint that was made just before.
        safety: String,
        /// Who did it.
        origin: Origin,
    },
    /// A person asked something of a run.
    #[serde(rename = "control.requested")]
    ControlRequested {
        /// The run.
        run: RunId,
        /// What was asked.
        control: ControlKind,
        /// Who asked.
        origin: Origin,
    },
}

/// Who recorded the learnings of events that do not say so.
const fn recorded_by_agent() -> MemoryOrigin {
    MemoryOrigin::Agent
}

/// An event with its place in history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct EventEnvelope {
    /// The envelope's version, [`EVENT_VERSION`] when written today.
    pub v: u32,
    /// The place in this project's history; ordering is by this, never by time.
    pub seq: EventSeq,
    /// When, as RFC 3339 in UTC.
    pub at: String,
    /// What happened.
    pub event: Event,
}

#[cfg(test)]
#[path = "event_tests.rs"]
mod tests;
