//! One question to an agent, to see whether it answers. It reads only, in an empty folder of its own.

use std::time::Duration;

use loopwright_config::{Host, TrustedConfig};
use loopwright_domain::{AgentProblem, ErrorCode, Fault, ProblemKind};
use loopwright_process::EndCause;

use crate::agent::{AgentTrial, advice, known_agent, look_further, outdated};
use crate::ask::{AgentAnswer, Question, ask};
use crate::launch::{AgentOptions, harness};
use crate::stop::StopHandle;

const QUESTION: &str = "Answer with the single word \"ready\". Use no tools.";
const ANSWER: &str = "ready";
/// How long the answer may take.
const ANSWER_TIME: Duration = Duration::from_secs(60);
/// How much of an answer is shown.
const SHOWN: usize = 300;

/// Asks an agent one question, to see whether it answers.
///
/// # Errors
/// The agent is not known or cannot be started.
pub async fn try_agent(host: &Host, config: &TrustedConfig, name: &str) -> Result<AgentTrial, Fault> {
    if let Some(known) = known_agent(name) {
        look_further(host, known.programs).await;
    }
    let own = config.harnesses.get(name).map(|harness| &harness.command);
    let options = AgentOptions {
        name: name.to_owned(),
        command: None,
        prompt_mode: own.and_then(|own| own.prompt_mode),
        output_format: own.and_then(|own| own.output_format),
        model: own.and_then(|own| own.model.clone()),
    };
    let agent = harness::build(host, config, &host.temp_dir, &options)?;
    let question = Question {
        prompt: QUESTION,
        schema: None,
        model: options.model.as_deref(),
        work_dir: None,
        time: ANSWER_TIME,
    };
    let heard = ask(host, config, agent.as_ref(), &question, &mut |_| false, &StopHandle::new()).await?;
    let mut trial = told(name, &heard);
    if let Some(problem) = &mut trial.problem
        && problem.code == ErrorCode::AgentOption
        && let Some(older) = outdated(host, config, name).await
    {
        *problem = older;
    }
    Ok(trial)
}

fn told(name: &str, heard: &AgentAnswer) -> AgentTrial {
    let reading = &heard.reading;
    let answer: String = reading.own_text.trim().chars().take(SHOWN).collect();
    let problem = match (&reading.error, heard.end) {
        (_, end) if end != EndCause::Exited && heard.stuck.is_some() => {
            heard.stuck.as_ref().map(|problem| advice::fault(name, problem))
        }
        (_, EndCause::Exited) if reading.error.is_none() && answer.is_empty() => {
            Some(advice::fault(name, &silent("it answered nothing")))
        }
        (None, EndCause::Exited) => None,
        (None, _) => Some(advice::fault(name, &silent("it did not answer within a minute"))),
        (Some(problem), _) => Some(advice::fault(name, problem)),
    };
    AgentTrial {
        name: name.to_owned(),
        answered: problem.is_none() && answer.to_lowercase().contains(ANSWER),
        answer,
        model: reading.model.clone(),
        elapsed_ms: u64::try_from(heard.elapsed.as_millis()).unwrap_or(u64::MAX),
        usage: reading.usage,
        problem,
    }
}

fn silent(message: &str) -> AgentProblem {
    AgentProblem { kind: ProblemKind::Other, message: message.to_owned(), status: None }
}
