//! Putting a task at another place in its wave by changing as few priorities as can be.

use crate::ids::TaskId;

/// A task and its priority. In this order tasks are taken.
type PrioritizedTask = (u32, TaskId);

/// The priorities to change so that `task` comes right before `before`, or last without one, and all others keep
/// their order. `order` are the tasks of a wave and their priorities, in their order.
///
/// None when one of the two is not among them.
#[must_use]
pub fn reorder(order: &[(TaskId, u32)], task: TaskId, before: Option<TaskId>) -> Option<Vec<(TaskId, u32)>> {
    let own = order.iter().find(|(id, _)| *id == task)?.1;
    if before == Some(task) {
        return Some(Vec::new());
    }
    let others: Vec<PrioritizedTask> =
        order.iter().filter(|(id, _)| *id != task).map(|(id, priority)| (*priority, *id)).collect();
    let cut = match before {
        Some(before) => others.iter().position(|(_, id)| *id == before)?,
        None => others.len(),
    };
    let (earlier, later) = others.split_at(cut);
    let moved = Moved { task, own, earlier, later };
    // Something has to give way up to the nearest gap in the priorities, on one side or the other. Where it is the same,
    // the task itself changes.
    let lowest = earlier.last().and_then(|last| after(*last, task));
    let highest = later.first().and_then(|first| ahead_of(*first, task));
    let candidates = [lowest, highest, Some(own), Some(0)];
    let cost = |changes: &Vec<(TaskId, u32)>| (changes.len(), changes.iter().all(|(id, _)| *id != task));
    candidates.into_iter().flatten().filter_map(|priority| moved.at(priority)).min_by_key(cost)
}

/// A task between others.
struct Moved<'a> {
    task: TaskId,
    own: u32,
    earlier: &'a [PrioritizedTask],
    later: &'a [PrioritizedTask],
}

impl Moved<'_> {
    /// All changes when the task gets this priority: later ones are pushed on and earlier ones pulled ahead as far as
    /// they are in the way. None when there is no room.
    fn at(&self, priority: u32) -> Option<Vec<(TaskId, u32)>> {
        let mut changes = Vec::new();
        if priority != self.own {
            changes.push((self.task, priority));
        }
        let mut last = (priority, self.task);
        for &place in self.later {
            if place > last {
                break;
            }
            last = (after(last, place.1)?, place.1);
            changes.push((last.1, last.0));
        }
        let mut first = (priority, self.task);
        for &place in self.earlier.iter().rev() {
            if place < first {
                break;
            }
            first = (ahead_of(first, place.1)?, place.1);
            changes.push((first.1, first.0));
        }
        Some(changes)
    }
}

/// The smallest priority that puts a task after a place.
fn after((priority, id): PrioritizedTask, task: TaskId) -> Option<u32> {
    if task > id { Some(priority) } else { priority.checked_add(1) }
}

/// The largest priority that puts a task ahead of a place.
fn ahead_of((priority, id): PrioritizedTask, task: TaskId) -> Option<u32> {
    if task < id { Some(priority) } else { priority.checked_sub(1) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn order_of(tasks: &[(u32, u32)]) -> Vec<(TaskId, u32)> {
        let mut order: Vec<(TaskId, u32)> =
            tasks.iter().map(|(id, priority)| (TaskId(*id), *priority)).collect();
        order.sort_by_key(|(id, priority)| (*priority, *id));
        order
    }

    fn changes(tasks: &[(u32, u32)], task: u32, before: Option<u32>) -> Option<Vec<(u32, u32)>> {
        let changes = reorder(&order_of(tasks), TaskId(task), before.map(TaskId))?;
        Some(changes.into_iter().map(|(id, priority)| (id.0, priority)).collect())
    }

    #[test]
    fn few_priorities_change() {
        const EQUAL: &[(u32, u32)] = &[(1, 5), (2, 5), (3, 5), (4, 5)];
        const SPREAD: &[(u32, u32)] = &[(1, 1), (2, 5), (3, 9)];
        type Tasks = &'static [(u32, u32)];
        let cases: [(Tasks, u32, Option<u32>, Tasks); 11] = [
            (EQUAL, 4, Some(1), &[(4, 4)]),
            (EQUAL, 4, Some(2), &[(4, 4), (1, 4)]),
            (EQUAL, 1, None, &[(1, 6)]),
            (EQUAL, 1, Some(4), &[(1, 6), (4, 6)]),
            (EQUAL, 2, Some(3), &[]),
            (EQUAL, 4, None, &[]),
            (EQUAL, 3, Some(3), &[]),
            (SPREAD, 3, Some(2), &[(3, 1)]),
            (SPREAD, 1, None, &[(1, 10)]),
            (&[(1, 0), (2, 0)], 2, Some(1), &[(1, 1)]),
            (&[(7, 5)], 7, None, &[]),
        ];
        for (tasks, task, before, expected) in cases {
            let found = changes(tasks, task, before);
            assert_eq!(found.as_deref(), Some(expected), "{tasks:?} {task} {before:?}");
        }
        assert_eq!(changes(EQUAL, 9, None), None);
        assert_eq!(changes(EQUAL, 1, Some(9)), None);
    }

    proptest! {
        /// The order is what was asked for, and no smaller set of changes would do.
        #[test]
        fn the_order_is_right_and_nothing_more_changes(
            priorities in proptest::collection::vec(0u32..4, 1..6), task in 0usize..6, before in 0usize..7,
        ) {
            let tasks: Vec<(u32, u32)> = (1..).zip(priorities).collect();
            let order = order_of(&tasks);
            let task = order[task % order.len()].0;
            let before = order.get(before).map(|(id, _)| *id).filter(|before| *before != task);
            let found = reorder(&order, task, before).unwrap();

            let mut wanted: Vec<TaskId> = order.iter().map(|(id, _)| *id).filter(|id| *id != task).collect();
            let at = before.map_or(wanted.len(), |before| wanted.iter().position(|id| *id == before).unwrap());
            wanted.insert(at, task);
            let fresh = |id: TaskId, old: u32| found.iter().find(|(one, _)| *one == id).map_or(old, |(_, new)| *new);
            let placed = order_of(&order.iter().map(|(id, old)| (id.0, fresh(*id, *old))).collect::<Vec<_>>());
            prop_assert_eq!(placed.iter().map(|(id, _)| *id).collect::<Vec<_>>(), wanted.clone());
            prop_assert_eq!(found.len(), fewest(&order, &wanted));
        }
    }

    /// The fewest changes by trying every set of tasks that stay as they are.
    fn fewest(order: &[(TaskId, u32)], wanted: &[TaskId]) -> usize {
        let priority = |id: TaskId| order.iter().find(|(one, _)| *one == id).unwrap().1;
        let stays = |kept: usize| {
            let mut last: Option<(u32, TaskId)> = None;
            for (index, id) in wanted.iter().enumerate() {
                let least = last.map_or(0, |(p, before)| if *id > before { p } else { p + 1 });
                let at = if kept & (1 << index) == 0 { least } else { priority(*id) };
                if at < least {
                    return false;
                }
                last = Some((at, *id));
            }
            true
        };
        (0..1usize << wanted.len())
            .filter(|kept| stays(*kept))
            .map(|kept| wanted.len() - kept.count_ones() as usize)
            .min()
            .unwrap()
    }
}
