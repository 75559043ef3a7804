//! Loopwright's engine: everything the CLI and the desktop app can do, as a library.
//!
//! A [`Host`] says what machine this is; [`Project::open`] opens a folder and executes nothing in it;
//! [`Project::overview`] shows where it stands. [`ProjectRuns::prepare`] resolves what a run works by,
//! [`ProjectRuns::start`] carries it out and tells an [`Observer`](run::Observer) what happens.
//!
//! ```
//! use loopwright_domain::{ExitReason, Origin};
//! use loopwright_engine::run::{Earlier, RunRequest, StopHandle, Update, UpdateStream};
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
//! let prepared = project.runs().prepare(&request)?;
//!
//! let (mut stream, mut updates) = UpdateStream::channel();
//! let run = project.runs().start(prepared, Earlier::Ask, Origin::Cli, &mut stream, StopHandle::new()).await?;
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
mod ask;
mod assessment;
mod attempt;
mod background;
mod crash;
mod dispatch;
mod display_text;
mod distil;
pub mod editor;
pub mod gate;
mod ids;
mod install;
mod launch;
pub mod logging;
pub mod memory;
pub mod notify;
mod observer;
pub mod pager;
mod prepare;
pub mod procedure;
mod project;
mod prompt;
mod recover;
pub mod report;
pub mod run;
mod run_lock;
mod sandbox;
pub mod settings;
mod setup;
mod shared_learnings;
pub mod spec_view;
mod start;
mod stop;
pub mod structured;
pub mod task;
mod task_files;
pub mod trial;
mod watch;
pub mod wizard;

pub use loopwright_checks::{CheckSuggestion, suggest};
pub use loopwright_config as config;
pub use loopwright_config::trust::{refusal as trust_refusal, require_person};
pub use loopwright_config::{
    Host, Layout, LoginPath, PROJECT_DIR, ProjectRecord, Registry, TaskCounts, TrustRecord, TrustReport,
};
pub use loopwright_plan::{import, spec};

pub use agent::AgentSummary;
pub use install::{Change as InstallChange, InstallRequest, Installed, install};
pub use project::{
    Project, ProjectChecks, ProjectEvents, ProjectFailures, ProjectGates, ProjectIterations, ProjectMemory,
    ProjectOutput, ProjectRestore, ProjectRuns, ProjectSpec, ProjectTasks,
};
pub use project::{check, failure, output};
pub use setup::create::{FolderReport, NewProject, inspect_folder};
pub use setup::demo::{create_sample, open_sample};
pub use setup::doctor::{DoctorFinding, DoctorReport, Health, examine};
pub use watch::overview::{
    CheckSummary, GitSummary, Look, Overview, ProjectSummary, SpecFile, progress, task_counts,
};
