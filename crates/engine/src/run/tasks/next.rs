//! What comes next in a run over tasks, and why nothing does.

use loopwright_domain::{CommitMode, ExitReason, Fault, Iteration, Task, TaskFilter, TaskGraph, TaskStatus};

use crate::run::driver::{Driver, Ending};
use crate::run::options::TaskSelection;
use crate::run::source::{SoFar, Work};

/// As many tasks as are named when a run cannot go on.
const NAMED: usize = 20;

impl From<&TaskSelection> for TaskFilter {
    fn from(selection: &TaskSelection) -> Self {
        Self { tag: selection.tag.clone(), task: selection.task, wave: selection.wave }
    }
}

impl Driver<'_> {
    /// The next task; or how the run ends, when there is none. Waves that are over by then are finished.
    pub(crate) async fn next_task(&mut self) -> Result<Result<Work, Ending>, Fault> {
        if self.rules()?.commit == CommitMode::Wave {
            // Only what is committed can be looked back at.
            self.upcoming().await?;
        }
        if let Some(ending) = self.review().await? {
            return Ok(Err(ending));
        }
        let next = self.upcoming().await?;
        Ok(next.ok_or_else(|| self.nothing_left()))
    }

    /// The next task, if there is one. Waves that are over by then are finished.
    async fn upcoming(&mut self) -> Result<Option<Work>, Fault> {
        self.tasks = self.project.store().tasks().await?;
        let so_far = SoFar {
            progress: &self.run.progress,
            last: self.last.as_ref(),
            checks: &self.last_checks,
            tasks: &self.tasks,
        };
        let next = self.source.next(so_far).await?;
        self.finish_waves(next.as_ref().and_then(|work| work.wave)).await?;
        Ok(next)
    }

    fn nothing_left(&self) -> Ending {
        let filter = self.options.tasks.as_ref().map(TaskFilter::from).unwrap_or_default();
        match why_nothing(&self.tasks, &filter) {
            None => ExitReason::Finished.into(),
            Some(message) => Ending { message: Some(message), ..ExitReason::Blocked.into() },
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
