//! The spec: documents cut into sections that tasks are linked to, and what of them goes into a prompt.

mod cut;
mod files;
mod meet;
mod outline;
mod plan;
mod project;

pub use files::{fill_spec, read_spec_files};
pub use meet::RemovedSection;
pub(crate) use outline::Blocks;
pub use plan::{PlanSection, plan_section};
pub use project::{SectionEdit, SpecImport, SpecSection};
