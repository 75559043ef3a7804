//! Which agent is started, and how it is called.

use loopwright_config::Config;
use loopwright_domain::{OutputFormat, PromptMode};
use serde::{Deserialize, Serialize};

/// How the agent is started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct AgentOptions {
    /// Its name.
    pub name: String,
    /// The command line, when it is not a named agent's.
    pub command: Option<String>,
    /// How it takes its prompt.
    pub prompt_mode: Option<PromptMode>,
    /// What it prints.
    pub output_format: Option<OutputFormat>,
    /// The model.
    pub model: Option<String>,
}

impl AgentOptions {
    /// The agent as it is written in settings: `claude`, or `claude/opus` with a model.
    #[must_use]
    pub fn spec(&self) -> String {
        match &self.model {
            Some(model) => format!("{}/{model}", self.name),
            None => self.name.clone(),
        }
    }

    /// An agent as it is written in settings.
    pub(crate) fn named(config: &Config, spec: &str) -> Self {
        let (name, model) = match spec.split_once('/') {
            Some((name, model)) => (name, Some(model.to_owned())),
            None => (spec, None),
        };
        let own = config.harnesses.get(name).map(|harness| harness.command.clone()).unwrap_or_default();
        Self {
            name: name.to_owned(),
            command: None,
            prompt_mode: own.prompt_mode,
            output_format: own.output_format,
            model: model.or(own.model),
        }
    }
}
