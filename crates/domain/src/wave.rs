//! Waves: the layers of the task graph. A task is in the first wave after all its dependencies' waves.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use crate::ids::TaskId;
use crate::task::{Task, TaskStatus};

/// One layer of the task graph, its tasks in the order they are taken: by priority, then by id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Wave {
    /// Counted from 1.
    pub number: u32,
    /// The tasks of this wave.
    pub tasks: Vec<TaskId>,
}

/// Tasks that wait for each other and so can never start.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("tasks depend on each other in a circle: {}", path(.tasks))]
pub struct DependencyCycle {
    /// The circle, each task depending on the next and the last on the first.
    pub tasks: Vec<TaskId>,
}

fn path(tasks: &[TaskId]) -> String {
    let mut names: Vec<String> = tasks.iter().map(ToString::to_string).collect();
    names.extend(tasks.first().map(ToString::to_string));
    names.join(" → ")
}

/// How far a wave has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct WaveSummary {
    /// Counted from 1.
    pub number: u32,
    /// Tasks that count: all but the cancelled.
    pub total: u32,
    /// Of these, finished.
    pub done: u32,
    /// Of these, blocked.
    pub blocked: u32,
    /// The tasks of this wave, in the order they are taken.
    pub tasks: Vec<TaskId>,
}

impl WaveSummary {
    /// Counts a wave's tasks by status.
    #[must_use]
    pub fn of(wave: &Wave, tasks: &[Task]) -> Self {
        let status: HashMap<TaskId, TaskStatus> = tasks.iter().map(|task| (task.id, task.status)).collect();
        let count = |wanted: &dyn Fn(TaskStatus) -> bool| {
            let number = wave.tasks.iter().filter(|id| status.get(id).is_some_and(|s| wanted(*s))).count();
            u32::try_from(number).unwrap_or(u32::MAX)
        };
        Self {
            number: wave.number,
            total: count(&|status| status != TaskStatus::Cancelled),
            done: count(&|status| status == TaskStatus::Done),
            blocked: count(&|status| status == TaskStatus::Blocked),
            tasks: wave.tasks.clone(),
        }
    }
}

/// Lays the tasks out in waves. Dependencies on tasks that are not in `tasks` do not hold anything back.
///
/// # Errors
/// Names the circle when tasks depend on each other.
pub fn plan_waves(tasks: &[Task]) -> Result<Vec<Wave>, DependencyCycle> {
    let by_id: HashMap<TaskId, &Task> = tasks.iter().map(|task| (task.id, task)).collect();
    let known = |task: &Task| -> Vec<TaskId> {
        task.draft.depends_on.iter().copied().filter(|id| by_id.contains_key(id)).collect()
    };
    let mut waiting: HashMap<TaskId, usize> = HashMap::with_capacity(tasks.len());
    let mut dependants: HashMap<TaskId, Vec<TaskId>> = HashMap::new();
    for task in tasks {
        let dependencies = known(task);
        waiting.insert(task.id, dependencies.len());
        for dependency in dependencies {
            dependants.entry(dependency).or_default().push(task.id);
        }
    }
    let mut ready: Vec<TaskId> =
        tasks.iter().map(|task| task.id).filter(|id| waiting.get(id) == Some(&0)).collect();
    let mut waves = Vec::new();
    while !ready.is_empty() {
        ready.sort_by_key(|id| (by_id.get(id).map_or(u32::MAX, |task| task.draft.priority), *id));
        let mut next = Vec::new();
        for id in &ready {
            waiting.remove(id);
            for dependant in dependants.get(id).into_iter().flatten() {
                if let Some(count) = waiting.get_mut(dependant) {
                    *count -= 1;
                    if *count == 0 {
                        next.push(*dependant);
                    }
                }
            }
        }
        let number = u32::try_from(waves.len() + 1).unwrap_or(u32::MAX);
        waves.push(Wave { number, tasks: std::mem::replace(&mut ready, next) });
    }
    if waiting.is_empty() { Ok(waves) } else { Err(find_cycle(&by_id, &waiting)) }
}

/// Walks from the smallest stuck task along stuck dependencies until one comes up again.
fn find_cycle(by_id: &HashMap<TaskId, &Task>, stuck: &HashMap<TaskId, usize>) -> DependencyCycle {
    let mut trail: Vec<TaskId> = Vec::new();
    let mut position: BTreeMap<TaskId, usize> = BTreeMap::new();
    let mut current = stuck.keys().min().copied();
    while let Some(id) = current {
        if let Some(start) = position.get(&id) {
            return DependencyCycle { tasks: trail.split_off(*start) };
        }
        position.insert(id, trail.len());
        trail.push(id);
        current = by_id.get(&id).and_then(|task| {
            task.draft.depends_on.iter().filter(|next| stuck.contains_key(next)).min().copied()
        });
    }
    DependencyCycle { tasks: trail }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::task::TaskDraft;

    fn task(id: u32, priority: u32, depends_on: &[u32]) -> Task {
        let depends_on = depends_on.iter().copied().map(TaskId).collect();
        let draft = TaskDraft { priority, depends_on, ..TaskDraft::titled(format!("task {id}")) };
        Task::new(TaskId(id), draft, "")
    }

    fn numbers(waves: &[Wave]) -> Vec<Vec<u32>> {
        waves.iter().map(|wave| wave.tasks.iter().map(|id| id.0).collect()).collect()
    }

    #[test]
    fn a_diamond_makes_three_waves_sorted_by_priority_then_id() {
        let tasks =
            [task(1, 5, &[]), task(2, 5, &[1]), task(3, 1, &[1]), task(4, 5, &[2, 3]), task(5, 5, &[1])];
        assert_eq!(numbers(&plan_waves(&tasks).unwrap()), [vec![1], vec![3, 2, 5], vec![4]]);
    }

    #[test]
    fn unknown_and_repeated_dependencies_hold_nothing_back() {
        let tasks = [task(1, 5, &[99]), task(2, 5, &[1, 1])];
        assert_eq!(numbers(&plan_waves(&tasks).unwrap()), [vec![1], vec![2]]);
        assert_eq!(plan_waves(&[]).unwrap(), []);
    }

    #[test]
    fn a_cycle_is_named_and_what_only_waits_for_it_is_not() {
        let tasks = [task(1, 5, &[4]), task(2, 5, &[3]), task(3, 5, &[4]), task(4, 5, &[2])];
        let cycle = plan_waves(&tasks).unwrap_err();
        assert_eq!(cycle.to_string(), "tasks depend on each other in a circle: #4 → #2 → #3 → #4");
        let own = plan_waves(&[task(1, 5, &[1])]).unwrap_err();
        assert_eq!(own.tasks, [TaskId(1)]);
    }

    #[test]
    fn a_summary_leaves_the_cancelled_out() {
        let mut tasks = vec![task(1, 5, &[]), task(2, 5, &[]), task(3, 5, &[])];
        tasks[0].status = TaskStatus::Done;
        tasks[1].status = TaskStatus::Cancelled;
        tasks[2].status = TaskStatus::Blocked;
        let wave = &plan_waves(&tasks).unwrap()[0];
        let summary = WaveSummary::of(wave, &tasks);
        assert_eq!((summary.total, summary.done, summary.blocked), (2, 1, 1));
    }

    proptest! {
        /// Any graph whose edges point to smaller ids: every task once, each after all its dependencies.
        #[test]
        fn each_task_comes_once_and_after_its_dependencies(
            edges in proptest::collection::vec((1u32..40, 1u32..40), 0..200)
        ) {
            let mut tasks: Vec<Task> = (1..40).map(|id| task(id, id % 7, &[])).collect();
            for (a, b) in edges {
                if a != b {
                    tasks[a.max(b) as usize - 1].draft.depends_on.push(TaskId(a.min(b)));
                }
            }
            let waves = plan_waves(&tasks).unwrap();
            let wave_of: HashMap<TaskId, u32> =
                waves.iter().flat_map(|wave| wave.tasks.iter().map(|id| (*id, wave.number))).collect();
            prop_assert_eq!(waves.iter().map(|wave| wave.tasks.len()).sum::<usize>(), tasks.len());
            for task in &tasks {
                let latest = task.draft.depends_on.iter().map(|id| wave_of[id]).max().unwrap_or(0);
                prop_assert_eq!(wave_of[&task.id], latest + 1);
            }
        }

        /// Any graph at all: waves, or a circle that is really there.
        #[test]
        fn a_reported_cycle_is_a_cycle(edges in proptest::collection::vec((1u32..12, 1u32..12), 0..40)) {
            let mut tasks: Vec<Task> = (1..12).map(|id| task(id, 5, &[])).collect();
            for (from, to) in edges {
                tasks[from as usize - 1].draft.depends_on.push(TaskId(to));
            }
            if let Err(cycle) = plan_waves(&tasks) {
                prop_assert!(!cycle.tasks.is_empty());
                for (index, id) in cycle.tasks.iter().enumerate() {
                    let next = cycle.tasks[(index + 1) % cycle.tasks.len()];
                    prop_assert!(tasks[id.0 as usize - 1].draft.depends_on.contains(&next));
                }
            }
        }
    }
}
