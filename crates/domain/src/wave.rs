//! Waves: the layers of the task graph. A task is in the first wave after all its dependencies' waves.

use serde::{Deserialize, Serialize};

use crate::ids::TaskId;

/// One layer of the task graph, its tasks in the order they are taken: by priority, then by id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Wave {
    /// Counted from 1.
    pub number: u32,
    /// The tasks of this wave.
    pub tasks: Vec<TaskId>,
}

/// How far a wave has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct WaveSummary {
    /// Counted from 1.
    pub number: u32,
    /// Its tasks; cancelled ones are in no wave.
    pub total: u32,
    /// Of these, finished.
    pub done: u32,
    /// Of these, blocked.
    pub blocked: u32,
    /// The tasks of this wave, in the order they are taken.
    pub tasks: Vec<TaskId>,
}

impl WaveSummary {
    /// Whether nothing is left to do in it.
    #[must_use]
    pub const fn is_finished(&self) -> bool {
        self.done == self.total
    }
}
