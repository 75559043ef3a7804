//! Which tasks wait for which, and the rules for it: nothing waits for itself, for nothing, or in a circle.

use std::collections::{HashMap, VecDeque};

use crate::ids::TaskId;
use crate::per_task::{PerTask, TaskIndex};

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

/// Why a task cannot wait for another one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DependencyProblem {
    /// It would wait for itself.
    #[error("task {0} cannot wait for itself")]
    Itself(TaskId),
    /// There is no such task.
    #[error("task {task} cannot wait for task {missing}, which does not exist")]
    Unknown {
        /// The task.
        task: TaskId,
        /// What does not exist.
        missing: TaskId,
    },
    /// They would wait for each other.
    #[error(transparent)]
    Cycle(#[from] DependencyCycle),
}

/// Which tasks wait for which.
///
/// Everything here takes time in proportion to the tasks and the dependencies, so that ten thousand tasks are
/// looked at in milliseconds.
#[derive(Clone, Debug)]
pub struct Dependencies {
    ids: PerTask<TaskId>,
    indices: HashMap<TaskId, TaskIndex>,
    prerequisites: PerTask<Vec<TaskIndex>>,
    dependants: PerTask<Vec<TaskIndex>>,
}

impl Dependencies {
    /// Takes tasks and what each waits for. What is not among the tasks holds nothing back.
    pub fn new<'t>(tasks: impl Iterator<Item = (TaskId, &'t [TaskId])> + Clone) -> Self {
        let ids: PerTask<TaskId> = tasks.clone().map(|(id, _)| id).collect();
        let indices: HashMap<TaskId, TaskIndex> = ids.indices().map(|index| (ids[index], index)).collect();
        let known = |on: &[TaskId]| on.iter().filter_map(|id| indices.get(id).copied()).collect();
        let prerequisites: PerTask<Vec<TaskIndex>> = tasks.map(|(_, on)| known(on)).collect();
        let mut dependants = ids.map(|_| Vec::new());
        for task in ids.indices() {
            prerequisites[task].iter().for_each(|&prerequisite| dependants[prerequisite].push(task));
        }
        Self { ids, indices, prerequisites, dependants }
    }

    /// Whether a task may wait for these and no others.
    ///
    /// # Errors
    /// Names what stands against it; of several circles a shortest one.
    pub fn check(&self, task: TaskId, prerequisites: &[TaskId]) -> Result<(), DependencyProblem> {
        for &prerequisite in prerequisites {
            if prerequisite == task {
                return Err(DependencyProblem::Itself(task));
            }
            if !self.indices.contains_key(&prerequisite) {
                return Err(DependencyProblem::Unknown { task, missing: prerequisite });
            }
        }
        match self.way_back(prerequisites, task) {
            Some(tasks) => Err(DependencyCycle { tasks }.into()),
            None => Ok(()),
        }
    }

    /// A circle among all tasks, when there is one.
    #[must_use]
    pub fn cycle(&self) -> Option<DependencyCycle> {
        self.layers(|_| true).1
    }

    /// What waits for a task, directly.
    pub fn dependants(&self, task: TaskId) -> impl Iterator<Item = TaskId> {
        let indices = self.index(task).map(|index| self.dependants[index].as_slice());
        indices.unwrap_or_default().iter().map(|&index| self.ids[index])
    }

    pub(crate) fn index(&self, task: TaskId) -> Option<TaskIndex> {
        self.indices.get(&task).copied()
    }

    pub(crate) fn indices(&self) -> impl Iterator<Item = TaskIndex> + use<> {
        self.ids.indices()
    }

    /// One value per task.
    pub(crate) fn per_task<T>(&self, value: impl FnMut(TaskIndex) -> T) -> PerTask<T> {
        self.ids.map(value)
    }

    pub(crate) fn prerequisites(&self, index: TaskIndex) -> &[TaskIndex] {
        &self.prerequisites[index]
    }

    /// The tasks from one of `starts` along what each waits for to `goal`, `goal` first: the circle that an edge from
    /// `goal` to that start would close.
    fn way_back(&self, starts: &[TaskId], goal: TaskId) -> Option<Vec<TaskId>> {
        let goal = self.index(goal)?;
        let mut came_from = self.per_task(|_| None);
        let mut queue: VecDeque<TaskIndex> = VecDeque::new();
        for start in starts.iter().filter_map(|id| self.index(*id)) {
            came_from[start] = Some(start);
            queue.push_back(start);
        }
        while let Some(index) = queue.pop_front() {
            if index == goal {
                return Some(self.retrace(&came_from, goal));
            }
            for &next in &self.prerequisites[index] {
                if came_from[next].is_none() {
                    came_from[next] = Some(index);
                    queue.push_back(next);
                }
            }
        }
        None
    }

    fn retrace(&self, came_from: &PerTask<Option<TaskIndex>>, goal: TaskIndex) -> Vec<TaskId> {
        let mut trail = Vec::new();
        let mut index = goal;
        while let Some(before) = came_from[index].filter(|before| *before != index) {
            index = before;
            trail.push(self.ids[index]);
        }
        trail.push(self.ids[goal]);
        trail.reverse();
        trail
    }

    /// Lays the members out in layers, each member in the first one after all members it waits for. What waits in a
    /// circle, or for one, is in no layer; then the circle is named.
    pub(crate) fn layers(
        &self,
        member: impl FnMut(TaskIndex) -> bool,
    ) -> (Vec<Vec<TaskIndex>>, Option<DependencyCycle>) {
        let members = self.per_task(member);
        let mut waiting =
            self.per_task(|index| self.prerequisites[index].iter().filter(|&&index| members[index]).count());
        let mut layer: Vec<TaskIndex> =
            self.indices().filter(|&index| members[index] && waiting[index] == 0).collect();
        let mut left = members.iter().filter(|member| **member).count();
        let mut layers = Vec::new();
        while !layer.is_empty() {
            left -= layer.len();
            let mut next = Vec::new();
            for &dependant in layer.iter().flat_map(|&index| &self.dependants[index]) {
                waiting[dependant] -= 1;
                if waiting[dependant] == 0 && members[dependant] {
                    next.push(dependant);
                }
            }
            layers.push(std::mem::replace(&mut layer, next));
        }
        let stuck = |index: TaskIndex| members[index] && waiting[index] > 0;
        (layers, (left > 0).then(|| self.circle(stuck)))
    }

    /// Walks from the smallest stuck task along stuck prerequisites until one comes up again.
    fn circle(&self, stuck: impl Fn(TaskIndex) -> bool) -> DependencyCycle {
        let smallest = |indices: &mut dyn Iterator<Item = TaskIndex>| {
            indices.filter(|&index| stuck(index)).min_by_key(|&index| self.ids[index])
        };
        let mut trail = Vec::new();
        let mut step = self.per_task(|_| None);
        let mut current = smallest(&mut self.indices());
        while let Some(index) = current {
            if let Some(start) = step[index] {
                trail.drain(..start);
                break;
            }
            step[index] = Some(trail.len());
            trail.push(self.ids[index]);
            current = smallest(&mut self.prerequisites[index].iter().copied());
        }
        DependencyCycle { tasks: trail }
    }
}
