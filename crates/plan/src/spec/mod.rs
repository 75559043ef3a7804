//! The spec: documents cut into sections that tasks are linked to, terms, and what of them goes into a prompt.

mod cut;
mod document;
mod export;
mod files;
mod import_documents;
mod meet;
mod outline;
mod plan_section;
mod quality;
mod sections;
mod sources;
mod template;
mod terms;

pub use export::SpecExport;
pub use files::{ContextItem, fill_spec, read_spec_files};
pub use import_documents::SpecImport;
pub use meet::{RemovedSection, SectionChange};
pub(crate) use outline::Blocks;
pub use plan_section::{PlanSection, plan_section};
pub use quality::SpecCheck;
pub use sections::{SectionEdit, SectionRow, SpecSection};
pub use sources::{SourceState, SpecSource};
pub use template::{SpecTemplate, TemplateSection};
pub use terms::NewTerm;
