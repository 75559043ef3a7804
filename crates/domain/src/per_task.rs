//! Values by task, for the algorithms over the task graph.

use std::ops::{Index, IndexMut};

/// The position of a task in the list that a graph was built from. Only [`PerTask::indices`] makes one, so it is always
/// a position in that list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TaskIndex(usize);

/// One value for each task of a graph, in the order of the list it was built from.
///
/// Every `PerTask` of a graph has the same length, and indices of one graph are never used with another.
#[derive(Clone, Debug)]
pub(crate) struct PerTask<T>(Vec<T>);

impl<T> PerTask<T> {
    /// The positions of all tasks, in order.
    pub(crate) fn indices(&self) -> impl Iterator<Item = TaskIndex> + use<T> {
        (0..self.0.len()).map(TaskIndex)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter()
    }

    /// The value that `value` gives for each task of the same graph.
    pub(crate) fn map<U>(&self, value: impl FnMut(TaskIndex) -> U) -> PerTask<U> {
        PerTask(self.indices().map(value).collect())
    }
}

impl<T> FromIterator<T> for PerTask<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        Self(values.into_iter().collect())
    }
}

#[expect(clippy::indexing_slicing, reason = "an index is a position in the list that has one value per task")]
impl<T> Index<TaskIndex> for PerTask<T> {
    type Output = T;

    fn index(&self, TaskIndex(position): TaskIndex) -> &T {
        &self.0[position]
    }
}

#[expect(clippy::indexing_slicing, reason = "an index is a position in the list that has one value per task")]
impl<T> IndexMut<TaskIndex> for PerTask<T> {
    fn index_mut(&mut self, TaskIndex(position): TaskIndex) -> &mut T {
        &mut self.0[position]
    }
}
