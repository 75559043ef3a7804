//! Starting a run: everything is resolved and checked before anything happens.

use std::collections::BTreeSet;
use std::sync::Arc;

use loopwright_config::{TrustedCheck, TrustedConfig};
use loopwright_domain::{
    BaselineMode, ErrorCode, Event, Fault, Goal, Origin, Progress, Run, RunKind, RunStatus, Task, TaskFilter,
    TaskGraph, WaitReason,
};
use loopwright_transcript::IterationFiles;
use tracing::Instrument;

use crate::attempt::agent::process::{self, AgentLaunch};
use crate::attempt::checks::baseline::refuse_missing;
use crate::attempt::phases::AgentWorker;
use crate::attempt::prompt::compose::PromptSize;
use crate::attempt::prompt::task::ComposedPrompt;
use crate::attempt::tree::commit::{branch_name, check_templates};
use crate::attempt::tree::set_aside;
use crate::attempt::tree::work_tree::WorkTree;
use crate::crash;
use crate::dispatch::current_task::Planning;
use crate::dispatch::dispatcher::{ChosenAgent, Dispatcher};
use crate::dispatch::journal::Journal;
use crate::dispatch::lanes::Lanes;
use crate::dispatch::steering::Steering;
use crate::dispatch::stop::StopHandle;
use crate::gate::edit_watch::GateEditWatch;
use crate::gate::refused_edits::RefusedEdits;
use crate::ids::new_run_id;
use crate::observer::Observer;
use crate::prepare::harness;
use crate::prepare::options::{ProcedureDefaults, RunOptions};
use crate::prepare::prepared::Prepared;
use crate::prepare::request::{Request, RunRequest, TaskSelection};
use crate::prepare::source::{Source, WorkItem};
use crate::procedure;
use crate::project::ProjectRuns;
use crate::recover::backup::Backup;
use crate::recover::reconcile::{mark_interrupted, reconcile};
use crate::run_lock::RunLock;
use crate::sandbox::RunSandbox;

/// How much of a prompt is a run's title.
const TITLE: usize = 60;

/// All attempts work in the project's own folder, so one at a time.
const ONE_LANE: usize = 1;

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

impl<'a> ProjectRuns<'a> {
    /// Resolves a request: settings, agent, checks, procedure. Executes and writes nothing.
    ///
    /// # Errors
    /// Something in the configuration is wrong, the folder is not trusted, or the agent cannot be found.
    pub fn prepare(self, request: &RunRequest) -> Result<Prepared, Fault> {
        let config = self.project.take_trusted(self.project.config_with(&request.settings))?;
        let procedure = match &request.request {
            Request::Procedure(name) => Some(procedure::find(&self.project.layout().root, name)?),
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
        self.assemble(options, config, request.kind(), &text)
    }

    /// Puts together what options ask for: for a new run and for one that is resumed.
    pub(crate) fn assemble(
        self,
        mut options: RunOptions,
        config: TrustedConfig,
        kind: RunKind,
        text: &str,
    ) -> Result<Prepared, Fault> {
        let harness =
            harness::build(self.project.host(), &config, &self.project.layout().root, &options.agent)?;
        options.agent.name = harness.name().to_owned();
        let mut checks = config.trusted_checks();
        if let Some(command) = options.tasks.as_ref().and_then(|selection| selection.verify.as_deref()) {
            checks.extend(TrustedCheck::verifying(command, count(checks.len()))?);
        }
        if kind == RunKind::Fix && !checks.iter().any(|check| check.enabled && check.required) {
            return Err(Fault::new(ErrorCode::UsageInvalid, "there is no required check to mend")
                .hint("Add one with \"loopwright check add\", or see \"loopwright check suggest\"."));
        }
        let source = Source::new(kind, &options, text);
        let title = match (&options.procedure, kind) {
            (Some(name), _) => name.clone(),
            (None, RunKind::Fix) => "fix failing checks".to_owned(),
            (None, RunKind::Run) => title_of_tasks(selection(&options)),
            _ => crate::report::preview(text.trim().lines().next().unwrap_or_default(), TITLE),
        };
        let title = self.project.secrets().redact(&title).into_owned();
        let sandbox =
            RunSandbox::find(self.project.host(), &config, Some(&self.project.layout().root)).demanded()?;
        harness::refuse_root(harness.as_ref(), options.automation, sandbox.state())?;
        let request = text.to_owned();
        Ok(Prepared { kind, title, options, harness, config, checks, source, request, sandbox })
    }

    /// What a prepared run would do first. Starts and writes nothing.
    ///
    /// # Errors
    /// The agent cannot be called like this.
    pub async fn dry_run(self, prepared: Prepared) -> Result<DryRun, Fault> {
        let run = self.new_run(&prepared, Origin::Cli)?;
        check_templates(&run, &prepared.options)?;
        let stop = StopHandle::new();
        let mut tasks = Vec::new();
        let work = match &prepared.source {
            Source::Tasks(_) => {
                let meant = selection(&prepared.options);
                tasks = self.project.tasks().list_as_imported(meant.tag.as_deref()).await?;
                refuse_no_tasks(&tasks, meant)?;
                match prepared.source.next_task(&tasks) {
                    Some(work) => work,
                    None => return Ok(DryRun::nothing(run.title)),
                }
            }
            Source::Prompt(_) => WorkItem::Prompt(prepared.request.clone()),
            Source::Checks(checks) => WorkItem::Prompt(checks.request().to_owned()),
        };
        let tree = match prepared.source {
            // What a failed attempt changed is part of the prompt.
            Source::Tasks(_) => WorkTree::open(self.project.host(), self.project.layout()).await?,
            Source::Prompt(_) | Source::Checks(_) => WorkTree::none(),
        };
        let mut unobserved = crate::observer::Unobserved;
        let mut dispatcher = self.dispatcher(run, prepared, tree, &mut unobserved, stop).await?;
        dispatcher.know_task_among(tasks, work.task()).await?;
        let ComposedPrompt { prompt, notes } = dispatcher.prompt(&work).await?;
        let id = dispatcher.new_iteration_id()?;
        let planned = loopwright_domain::Iteration::planned(id, dispatcher.run.id, 0, 1, String::new());
        let files = IterationFiles::of(&self.project.layout().state_dir, &planned);
        let launch = AgentLaunch {
            host: self.project.host(),
            layout: self.project.layout(),
            sandbox: &dispatcher.sandbox,
            options: &dispatcher.options,
            harness: dispatcher.harness.as_ref(),
            work_dir: dispatcher.attempt(Some(&planned)).0.work_dir(),
            files: &files,
            signal_file: &crate::attempt::agent::signal::signal_file(&self.project.layout().root),
            nonce: "",
            automation: dispatcher.automation(),
            attempt: dispatcher.attempt_number(&planned),
            secrets: &dispatcher.secrets,
            scratch: None,
            temp: None,
            time_left: None,
            repository: None,
        };
        let command = launch.invocation(&prompt, &id.to_string())?.shown;
        let size = PromptSize::of(&prompt, dispatcher.options.token_budget);
        Ok(DryRun { title: dispatcher.run.title.clone(), command, size, prompt, notes })
    }

    /// Carries a prepared run out, to its end or until it is stopped, and returns the run as it then is.
    ///
    /// # Errors
    /// Another run works here, an earlier one was stopped and nobody said what to do with it, the tree has uncommitted
    /// work, or the state cannot be read. Whatever goes wrong later is the run's own outcome.
    pub async fn start(
        self,
        prepared: Prepared,
        earlier: Earlier,
        origin: Origin,
        observer: &mut dyn Observer,
        stop: StopHandle,
    ) -> Result<Run, Fault> {
        let mut run = self.new_run(&prepared, origin)?;
        check_templates(&run, &prepared.options)?;
        let what = prepared.kind.as_str();
        let _lock = RunLock::take(&self.project.layout().state_dir, what, run.started_at.clone())?;
        if let Source::Tasks(_) = prepared.source {
            if let Some(tag) = selection(&prepared.options).tag.as_deref() {
                self.project.tasks().ensure_imported(tag, origin).await?;
            }
            refuse_no_tasks(&self.project.store().tasks().await?, selection(&prepared.options))?;
        }
        self.project.tasks().refuse_work_by_hand().await?;
        let latest = self.project.store().latest_run().await?;
        let tree = WorkTree::open(self.project.host(), self.project.layout()).await?;
        if let Some(mut latest) = latest.clone().filter(|latest| !latest.status.is_over()) {
            mark_interrupted(self.project, &mut latest).await?;
            if earlier == Earlier::Ask {
                return Err(interrupted(&latest));
            }
        }
        if prepared.options.baseline != BaselineMode::Skip {
            refuse_missing(self.project.host(), &self.project.layout().root, &prepared.checks)?;
        }
        let reconciled = reconcile(self.project, &tree, None).await?;
        if !prepared.options.include_dirty {
            let left = reconciled.starting_tree(self.project, latest);
            tree.refuse_dirty(&left, OR_INCLUDE).await?;
        }
        if prepared.options.git.create_branch {
            tree.create_branch(&branch_name(&run, &prepared.options)?).await?;
        }
        run.head = tree.head().await?;
        // What the run begins on is known to it, so that what it or its user leaves uncommitted is not asked about again.
        run.start_tree = tree.snapshot().await?.map(|snapshot| snapshot.tree.as_str().to_owned());
        if prepared.options.git.checkpoints || prepared.options.git.auto_commit || run.kind == RunKind::Run {
            run.tree = run.start_tree.clone();
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
        let mut dispatcher = self.dispatcher(run, prepared, tree, observer, stop).await?;
        crash::point("run.before");
        dispatcher.note(vec![started]).await?;
        crash::point("run.after");
        if self.project.layout().repository.is_none() {
            dispatcher.warn(None, NO_GIT.to_owned()).await?;
        }
        dispatcher.warn_if_unsandboxed().await?;
        dispatcher.tell_missing().await?;
        Ok(dispatcher.drive(None).instrument(span).await)
    }

    pub(crate) async fn dispatcher(
        self,
        run: Run,
        prepared: Prepared,
        tree: WorkTree,
        observer: &'a mut dyn Observer,
        stop: StopHandle,
    ) -> Result<Dispatcher<'a>, Fault> {
        set_aside::move_back(&self.project.layout().state_dir)?;
        let hold = prepared.options.hold_on_state_error;
        let journal = Journal::new(self.project.store(), self.project.host(), run.id, hold, stop.clone());
        let steering = Steering::from_now(self.project.store(), run.id, stop).await?;
        Ok(Dispatcher {
            project: self.project,
            run,
            chosen: ChosenAgent { agent: prepared.options.agent.clone(), harness: prepared.harness.clone() },
            prices: prepared.config.price_list(),
            options: prepared.options,
            secrets: process::secrets(self.project.host(), &prepared.config, prepared.harness.as_ref()),
            config: Arc::new(prepared.config),
            told_changes: Vec::new(),
            harness: prepared.harness,
            sandbox: prepared.sandbox,
            checks: prepared.checks,
            source: prepared.source,
            tree: Arc::new(tree),
            journal,
            steering,
            observer,
            backup: Backup::default(),
            last: None,
            last_checks: Vec::new(),
            worker: Arc::new(AgentWorker),
            lanes: Lanes::new(ONE_LANE),
            stopping: None,
            pause: None,
            allowed: 0,
            tasks: Vec::new(),
            task: None,
            planning: Planning::default(),
            told_waves: BTreeSet::new(),
            person: None,
            refused_edits: RefusedEdits::default(),
            about_files: Vec::new(),
            not_put_back: Vec::new(),
            edits_at_gate: GateEditWatch::default(),
            told_made: BTreeSet::new(),
            hook_edited: None,
            held_by: None,
            not_needed: BTreeSet::new(),
        })
    }

    pub(crate) fn new_run(self, prepared: &Prepared, origin: Origin) -> Result<Run, Fault> {
        let options = written(&prepared.options)?;
        Ok(Run {
            id: new_run_id(self.project.host())?,
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
            started_at: self.project.host().timestamp(),
            last_iteration_at: None,
            ended_at: None,
            head: None,
            tree: None,
            baseline: None,
            start_tree: None,
            approved_tree: None,
            holds: Vec::new(),
            options,
        })
    }
}

/// Options as they are kept with a run.
pub(super) fn written(options: &RunOptions) -> Result<String, Fault> {
    serde_json::to_string(options).map_err(|error| Fault::new(ErrorCode::Internal, error.to_string()))
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
pub(super) fn selection(options: &RunOptions) -> &TaskSelection {
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

pub(super) fn title_of_tasks(selection: &TaskSelection) -> String {
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
    if run.status == RunStatus::Waiting && run.waiting != Some(WaitReason::Approval) {
        let why = run.message.as_deref().unwrap_or("something has to be put right");
        let message = format!("an earlier run ({}) waits for you: {why}", run.title);
        return Fault::new(ErrorCode::RunInterrupted, message)
            .hint("Put it right and go on with it: --resume. Or begin anew: --new.");
    }
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
