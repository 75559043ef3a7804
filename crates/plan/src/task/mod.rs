//! Tasks: adding, editing, ordering and moving them, and how they are shown in lists.

mod board;
mod change;
mod form;
mod model;

pub use board::no_task;
pub use form::{read as read_form, write as write_form};
pub use model::{BulkEdit, HandWork, Moved, TaskBoard, TaskRow, WaveCommit};
