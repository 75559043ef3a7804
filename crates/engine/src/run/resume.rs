//! Taking up a run that was stopped, and asking things of one from elsewhere.

use loopwright_domain::{
    ControlKind, ErrorCode, Event, ExitReason, Fault, Iteration, Origin, Outcome, Run, RunId, RunStatus,
};
use loopwright_store::Entry;
use tracing::Instrument;

use super::driver::{Driver, status_of};
use super::fence::Fence;
use super::lock::{self, Holder, RunLock};
use super::observe::Observer;
use super::options::RunOptions;
use super::reconcile::{mark_interrupted, reconcile};
use super::start::Prepared;
use super::stop::StopHandle;
use super::tree::Tree;
use crate::agent::{known_agent, look_further};
use crate::config::{Config, OriginLayer};
use crate::procedure;
use crate::project::Project;
use crate::trust;

/// How many interrupted iterations are looked past to find the last one that was judged.
const LOOK_BACK: u32 = 200;

/// What became of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum Asked {
    /// A live process was told and will act on it.
    Told,
    /// Nobody was running it, so it was done here.
    Done,
}

impl Project {
    /// Who works on this project now, if anybody does.
    #[must_use]
    pub fn live(&self) -> Option<Holder> {
        lock::holder(&self.layout().state_dir)
    }

    /// The run to go on with: the one named, else the last one.
    ///
    /// # Errors
    /// There is none, or it is over.
    pub async fn resumable(&self, id: Option<RunId>) -> Result<Run, Fault> {
        let run = self.find_run(id).await?;
        if run.status.is_over() {
            let message = format!("the run \"{}\" is {} and cannot be resumed", run.title, run.status);
            return Err(Fault::new(ErrorCode::RunNotFound, message).hint(
                "Start a new one with \"loopwright run\", \"loopwright loop\" or \"loopwright fix\".",
            ));
        }
        Ok(run)
    }

    /// A run by its id, else the last one.
    ///
    /// # Errors
    /// There is none.
    pub async fn find_run(&self, id: Option<RunId>) -> Result<Run, Fault> {
        let found = match id {
            Some(id) => self.store().run(id).await?,
            None => self.store().latest_run().await?,
        };
        found.ok_or_else(|| {
            Fault::new(ErrorCode::RunNotFound, "there is no such run here")
                .hint("\"loopwright history\" lists the runs of this project.")
        })
    }

    /// Goes on with a run that was stopped, at the next iteration. What was left unfinished is looked at first: a
    /// surviving agent is ended, checks are run again, a commit that was made is not made twice.
    ///
    /// # Errors
    /// There is nothing to resume, another run works here, an agent asks, or the state cannot be read.
    pub async fn resume(
        &self,
        id: Option<RunId>,
        origin: Origin,
        observer: &mut dyn Observer,
        stop: StopHandle,
    ) -> Result<Run, Fault> {
        self.require_person("resume a run")?;
        self.refuse_work_by_hand().await?;
        let run = self.resumable(id).await?;
        if let Some(known) = known_agent(run.harness.split('/').next().unwrap_or_default()) {
            look_further(self.host(), known.programs).await;
        }
        let prepared = self.prepare_again(&run)?;
        let since = self.host().timestamp();
        let _lock = RunLock::take(&self.layout().state_dir, run.kind.as_str(), since)?;
        // Another process may have gone on with it until a moment ago.
        let mut run = self.resumable(Some(run.id)).await?;
        mark_interrupted(self, &mut run).await?;
        let tree = Tree::open(self.host(), self.layout()).await?;
        let reconciled = reconcile(self, &tree, Some(&run)).await?;
        run.tree = reconciled.tree.or(run.tree);
        if let Some(settled) = self.store().run(run.id).await? {
            run.progress = settled.progress;
        }
        let span = tracing::info_span!("run", run = %run.id, kind = %run.kind, harness = %run.harness);
        let mut driver = self.driver(run, prepared, tree, observer, stop).await?;
        driver.take_up(origin, &reconciled.survivors).await?;
        driver.tell_confinement().await?;
        driver.tell_missing().await?;
        Ok(driver.drive(reconciled.unfinished).instrument(span).await)
    }

    /// What a stopped run works by: its own options, with the agent and the checks of today.
    fn prepare_again(&self, run: &Run) -> Result<Prepared, Fault> {
        let options: RunOptions = serde_json::from_str(&run.options).map_err(|error| {
            Fault::new(ErrorCode::StoreNewerSchema, format!("the run's options cannot be read: {error}"))
                .hint("It was written by another version of Loopwright. Start a new run.")
        })?;
        let config = options.fence.as_ref().map_or_else(|| self.config(), |fence| self.config_within(fence));
        let config = config.strict()?;
        let state = self.trust_judgement(&config)?.state;
        if !state.may_run() {
            return Err(trust::refusal(state));
        }
        let text = match (&options.prompt, &options.procedure) {
            (_, Some(name)) => procedure::render(&procedure::find(&self.layout().root, name)?),
            (Some(prompt), None) => prompt.clone(),
            (None, None) => String::new(),
        };
        self.assemble(options, &config, run.kind, &text)
    }

    /// Today's settings, with the stricter of the sandboxes of today and of the run's beginning. Whoever says another on
    /// the command line is heard.
    fn config_within(&self, fence: &Fence) -> Config {
        let config = self.config();
        let stricter = fence.stricter(&Fence::of(&config));
        let network = stricter.network.to_string();
        let wanted = [("sandbox", stricter.sandbox), ("sandbox_network", network)];
        let settings: Vec<(String, String)> = wanted
            .into_iter()
            .filter(|(key, _)| config.get(key).is_none_or(|known| known.origin.layer != OriginLayer::Flag))
            .map(|(key, value)| (key.to_owned(), value))
            .collect();
        config.with(&settings)
    }

    /// Asks something of the last run. A live process is told; where there is none, cancelling is done here.
    ///
    /// # Errors
    /// There is no run that this could be asked of, or the state cannot be written.
    pub async fn ask(&self, kind: ControlKind, origin: Origin) -> Result<Asked, Fault> {
        if kind == ControlKind::Resume {
            self.require_person("resume a run")?;
        }
        let run = self.resumable(None).await.map_err(|fault| match kind {
            ControlKind::Resume => fault,
            _ => Fault::new(ErrorCode::RunNotFound, "no run is going on here")
                .hint("\"loopwright status\" shows where the project stands."),
        })?;
        if self.live().is_some() {
            self.store().request(&self.host().timestamp(), run.id, kind, origin).await?;
            return Ok(Asked::Told);
        }
        match kind {
            ControlKind::Cancel => self.cancel_here(run.id).await,
            _ => Err(Fault::new(ErrorCode::RunNotFound, "no process works on this run now")
                .hint("Go on with it: \"loopwright resume\". End it for good: \"loopwright cancel\".")),
        }
    }

    async fn cancel_here(&self, run: RunId) -> Result<Asked, Fault> {
        let since = self.host().timestamp();
        let _lock = RunLock::take(&self.layout().state_dir, "cancel", since)?;
        let mut run = self.resumable(Some(run)).await?;
        let tree = Tree::open(self.host(), self.layout()).await?;
        run.tree = reconcile(self, &tree, None).await?.tree.or(run.tree);
        let at = self.host().timestamp();
        run.status = RunStatus::Cancelled;
        run.waiting = None;
        run.reason = Some(ExitReason::Cancelled);
        run.code = None;
        run.message = Some("cancelled".to_owned());
        run.ended_at = Some(at.clone());
        let event = status_of(&run, "cancelled".to_owned());
        let entry = Entry { run: Some(&run), events: &[event], ..Entry::default() };
        self.store().journal(&at, entry).await?;
        Ok(Asked::Done)
    }
}

impl Driver<'_> {
    /// Says that the run goes on, and picks up what it knew.
    async fn take_up(&mut self, origin: Origin, survivors: &[String]) -> Result<(), Fault> {
        let store = self.project.store();
        let recent = store.last_iterations(self.run.id, LOOK_BACK).await?;
        // What an interrupted iteration left is not known; what failed before it still fails.
        let judged = |past: &&Iteration| matches!(past.outcome, Some(Outcome::Succeeded | Outcome::Failed));
        // Where the work begins with checks, they run again after an interruption.
        let afresh = self.source.starts_with_checks()
            && recent.first().is_some_and(|last| last.outcome == Some(Outcome::Interrupted));
        if let Some(judged) = recent.iter().find(judged).filter(|_| !afresh) {
            self.last_checks = store.check_results(judged.id).await?;
        }
        self.last = recent.into_iter().next();
        // Whoever resumes says with it that the next iteration may start.
        self.allowed = 1;
        self.rest_on();
        self.run.status = RunStatus::Running;
        self.run.waiting = None;
        self.run.reason = None;
        self.run.code = None;
        self.run.message = None;
        self.run.ended_at = None;
        let resumed = Event::RunResumed { run: self.run.id, iteration: self.run.progress.iteration, origin };
        self.note(vec![resumed]).await?;
        for name in survivors {
            self.warn(None, format!("{name} was still running from before and was ended")).await?;
        }
        Ok(())
    }
}
