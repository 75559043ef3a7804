//! Tasks: adding, editing, ordering and finishing them, and how they are shown.

mod model;

pub use model::{
    BulkEdit, Finished, HandWork, HeldTask, Moved, SectionRow, TaskBoard, TaskDetail, TaskMove, TaskRow,
    WaveCommit,
};
