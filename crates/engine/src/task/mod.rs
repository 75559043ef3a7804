//! Tasks: adding, editing, ordering and finishing them, and how they are shown.

mod board;
mod change;
mod form;
mod hand;
mod model;

pub use form::{read as read_form, write as write_form};
pub use loopwright_domain::{HeldTask, TaskMove};
pub use model::{
    BulkEdit, Finished, HandWork, Moved, SectionRow, TaskBoard, TaskDetail, TaskRow, WaveCommit,
};
