//! Starting a run: everything is resolved and checked before anything happens.

pub(crate) mod choices;
pub(crate) mod resume;

use std::collections::BTreeSet;
use std::sync::Arc;

use loopwright_domain::{
    BaselineMode, ErrorCode, Event, Fault, Goal, NextAction, Origin, Progress, PromptChoice, PromptPreview,
    Run, RunKind, RunStatus, Task, TaskFilter, TaskGraph, TaskId, Verdict, WaitReason,
};
use loopwright_transcript::IterationFiles;
use tracing::Instrument;

use crate::attempt::agent::process::AgentLaunch;
use crate::attempt::phases::{AgentWorker, WorkFuture};
use crate::attempt::tree::commit::{branch_name, check_templates};
use crate::attempt::tree::set_aside;
use crate::attempt::tree::work_tree::WorkTree;
use crate::crash;
use crate::dispatch::begin::baseline::refuse_missing;
use crate::dispatch::dispatcher::{ChosenAgent, Dispatcher};
use crate::dispatch::gate::edit_watch::GateEditWatch;
use crate::dispatch::gate::refused_edits::RefusedEdits;
use crate::dispatch::journal::Journal;
use crate::dispatch::lanes::Lanes;
use crate::dispatch::steering::Steering;
use crate::ids::new_run_id;
use crate::launch;
use crate::observer::Observer;
use crate::prepare::prepared::Prepared;
use crate::prepare::request::{Request, RunRequest, TaskSelection};
use crate::prepare::resolve::{selection, written};
use crate::prepare::source::{Source, WorkItem};
use crate::project::ProjectRuns;
use crate::prompt::compose::PromptSize;
use crate::prompt::task::ComposedPrompt;
use crate::prompt::task::Planning;
use crate::recover::backup::Backup;
use crate::recover::reconcile::{mark_interrupted, reconcile};
use crate::run_lock::RunLock;
use crate::stop::StopHandle;

/// All attempts work in the project's own folder, so one at a time.
const ONE_LANE: usize = 1;

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
    /// What the prompt is made of, in a run over tasks.
    pub preview: Option<Box<PromptPreview>>,
}

impl DryRun {
    /// There is nothing that could be done.
    fn nothing(title: String) -> Self {
        Self {
            title,
            command: String::new(),
            size: PromptSize { tokens: 0, budget: 0 },
            prompt: String::new(),
            notes: vec!["no task can start now: each one waits, is blocked or is done".to_owned()],
            preview: None,
        }
    }
}

impl<'a> ProjectRuns<'a> {
    /// What a prepared run would do first. Writes nothing, and starts nothing but the checks that a run begins with.
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
        let begins_with_checks = dispatcher.source.starts_with_checks();
        if begins_with_checks {
            dispatcher.last_checks = self.project.checks().look(&dispatcher.checks).await?;
        }
        let composed = dispatcher.prompt(&work).await?;
        let preview = match dispatcher.task.as_ref().filter(|_| !composed.items.is_empty()) {
            Some(task) => Some(Box::new(dispatcher.preview_of(task, composed.clone())?)),
            None => None,
        };
        let ComposedPrompt { prompt, mut notes, .. } = composed;
        if begins_with_checks && Verdict::of(&dispatcher.last_checks) != Verdict::Failed {
            notes.push("every required check passes: no agent would be started".to_owned());
        }
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
        Ok(DryRun { title: dispatcher.run.title.clone(), command, size, prompt, notes, preview })
    }

    /// The next prompt of a task, taken apart: of the one that a run would take first, where none is named. Choices that
    /// are not remembered yet may be given. Starts and writes nothing.
    ///
    /// # Errors
    /// There is no such task, or none that can start; the folder is not trusted; or no agent is chosen.
    pub(crate) async fn preview(
        self,
        task: Option<TaskId>,
        choices: Option<&[PromptChoice]>,
    ) -> Result<PromptPreview, Fault> {
        let prepared = self.prepare(&RunRequest::new(Request::Tasks(TaskSelection::default())))?;
        let run = self.new_run(&prepared, Origin::Cli)?;
        let tasks = self.project.store().tasks().await?;
        let next = task.or_else(|| prepared.source.next_task(&tasks).and_then(|work| work.task()));
        let Some(id) = next.filter(|id| tasks.iter().any(|task| task.id == *id)) else {
            return Err(match task {
                Some(id) => Fault::new(ErrorCode::TaskNotFound, format!("there is no task {id}")),
                None => Fault::new(ErrorCode::TaskNotFound, "no task can start now")
                    .next(NextAction::ListTasks, "See which there are"),
            });
        };
        let tree = WorkTree::open(self.project.host(), self.project.layout()).await?;
        let mut unobserved = crate::observer::Unobserved;
        let mut dispatcher = self.dispatcher(run, prepared, tree, &mut unobserved, StopHandle::new()).await?;
        dispatcher.know_task_among(tasks, Some(id)).await?;
        let task = dispatcher.task.clone();
        let task =
            task.ok_or_else(|| Fault::new(ErrorCode::TaskNotFound, format!("there is no task {id}")))?;
        let composed = dispatcher.ask_about(&task, choices).await?;
        dispatcher.preview_of(&task, composed)
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
            tree.refuse_dirty(&left).await.map_err(|fault| match fault.code {
                ErrorCode::RunDirty => fault
                    .hint("Commit them.")
                    .next(NextAction::IncludeChanges, "Or make them part of the first checkpoint"),
                _ => fault,
            })?;
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

    pub(crate) fn dispatcher(
        self,
        run: Run,
        prepared: Prepared,
        tree: WorkTree,
        observer: &'a mut dyn Observer,
        stop: StopHandle,
    ) -> WorkFuture<'a, Result<Box<Dispatcher<'a>>, Fault>> {
        Box::pin(async move {
            set_aside::move_back(&self.project.layout().state_dir)?;
            let hold = prepared.options.hold_on_state_error;
            let journal = Journal::new(self.project.store(), self.project.host(), run.id, hold, stop.clone());
            let steering = Steering::from_now(self.project.store(), run.id, stop).await?;
            Ok(Box::new(Dispatcher {
                project: self.project,
                run,
                chosen: ChosenAgent {
                    agent: prepared.options.agent.clone(),
                    harness: prepared.harness.clone(),
                },
                prices: prepared.config.price_list(),
                options: prepared.options,
                secrets: launch::secrets(self.project.host(), &prepared.config, prepared.harness.as_ref()),
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
                person_origin: None,
                held_by: None,
                not_needed: BTreeSet::new(),
            }))
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

/// A run over tasks needs some.
fn refuse_no_tasks(tasks: &[Task], meant: &TaskSelection) -> Result<(), Fault> {
    let filter = TaskFilter::from(meant);
    let graph = TaskGraph::new(tasks);
    if tasks.iter().any(|task| graph.selects(&filter, task.id)) {
        return Ok(());
    }
    Err(Fault::new(ErrorCode::TaskNotFound, "there are no such tasks here")
        .next(NextAction::AddTask, "Add one")
        .next(NextAction::ImportTasks, "Read a file")
        .next(NextAction::ListTasks, "See those there are"))
}

pub(crate) fn interrupted(run: &Run) -> Fault {
    if run.status == RunStatus::Waiting && run.waiting != Some(WaitReason::Approval) {
        let why = run.message.as_deref().unwrap_or("something has to be put right");
        let message = format!("an earlier run ({}) waits for you: {why}", run.title);
        return Fault::new(ErrorCode::RunInterrupted, message)
            .hint("Put it right.")
            .next(NextAction::ResumeEarlier, "Go on with it")
            .next(NextAction::StartNew, "Begin anew");
    }
    if run.status == RunStatus::Waiting {
        let message = format!("an earlier run ({}) waits for your approval", run.title);
        return Fault::new(ErrorCode::RunInterrupted, message)
            .hint("Decide, then go on with it.")
            .next(NextAction::Approve, "Approve it")
            .next(NextAction::Reject, "Reject it")
            .next(NextAction::ResumeEarlier, "Go on with it")
            .next(NextAction::StartNew, "Begin anew");
    }
    Fault::new(
        ErrorCode::RunInterrupted,
        format!("an earlier run ({}) was stopped after {} iterations", run.title, run.progress.iteration),
    )
    .next(NextAction::ResumeEarlier, "Go on with it")
    .next(NextAction::StartNew, "Begin anew")
}
