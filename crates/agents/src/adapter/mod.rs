//! Adapters: the agent CLIs that are known by name. Each file says how one of them is found, asked, called and
//! judged; `docs/agents.md` shows the same as a table. What holds for all of them is in [`cli`] and [`success_rule`].

mod aider;
mod claude;
mod cli;
mod codex;
mod copilot;
mod cursor;
mod gemini;
mod injected;
mod invocation_builder;
mod kiro;
mod mcp;
mod opencode;
mod pi;
mod probe;
mod qwen;
mod success_rule;
mod text_markers;

use loopwright_domain::ProblemKind;

pub use cli::AdapterOptions;
pub use probe::{LoginProbe, LoginReport, Version};

use crate::error::AgentsError;
use crate::harness::Harness;
use crate::output::EventSource;
use invocation_builder::InvocationBuilder;
use success_rule::SuccessRule;

/// One agent CLI that is known by name.
#[derive(Debug)]
pub struct Adapter {
    /// Its name in the configuration and on the command line.
    pub name: &'static str,
    /// What people call it.
    pub label: &'static str,
    /// The names its program goes by, the usual one first.
    pub programs: &'static [&'static str],
    /// Whether Loopwright's own tests drive the real program; others are called by their documented options.
    pub tested: bool,
    /// Whether it takes a server with our own tools for one call.
    pub mcp: bool,
    /// The command that installs it; none where there is no single one.
    pub install: Option<&'static str>,
    /// The variables that hold its keys. Their values are secrets.
    pub credentials: &'static [&'static str],
    /// Other variables of the user's that it reads: where its service and its files are.
    pub settings: &'static [&'static str],
    /// The variable that gives it another home folder, for a CLI whose settings for one call are laid there.
    pub home: Option<&'static str>,
    /// The variables it sets for the programs it starts: who finds one of them was started by this agent.
    pub hints: &'static [&'static str],
    /// The arguments that make it print its version.
    pub version: &'static [&'static str],
    /// The oldest version that takes the options it is given here.
    pub least: Version,
    /// How to ask whether it is logged in; none where it cannot tell.
    pub login: Option<LoginProbe>,
    /// What to do to log in.
    pub log_in: &'static str,
    /// What would make it trust a folder; none where it never asks.
    pub trust: Option<&'static str>,
    pub(crate) output: CliOutput,
    pub(crate) rule: SuccessRule,
    pub(crate) build: fn(&mut InvocationBuilder<'_>) -> Result<(), AgentsError>,
}

/// What a CLI prints.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CliOutput {
    /// A JSON object on each line.
    JsonLines(EventSource),
    /// Text for people.
    Text,
}

impl Adapter {
    /// The harness that calls it.
    #[must_use]
    pub fn harness(&'static self, options: AdapterOptions) -> Box<dyn Harness> {
        Box::new(cli::CliHarness::new(self, options))
    }

    /// What it says its version is, out of what it printed.
    #[must_use]
    pub fn read_version(&self, printed: &str) -> Option<Version> {
        Version::find(printed)
    }

    /// What to do about a problem that only this agent's own ways explain; none where the general advice is all
    /// there is.
    #[must_use]
    pub fn advice(&self, kind: ProblemKind) -> Option<String> {
        match kind {
            ProblemKind::Login => Some(self.log_in.to_owned()),
            ProblemKind::UntrustedFolder => self.trust.map(str::to_owned),
            ProblemKind::BadOption => Some(format!(
                "Loopwright needs {} {} or newer. Look at the version of yours.",
                self.label, self.least
            )),
            _ => None,
        }
    }
}

/// The agent CLIs that are known by name, the best known first.
#[must_use]
pub const fn adapters() -> &'static [Adapter] {
    ADAPTERS
}

/// The adapter with this name.
#[must_use]
pub fn adapter(name: &str) -> Option<&'static Adapter> {
    ADAPTERS.iter().find(|adapter| adapter.name == name)
}

const ADAPTERS: &[Adapter] = &[
    claude::ADAPTER,
    codex::ADAPTER,
    gemini::ADAPTER,
    copilot::ADAPTER,
    opencode::ADAPTER,
    qwen::ADAPTER,
    pi::ADAPTER,
    aider::ADAPTER,
    cursor::ADAPTER,
    kiro::ADAPTER,
];
