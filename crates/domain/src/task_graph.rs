//! The task graph: what comes when, what can start, what stands in the way.

use serde::{Deserialize, Serialize};

use crate::dependencies::{Dependencies, DependencyCycle};
use crate::ids::TaskId;
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
    tasks: &'t [Task],
    dependencies: Dependencies,
    /// Places of tasks, in the order in which each wave takes them.
    layers: Vec<Vec<usize>>,
    /// By place; 0 for none.
    wave: Vec<u32>,
    cycle: Option<DependencyCycle>,
}

impl<'t> TaskGraph<'t> {
    /// Lays tasks out in waves.
    #[must_use]
    pub fn new(tasks: &'t [Task]) -> Self {
        let dependencies =
            Dependencies::new(tasks.iter().map(|task| (task.id, task.draft.depends_on.as_slice())));
        let (mut layers, cycle) = dependencies.layers(|place| tasks[place].status != TaskStatus::Cancelled);
        let mut wave = vec![0; tasks.len()];
        for (number, layer) in (1..).zip(&mut layers) {
            layer.sort_unstable_by_key(|&place| order(&tasks[place]));
            layer.iter().for_each(|&place| wave[place] = number);
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
        let summary = |(number, layer): (u32, &Vec<usize>)| {
            let count = |status| layer.iter().filter(|&&place| self.tasks[place].status == status).count();
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
        self.dependencies.place(id).map(|place| &self.tasks[place])
    }

    /// The wave of a task; none when it is cancelled, waits in a circle, or does not exist.
    #[must_use]
    pub fn wave_of(&self, id: TaskId) -> Option<u32> {
        self.dependencies.place(id).map(|place| self.wave[place]).filter(|wave| *wave > 0)
    }

    /// Who waits for whom.
    #[must_use]
    pub const fn dependencies(&self) -> &Dependencies {
        &self.dependencies
    }

    /// Every task in the order in which a run takes them: by wave, priority, id. Those without a wave come last.
    #[must_use]
    pub fn in_order(&self) -> Vec<&'t Task> {
        let mut rest: Vec<usize> = (0..self.tasks.len()).filter(|&place| self.wave[place] == 0).collect();
        rest.sort_unstable_by_key(|&place| order(&self.tasks[place]));
        self.layers.iter().flatten().chain(&rest).map(|&place| &self.tasks[place]).collect()
    }

    /// Whether a filter means a task.
    #[must_use]
    pub fn selects(&self, filter: &TaskFilter, id: TaskId) -> bool {
        self.dependencies.place(id).is_some_and(|place| self.selected(filter, place))
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
        let goes_on = |place: usize| match self.tasks[place].status {
            TaskStatus::Pending => self.can_start(place),
            TaskStatus::InProgress | TaskStatus::AwaitingApproval => true,
            TaskStatus::Done | TaskStatus::Blocked | TaskStatus::Cancelled => false,
        };
        let meant = |layer: &'_ Vec<usize>| -> Vec<usize> {
            layer.iter().copied().filter(|&p| goes_on(p) && self.selected(filter, p)).collect()
        };
        let first = self.layers.iter().map(meant).find(|going_on| !going_on.is_empty()).unwrap_or_default();
        let pending = |place: &usize| self.tasks[*place].status == TaskStatus::Pending;
        first.into_iter().filter(pending).map(|place| self.tasks[place].id).collect()
    }

    /// What a run takes next: the first of [`TaskGraph::ready`].
    #[must_use]
    pub fn next(&self, filter: &TaskFilter) -> Option<TaskId> {
        self.ready(filter).first().copied()
    }

    /// The meant pending tasks that cannot start until a person does something, in order.
    #[must_use]
    pub fn held(&self, filter: &TaskFilter) -> Vec<HeldTask> {
        let stands_in_the_way = |place: usize| match self.tasks[place].status {
            TaskStatus::Blocked | TaskStatus::Cancelled => true,
            TaskStatus::Done => false,
            _ => !self.selected(filter, place),
        };
        let mut obstacles: Vec<usize> = (0..self.tasks.len()).filter(|&p| stands_in_the_way(p)).collect();
        obstacles.sort_unstable_by_key(|&place| self.tasks[place].id);
        let mut number = vec![None; self.tasks.len()];
        obstacles.iter().enumerate().for_each(|(index, &place)| number[place] = Some(index));

        let mut by: Vec<BitSet> = vec![BitSet::default(); self.tasks.len()];
        let mut held = Vec::new();
        for &place in self.layers.iter().flatten() {
            if number[place].is_some() || self.tasks[place].status == TaskStatus::Done {
                continue;
            }
            let mut met = BitSet::default();
            for &prerequisite in self.dependencies.prerequisites(place) {
                match number[prerequisite] {
                    Some(index) => met.insert(index),
                    None => met.extend(&by[prerequisite]),
                }
            }
            if self.tasks[place].status == TaskStatus::Pending && !met.is_empty() {
                let by = met.iter().map(|index| self.tasks[obstacles[index]].id).collect();
                held.push(HeldTask { task: self.tasks[place].id, by });
            }
            by[place] = met;
        }
        held
    }

    /// The longest chain of unfinished work, first task first: each weighs its complexity, at least 1. Of equal ones
    /// the one with the smaller numbers.
    #[must_use]
    pub fn critical_path(&self) -> Vec<TaskId> {
        let unfinished = |place: &usize| self.tasks[*place].status.is_unfinished();
        let mut longest: Vec<u64> = vec![0; self.tasks.len()];
        let mut before: Vec<Option<usize>> = vec![None; self.tasks.len()];
        let better = |longest: &[u64], a: usize, b: usize| {
            longest[a].cmp(&longest[b]).then_with(|| self.tasks[b].id.cmp(&self.tasks[a].id))
        };
        for place in self.layers.iter().flatten().copied().filter(unfinished) {
            let prerequisites = self.dependencies.prerequisites(place).iter().copied();
            before[place] = prerequisites.filter(|p| longest[*p] > 0).max_by(|a, b| better(&longest, *a, *b));
            let weight = u64::from(self.tasks[place].draft.complexity.max(1));
            longest[place] = weight + before[place].map_or(0, |place| longest[place]);
        }
        let last = (0..self.tasks.len()).filter(|p| longest[*p] > 0).max_by(|a, b| better(&longest, *a, *b));
        let mut path: Vec<TaskId> =
            std::iter::successors(last, |&place| before[place]).map(|place| self.tasks[place].id).collect();
        path.reverse();
        path
    }

    /// Whether nothing that a task waits for is unfinished or cancelled.
    fn can_start(&self, place: usize) -> bool {
        self.dependencies.prerequisites(place).iter().all(|&p| self.tasks[p].status == TaskStatus::Done)
    }

    fn selected(&self, filter: &TaskFilter, place: usize) -> bool {
        let task = &self.tasks[place];
        filter.task.is_none_or(|id| id == task.id)
            && filter.wave.is_none_or(|wave| wave == self.wave[place])
            && filter.tag.as_ref().is_none_or(|tag| Some(tag) == task.draft.tag.as_ref())
    }

    fn ids(&self, places: &[usize]) -> Vec<TaskId> {
        places.iter().map(|&place| self.tasks[place].id).collect()
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
        self.0[word] |= 1 << (number % 64);
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
