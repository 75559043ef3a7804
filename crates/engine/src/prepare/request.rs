//! What a run is asked for, before settings fill in the rest.

use std::path::PathBuf;

use loopwright_domain::{OutputFormat, PromptMode, RunKind, TaskId};
use serde::{Deserialize, Serialize};

use loopwright_plan::spec::ContextItem;

/// What a person asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// One prompt, again and again.
    Prompt(String),
    /// One procedure, again and again.
    Procedure(String),
    /// The failing checks, with something a person adds.
    Fix(Option<String>),
    /// The pending tasks, wave by wave.
    Tasks(TaskSelection),
}

/// Which tasks a run is over, and what is handed along with each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct TaskSelection {
    /// Only those of this group.
    pub tag: Option<String>,
    /// Only this one.
    pub task: Option<TaskId>,
    /// Only those of this wave.
    pub wave: Option<u32>,
    /// A plan whose section for the task is handed along.
    pub plan: Option<String>,
    /// Documents that are handed along whole.
    pub spec_files: Vec<String>,
    /// A command that is run as one more check.
    pub verify: Option<String>,
    /// Where to write where things stand when the run ends.
    pub handoff: Option<String>,
}

/// What a person asks for, with what is not a setting. Settings (limits, times, promise, git) come from the
/// configuration, whose strongest layer are flags: [`RunRequest::set`].
#[derive(Clone, Debug)]
pub struct RunRequest {
    /// The work.
    pub request: Request,
    /// What is handed along.
    pub context: Vec<ContextItem>,
    /// The agent by name; none takes the configured one.
    pub harness: Option<String>,
    /// A command line instead of a named agent, split by shell words and never given to a shell.
    pub command: Option<String>,
    /// How that command takes its prompt.
    pub prompt_mode: Option<PromptMode>,
    /// What it prints.
    pub output_format: Option<OutputFormat>,
    /// The model.
    pub model: Option<String>,
    /// Where the agent works, inside the project.
    pub working_dir: Option<PathBuf>,
    /// Settings for this run only.
    pub settings: Vec<(String, String)>,
}

impl RunRequest {
    /// A request with nothing but the work.
    #[must_use]
    pub fn new(request: Request) -> Self {
        Self {
            request,
            context: Vec::new(),
            harness: None,
            command: None,
            prompt_mode: None,
            output_format: None,
            model: None,
            working_dir: None,
            settings: Vec::new(),
        }
    }

    /// A loop over one prompt.
    #[must_use]
    pub fn prompt(text: impl Into<String>) -> Self {
        Self::new(Request::Prompt(text.into()))
    }

    /// A loop over a procedure.
    #[must_use]
    pub fn procedure(name: impl Into<String>) -> Self {
        Self::new(Request::Procedure(name.into()))
    }

    /// A run that mends failing checks.
    #[must_use]
    pub fn fix() -> Self {
        Self::new(Request::Fix(None))
    }

    /// Chooses an agent by name.
    #[must_use]
    pub fn harness(mut self, name: impl Into<String>) -> Self {
        self.harness = Some(name.into());
        self
    }

    /// Uses a command line as the agent.
    #[must_use]
    pub fn command(mut self, command: impl Into<String>) -> Self {
        self.command = Some(command.into());
        self
    }

    /// Sets a setting for this run only, as `--config` does.
    #[must_use]
    pub fn set(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.settings.push((key.into(), value.into()));
        self
    }

    /// The kind of run this is.
    #[must_use]
    pub const fn kind(&self) -> RunKind {
        match self.request {
            Request::Fix(_) => RunKind::Fix,
            Request::Tasks(_) => RunKind::Run,
            _ => RunKind::Loop,
        }
    }
}
