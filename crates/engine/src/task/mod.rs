//! Tasks: one in full with its attempts, and work by hand. What tasks are and how they change is the plan's.

mod detail;
mod edit;
mod manual_work;
mod trace;

pub use loopwright_domain::{HeldTask, TaskMove};
pub use loopwright_plan::spec::SectionRow;
pub use loopwright_plan::task::{
    BulkEdit, HandWork, Moved, TaskBoard, TaskRow, WaveCommit, read_form, write_form,
};

pub use detail::TaskDetail;
pub use manual_work::Finished;
pub use trace::{TaskTrace, TracedIteration};
