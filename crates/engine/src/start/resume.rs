//! Taking up a run that was stopped, and asking things of one from elsewhere.

use loopwright_config::{Config, OriginLayer, key};
use loopwright_domain::decide::stop_reason;
use loopwright_domain::{
    ControlKind, ErrorCode, Event, ExitReason, Fault, Iteration, NextAction, NextStep, Origin, Outcome, Run,
    RunId, RunStatus,
};
use loopwright_store::{Entry, Order};
use tracing::Instrument;

use crate::agent::{known_agent, look_further};
use crate::attempt::tree::work_tree::WorkTree;
use crate::dispatch::dispatcher::Dispatcher;
use crate::observer::Observer;
use crate::prepare::options::{RunOptions, take_limit};
use crate::prepare::prepared::Prepared;
use crate::prepare::sandbox_options::SandboxOptions;
use crate::procedure;
use crate::project::ProjectRuns;
use crate::recover::reconcile::{mark_interrupted, reconcile};
use crate::run_lock::RunLock;
use crate::stop::StopHandle;

/// How many interrupted iterations are looked past to find the last one that was judged.
const LOOK_BACK: u32 = 200;

/// What became of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum ControlOutcome {
    /// A live process was told and will act on it.
    Told,
    /// Nobody was running it, so it was done here.
    Done,
}

impl ProjectRuns<'_> {
    /// The run to go on with: the one named, else the last one.
    ///
    /// # Errors
    /// There is none, or it is over.
    pub async fn resumable(self, id: Option<RunId>) -> Result<Run, Fault> {
        let run = self.find(id).await?;
        if run.status.is_over() {
            let message = format!("the run \"{}\" is {} and cannot be resumed", run.title, run.status);
            let fault = Fault::new(ErrorCode::RunNotFound, message);
            let fault = match run.reason.filter(|_| can_have_more(&run)) {
                Some(reason) => fault.step(raise(reason)),
                None => fault,
            };
            return Err(fault.next(NextAction::StartRun, "Start a new one"));
        }
        Ok(run)
    }

    /// Gives a run that was stopped other limits: iterations, failures in a row, time, money, tokens, named as settings
    /// are. One that a limit has ended can be resumed afterwards.
    ///
    /// # Errors
    /// There is no such run, it is over for another reason, what it is given is used already, a value cannot be read,
    /// a process works on it, or an agent asks.
    pub async fn give_limits(self, id: Option<RunId>, settings: &[(String, String)]) -> Result<Run, Fault> {
        self.project.require_person("give a run other limits")?;
        let config = self.project.config_with(settings).strict()?;
        let since = self.project.host().timestamp();
        let _lock = RunLock::take(&self.project.layout().state_dir, "resume", since)?;
        let mut run = self.find(id).await?;
        if run.status.is_over() && !can_have_more(&run) {
            return self.resumable(Some(run.id)).await;
        }
        let mut options: RunOptions = read_options(&run)?;
        for (key, _) in settings {
            take_limit(&mut options.limits, &config, key);
        }
        run.limits = options.limits;
        if let Some(reason) = stop_reason(&run.progress, &run.limits).filter(|reason| reason.is_limit()) {
            let message = format!("the run would stop at once: {}", crate::report::ending(&run, reason));
            return Err(Fault::new(ErrorCode::UsageInvalid, message)
                .hint(format!("It has done {} iterations.", run.progress.iteration))
                .step(raise(reason)));
        }
        run.options = serde_json::to_string(&options)
            .map_err(|error| Fault::new(ErrorCode::Internal, error.to_string()).because(&error))?;
        if run.status.is_over() {
            run.status = RunStatus::Paused;
            run.reason = Some(ExitReason::NeedsPerson);
            run.message = Some("it has been given more and can be resumed".to_owned());
        }
        let event = Event::status_of(&run, "other limits".to_owned());
        let entry = Entry { run: Some(&run), events: &[event], ..Entry::default() };
        self.project.store().journal(&self.project.host().timestamp(), entry).await?;
        Ok(run)
    }

    /// Goes on with a run that was stopped, at the next iteration. What was left unfinished is looked at first: a
    /// surviving agent is ended, checks are run again, a commit that was made is not made twice.
    ///
    /// # Errors
    /// There is nothing to resume, another run works here, an agent asks, or the state cannot be read.
    pub async fn resume(
        self,
        id: Option<RunId>,
        origin: Origin,
        observer: &mut dyn Observer,
        stop: StopHandle,
    ) -> Result<Run, Fault> {
        self.project.require_person("resume a run")?;
        self.project.tasks().refuse_work_by_hand().await?;
        let run = self.resumable(id).await?;
        if let Some(known) = known_agent(run.harness.split('/').next().unwrap_or_default()) {
            look_further(self.project.host(), known.programs).await;
        }
        let prepared = self.prepare_again(&run)?;
        let since = self.project.host().timestamp();
        let _lock = RunLock::take(&self.project.layout().state_dir, run.kind.as_str(), since)?;
        // Another process may have gone on with it until a moment ago.
        let mut run = self.resumable(Some(run.id)).await?;
        mark_interrupted(self.project, &mut run).await?;
        let tree = WorkTree::open(self.project.host(), self.project.layout()).await?;
        let reconciled = reconcile(self.project, &tree, Some(&run)).await?;
        run.tree = reconciled.tree.or(run.tree);
        if let Some(settled) = self.project.store().run(run.id).await? {
            run.progress = settled.progress;
        }
        let span = tracing::info_span!("run", run = %run.id, kind = %run.kind, harness = %run.harness);
        let mut dispatcher = self.dispatcher(run, prepared, tree, observer, stop).await?;
        dispatcher.take_up(origin, &reconciled.survivors).await?;
        dispatcher.warn_if_unsandboxed().await?;
        dispatcher.tell_missing().await?;
        Ok(dispatcher.drive(reconciled.unfinished).instrument(span).await)
    }

    /// What a stopped run works by: its own options, with the agent and the checks of today.
    fn prepare_again(self, run: &Run) -> Result<Prepared, Fault> {
        let options: RunOptions = read_options(run)?;
        let config = options
            .sandbox
            .as_ref()
            .map_or_else(|| self.project.config(), |sandbox| self.config_within(sandbox));
        let config = self.project.take_trusted(config)?;
        let text = match (&options.prompt, &options.procedure) {
            (_, Some(name)) => procedure::render(&procedure::find(&self.project.layout().root, name)?),
            (Some(prompt), None) => prompt.clone(),
            (None, None) => String::new(),
        };
        self.assemble(options, config, run.kind, &text)
    }

    /// Today's settings, with the stricter of the sandboxes of today and of the run's beginning. Whoever says another on
    /// the command line is heard.
    fn config_within(self, sandbox: &SandboxOptions) -> Config {
        let config = self.project.config();
        let stricter = sandbox.stricter(&SandboxOptions::of(&config));
        let network = stricter.network.to_string();
        let wanted = [
            (key::SANDBOX.name(), stricter.sandbox.as_str().to_owned()),
            (key::SANDBOX_NETWORK.name(), network),
        ];
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
    pub async fn ask(self, kind: ControlKind, origin: Origin) -> Result<ControlOutcome, Fault> {
        if kind == ControlKind::Resume {
            self.project.require_person("resume a run")?;
        }
        let run = self.resumable(None).await.map_err(|fault| match kind {
            ControlKind::Resume => fault,
            _ => Fault::new(ErrorCode::RunNotFound, "no run is going on here")
                .next(NextAction::ShowStatus, "See where the project stands"),
        })?;
        if self.live().is_some() {
            self.project.store().request(&self.project.host().timestamp(), run.id, kind, origin).await?;
            return Ok(ControlOutcome::Told);
        }
        match kind {
            ControlKind::Cancel => self.cancel_here(run.id).await,
            _ => Err(Fault::new(ErrorCode::RunNotFound, "no process works on this run now")
                .next(NextAction::Resume, "Go on with it")
                .next(NextAction::CancelRun, "End it for good")),
        }
    }

    async fn cancel_here(self, run: RunId) -> Result<ControlOutcome, Fault> {
        let since = self.project.host().timestamp();
        let _lock = RunLock::take(&self.project.layout().state_dir, "cancel", since)?;
        let mut run = self.resumable(Some(run)).await?;
        let tree = WorkTree::open(self.project.host(), self.project.layout()).await?;
        run.tree = reconcile(self.project, &tree, None).await?.tree.or(run.tree);
        let at = self.project.host().timestamp();
        run.status = RunStatus::Cancelled;
        run.waiting = None;
        run.reason = Some(ExitReason::Cancelled);
        run.code = None;
        run.message = Some("cancelled".to_owned());
        run.ended_at = Some(at.clone());
        let event = Event::status_of(&run, "cancelled".to_owned());
        let entry = Entry { run: Some(&run), events: &[event], ..Entry::default() };
        self.project.store().journal(&at, entry).await?;
        Ok(ControlOutcome::Done)
    }
}

/// Whether a run was ended by a limit, and goes on when it is given more.
fn can_have_more(run: &Run) -> bool {
    let stopped = matches!(run.status, RunStatus::Aborted | RunStatus::Completed);
    stopped && run.reason.is_some_and(ExitReason::is_limit)
}

fn raise(reason: ExitReason) -> NextStep {
    NextStep::new(NextAction::RaiseLimit, "Give it more").about(reason.as_str())
}

fn read_options(run: &Run) -> Result<RunOptions, Fault> {
    serde_json::from_str(&run.options).map_err(|error| {
        Fault::caused(ErrorCode::StoreNewerSchema, "the run's options cannot be read", &error)
            .hint("It was written by another version of Loopwright. Start a new run.")
    })
}

impl Dispatcher<'_> {
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
        if self.run.start_tree.is_none() {
            // The run was begun by a version that did not keep it.
            let first = store.iterations(self.run.id, 0, 1, Order::OldestFirst).await?;
            self.run.start_tree = first.into_iter().next().and_then(|first| first.tree_before);
        }
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
