//! A run that could start: everything it works by, and the digest by which a person agrees to exactly that.

use std::sync::Arc;

use loopwright_agents::Harness;
use loopwright_config::check::Check;
use loopwright_config::{TrustedCheck, TrustedConfig};
use loopwright_domain::digest::sha256_hex;
use loopwright_domain::{ErrorCode, Fault, RunKind};

use crate::prepare::options::RunOptions;
use crate::prepare::resolve::{selection, title_of_tasks, written};
use crate::prepare::source::Source;
use crate::sandbox::RunSandbox;

/// Everything a run works by, resolved and checked. Nothing has happened yet.
pub struct Prepared {
    /// What kind of run it is.
    pub kind: RunKind,
    /// What it is about.
    pub title: String,
    /// What it works by.
    pub options: RunOptions,
    pub(crate) harness: Arc<dyn Harness>,
    /// What its commands are built from, to its end.
    pub(crate) config: TrustedConfig,
    pub(crate) checks: Vec<TrustedCheck>,
    pub(crate) source: Source,
    /// What is asked of the agent, before anything is added.
    pub(crate) request: String,
    /// What is put around the agent.
    pub(crate) sandbox: RunSandbox,
}

impl Prepared {
    /// What a run works by when no agent is started.
    pub(crate) fn by_hand(
        kind: RunKind,
        options: RunOptions,
        config: TrustedConfig,
        harness: Arc<dyn Harness>,
    ) -> Self {
        let source = Source::new(kind, &options, "");
        let title = title_of_tasks(selection(&options));
        let checks = config.trusted_checks();
        let (request, sandbox) = (String::new(), RunSandbox::none());
        Self { kind, title, options, harness, config, checks, source, request, sandbox }
    }

    /// The digest of all that a person agrees to who lets this run start: what it is asked for, by which options, what
    /// the folder and the settings would execute, and its sandbox.
    ///
    /// # Errors
    /// The options cannot be written down.
    pub fn digest(&self) -> Result<PreparedDigest, Fault> {
        let commands: Vec<_> = self.config.harnesses.iter().map(|(name, own)| (name, &own.command)).collect();
        let content = format!(
            "{:?}\0{}\0{}\0{:?}\0{commands:?}\0{:?}",
            self.kind,
            written(&self.options)?,
            self.config.digest(),
            self.request,
            self.sandbox.state(),
        );
        Ok(PreparedDigest(sha256_hex(content.as_bytes())))
    }

    /// Refuses to be anything else than what a person has agreed to.
    ///
    /// # Errors
    /// It is something else: a person has to look again.
    pub fn require(&self, agreed: &PreparedDigest) -> Result<(), Fault> {
        if self.digest()? == *agreed {
            return Ok(());
        }
        let message = "what the run would do changed while you were looking; nothing was started";
        Err(Fault::new(ErrorCode::TrustChanged, message).hint("Look at it again, then start."))
    }

    /// Uses another source of work.
    #[must_use]
    pub fn with_source(mut self, source: Source) -> Self {
        self.options.goal = source.goal();
        self.source = source;
        self
    }

    /// Uses another harness.
    #[must_use]
    pub fn with_harness(mut self, harness: Arc<dyn Harness>) -> Self {
        self.options.agent.name = harness.name().to_owned();
        self.harness = harness;
        self
    }

    /// Adds a check to those of the project.
    #[must_use]
    pub fn with_check(mut self, check: Check) -> Self {
        self.checks.push(TrustedCheck::assume_trusted(check));
        self
    }
}

/// Stands for a [`Prepared`] run that a person has agreed to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreparedDigest(String);
