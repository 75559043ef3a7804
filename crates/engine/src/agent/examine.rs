//! Every agent on this machine, as it stands.

use std::num::NonZero;
use std::path::Path;

use loopwright_config::{Host, TrustedConfig};
use loopwright_domain::LoginState;
use tokio::sync::Semaphore;

use super::find::learn_login_path;
use super::model::{AgentCard, AgentsReport};
use super::probe::{Called, Probed, probe};
use super::{KnownAgent, choose, configured_agent, known};
use crate::sandbox::sandbox_report;

/// Looks at every agent on this machine, asking its program for version and login.
pub async fn examine_agents(host: &Host, config: &TrustedConfig) -> AgentsReport {
    learn_login_path(host).await;
    let chosen = choose(host, config);
    // Together they would only slow each other down, until none answers in time.
    let turns = Semaphore::new(std::thread::available_parallelism().map_or(2, NonZero::get));
    let mut agents = all(known().map(|known| card(host, config, known, &turns))).await;
    let own = config.harnesses.keys().filter(|name| super::known_agent(name).is_none());
    agents.extend(own.map(|name| own_card(host, config, name)));
    agents.sort_by_key(|card| (card.program.is_none(), card.scripted));
    AgentsReport {
        agents,
        chosen: chosen.name,
        problem: chosen.problem,
        sandbox: sandbox_report(host, config),
    }
}

/// Waits for all of them at once, in their order.
async fn all<F: Future>(futures: impl Iterator<Item = F>) -> Vec<F::Output> {
    let mut waiting: Vec<_> = futures.map(|future| (Box::pin(future), None)).collect();
    std::future::poll_fn(|context| {
        let mut ready = true;
        for (future, output) in waiting.iter_mut().filter(|(_, output)| output.is_none()) {
            match future.as_mut().poll(context) {
                std::task::Poll::Ready(value) => *output = Some(value),
                std::task::Poll::Pending => ready = false,
            }
        }
        if ready { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
    waiting.into_iter().filter_map(|(_, output)| output).collect()
}

async fn card(host: &Host, config: &TrustedConfig, known: KnownAgent, turns: &Semaphore) -> AgentCard {
    let found = configured_agent(host, config, known.name);
    let own = config.harnesses.get(known.name).map(|harness| &harness.command);
    let probed = match (&found.program, known.adapter) {
        (Some(program), Some(adapter)) => {
            let _turn = turns.acquire().await;
            Some(probe(host, Called { adapter, program: Path::new(program), own }).await)
        }
        _ => None,
    };
    let hints = hints(&known, probed.as_ref());
    let (version, login, problem) = match probed {
        Some(probed) => (probed.version, Some(probed.login), probed.problem),
        None => (None, None, None),
    };
    AgentCard {
        name: known.name.to_owned(),
        label: known.label.to_owned(),
        scripted: found.scripted,
        tested: known.tested(),
        program: found.program,
        version: version.map(|version| version.to_string()),
        login: login.as_ref().map_or(LoginState::Unknown, |login| login.state),
        login_detail: login.and_then(|login| login.detail),
        problem: found.problem.or(problem),
        hints,
        install: known.adapter.and_then(|adapter| adapter.install).map(str::to_owned),
    }
}

/// An agent of the user's own: nothing is known about it but where its program is.
fn own_card(host: &Host, config: &TrustedConfig, name: &str) -> AgentCard {
    let found = configured_agent(host, config, name);
    AgentCard {
        name: name.to_owned(),
        label: found.label,
        scripted: found.scripted,
        tested: true,
        program: found.program,
        version: None,
        login: LoginState::Unknown,
        login_detail: None,
        problem: found.problem,
        hints: Vec::new(),
        install: None,
    }
}

/// What is worth doing, the most useful first.
fn hints(known: &KnownAgent, probed: Option<&Probed>) -> Vec<String> {
    let Some(adapter) = known.adapter else { return Vec::new() };
    let Some(probed) = probed else {
        return adapter.install.map(|install| format!("Install it: {install}")).into_iter().collect();
    };
    let mut hints = Vec::new();
    if probed.slow {
        hints.push(
            "It did not tell its version in time. Look again when the machine is less busy.".to_owned(),
        );
    }
    if probed.login.state == LoginState::LoggedOut {
        hints.push(adapter.log_in.to_owned());
    }
    if !adapter.tested {
        hints.push("It is called by its documented options and was never tried by our tests.".to_owned());
    }
    hints
}
