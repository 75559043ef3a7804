//! What comes next in a run over tasks, and why nothing does.

use std::ops::ControlFlow;

use loopwright_domain::{CommitMode, ExitReason, Iteration, Task, TaskFilter, TaskGraph, TaskStatus};

use crate::dispatch::dispatcher::{Dispatcher, RunEnd};
use crate::dispatch::step::{StepFuture, StepResult, end, proceed};
use crate::prepare::source::WorkItem;

/// As many tasks as are named when a run cannot go on.
const NAMED: usize = 20;

impl Dispatcher<'_> {
    /// The next task, or how the run ends. A run over tasks is over when they are, whatever limit is reached with the
    /// last one.
    pub(crate) fn next_task(&mut self) -> StepFuture<'_, WorkItem> {
        Box::pin(async move {
            let next = self.startable_task().await?;
            let held_by = self.held_by.take();
            let work = proceed!(next);
            match held_by.or_else(|| self.may_not_go_on()) {
                Some(ending) => end(ending),
                None => Ok(ControlFlow::Continue(work)),
            }
        })
    }

    /// The next task that can start; or how the run ends, when there is none. Waves that are over by then are finished.
    async fn startable_task(&mut self) -> StepResult<WorkItem> {
        if self.rules()?.commit == CommitMode::Wave {
            // Only what is committed can be looked back at.
            proceed!(self.upcoming().await?);
        }
        proceed!(self.review().await?);
        match proceed!(self.upcoming().await?) {
            Some(work) => Ok(ControlFlow::Continue(work)),
            None => end(self.nothing_left()),
        }
    }

    /// The next task, if there is one. Waves that are over by then are finished, unless the run ends at a gate first.
    async fn upcoming(&mut self) -> StepResult<Option<WorkItem>> {
        self.tasks = self.project.store().tasks().await?;
        let next = self.source.next_task(&self.tasks);
        proceed!(self.finish_waves(next.as_ref().and_then(WorkItem::wave), true).await?);
        Ok(ControlFlow::Continue(next))
    }

    fn nothing_left(&self) -> RunEnd {
        let filter = self.options.tasks.as_ref().map(TaskFilter::from).unwrap_or_default();
        match why_nothing(&self.tasks, &filter) {
            None => ExitReason::Finished.into(),
            Some(message) => RunEnd { message: Some(message), ..ExitReason::Blocked.into() },
        }
    }

    /// Which attempt at its task an iteration is, over all runs; of one without a task, its number.
    pub(crate) fn attempt_number(&self, iteration: &Iteration) -> u32 {
        match (&self.task, iteration.task) {
            (Some(task), Some(_)) => task.attempts.saturating_add(1),
            _ => iteration.number.saturating_add(1),
        }
    }
}

/// Why none of the meant tasks can start, one line for each; none when all of them are done.
pub(crate) fn why_nothing(tasks: &[Task], filter: &TaskFilter) -> Option<String> {
    let graph = TaskGraph::new(tasks);
    let left = graph.unfinished(filter);
    if left.is_empty() {
        return None;
    }
    let held = graph.held(filter);
    let lines: Vec<String> = left
        .iter()
        .take(NAMED)
        .filter_map(|id| graph.task(*id))
        .map(|task| {
            let why = match task.status {
                TaskStatus::Blocked => task
                    .blocked
                    .as_ref()
                    .map_or_else(|| "blocked".to_owned(), |blocked| format!("blocked: {}", blocked.reason)),
                TaskStatus::AwaitingApproval => "waits for approval".to_owned(),
                TaskStatus::InProgress => "is being worked on".to_owned(),
                _ => held.iter().find(|held| held.task == task.id).map_or_else(
                    || "waits in a circle".to_owned(),
                    |held| {
                        let by: Vec<String> = held.by.iter().map(ToString::to_string).collect();
                        format!("waits for {}", by.join(", "))
                    },
                ),
            };
            format!("{} {}: {why}", task.id, task.draft.title)
        })
        .collect();
    let more = match left.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    let tasks = if left.len() == 1 { "1 task is".to_owned() } else { format!("{} tasks are", left.len()) };
    Some(format!("{tasks} left and none can start: {}{more}", lines.join("; ")))
}

#[cfg(test)]
mod tests {
    use loopwright_domain::{Blocked, TaskDraft, TaskId};

    use super::*;

    fn task(id: u32, status: TaskStatus, after: &[u32]) -> Task {
        let depends_on = after.iter().copied().map(TaskId).collect();
        let draft = TaskDraft { depends_on, ..TaskDraft::titled(format!("task {id}")) };
        Task { status, ..Task::new(TaskId(id), draft, "") }
    }

    #[test]
    fn what_is_left_says_why() {
        let mut tasks = vec![
            task(1, TaskStatus::Done, &[]),
            task(2, TaskStatus::Blocked, &[]),
            task(3, TaskStatus::Pending, &[2]),
            task(4, TaskStatus::Pending, &[3]),
        ];
        tasks[1].blocked = Some(Blocked { reason: "no key".into(), attempts: 1, at: String::new() });
        let why = why_nothing(&tasks, &TaskFilter::default()).unwrap();
        assert_eq!(
            why,
            "3 tasks are left and none can start: #2 task 2: blocked: no key; #3 task 3: waits for #2; \
             #4 task 4: waits for #2"
        );
        let done = [task(1, TaskStatus::Done, &[]), task(2, TaskStatus::Cancelled, &[])];
        assert_eq!(why_nothing(&done, &TaskFilter::default()), None);
    }
}
