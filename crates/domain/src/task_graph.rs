//! The task graph: what comes when, what can start, what stands in the way.

use serde::{Deserialize, Serialize};

use crate::dependencies::{Dependencies, DependencyCycle};
use crate::ids::TaskId;
use crate::per_task::{PerTask, TaskIndex};
use crate::task::{Task, TaskStatus};
use crate::wave::{Wave, WaveSummary};

/// Which tasks are meant; nothing said means all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskFilter {
    /// Only those of this group.
    pub tag: Option<String>,
    /// Only this one.
    pub task: Option<TaskId>,
    /// Only those of this wave.
    pub wave: Option<u32>,
}

/// A pending task that cannot start because others stand in its way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct HeldTask {
    /// The task.
    pub task: TaskId,
    /// The first that it meets on each way back: blocked or cancelled tasks it waits for, directly or through others,
    /// and for a part of all tasks also unfinished ones outside of it. By id.
    pub by: Vec<TaskId>,
}

/// All tasks and how they hang together.
///
/// Waves are laid out over all tasks but the cancelled. A cancelled task keeps what waits for it from starting until
/// a person reopens it or removes the dependency.
#[derive(Clone, Debug)]
pub struct TaskGraph<'t> {
    tasks: PerTask<&'t Task>,
    dependencies: Dependencies,
    /// The tasks of each wave, in the order in which a run takes them.
    layers: Vec<Vec<TaskIndex>>,
    /// 0 for none.
    wave: PerTask<u32>,
    cycle: Option<DependencyCycle>,
}

impl<'t> TaskGraph<'t> {
    /// Lays tasks out in waves.
    #[must_use]
    pub fn new(tasks: &'t [Task]) -> Self {
        let dependencies =
            Dependencies::new(tasks.iter().map(|task| (task.id, task.draft.depends_on.as_slice())));
        let tasks: PerTask<&Task> = tasks.iter().collect();
        let (mut layers, cycle) = dependencies.layers(|index| tasks[index].status != TaskStatus::Cancelled);
        let mut wave = dependencies.per_task(|_| 0);
        for (number, layer) in (1..).zip(&mut layers) {
            layer.sort_unstable_by_key(|&index| order(tasks[index]));
            layer.iter().for_each(|&index| wave[index] = number);
        }
        Self { tasks, dependencies, layers, wave, cycle }
    }

    /// The waves, first to last.
    #[must_use]
    pub fn waves(&self) -> Vec<Wave> {
        (1..).zip(&self.layers).map(|(number, layer)| Wave { number, tasks: self.ids(layer) }).collect()
    }

    /// How far each wave has come.
    #[must_use]
    pub fn summaries(&self) -> Vec<WaveSummary> {
        let summary = |(number, layer): (u32, &Vec<TaskIndex>)| {
            let count = |status| layer.iter().filter(|&&index| self.tasks[index].status == status).count();
            let small = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
            WaveSummary {
                number,
                total: small(layer.len()),
                done: small(count(TaskStatus::Done)),
                blocked: small(count(TaskStatus::Blocked)),
                tasks: self.ids(layer),
            }
        };
        (1..).zip(&self.layers).map(summary).collect()
    }

    /// A circle of tasks that wait for each other.
    #[must_use]
    pub const fn cycle(&self) -> Option<&DependencyCycle> {
        self.cycle.as_ref()
    }

    /// A task by its number.
    #[must_use]
    pub fn task(&self, id: TaskId) -> Option<&'t Task> {
        self.dependencies.index(id).map(|index| self.tasks[index])
    }

    /// The wave of a task; none when it is cancelled, waits in a circle, or does not exist.
    #[must_use]
    pub fn wave_of(&self, id: TaskId) -> Option<u32> {
        self.dependencies.index(id).map(|index| self.wave[index]).filter(|wave| *wave > 0)
    }

    /// Who waits for whom.
    #[must_use]
    pub const fn dependencies(&self) -> &Dependencies {
        &self.dependencies
    }

    /// Every task in the order in which a run takes them: by wave, priority, id. Those without a wave come last.
    #[must_use]
    pub fn in_order(&self) -> Vec<&'t Task> {
        let mut rest: Vec<TaskIndex> = self.tasks.indices().filter(|&index| self.wave[index] == 0).collect();
        rest.sort_unstable_by_key(|&index| order(self.tasks[index]));
        self.layers.iter().flatten().chain(&rest).map(|&index| self.tasks[index]).collect()
    }

    /// Whether a filter means a task.
    #[must_use]
    pub fn selects(&self, filter: &TaskFilter, id: TaskId) -> bool {
        self.dependencies.index(id).is_some_and(|index| self.selected(filter, index))
    }

    /// What is left of the meant tasks: all that are neither done nor cancelled, in order.
    #[must_use]
    pub fn unfinished(&self, filter: &TaskFilter) -> Vec<TaskId> {
        let left = |task: &&Task| task.status.is_unfinished() && self.selects(filter, task.id);
        self.in_order().into_iter().filter(left).map(|task| task.id).collect()
    }

    /// What could start now, in order: the pending tasks that wait for nothing unfinished, of the first wave that is
    /// still going on. A wave goes on as long as one of its tasks can start, is worked on or waits for approval.
    #[must_use]
    pub fn ready(&self, filter: &TaskFilter) -> Vec<TaskId> {
        let goes_on = |index: TaskIndex| match self.tasks[index].status {
            TaskStatus::Pending => self.can_start(index),
            TaskStatus::InProgress | TaskStatus::AwaitingApproval => true,
            TaskStatus::Done | TaskStatus::Blocked | TaskStatus::Cancelled => false,
        };
        let meant = |layer: &'_ Vec<TaskIndex>| -> Vec<TaskIndex> {
            layer.iter().copied().filter(|&index| goes_on(index) && self.selected(filter, index)).collect()
        };
        let first = self.layers.iter().map(meant).find(|going_on| !going_on.is_empty()).unwrap_or_default();
        let pending = |index: &TaskIndex| self.tasks[*index].status == TaskStatus::Pending;
        first.into_iter().filter(pending).map(|index| self.tasks[index].id).collect()
    }

    /// What a run takes next: the first of [`TaskGraph::ready`].
    #[must_use]
    pub fn next(&self, filter: &TaskFilter) -> Option<TaskId> {
        self.ready(filter).first().copied()
    }

    /// The meant pending tasks that cannot start until a person does something, in order.
    #[must_use]
    pub fn held(&self, filter: &TaskFilter) -> Vec<HeldTask> {
        let stands_in_the_way = |index: TaskIndex| match self.tasks[index].status {
            TaskStatus::Blocked | TaskStatus::Cancelled => true,
            TaskStatus::Done => false,
            _ => !self.selected(filter, index),
        };
        let mut obstacles: Vec<(TaskId, TaskIndex)> = self
            .tasks
            .indices()
            .filter(|&index| stands_in_the_way(index))
            .map(|index| (self.tasks[index].id, index))
            .collect();
        obstacles.sort_unstable_by_key(|(id, _)| *id);
        let mut number = self.dependencies.per_task(|_| None);
        obstacles.iter().enumerate().for_each(|(obstacle, &(_, index))| number[index] = Some(obstacle));

        let mut by = self.dependencies.per_task(|_| BitSet::default());
        let mut held = Vec::new();
        for &index in self.layers.iter().flatten() {
            if number[index].is_some() || self.tasks[index].status == TaskStatus::Done {
                continue;
            }
            let mut met = BitSet::default();
            for &prerequisite in self.dependencies.prerequisites(index) {
                match number[prerequisite] {
                    Some(obstacle) => met.insert(obstacle),
                    None => met.extend(&by[prerequisite]),
                }
            }
            if self.tasks[index].status == TaskStatus::Pending && !met.is_empty() {
                let by =
                    met.iter().filter_map(|obstacle| obstacles.get(obstacle)).map(|(id, _)| *id).collect();
                held.push(HeldTask { task: self.tasks[index].id, by });
            }
            by[index] = met;
        }
        held
    }

    /// The longest chain of unfinished work, first task first: each weighs its complexity, at least 1. Of equal ones
    /// the one with the smaller numbers.
    #[must_use]
    pub fn critical_path(&self) -> Vec<TaskId> {
        let unfinished = |index: &TaskIndex| self.tasks[*index].status.is_unfinished();
        let mut longest: PerTask<u64> = self.dependencies.per_task(|_| 0);
        let mut before: PerTask<Option<TaskIndex>> = self.dependencies.per_task(|_| None);
        let better = |longest: &PerTask<u64>, a: TaskIndex, b: TaskIndex| {
            longest[a].cmp(&longest[b]).then_with(|| self.tasks[b].id.cmp(&self.tasks[a].id))
        };
        for index in self.layers.iter().flatten().copied().filter(unfinished) {
            let prerequisites = self.dependencies.prerequisites(index).iter().copied();
            let counted = prerequisites.filter(|index| longest[*index] > 0);
            before[index] = counted.max_by(|a, b| better(&longest, *a, *b));
            let weight = u64::from(self.tasks[index].draft.complexity.max(1));
            longest[index] = weight + before[index].map_or(0, |index| longest[index]);
        }
        let ends = self.tasks.indices().filter(|index| longest[*index] > 0);
        let last = ends.max_by(|a, b| better(&longest, *a, *b));
        let mut path: Vec<TaskId> =
            std::iter::successors(last, |&index| before[index]).map(|index| self.tasks[index].id).collect();
        path.reverse();
        path
    }

    /// Whether nothing that a task waits for is unfinished or cancelled.
    fn can_start(&self, index: TaskIndex) -> bool {
        self.dependencies
            .prerequisites(index)
            .iter()
            .all(|&index| self.tasks[index].status == TaskStatus::Done)
    }

    fn selected(&self, filter: &TaskFilter, index: TaskIndex) -> bool {
        let task = self.tasks[index];
        filter.task.is_none_or(|id| id == task.id)
            && filter.wave.is_none_or(|wave| wave == self.wave[index])
            && filter.tag.as_ref().is_none_or(|tag| Some(tag) == task.draft.tag.as_ref())
    }

    fn ids(&self, indices: &[TaskIndex]) -> Vec<TaskId> {
        indices.iter().map(|&index| self.tasks[index].id).collect()
    }
}

/// The order inside a wave.
const fn order(task: &Task) -> (u32, TaskId) {
    (task.draft.priority, task.id)
}

/// A set of small numbers.
#[derive(Clone, Debug, Default)]
struct BitSet(Vec<u64>);

impl BitSet {
    fn insert(&mut self, number: usize) {
        let word = number / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        if let Some(bits) = self.0.get_mut(word) {
            *bits |= 1 << (number % 64);
        }
    }

    fn extend(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(word, more)| *word |= more);
    }

    const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.iter().enumerate().flat_map(|(word, bits)| {
            (0..64).filter(move |bit| bits & (1 << bit) != 0).map(move |bit| word * 64 + bit)
        })
    }
}
