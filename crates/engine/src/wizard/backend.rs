//! Who answers: an agent CLI, or an OpenAI-compatible HTTP API.

use std::sync::Arc;

use loopwright_agents::Harness;
use loopwright_config::{Host, TrustedConfig};
use loopwright_domain::Fault;
use loopwright_domain::wizard::WizardAgent;

use super::api::ApiClient;
use super::phase::API;
use crate::ask::{AgentAnswer, Listener, Question, ask};
use crate::launch::{AgentOptions, harness};
use crate::stop::StopHandle;

pub(super) enum Backend {
    Cli(Arc<dyn Harness>),
    Api(ApiClient),
}

impl Backend {
    /// The backend that an agent names.
    ///
    /// # Errors
    /// Its program is not there, or the API has no address, model or key.
    pub(super) fn of(host: &Host, config: &TrustedConfig, agent: &WizardAgent) -> Result<Self, Fault> {
        if agent.name == API {
            return Ok(Self::Api(ApiClient::of(host, agent)?));
        }
        let own = config.harnesses.get(&agent.name).map(|harness| &harness.command);
        let options = AgentOptions {
            name: agent.name.clone(),
            command: None,
            prompt_mode: own.and_then(|own| own.prompt_mode),
            output_format: own.and_then(|own| own.output_format),
            model: agent.model.clone().or_else(|| own.and_then(|own| own.model.clone())),
        };
        Ok(Self::Cli(harness::build(host, config, &host.temp_dir, &options)?))
    }

    pub(super) async fn ask(
        &self,
        host: &Host,
        config: &TrustedConfig,
        question: &Question<'_>,
        listener: Listener<'_>,
        stop: &StopHandle,
    ) -> Result<AgentAnswer, Fault> {
        match self {
            Self::Cli(agent) => ask(host, config, agent.as_ref(), question, listener, stop).await,
            Self::Api(client) => client.ask(question, listener, stop).await,
        }
    }
}
