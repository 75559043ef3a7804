//! The files of an iteration, in the private state: prompt, output, transcript, outputs of checks.

use std::io::Write;
use std::path::{Path, PathBuf};

use loopwright_config::text_file::{io_fault, make_private, private_file};
use loopwright_domain::{Fault, Iteration, RunId};

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

    /// What the prompt was made of, item by item, as JSON.
    #[must_use]
    pub fn prompt_items(&self) -> PathBuf {
        self.folder.join("prompt-items.json")
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
    #[must_use]
    pub fn usage(&self) -> PathBuf {
        self.folder.join("usage.json")
    }

    /// How long the agent has worked so far.
    #[must_use]
    pub fn heartbeat(&self) -> PathBuf {
        self.folder.join("worked")
    }

    /// The agent's own last words.
    #[must_use]
    pub fn response(&self) -> PathBuf {
        self.folder.join("response.md")
    }

    /// What was outside of the snapshot after the agent.
    #[must_use]
    pub fn omissions(&self) -> PathBuf {
        self.folder.join("omissions.json")
    }

    /// What was taken out of the work tree with a failed attempt and is in no snapshot.
    #[must_use]
    pub fn left_out(&self) -> PathBuf {
        self.folder.join("left-out")
    }

    /// The outputs of the checks.
    #[must_use]
    pub fn checks(&self) -> PathBuf {
        self.folder.join("checks")
    }

    /// The outputs of the checks on a person's edits at a gate.
    #[must_use]
    pub fn edit_checks(&self) -> PathBuf {
        self.folder.join("edit-checks")
    }

    /// The checks that a person's edits at a gate did not pass.
    #[must_use]
    pub fn edits(&self) -> PathBuf {
        self.folder.join("edits.json")
    }

    /// What the agent needs to start: settings and schemas. There only while it works.
    #[must_use]
    pub fn given(&self) -> PathBuf {
        self.folder.join("given")
    }

    /// Makes the folder for what the agent needs to start.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn make_given(&self) -> Result<PathBuf, Fault> {
        let folder = self.given();
        make_private(&folder).map_err(|error| io_fault("make", &folder, &error))?;
        Ok(folder)
    }

    /// Makes the folder, for its owner only.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn make(&self) -> Result<(), Fault> {
        make_private(&self.folder).map_err(|error| io_fault("make", &self.folder, &error))
    }

    /// Writes one of these files, readable by its owner only.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, path: &Path, text: &str) -> Result<(), Fault> {
        private_file(path)
            .and_then(|mut file| file.write_all(text.as_bytes()))
            .map_err(|error| io_fault("write", path, &error))
    }
}

/// The folder of a run.
#[must_use]
pub fn run_folder(state_dir: &Path, run: RunId) -> PathBuf {
    state_dir.join("runs").join(run.to_string())
}
