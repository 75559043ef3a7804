//! `loopwright doctor --agents` and `--try`.

use std::process::ExitCode;

use loopwright_domain::{Fault, LoginState};
use loopwright_engine::agent::{AgentCard, AgentTrial, examine_agents};
use loopwright_engine::config::TrustedConfig;
use loopwright_engine::run::report::{elapsed, grouped};
use loopwright_engine::trial::try_agent;

use crate::context::Context;
use crate::next_step;
use crate::output::{self, BAD, CARE, GOOD, HEADING, QUIET, say, styled};

/// Every agent and how it stands.
pub(super) fn list(context: &Context, config: &TrustedConfig) -> Result<ExitCode, Fault> {
    let report = context.wait(examine_agents(&context.host, config));
    let code = if report.problem.is_some() { ExitCode::FAILURE } else { ExitCode::SUCCESS };
    if context.json {
        output::json(&report)?;
        return Ok(code);
    }
    let found = || report.agents.iter().filter(|card| card.program.is_some());
    for card in found() {
        tell(card, report.chosen.as_deref() == Some(&card.name));
    }
    let missing: Vec<&AgentCard> = report.agents.iter().filter(|card| card.program.is_none()).collect();
    if !missing.is_empty() {
        say!("{}", styled(HEADING, "Not installed"));
        for card in missing {
            let elsewhere = if card.scripted { "comes with Loopwright" } else { "see its own site" };
            let install = card.install.as_deref().unwrap_or(elsewhere);
            say!("  {:9} {}", card.name, styled(QUIET, output::plain(install)));
        }
    }
    if let Some(problem) = &report.problem {
        say!("");
        output::tell(problem);
    }
    Ok(code)
}

fn tell(card: &AgentCard, chosen: bool) {
    let marks =
        [(card.scripted, "scripted"), (!card.tested, "untested"), (chosen, "taken unless told otherwise")];
    let marks: Vec<&str> = marks.iter().filter(|(holds, _)| *holds).map(|(_, word)| *word).collect();
    let marks = if marks.is_empty() { String::new() } else { format!(" ({})", marks.join(", ")) };
    say!("{}{}", styled(HEADING, output::plain(&card.label)), styled(QUIET, marks));
    row("name", &card.name);
    row("program", card.program.as_deref().unwrap_or_default());
    if let Some(version) = &card.version {
        row("version", version);
    }
    if !card.scripted {
        let state = match card.login {
            LoginState::LoggedIn => styled(GOOD, "logged in"),
            LoginState::LoggedOut => styled(CARE, "not logged in"),
            LoginState::Unknown => "unknown".to_owned(),
        };
        let detail = card.login_detail.as_ref().map(|detail| format!(" ({})", output::plain(detail)));
        say!("  {:9} {state}{}", "login", detail.unwrap_or_default());
    }
    if let Some(problem) = &card.problem {
        say!("  {:9} {}", "problem", styled(BAD, output::plain(&problem.message)));
    }
    let hints = card.problem.iter().filter_map(next_step::advice_about).chain(card.hints.iter().cloned());
    for hint in hints {
        say!("  {:9} {}", "", styled(QUIET, output::plain(&hint)));
    }
    say!("");
}

fn row(name: &str, value: &str) {
    say!("  {name:9} {}", output::plain(value));
}

/// One question to one agent.
pub(super) fn try_one(context: &Context, config: &TrustedConfig, name: &str) -> Result<ExitCode, Fault> {
    let trial = context.wait(try_agent(&context.host, config, name))?;
    if context.json {
        output::json(&trial)?;
    } else {
        answer(&trial);
    }
    Ok(if trial.answered { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn answer(trial: &AgentTrial) {
    let model = trial.model.as_ref().map(|model| format!(" with {}", output::plain(model)));
    let after = format!("{}{}", elapsed(trial.elapsed_ms), model.unwrap_or_default());
    match &trial.problem {
        Some(problem) => {
            say!("{} {} did not answer ({after}).", styled(BAD, "fix"), trial.name);
            output::tell(problem);
        }
        None if trial.answered => say!("{} {} answered in {after}.", styled(GOOD, "ok"), trial.name),
        None => {
            say!("{} {} answered something else ({after}):", styled(CARE, "note"), trial.name);
            say!("{}", output::plain_text(&trial.answer));
        }
    }
    let tokens = trial.usage.tokens();
    if tokens > 0 {
        say!("{}", styled(QUIET, format!("It used {} tokens.", grouped(tokens))));
    }
}
