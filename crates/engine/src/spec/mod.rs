//! The spec: documents cut into sections that tasks are linked to, and what of them goes into a prompt.

mod files;
mod outline;
mod plan;

pub use files::{fill_spec, read_spec_files};
pub(crate) use outline::Blocks;
pub use plan::{PlanSection, plan_section};
