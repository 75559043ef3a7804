//! The files of an iteration, in the private state: prompt, output, transcript, outputs of checks.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use loopwright_domain::{Fault, Iteration, RunId};

use crate::text_file::io_fault;

/// Where an iteration's files are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IterationFiles {
    folder: PathBuf,
}

impl IterationFiles {
    /// The files of an iteration below a state folder, whether or not they exist.
    #[must_use]
    pub fn of(state_dir: &Path, iteration: &Iteration) -> Self {
        let name = match iteration.attempt {
            0 | 1 => format!("{:04}", iteration.number + 1),
            attempt => format!("{:04}-{attempt}", iteration.number + 1),
        };
        Self { folder: run_folder(state_dir, iteration.run).join(name) }
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What the agent was asked.
    #[must_use]
    pub fn prompt(&self) -> PathBuf {
        self.folder.join("prompt.md")
    }

    /// What the work is, for the agent to ask.
    #[must_use]
    pub fn task(&self) -> PathBuf {
        self.folder.join("task.json")
    }

    /// What the agent printed, redacted.
    #[must_use]
    pub fn stdout(&self) -> PathBuf {
        self.folder.join("stdout.log")
    }

    /// What the agent printed on its error stream, redacted.
    #[must_use]
    pub fn stderr(&self) -> PathBuf {
        self.folder.join("stderr.log")
    }

    /// What the agent said and did, one JSON event per line.
    #[must_use]
    pub fn transcript(&self) -> PathBuf {
        self.folder.join("transcript.jsonl")
    }

    /// What the agent has used so far.
    pub(crate) fn usage(&self) -> PathBuf {
        self.folder.join("usage.json")
    }

    /// How long the agent has worked so far.
    pub(super) fn pulse(&self) -> PathBuf {
        self.folder.join("worked")
    }

    /// The agent's own last words.
    #[must_use]
    pub fn response(&self) -> PathBuf {
        self.folder.join("response.md")
    }

    /// The outputs of the checks.
    #[must_use]
    pub fn checks(&self) -> PathBuf {
        self.folder.join("checks")
    }

    /// What the agent needs to start: settings and schemas. There only while it works.
    pub(crate) fn given(&self) -> PathBuf {
        self.folder.join("given")
    }

    /// Makes the folder for what the agent needs to start.
    pub(crate) fn make_given(&self) -> Result<PathBuf, Fault> {
        let folder = self.given();
        make_private(&folder).map_err(|error| io_fault("make", &folder, &error))?;
        Ok(folder)
    }

    pub(crate) fn make(&self) -> Result<(), Fault> {
        make_private(&self.folder).map_err(|error| io_fault("make", &self.folder, &error))
    }

    /// Writes one of these files, readable by its owner only.
    pub(crate) fn write(&self, path: &Path, text: &str) -> Result<(), Fault> {
        private_file(path)
            .and_then(|mut file| file.write_all(text.as_bytes()))
            .map_err(|error| io_fault("write", path, &error))
    }
}

/// The folder of a run.
pub(crate) fn run_folder(state_dir: &Path, run: RunId) -> PathBuf {
    state_dir.join("runs").join(run.to_string())
}

#[cfg(unix)]
pub(super) fn make_private(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

#[cfg(not(unix))]
pub(super) fn make_private(folder: &Path) -> std::io::Result<()> {
    fs::create_dir_all(folder)
}

#[cfg(unix)]
pub(crate) fn private_file(path: &Path) -> std::io::Result<fs::File> {
    use std::os::unix::fs::OpenOptionsExt;
    fs::File::options().create(true).truncate(true).write(true).mode(0o600).open(path)
}

#[cfg(not(unix))]
pub(crate) fn private_file(path: &Path) -> std::io::Result<fs::File> {
    fs::File::options().create(true).truncate(true).write(true).open(path)
}
