//! Sources of work: what a run is over. Each hands out work; the dispatcher concludes it by the rules of its kind.

use std::future::Future;
use std::pin::Pin;

use loopwright_domain::{
    CheckResult, ExitReason, Fault, Goal, Iteration, Progress, RunKind, Task, TaskFilter, TaskGraph, TaskId,
};

use crate::prepare::options::RunOptions;
use crate::prepare::request::TaskSelection;

/// A future that a [`PromptSource`] answers with.
pub type SourceFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What has happened in a run when work is asked for.
#[derive(Clone, Copy, Debug)]
pub struct WorkContext<'a> {
    /// The run's progress.
    pub progress: &'a Progress,
    /// The last settled iteration.
    pub last: Option<&'a Iteration>,
    /// The last round of checks.
    pub checks: &'a [CheckResult],
    /// Whether a person rejected the work of the last iteration.
    pub rejected: bool,
}

/// One piece of work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WorkItem {
    /// What the agent is asked to do, in words.
    Prompt(String),
    /// A task; what the agent is asked is put together from it later.
    Task {
        /// Its number.
        id: TaskId,
        /// Its wave.
        wave: Option<u32>,
    },
}

impl WorkItem {
    /// The task it is.
    pub(crate) const fn task(&self) -> Option<TaskId> {
        match self {
            Self::Task { id, .. } => Some(*id),
            Self::Prompt(_) => None,
        }
    }

    /// The wave of that task.
    pub(crate) const fn wave(&self) -> Option<u32> {
        match self {
            Self::Task { wave, .. } => *wave,
            Self::Prompt(_) => None,
        }
    }

    /// What the agent is asked to do; empty for a task.
    pub(crate) fn request(&self) -> &str {
        match self {
            Self::Prompt(request) => request,
            Self::Task { .. } => "",
        }
    }
}

/// What a run is over.
pub enum Source {
    /// The tasks of the project, wave by wave.
    Tasks(TaskSource),
    /// Prompts: one again and again, a procedure, or those of an embedding program.
    Prompt(Box<dyn PromptSource>),
    /// The failing checks.
    Checks(CheckSource),
}

impl Source {
    /// The source of a run; `prompt` is what a loop asks for each time.
    pub(crate) fn new(kind: RunKind, options: &RunOptions, prompt: &str) -> Self {
        match kind {
            RunKind::Run => {
                let selection = options.tasks.as_ref().map(TaskFilter::from).unwrap_or_default();
                Self::Tasks(TaskSource::new(selection))
            }
            RunKind::Fix => Self::Checks(CheckSource::new(options.prompt.clone())),
            _ => Self::Prompt(Box::new(RepeatedPrompt::new(prompt, options.goal))),
        }
    }

    /// What ends the run well.
    pub(crate) fn goal(&self) -> Goal {
        match self {
            Self::Tasks(_) => Goal::Tasks,
            Self::Prompt(prompts) => prompts.goal(),
            Self::Checks(_) => Goal::Checks,
        }
    }

    /// Whether checks have to be run before the first piece of work can be named.
    pub(crate) const fn starts_with_checks(&self) -> bool {
        matches!(self, Self::Checks(_))
    }

    /// The next piece of work that is no task; none when there is none left.
    pub(crate) async fn next_prompt(&mut self, context: WorkContext<'_>) -> Result<Option<WorkItem>, Fault> {
        let request = match self {
            Self::Tasks(_) => None,
            Self::Prompt(prompts) => prompts.next(context).await?,
            Self::Checks(checks) => checks.next(context),
        };
        Ok(request.map(WorkItem::Prompt))
    }

    /// The next task among all of the project; none when none can start.
    pub(crate) fn next_task(&self, tasks: &[Task]) -> Option<WorkItem> {
        match self {
            Self::Tasks(source) => source.next(tasks),
            Self::Prompt(_) | Self::Checks(_) => None,
        }
    }

    /// Why the run ends when there is no work left.
    pub(crate) fn finished(&self) -> ExitReason {
        match self.goal() {
            Goal::Checks => ExitReason::ChecksPass,
            _ => ExitReason::Finished,
        }
    }

    /// Takes the verdict about a settled iteration.
    pub(crate) async fn settled(&mut self, iteration: &Iteration) -> Result<(), Fault> {
        match self {
            Self::Prompt(prompts) => prompts.settled(iteration).await,
            Self::Tasks(_) | Self::Checks(_) => Ok(()),
        }
    }
}

/// Hands out prompts and takes the verdict.
pub trait PromptSource: Send + Sync {
    /// What ends the run well.
    fn goal(&self) -> Goal;

    /// What the agent is asked to do next; none when there is nothing left.
    fn next<'a>(&'a mut self, context: WorkContext<'a>) -> SourceFuture<'a, Result<Option<String>, Fault>>;

    /// Takes the verdict about a settled iteration.
    fn settled<'a>(&'a mut self, iteration: &'a Iteration) -> SourceFuture<'a, Result<(), Fault>> {
        let _ = iteration;
        Box::pin(async { Ok(()) })
    }
}

/// The same prompt again and again.
#[derive(Clone, Debug)]
pub struct RepeatedPrompt {
    request: String,
    goal: Goal,
}

impl RepeatedPrompt {
    /// A source that always asks for the same.
    #[must_use]
    pub fn new(request: impl Into<String>, goal: Goal) -> Self {
        Self { request: request.into(), goal }
    }
}

impl PromptSource for RepeatedPrompt {
    fn goal(&self) -> Goal {
        self.goal
    }

    fn next<'a>(&'a mut self, _context: WorkContext<'a>) -> SourceFuture<'a, Result<Option<String>, Fault>> {
        let request = self.request.clone();
        Box::pin(async { Ok(Some(request)) })
    }
}

/// The failing checks: mend them until every required one passes.
#[derive(Clone, Debug)]
pub struct CheckSource {
    request: String,
}

impl CheckSource {
    /// A source over failing checks; `extra` is what a person adds to it.
    #[must_use]
    pub fn new(extra: Option<String>) -> Self {
        let request = "Make the failing checks of this project pass. Mend causes, not symptoms; leave the checks \
                       themselves, their configuration and the tests as strict as they are.";
        let request = match extra {
            Some(extra) => format!("{request}\n\n{extra}"),
            None => request.to_owned(),
        };
        Self { request }
    }

    /// What the agent is asked to do.
    #[must_use]
    pub fn request(&self) -> &str {
        &self.request
    }

    fn next(&self, context: WorkContext<'_>) -> Option<String> {
        let failing = context.checks.iter().any(|result| result.required && result.failed());
        (failing || context.rejected).then(|| self.request.clone())
    }
}

/// The tasks of the project, wave by wave.
#[derive(Clone, Debug)]
pub struct TaskSource {
    filter: TaskFilter,
}

impl TaskSource {
    /// A source over the tasks that a filter means.
    #[must_use]
    pub const fn new(filter: TaskFilter) -> Self {
        Self { filter }
    }

    fn next(&self, tasks: &[Task]) -> Option<WorkItem> {
        let graph = TaskGraph::new(tasks);
        graph.next(&self.filter).map(|id| WorkItem::Task { id, wave: graph.wave_of(id) })
    }
}

impl From<&TaskSelection> for TaskFilter {
    fn from(selection: &TaskSelection) -> Self {
        Self { tag: selection.tag.clone(), task: selection.task, wave: selection.wave }
    }
}
