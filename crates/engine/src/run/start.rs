//! Starting a run: everything is resolved and checked before anything happens.

use std::collections::BTreeSet;
use std::sync::Arc;

use loopwright_agents::Harness;
use loopwright_domain::{
    ErrorCode, Event, Fault, Goal, Origin, Progress, Run, RunKind, RunStatus, Task, TaskFilter, TaskGraph,
};
use tracing::Instrument;

use super::agent::{self, Stage};
use super::backup::Backup;
use super::commit::{branch_name, check_templates};
use super::driver::{Chosen, Driver};
use super::files::IterationFiles;
use super::harness;
use super::journal::Journal;
use super::lock::RunLock;
use super::observe::Observer;
use super::options::{ProcedureDefaults, Request, RunOptions, RunRequest, TaskSelection};
use super::prompt::PromptSize;
use super::reconcile::{mark_interrupted, reconcile};
use super::source::{Failing, Repeated, Source, Tasks, Work};
use super::steer::Steering;
use super::stop::StopHandle;
use super::tasks::{Asked, Planning};
use super::tree::Tree;
use super::{crash, new_run_id};
use crate::check::Check;
use crate::config::Config;
use crate::procedure;
use crate::project::Project;
use crate::sandbox::Guard;
use crate::trust;

/// How much of a prompt is a run's title.
const TITLE: usize = 60;

/// What else than committing can be done about uncommitted work.
const OR_INCLUDE: &str =
    "Commit them, or start with --dirty include: they become part of the first checkpoint.";

/// What a run in a folder without git does not do.
const NO_GIT: &str =
    "this folder is not in git: nothing is saved before an agent works, nothing is committed";

/// What to do about an earlier run that was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Earlier {
    /// Refuse to start, and say so.
    Ask,
    /// Leave it as it is and begin anew.
    Leave,
}

/// Everything a run works by, resolved and checked. Nothing has happened yet.
pub struct Prepared {
    /// What kind of run it is.
    pub kind: RunKind,
    /// What it is about.
    pub title: String,
    /// What it works by.
    pub options: RunOptions,
    pub(crate) harness: Arc<dyn Harness>,
    pub(crate) checks: Vec<Check>,
    pub(crate) source: Box<dyn Source>,
    /// What is asked of the agent, before anything is added.
    request: String,
    /// What is put around the agent.
    guard: Guard,
}

impl Prepared {
    /// What a run works by when no agent is started.
    pub(crate) fn by_hand(options: RunOptions, config: &Config, harness: Arc<dyn Harness>) -> Self {
        let source = Box::new(Tasks::new(selection(&options).into()));
        let title = title_of_tasks(selection(&options));
        let checks = config.checks.clone();
        let (request, guard) = (String::new(), Guard::none());
        Self { kind: RunKind::Run, title, options, harness, checks, source, request, guard }
    }

    /// Uses another source of work.
    #[must_use]
    pub fn with_source(mut self, source: Box<dyn Source>) -> Self {
        self.options.goal = source.goal();
        self.source = source;
        self
    }

    /// Uses another harness.
    #[must_use]
    pub fn with_harness(mut self, harness: Arc<dyn Harness>) -> Self {
        self.options.agent.name = harness.name().to_owned();
        self.harness = harness;
        self
    }

    /// Adds a check to those of the project.
    #[must_use]
    pub fn with_check(mut self, check: Check) -> Self {
        self.checks.push(check);
        self
    }
}

/// What a run would do first.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct DryRun {
    /// What it is about.
    pub title: String,
    /// The agent's command line.
    pub command: String,
    /// The prompt's size against its budget.
    pub size: PromptSize,
    /// The prompt.
    pub prompt: String,
    /// What a person should know about it.
    pub notes: Vec<String>,
}

impl DryRun {
    /// There is nothing that could be done.
    fn nothing(title: String) -> Self {
        Self {
            title,
            command: String::new(),
            size: PromptSize { tokens: 0, budget: 0 },
            prompt: String::new(),
            notes: vec!["no task can start now; \"loopwright task list\" says why".to_owned()],
        }
    }
}

impl Project {
    /// Resolves a request: settings, agent, checks, procedure. Executes and writes nothing.
    ///
    /// # Errors
    /// Something in the configuration is wrong, the folder is not trusted, or the agent cannot be found.
    pub fn prepare(&self, request: &RunRequest) -> Result<Prepared, Fault> {
        let config = self.config_with(&request.settings).strict()?;
        let state = self.trust_judgement(&config)?.state;
        if !state.may_run() {
            return Err(trust::refusal(state));
        }
        let procedure = match &request.request {
            Request::Procedure(name) => Some(procedure::find(&self.layout().root, name)?),
            _ => None,
        };
        let defaults = procedure.as_ref().map(|procedure| ProcedureDefaults {
            max_iterations: procedure.max_iterations,
            promise: procedure.promise.clone(),
            harness: procedure.harness.clone(),
            timeout: procedure.timeout,
        });
        let options = RunOptions::resolve(request, &config, &defaults.unwrap_or_default())?;
        let text = match (&request.request, &procedure) {
            (Request::Prompt(text), _) => text.clone(),
            (_, Some(procedure)) => procedure::render(procedure),
            _ => String::new(),
        };
        if text.trim().is_empty() && request.kind() == RunKind::Loop {
            return Err(Fault::new(ErrorCode::UsageInvalid, "the prompt is empty")
                .hint("Say what to do with --prompt, --prompt-file or --procedure."));
        }
        self.assemble(options, &config, request.kind(), &text)
    }

    /// Puts together what options ask for: for a new run and for one that is resumed.
    pub(crate) fn assemble(
        &self,
        mut options: RunOptions,
        config: &Config,
        kind: RunKind,
        text: &str,
    ) -> Result<Prepared, Fault> {
        let harness = harness::build(self.host(), config, &self.layout().root, &options.agent)?;
        options.agent.name = harness.name().to_owned();
        let mut checks = config.checks.clone();
        if let Some(command) = options.tasks.as_ref().and_then(|selection| selection.verify.as_deref()) {
            checks.extend(Check::verifying(command, count(checks.len()))?);
        }
        if kind == RunKind::Fix && !checks.iter().any(|check| check.enabled && check.required) {
            return Err(Fault::new(ErrorCode::UsageInvalid, "there is no required check to mend")
                .hint("Add one with \"loopwright check add\", or see \"loopwright check suggest\"."));
        }
        let source: Box<dyn Source> = match kind {
            RunKind::Fix => Box::new(Failing::new(options.prompt.clone())),
            RunKind::Run => Box::new(Tasks::new(selection(&options).into())),
            _ => Box::new(Repeated::new(text, options.goal)),
        };
        let title = match (&options.procedure, kind) {
            (Some(name), _) => name.clone(),
            (None, RunKind::Fix) => "fix failing checks".to_owned(),
            (None, RunKind::Run) => title_of_tasks(selection(&options)),
            _ => super::report::preview(text.trim().lines().next().unwrap_or_default(), TITLE),
        };
        let title = self.secrets().redact(&title).into_owned();
        let guard = Guard::find(self.host(), config, Some(&self.layout().root)).demanded()?;
        harness::refuse_root(harness.as_ref(), &options.automation, guard.confinement())?;
        Ok(Prepared { kind, title, options, harness, checks, source, request: text.to_owned(), guard })
    }

    /// What a prepared run would do first. Starts and writes nothing.
    ///
    /// # Errors
    /// The agent cannot be called like this.
    pub async fn dry_run(&self, prepared: Prepared) -> Result<DryRun, Fault> {
        let run = self.new_run(&prepared, Origin::Cli)?;
        check_templates(&run, &prepared.options)?;
        let stop = StopHandle::new();
        let request = match prepared.kind {
            RunKind::Fix => Failing::new(prepared.options.prompt.clone()).request().to_owned(),
            _ => prepared.request.clone(),
        };
        let mut work = Work::new(request);
        let mut tasks = Vec::new();
        if prepared.kind == RunKind::Run {
            let meant = selection(&prepared.options);
            tasks = self.tasks_as_imported(meant.tag.as_deref()).await?;
            refuse_no_tasks(&tasks, meant)?;
            work.task = TaskGraph::new(&tasks).next(&meant.into());
            if work.task.is_none() {
                return Ok(DryRun::nothing(run.title));
            }
        }
        let tree = match prepared.kind {
            // What a failed attempt changed is part of the prompt.
            RunKind::Run => Tree::open(self.host(), self.layout()).await?,
            _ => Tree::none(),
        };
        let mut unobserved = super::Unobserved;
        let mut driver = self.driver(run, prepared, tree, &mut unobserved, stop).await?;
        driver.know_task_among(tasks, work.task).await?;
        let Asked { prompt, notes } = driver.prompt(&work).await?;
        let id = driver.new_iteration_id();
        let planned = loopwright_domain::Iteration::planned(id, driver.run.id, 0, 1, String::new());
        let files = IterationFiles::of(&self.layout().state_dir, &planned);
        let stage = Stage {
            host: self.host(),
            layout: self.layout(),
            guard: &driver.guard,
            options: &driver.options,
            harness: driver.harness.as_ref(),
            work_dir: driver.work_dir(),
            files: &files,
            signal_file: &super::signal::signal_file(&self.layout().root),
            nonce: "",
            automation: driver.automation(),
            attempt: driver.attempt_number(&planned),
            secrets: &driver.secrets,
            scratch: None,
            temp: None,
            time_left: None,
        };
        let command = stage.invocation(&prompt, &id.to_string())?.shown;
        let size = PromptSize::of(&prompt, driver.options.token_budget);
        Ok(DryRun { title: driver.run.title.clone(), command, size, prompt, notes })
    }

    /// Carries a prepared run out, to its end or until it is stopped, and returns the run as it then is.
    ///
    /// # Errors
    /// Another run works here, an earlier one was stopped and nobody said what to do with it, the tree has uncommitted
    /// work, or the state cannot be read. Whatever goes wrong later is the run's own outcome.
    pub async fn start(
        &self,
        prepared: Prepared,
        earlier: Earlier,
        origin: Origin,
        observer: &mut dyn Observer,
        stop: StopHandle,
    ) -> Result<Run, Fault> {
        let mut run = self.new_run(&prepared, origin)?;
        check_templates(&run, &prepared.options)?;
        let what = prepared.kind.as_str();
        let _lock = RunLock::take(&self.layout().state_dir, what, run.started_at.clone())?;
        if prepared.kind == RunKind::Run {
            if let Some(tag) = selection(&prepared.options).tag.as_deref() {
                self.ensure_imported(tag, origin).await?;
            }
            refuse_no_tasks(&self.store().tasks().await?, selection(&prepared.options))?;
        }
        self.refuse_work_by_hand().await?;
        let latest = self.store().latest_run().await?;
        let tree = Tree::open(self.host(), self.layout()).await?;
        if let Some(mut latest) = latest.clone().filter(|latest| !latest.status.is_over()) {
            mark_interrupted(self, &mut latest).await?;
            if earlier == Earlier::Ask {
                return Err(interrupted(&latest));
            }
        }
        let reconciled = reconcile(self, &tree, None).await?;
        if !prepared.options.include_dirty {
            let left = reconciled.left_by(self, latest);
            tree.refuse_dirty(&left, OR_INCLUDE).await?;
        }
        if prepared.options.git.create_branch {
            tree.create_branch(&branch_name(&run, &prepared.options)?).await?;
        }
        run.head = tree.head().await?;
        // What the run begins on is known to it, so that what it or its user leaves uncommitted is not asked about again.
        if prepared.options.git.checkpoints || prepared.options.git.auto_commit || run.kind == RunKind::Run {
            run.tree = tree.snapshot().await?.map(|snapshot| snapshot.tree.as_str().to_owned());
        }
        let started = Event::RunStarted {
            run: run.id,
            kind: run.kind,
            title: run.title.clone(),
            harness: run.harness.clone(),
            max_iterations: run.limits.max_iterations,
            origin,
        };
        let span = tracing::info_span!("run", run = %run.id, kind = %run.kind, harness = %run.harness);
        let mut driver = self.driver(run, prepared, tree, observer, stop).await?;
        crash::point("run.before");
        driver.note(vec![started]).await?;
        crash::point("run.after");
        if self.layout().repository.is_none() {
            driver.warn(None, NO_GIT.to_owned()).await?;
        }
        driver.tell_confinement().await?;
        driver.tell_missing().await?;
        Ok(driver.drive(None).instrument(span).await)
    }

    pub(crate) async fn driver<'a>(
        &'a self,
        run: Run,
        prepared: Prepared,
        tree: Tree,
        observer: &'a mut dyn Observer,
        stop: StopHandle,
    ) -> Result<Driver<'a>, Fault> {
        let hold = prepared.options.hold_on_state_error;
        let journal = Journal::new(self.store(), self.host(), run.id, hold, stop.clone());
        let steering = Steering::from_now(self.store(), run.id, stop).await?;
        Ok(Driver {
            project: self,
            run,
            chosen: Chosen { agent: prepared.options.agent.clone(), harness: prepared.harness.clone() },
            prices: self.config().price_list(),
            options: prepared.options,
            secrets: agent::secrets(self.host(), &self.config(), prepared.harness.as_ref()),
            harness: prepared.harness,
            guard: prepared.guard,
            checks: prepared.checks,
            source: prepared.source,
            tree,
            journal,
            steering,
            observer,
            backup: Backup::default(),
            last: None,
            last_checks: Vec::new(),
            pause: None,
            allowed: 0,
            tasks: Vec::new(),
            task: None,
            planning: Planning::default(),
            told_waves: BTreeSet::new(),
            refused_edits: Vec::new(),
        })
    }

    pub(crate) fn new_run(&self, prepared: &Prepared, origin: Origin) -> Result<Run, Fault> {
        let options = serde_json::to_string(&prepared.options)
            .map_err(|error| Fault::new(ErrorCode::Internal, error.to_string()))?;
        Ok(Run {
            id: new_run_id(self.host()),
            kind: prepared.kind,
            title: prepared.title.clone(),
            procedure: prepared.options.procedure.clone(),
            harness: prepared.options.agent.name.clone(),
            status: RunStatus::Running,
            waiting: None,
            reason: None,
            code: None,
            message: None,
            limits: prepared.options.limits,
            progress: Progress::default(),
            goal: prepared.options.goal != Goal::Iterations,
            origin,
            started_at: self.host().timestamp(),
            last_iteration_at: None,
            ended_at: None,
            head: None,
            tree: None,
            holds: Vec::new(),
            options,
        })
    }
}

/// A run over tasks needs some.
fn refuse_no_tasks(tasks: &[Task], meant: &TaskSelection) -> Result<(), Fault> {
    let filter = TaskFilter::from(meant);
    let graph = TaskGraph::new(tasks);
    if tasks.iter().any(|task| graph.selects(&filter, task.id)) {
        return Ok(());
    }
    Err(Fault::new(ErrorCode::TaskNotFound, "there are no such tasks here").hint(
        "Add one with \"loopwright task add\", read a file with \"loopwright task import\", or see \"loopwright task list\".",
    ))
}

/// Which tasks a run is over; those of an older run are all.
fn selection(options: &RunOptions) -> &TaskSelection {
    static ALL: TaskSelection = TaskSelection {
        tag: None,
        task: None,
        wave: None,
        plan: None,
        spec_files: Vec::new(),
        verify: None,
        handoff: None,
    };
    options.tasks.as_ref().unwrap_or(&ALL)
}

fn title_of_tasks(selection: &TaskSelection) -> String {
    match selection {
        TaskSelection { task: Some(task), .. } => format!("task {task}"),
        TaskSelection { tag: Some(tag), wave: Some(wave), .. } => format!("wave {wave} of {tag}"),
        TaskSelection { tag: Some(tag), .. } => format!("tasks of {tag}"),
        TaskSelection { wave: Some(wave), .. } => format!("wave {wave}"),
        _ => "all tasks".to_owned(),
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

pub(crate) fn interrupted(run: &Run) -> Fault {
    if run.status == RunStatus::Waiting {
        let message = format!("an earlier run ({}) waits for your approval", run.title);
        return Fault::new(ErrorCode::RunInterrupted, message).hint(
            "Decide with \"loopwright approve\" or \"loopwright reject\", then --resume. Or begin anew: --new.",
        );
    }
    Fault::new(
        ErrorCode::RunInterrupted,
        format!("an earlier run ({}) was stopped after {} iterations", run.title, run.progress.iteration),
    )
    .hint("Go on with it: --resume. Or begin anew: --new.")
}
