//! Which tasks wait for which, and the rules for it: nothing waits for itself, for nothing, or in a circle.

use std::collections::{HashMap, VecDeque};

use crate::ids::TaskId;

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

/// Which tasks wait for which, by their places in the list they came in.
///
/// Everything here takes time in proportion to the tasks and the dependencies, so that ten thousand tasks are
/// looked at in milliseconds.
#[derive(Clone, Debug)]
pub struct Dependencies {
    ids: Vec<TaskId>,
    places: HashMap<TaskId, usize>,
    prerequisites: Vec<Vec<usize>>,
    dependants: Vec<Vec<usize>>,
}

impl Dependencies {
    /// Takes tasks and what each waits for. What is not among the tasks holds nothing back.
    pub fn new<'t>(tasks: impl Iterator<Item = (TaskId, &'t [TaskId])> + Clone) -> Self {
        let ids: Vec<TaskId> = tasks.clone().map(|(id, _)| id).collect();
        let places: HashMap<TaskId, usize> = ids.iter().enumerate().map(|(place, id)| (*id, place)).collect();
        let mut dependants = vec![Vec::new(); ids.len()];
        let prerequisites: Vec<Vec<usize>> = tasks
            .enumerate()
            .map(|(place, (_, on))| {
                let known: Vec<usize> = on.iter().filter_map(|id| places.get(id).copied()).collect();
                known.iter().for_each(|&prerequisite: &usize| dependants[prerequisite].push(place));
                known
            })
            .collect();
        Self { ids, places, prerequisites, dependants }
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
            if !self.places.contains_key(&prerequisite) {
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
        let places = self.places.get(&task).map(|&place| self.dependants[place].as_slice());
        places.unwrap_or_default().iter().map(|&place| self.ids[place])
    }

    pub(crate) fn place(&self, task: TaskId) -> Option<usize> {
        self.places.get(&task).copied()
    }

    pub(crate) fn prerequisites(&self, place: usize) -> &[usize] {
        &self.prerequisites[place]
    }

    /// The tasks from one of `starts` along what each waits for to `goal`, `goal` first: the circle that an edge from
    /// `goal` to that start would close.
    fn way_back(&self, starts: &[TaskId], goal: TaskId) -> Option<Vec<TaskId>> {
        let goal = self.place(goal)?;
        let mut came_from = vec![None; self.ids.len()];
        let mut queue: VecDeque<usize> = VecDeque::new();
        for start in starts.iter().filter_map(|id| self.place(*id)) {
            came_from[start] = Some(start);
            queue.push_back(start);
        }
        while let Some(place) = queue.pop_front() {
            if place == goal {
                return Some(self.retrace(&came_from, goal));
            }
            for &next in &self.prerequisites[place] {
                if came_from[next].is_none() {
                    came_from[next] = Some(place);
                    queue.push_back(next);
                }
            }
        }
        None
    }

    fn retrace(&self, came_from: &[Option<usize>], goal: usize) -> Vec<TaskId> {
        let mut trail = Vec::new();
        let mut place = goal;
        while let Some(before) = came_from[place].filter(|before| *before != place) {
            place = before;
            trail.push(self.ids[place]);
        }
        trail.push(self.ids[goal]);
        trail.reverse();
        trail
    }

    /// Lays the members out in layers, each member in the first one after all members it waits for. What waits in a
    /// circle, or for one, is in no layer; then the circle is named.
    pub(crate) fn layers(
        &self,
        member: impl Fn(usize) -> bool,
    ) -> (Vec<Vec<usize>>, Option<DependencyCycle>) {
        let members: Vec<bool> = (0..self.ids.len()).map(member).collect();
        let mut waiting: Vec<usize> = self
            .prerequisites
            .iter()
            .map(|places| places.iter().filter(|&&place| members[place]).count())
            .collect();
        let mut layer: Vec<usize> = (0..self.ids.len()).filter(|&p| members[p] && waiting[p] == 0).collect();
        let mut left = members.iter().filter(|member| **member).count();
        let mut layers = Vec::new();
        while !layer.is_empty() {
            left -= layer.len();
            let mut next = Vec::new();
            for &dependant in layer.iter().flat_map(|&place| &self.dependants[place]) {
                waiting[dependant] -= 1;
                if waiting[dependant] == 0 && members[dependant] {
                    next.push(dependant);
                }
            }
            layers.push(std::mem::replace(&mut layer, next));
        }
        let stuck = |place: usize| members[place] && waiting[place] > 0;
        (layers, (left > 0).then(|| self.circle(stuck)))
    }

    /// Walks from the smallest stuck task along stuck prerequisites until one comes up again.
    fn circle(&self, stuck: impl Fn(usize) -> bool) -> DependencyCycle {
        let smallest = |places: &mut dyn Iterator<Item = usize>| {
            places.filter(|&place| stuck(place)).min_by_key(|&place| self.ids[place])
        };
        let mut trail = Vec::new();
        let mut step = vec![None; self.ids.len()];
        let mut current = smallest(&mut (0..self.ids.len()));
        while let Some(place) = current {
            if let Some(start) = step[place] {
                trail.drain(..start);
                break;
            }
            step[place] = Some(trail.len());
            trail.push(self.ids[place]);
            current = smallest(&mut self.prerequisites[place].iter().copied());
        }
        DependencyCycle { tasks: trail }
    }
}
