//! Loopwright's engine: everything the CLI and the desktop app can do, as a library.
//!
//! A [`Host`] says what machine this is; [`Project::open`] opens a folder and executes nothing in it;
//! [`Project::overview`] shows where it stands. [`Project::prepare`] resolves what a run works by,
//! [`Project::start`] carries it out and tells an [`Observer`](run::Observer) what happens.
//!
//! ```
//! use loopwright_domain::{ExitReason, Origin};
//! use loopwright_engine::run::{Earlier, RunRequest, StopHandle, Stream, Update};
//! use loopwright_engine::{Host, Project};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # if cfg!(windows) { return Ok(()); }
//! # let folder = tempfile::tempdir()?;
//! # let host = Host::in_folder(folder.path(), std::env::var_os("PATH").unwrap_or_default());
//! # let place = folder.path().join("tea-house");
//! # let new = loopwright_engine::NewProject::default();
//! # Project::create(&host, &place, &new, Origin::Cli).await?;
//! let project = Project::open(&host, &place).await?;
//! let request = RunRequest::prompt("Say when the tea is ready.")
//!     .command("sh -c 'echo \"<promise>COMPLETE</promise>\"'")
//!     .set("loop.max_iterations", "5");
//! let prepared = project.prepare(&request)?;
//!
//! let (mut stream, mut updates) = Stream::channel();
//! let run = project.start(prepared, Earlier::Ask, Origin::Cli, &mut stream, StopHandle::new()).await?;
//! assert_eq!(run.reason, Some(ExitReason::Promise));
//!
//! drop(stream);
//! while let Some(update) = updates.recv().await {
//!     if let Update::Event(envelope) = update {
//!         println!("{} {}", envelope.seq.0, envelope.event.name());
//!     }
//! }
//! # Ok(())
//! # }
//! ```
//!
//! A run can have its own source of work, its own harness and checks of its own: see
//! [`Prepared`](run::Prepared) and the crate's examples.
#![deny(missing_docs)]

pub mod agent;
mod background;
pub mod check;
pub mod config;
mod create;
mod demo;
mod doctor;
pub mod editor;
pub mod gate;
mod glance;
mod host;
pub mod import;
mod install;
mod layout;
pub mod logging;
pub mod output;
mod overview;
pub mod procedure;
mod project;
mod registry;
pub mod run;
mod sandbox;
pub mod settings;
pub mod spec;
pub mod structured;
mod suggest;
pub mod task;
mod text_file;
mod trust;

pub use agent::AgentSummary;
pub use create::{FolderReport, NewProject, inspect_folder};
pub use demo::{create_sample, open_sample};
pub use doctor::{DoctorFinding, DoctorReport, Health, examine};
pub use glance::Glance;
pub use host::{Host, LoginPath};
pub use install::{Change as InstallChange, InstallRequest, Installed, install};
pub use layout::{Layout, PROJECT_DIR};
pub use overview::{CheckSummary, GitSummary, Look, Overview, ProjectSummary, SpecFile, progress};
pub use project::Project;
pub use registry::{ProjectRecord, Registry, TrustRecord};
pub use suggest::{CheckSuggestion, suggest};
pub use trust::{TrustReport, refusal as trust_refusal, require_person};
