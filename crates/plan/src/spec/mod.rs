//! The spec: documents cut into sections that tasks are linked to, terms, and what of them goes into a prompt.

mod document;
mod export;
mod files;
mod import_documents;
mod outline;
mod plan_section;
mod quality;
mod reimport;
mod sections;
mod sources;
mod split_sections;
mod template;
mod terms;

pub use document::read_any as read_document_text;
pub use export::SpecExport;
pub use files::{ContextItem, fill_spec, read_spec_files};
pub use import_documents::SpecImport;
pub(crate) use outline::Blocks;
pub use plan_section::{PlanSection, plan_section};
pub use quality::{SpecCheck, placed};
pub use reimport::{RemovedSection, SectionChange};
pub use sections::{SectionEdit, SectionRow, SpecSection};
pub use sources::{SourceState, SpecSource};
pub use template::{SpecTemplate, TemplateSection, template_in, templates_in};
pub use terms::NewTerm;
