//! Sources of work: what the loop is over. There are three here, and others can bring their own.

use std::future::Future;
use std::pin::Pin;

use loopwright_domain::{CheckResult, Fault, Goal, Iteration, Progress, Task, TaskFilter, TaskGraph, TaskId};

/// A future that a [`Source`] answers with.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What has happened in the run when work is asked for.
#[derive(Clone, Copy, Debug)]
pub struct SoFar<'a> {
    /// The run's progress.
    pub progress: &'a Progress,
    /// The last settled iteration.
    pub last: Option<&'a Iteration>,
    /// The last round of checks.
    pub checks: &'a [CheckResult],
    /// All tasks of the project; only in a run over tasks.
    pub tasks: &'a [Task],
}

/// One piece of work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Work {
    /// What the agent is asked to do. In a run over tasks that is put together later.
    pub request: String,
    /// The task it belongs to.
    pub task: Option<TaskId>,
    /// The wave of that task.
    pub wave: Option<u32>,
}

impl Work {
    /// Work that belongs to no task.
    #[must_use]
    pub fn new(request: impl Into<String>) -> Self {
        Self { request: request.into(), task: None, wave: None }
    }
}

/// Hands out work and takes the verdict.
pub trait Source: Send + Sync {
    /// What ends the run well.
    fn goal(&self) -> Goal;

    /// Whether checks have to be run before the first piece of work can be named.
    fn starts_with_checks(&self) -> bool {
        false
    }

    /// The next piece of work; none when there is none left.
    fn next<'a>(&'a mut self, so_far: SoFar<'a>) -> Answer<'a, Result<Option<Work>, Fault>>;

    /// Takes the verdict about a settled iteration.
    fn settled<'a>(&'a mut self, iteration: &'a Iteration) -> Answer<'a, Result<(), Fault>> {
        let _ = iteration;
        Box::pin(async { Ok(()) })
    }
}

/// The same request again and again: a prompt or a procedure.
#[derive(Clone, Debug)]
pub struct Repeated {
    request: String,
    goal: Goal,
}

impl Repeated {
    /// A source that always asks for the same.
    #[must_use]
    pub fn new(request: impl Into<String>, goal: Goal) -> Self {
        Self { request: request.into(), goal }
    }
}

impl Source for Repeated {
    fn goal(&self) -> Goal {
        self.goal
    }

    fn next<'a>(&'a mut self, _so_far: SoFar<'a>) -> Answer<'a, Result<Option<Work>, Fault>> {
        let work = Work::new(self.request.clone());
        Box::pin(async { Ok(Some(work)) })
    }
}

/// The failing checks: mend them until every required one passes.
#[derive(Clone, Debug)]
pub struct Failing {
    request: String,
}

impl Failing {
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
}

impl Failing {
    /// What the agent is asked to do.
    #[must_use]
    pub fn request(&self) -> &str {
        &self.request
    }
}

impl Source for Failing {
    fn goal(&self) -> Goal {
        Goal::Checks
    }

    fn starts_with_checks(&self) -> bool {
        true
    }

    fn next<'a>(&'a mut self, so_far: SoFar<'a>) -> Answer<'a, Result<Option<Work>, Fault>> {
        let failing = so_far.checks.iter().any(|result| result.required && result.failed());
        let work = failing.then(|| Work::new(self.request.clone()));
        Box::pin(async { Ok(work) })
    }
}

/// The tasks of the project, wave by wave.
#[derive(Clone, Debug)]
pub struct Tasks {
    filter: TaskFilter,
}

impl Tasks {
    /// A source over the tasks that a filter means.
    #[must_use]
    pub const fn new(filter: TaskFilter) -> Self {
        Self { filter }
    }
}

impl Source for Tasks {
    fn goal(&self) -> Goal {
        Goal::Tasks
    }

    fn next<'a>(&'a mut self, so_far: SoFar<'a>) -> Answer<'a, Result<Option<Work>, Fault>> {
        let graph = TaskGraph::new(so_far.tasks);
        let next = graph.next(&self.filter);
        let work =
            next.map(|task| Work { request: String::new(), task: Some(task), wave: graph.wave_of(task) });
        Box::pin(async { Ok(work) })
    }
}
