//! Loopwright's engine: everything the CLI and the desktop app can do, as a library.
//!
//! A [`Host`] says what machine this is; [`Project::open`] opens a folder and executes nothing in it;
//! [`Project::overview`] shows where it stands.
#![deny(missing_docs)]

pub mod agent;
pub mod check;
pub mod config;
mod create;
mod demo;
mod doctor;
mod host;
mod install;
mod layout;
pub mod logging;
mod overview;
pub mod procedure;
mod project;
mod registry;
pub mod run;
pub mod settings;
mod suggest;
mod text_file;
mod trust;

pub use agent::AgentSummary;
pub use create::{FolderReport, NewProject, inspect_folder};
pub use demo::{create_sample, open_sample};
pub use doctor::{DoctorFinding, DoctorReport, Health, examine};
pub use host::Host;
pub use install::{Change as InstallChange, Installed, install};
pub use layout::{Layout, PROJECT_DIR};
pub use overview::{CheckSummary, GitLook, GitSummary, Overview, ProjectSummary, SpecFile, progress};
pub use project::Project;
pub use registry::{ProjectRecord, Registry, TrustRecord};
pub use suggest::{CheckSuggestion, suggest};
pub use trust::{TrustReport, refusal as trust_refusal, require_person};
