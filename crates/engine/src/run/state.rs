//! A run as a window follows it: where it stands now, and what changes.

use loopwright_domain::{
    ControlKind, Ending, EventEnvelope, EventSeq, ExitReason, Iteration, IterationId, Limits, Origin,
    Progress, Run, RunId, RunKind, RunStatus, WaitReason,
};
use serde::{Deserialize, Serialize};

use super::lock::Holder;
use super::options::RunOptions;
use crate::output::{Entry, KindCounts};

/// A run in a few words: everything but what it was started with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct RunSummary {
    /// Its id.
    pub id: RunId,
    /// The source of its work.
    pub kind: RunKind,
    /// What it is about.
    pub title: String,
    /// The procedure, when it runs one.
    pub procedure: Option<String>,
    /// The agent.
    pub harness: String,
    /// Where it stands, seen from now: a run whose process is gone is interrupted whatever it wrote last.
    pub status: RunStatus,
    /// What it waits for.
    pub waiting: Option<WaitReason>,
    /// Why it ended or stopped.
    pub reason: Option<ExitReason>,
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
    /// When its last iteration was settled.
    pub last_iteration_at: Option<String>,
    /// When it ended or stopped.
    pub ended_at: Option<String>,
}

impl RunSummary {
    /// A run, seen from now: `live` says whether a process works on it.
    #[must_use]
    pub fn new(run: &Run, live: bool) -> Self {
        let status = match run.status {
            RunStatus::Running | RunStatus::Waiting if !live => RunStatus::Interrupted,
            status => status,
        };
        Self {
            id: run.id,
            kind: run.kind,
            title: run.title.clone(),
            procedure: run.procedure.clone(),
            harness: run.harness.clone(),
            status,
            waiting: run.waiting,
            reason: run.reason,
            message: run.message.clone(),
            limits: run.limits,
            progress: run.progress.clone(),
            goal: run.goal,
            origin: run.origin,
            started_at: run.started_at.clone(),
            last_iteration_at: run.last_iteration_at.clone(),
            ended_at: run.ended_at.clone(),
        }
    }
}

/// A run and what is going on in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct RunState {
    /// The run.
    pub run: RunSummary,
    /// What it works by; none when another version of Loopwright wrote it.
    pub options: Option<RunOptions>,
    /// Who works on it now.
    pub live: Option<Holder>,
    /// The iteration under way.
    pub current: Option<Iteration>,
    /// The last iteration that was settled.
    pub last: Option<Iteration>,
    /// What a person asked of it and it has not done yet.
    pub asked: Option<ControlKind>,
    /// What ended or stopped it, and what to do next; none while it works.
    pub ending: Option<Ending>,
    /// The place in history at which this was read.
    pub seq: EventSeq,
}

/// One thing a window that follows the project is told. Updates come in order and in batches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RunUpdate {
    /// The newest run as it is now; none when there was never one.
    State {
        /// The run.
        state: Option<Box<RunState>>,
    },
    /// What happened, without gaps, from the place the follower named on.
    Events {
        /// The events.
        events: Vec<EventEnvelope>,
    },
    /// The output of the newest iteration has grown. Where much was printed at once only the last entries are sent:
    /// whoever wants the ones between asks for their pages.
    Output {
        /// The iteration.
        iteration: IterationId,
        /// The place of the first entry sent.
        first: u32,
        /// How many entries there are.
        total: u32,
        /// How many of each kind.
        counts: KindCounts,
        /// The entries from `first` to the last one. The first of them may be a longer version of one already sent:
        /// a message that goes on.
        entries: Vec<Entry>,
        /// Whether nothing more will come.
        finished: bool,
    },
}
