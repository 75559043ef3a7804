//! What commands work with: the host, the folder, and a runtime for the engine's async calls.

use std::path::PathBuf;

use loopwright_domain::{ErrorCode, Fault};
use loopwright_engine::config::key;
use loopwright_engine::{Host, Project};
use tokio::runtime::{Builder, Runtime};

use crate::args::Global;
use crate::output;

/// One call of the program.
pub(crate) struct Context {
    pub(crate) host: Host,
    pub(crate) folder: PathBuf,
    pub(crate) json: bool,
    /// Where to say that a run has begun.
    pub(crate) answer_file: Option<PathBuf>,
    runtime: Runtime,
}

impl Context {
    pub(crate) fn new(global: Global) -> Result<Self, Fault> {
        let mut host = Host::of_this_process()?;
        host.flags = global.config;
        host.flags.extend(global.log_level.map(|level| ("log.level".to_owned(), level)));
        let folder = match global.dir {
            Some(folder) => folder,
            None => std::env::current_dir().map_err(|error| {
                Fault::caused(ErrorCode::ProjectBadFolder, "the current folder cannot be used", &error)
                    .hint("Go to a folder that exists.")
            })?,
        };
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| Fault::caused(ErrorCode::Internal, "cannot start the runtime", &error))?;
        let host = host.around(&folder);
        Ok(Self { host, folder, json: global.json, answer_file: global.answer_file, runtime })
    }

    /// Waits for one of the engine's calls.
    pub(crate) fn wait<T>(&self, call: impl Future<Output = T>) -> T {
        self.runtime.block_on(call)
    }

    /// Opens the project at or above the folder.
    pub(crate) fn project(&self) -> Result<Project, Fault> {
        self.wait(Project::open(&self.host, &self.folder))
    }

    /// Begins to write the log, for commands that start agents. A log that cannot be written is no reason not to work.
    pub(crate) fn begin_log(&self, project: &Project) {
        let level = project.config().value(key::LOG_LEVEL);
        if let Err(fault) = loopwright_engine::logging::begin(&self.host.data_dir, level) {
            output::tell(&fault);
        }
    }

    /// A path given on the command line, taken from the folder.
    pub(crate) fn resolve(&self, path: Option<PathBuf>) -> PathBuf {
        path.map_or_else(|| self.folder.clone(), |path| self.folder.join(path))
    }
}
