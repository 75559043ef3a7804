//! Tasks: adding, editing, ordering and finishing them, and how they are shown.

mod board;
mod change;
mod hand;
mod model;

pub use loopwright_domain::{HeldTask, TaskMove};
pub use model::{
    BulkEdit, Finished, HandWork, Moved, SectionRow, TaskBoard, TaskDetail, TaskRow, WaveCommit,
};
