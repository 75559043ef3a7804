//! The scripted agent of `crates/rehearsal`. It prints text or the JSON of any agent CLI, as its scenario says, so its
//! parser finds out by itself.

use std::collections::BTreeMap;
use std::path::PathBuf;

use loopwright_domain::PromptMode;

use crate::error::AgentsError;
use crate::harness::{AgentRequest, Harness, Invocation, OutputParser};
use crate::output;
use crate::prompt_delivery::{CommandTemplate, DEFAULT_PROMPT_ENV};

/// The scripted agent. Which task, which attempt and where signals go it reads from the `LOOPWRIGHT_…` variables that
/// the engine sets for every agent.
#[derive(Clone, Debug)]
pub struct Rehearsal {
    program: PathBuf,
    args: Vec<String>,
    env: BTreeMap<String, String>,
}

impl Rehearsal {
    /// The scripted agent at this absolute path, with arguments like `--scenario FILE` or `--fast`.
    #[must_use]
    pub fn new(program: impl Into<PathBuf>, args: Vec<String>, env: BTreeMap<String, String>) -> Self {
        Self { program: program.into(), args, env }
    }
}

impl Harness for Rehearsal {
    fn name(&self) -> &str {
        "rehearsal"
    }

    fn label(&self) -> &str {
        "Rehearsal"
    }

    fn scripted(&self) -> bool {
        true
    }

    fn invoke(&self, request: &AgentRequest<'_>) -> Result<Invocation, AgentsError> {
        let call = CommandTemplate {
            program: &self.program,
            args: &self.args,
            env: &self.env,
            mode: PromptMode::Stdin,
            prompt_env: DEFAULT_PROMPT_ENV,
        };
        call.invocation(request)
    }

    fn output_parser(&self, request: &AgentRequest<'_>) -> Box<dyn OutputParser> {
        Box::new(output::DetectedParser::new(request.prompt))
    }
}
