//! A run as a window follows it: where it stands now, and what changes.

use jiff::Timestamp;
use loopwright_domain::{
    Baseline, Control, ControlKind, Ending, ErrorCode, EventEnvelope, EventSeq, ExitReason, Fault, Hold,
    Iteration, IterationId, Limits, Origin, Phase, Progress, Run, RunId, RunKind, RunStatus, Usage,
    WaitReason, ending,
};
use loopwright_transcript::{Entry, KindCounts};
use serde::{Deserialize, Serialize};

use crate::attempt::agent::usage_file;
use crate::prepare::options::RunOptions;
use crate::project::{ProjectIterations, ProjectRuns};
use crate::run_lock::Holder;

/// How many runs are looked through for the one that somebody works on: an older one may have been resumed.
const RECENT: u32 = 10;

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
    /// The code of what went wrong, when something did.
    pub code: Option<ErrorCode>,
    /// The same in words.
    pub message: Option<String>,
    /// How the checks stood before it; none when nobody looked.
    #[serde(default)]
    pub baseline: Option<Baseline>,
    /// The agents that have to rest; a run that waits for a limit waits for the first of them.
    pub holds: Vec<Hold>,
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
        let status = seen_status(run, live);
        Self {
            id: run.id,
            kind: run.kind,
            title: run.title.clone(),
            procedure: run.procedure.clone(),
            harness: run.harness.clone(),
            status,
            waiting: run.waiting,
            reason: run.reason,
            code: run.code,
            message: run.message.clone(),
            baseline: run.baseline.clone(),
            holds: run.holds.clone(),
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

/// Where a run stands, seen from now. Whoever waits for a person needs no process.
pub(crate) fn seen_status(run: &Run, live: bool) -> RunStatus {
    match run.status {
        RunStatus::Waiting if run.waiting.is_some_and(WaitReason::is_for_a_person) => run.status,
        RunStatus::Running | RunStatus::Waiting if !live => RunStatus::Interrupted,
        status => status,
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

impl ProjectRuns<'_> {
    /// A run as it is now; without an id the one somebody works on, else the newest. None when there was never one.
    ///
    /// # Errors
    /// The state cannot be read, or there is no run with that id.
    pub async fn state(self, id: Option<RunId>) -> Result<Option<RunState>, Fault> {
        // Who works is asked first: whoever stops meanwhile has written down why before.
        let holder = self.live();
        self.state_beside(id, holder.as_ref()).await
    }

    /// [`ProjectRuns::state`] for whoever knows who works here.
    pub(crate) async fn state_beside(
        self,
        id: Option<RunId>,
        holder: Option<&Holder>,
    ) -> Result<Option<RunState>, Fault> {
        let seq = self.project.store().last_seq().await?;
        let run = match id {
            Some(_) => Some(self.find(id).await?),
            None => self.current(holder.is_some()).await?,
        };
        let Some(run) = run else { return Ok(None) };
        let live = holder.filter(|holder| works_on(holder, &run)).cloned();
        // The one under way, and the one before it.
        let iterations = self.project.store().last_iterations(run.id, 2).await?;
        let controls = match live {
            Some(_) => self.project.store().controls_after(run.id, 0).await?,
            None => Vec::new(),
        };
        let mut state = RunState::new(&run, iterations, live, controls.last(), seq);
        if let Some(current) = &mut state.current {
            current.usage = self.project.iterations().used_by(current);
        }
        Ok(Some(state))
    }

    /// The run somebody works on, else the newest.
    async fn current(self, live: bool) -> Result<Option<Run>, Fault> {
        let Some(newest) = self.project.store().latest_run().await? else { return Ok(None) };
        if !live || may_be_worked_on(&newest) {
            return Ok(Some(newest));
        }
        let recent = self.project.store().runs(RECENT, None).await?;
        Ok(Some(recent.into_iter().find(may_be_worked_on).unwrap_or(newest)))
    }
}

impl ProjectIterations<'_> {
    /// What an iteration has used: also while its agent works.
    pub(crate) fn used_by(self, iteration: &Iteration) -> Usage {
        let written = (iteration.phase == Phase::Running)
            .then(|| usage_file::read(&self.files(iteration).usage()))
            .flatten();
        written.unwrap_or(iteration.usage)
    }
}

/// Whether who holds the lock works on this run, and does not only look after the project for a moment. A note that
/// cannot be read is taken for a run's.
fn works_on(holder: &Holder, run: &Run) -> bool {
    may_be_worked_on(run) && (holder.pid == 0 || holder.what == run.kind.as_str())
}

/// Whether a process that holds the lock can be at work on this run: it writes so before anything else.
const fn may_be_worked_on(run: &Run) -> bool {
    matches!(run.status, RunStatus::Running | RunStatus::Waiting | RunStatus::Paused)
}

impl RunState {
    /// Puts a run's state together. `iterations` are its last two, the last one first.
    fn new(
        run: &Run,
        iterations: Vec<Iteration>,
        live: Option<Holder>,
        control: Option<&Control>,
        seq: EventSeq,
    ) -> Self {
        let summary = RunSummary::new(run, live.is_some());
        let ending = ending(run, summary.status, iterations.first());
        let (settled, open): (Vec<_>, Vec<_>) =
            iterations.into_iter().partition(|iteration| iteration.phase == Phase::Settled);
        Self {
            asked: live.as_ref().and_then(|holder| still_asked(run, holder, control?)),
            current: open.into_iter().next().filter(|_| live.is_some()),
            last: settled.into_iter().next(),
            options: serde_json::from_str(&run.options).ok(),
            run: summary,
            live,
            ending,
            seq,
        }
    }
}

/// What was asked last, when it is still to be done. What was asked of an earlier process is over.
fn still_asked(run: &Run, holder: &Holder, control: &Control) -> Option<ControlKind> {
    let (asked, since) = (control.at.parse::<Timestamp>().ok()?, holder.since.parse::<Timestamp>().ok()?);
    let paused = run.status == RunStatus::Paused;
    let open = match control.kind {
        ControlKind::Pause | ControlKind::PauseAfterIteration => !paused,
        ControlKind::Resume => paused,
        ControlKind::Cancel => true,
    };
    (open && asked >= since).then_some(control.kind)
}
