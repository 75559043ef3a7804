//! The harness of every known CLI: the adapter says what is different.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::Adapter;
use super::invocation_builder::InvocationBuilder;
use super::success_rule::CliOutputParser;
use crate::error::AgentsError;
use crate::harness::{AgentRequest, Harness, Invocation, OutputParser};

/// What the user says about a known CLI.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AdapterOptions {
    /// The program's absolute path.
    pub program: PathBuf,
    /// Words of the command itself behind its program, such as the CLI's name behind `npx`. They come first.
    pub leading: Vec<String>,
    /// Arguments that go before Loopwright's own, behind a subcommand.
    pub args: Vec<String>,
    /// Variables it gets besides the usual ones; they win over Loopwright's own.
    pub env: BTreeMap<String, String>,
    /// More variables of the user's that it may see. Their values are secrets.
    pub credentials: Vec<String>,
}

impl AdapterOptions {
    /// A program as it is.
    #[must_use]
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self { program: program.into(), ..Self::default() }
    }
}

/// A known CLI whose program was found.
#[derive(Clone, Debug)]
pub(super) struct CliHarness {
    adapter: &'static Adapter,
    options: AdapterOptions,
}

impl CliHarness {
    pub(super) const fn new(adapter: &'static Adapter, options: AdapterOptions) -> Self {
        Self { adapter, options }
    }
}

impl Harness for CliHarness {
    fn name(&self) -> &str {
        self.adapter.name
    }

    fn label(&self) -> &str {
        self.adapter.label
    }

    fn credentials(&self) -> Vec<&str> {
        let own = self.options.credentials.iter().map(String::as_str);
        self.adapter.credentials.iter().copied().chain(own).collect()
    }

    fn settings(&self) -> Vec<&str> {
        self.adapter.settings.to_vec()
    }

    fn takes_mcp(&self) -> bool {
        self.adapter.mcp
    }

    fn home_variable(&self) -> Option<&str> {
        self.adapter.home
    }

    fn invoke(&self, request: &AgentRequest<'_>) -> Result<Invocation, AgentsError> {
        let mut builder = InvocationBuilder::new(request, self.adapter.label, &self.options);
        (self.adapter.build)(&mut builder)?;
        Ok(builder.invocation())
    }

    fn output_parser(&self, request: &AgentRequest<'_>) -> Box<dyn OutputParser> {
        Box::new(CliOutputParser::new(self.adapter, request))
    }
}
