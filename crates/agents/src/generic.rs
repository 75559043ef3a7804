//! Any program as an agent: how it takes its prompt and what it prints is said by the user.

use std::collections::BTreeMap;
use std::path::PathBuf;

use loopwright_domain::{OutputFormat, PromptMode};

use crate::error::AgentsError;
use crate::harness::{AgentRequest, Harness, Invocation, OutputParser};
use crate::output::{self, FieldPaths};
use crate::prompt_delivery::{CommandTemplate, DEFAULT_PROMPT_ENV};

/// The variable that tells any program how much it may do.
const AUTOMATION_ENV: &str = "LOOPWRIGHT_AUTOMATION";
/// The variable that tells any program which model is wanted.
const MODEL_ENV: &str = "LOOPWRIGHT_MODEL";

/// What has to be known about a program to use it as an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GenericOptions {
    /// Its name in the configuration.
    pub name: String,
    /// What people call it.
    pub label: String,
    /// The program's absolute path.
    pub program: PathBuf,
    /// Its arguments. `{prompt}` (in mode `arg`), `{prompt_file}` and `{model}` are filled in.
    pub args: Vec<String>,
    /// Variables it gets besides the usual ones.
    pub env: BTreeMap<String, String>,
    /// How it takes the prompt.
    pub prompt_mode: PromptMode,
    /// The variable that holds the prompt in mode `env`.
    pub prompt_env: String,
    /// What it prints.
    pub output_format: OutputFormat,
    /// Where in its JSON things are, when they are in places of their own.
    pub fields: FieldPaths,
    /// The names of the variables it may see: its keys.
    pub credentials: Vec<String>,
}

impl GenericOptions {
    /// A program that takes the prompt from standard input and prints text.
    #[must_use]
    pub fn new(name: impl Into<String>, program: impl Into<PathBuf>) -> Self {
        let name = name.into();
        Self {
            label: name.clone(),
            name,
            program: program.into(),
            args: Vec::new(),
            env: BTreeMap::new(),
            prompt_mode: PromptMode::Stdin,
            prompt_env: DEFAULT_PROMPT_ENV.to_owned(),
            output_format: OutputFormat::Text,
            fields: FieldPaths::default(),
            credentials: Vec::new(),
        }
    }
}

/// Any program as an agent.
#[derive(Clone, Debug)]
pub struct Generic {
    options: GenericOptions,
}

impl Generic {
    /// The harness for a program.
    #[must_use]
    pub const fn new(options: GenericOptions) -> Self {
        Self { options }
    }
}

impl Harness for Generic {
    fn name(&self) -> &str {
        &self.options.name
    }

    fn label(&self) -> &str {
        &self.options.label
    }

    fn credentials(&self) -> Vec<&str> {
        self.options.credentials.iter().map(String::as_str).collect()
    }

    fn invoke(&self, request: &AgentRequest<'_>) -> Result<Invocation, AgentsError> {
        let options = &self.options;
        let call = CommandTemplate {
            program: &options.program,
            args: &options.args,
            env: &options.env,
            mode: options.prompt_mode,
            prompt_env: &options.prompt_env,
        };
        let mut invocation = call.invocation(request)?;
        let mut tell = |name: &str, value: &str| {
            invocation.env.entry(name.into()).or_insert_with(|| value.into());
        };
        tell(AUTOMATION_ENV, request.automation.as_str());
        if let Some(model) = request.model {
            tell(MODEL_ENV, model);
        }
        Ok(invocation)
    }

    fn output_parser(&self, request: &AgentRequest<'_>) -> Box<dyn OutputParser> {
        let prompt = request.prompt;
        match self.options.output_format {
            OutputFormat::Text => Box::new(output::TextParser::new(prompt)),
            OutputFormat::Json => {
                Box::new(output::JsonDocumentParser::new(prompt, self.options.fields.clone()))
            }
            OutputFormat::StreamJson => {
                Box::new(output::JsonLinesParser::new(prompt, self.options.fields.clone()))
            }
        }
    }
}
