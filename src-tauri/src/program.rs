//! An agent's program, as a person names it in the settings.

use std::path::Path;

use loopwright_domain::sanitize::is_unsafe_in_code;
use loopwright_domain::{ErrorCode, Fault, OutputFormat, PromptMode};
use loopwright_engine::agent::{KnownAgent, known_agent};

use crate::desktop::Question;
use crate::dto::OwnAgent;

const LONGEST: usize = 4096;
const LONGEST_NAME: usize = 64;
const MOST_ARGS: usize = 100;

/// The agent with this name.
///
/// # Errors
/// There is none.
pub(crate) fn agent(name: &str) -> Result<KnownAgent, Fault> {
    known_agent(name).ok_or_else(|| Fault::new(ErrorCode::UsageInvalid, "there is no agent with that name"))
}

/// Checks a program's path; empty means "look for it again".
///
/// # Errors
/// It is not the full path of a file that a confirmation can show as it is.
pub(crate) fn checked(program: &str) -> Result<Option<&str>, Fault> {
    let program = program.trim();
    if program.is_empty() {
        return Ok(None);
    }
    if program.len() > LONGEST || program.chars().any(is_unsafe_in_code) {
        return Err(bad("the path of the program is too long or contains invisible characters"));
    }
    if !Path::new(program).is_absolute() {
        return Err(bad(format!("{program} is not a full path")));
    }
    if !Path::new(program).is_file() {
        return Err(bad(format!("there is no program at {program}")));
    }
    Ok(Some(program))
}

fn bad(message: impl Into<String>) -> Fault {
    Fault::new(ErrorCode::UsageInvalid, message).hint("Give the full path of the agent's program.")
}

/// What a person is asked before the path is written.
pub(crate) fn question(agent: &KnownAgent, program: Option<&str>) -> Question {
    match program {
        Some(program) => Question {
            title: format!("Use this program for {}?", agent.label),
            text: format!(
                "{program}\n\nLoopwright will start it with your rights whenever this agent works."
            ),
            yes: "Use this program".into(),
        },
        None => Question {
            title: format!("Look for {} again?", agent.label),
            text: format!(
                "Loopwright will start the program \"{}\" that it finds on this machine.",
                agent.program()
            ),
            yes: "Look for it".into(),
        },
    }
}

/// What a person is asked before an agent of their own is written, and what is written then: the program last, so that
/// nothing is started by half of it.
///
/// # Errors
/// A part is missing, is none of the choices, or could deceive in the question.
pub(crate) fn own_agent(agent: &OwnAgent) -> Result<(Question, Vec<(String, String)>), Fault> {
    let name = agent.name.trim();
    let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    if name.is_empty() || name.len() > LONGEST_NAME || !name.chars().all(plain) {
        return Err(Fault::new(ErrorCode::UsageInvalid, "that is no name for an agent")
            .hint("Use letters, digits, - and _."));
    }
    if known_agent(name).is_some() {
        return Err(Fault::new(ErrorCode::UsageInvalid, format!("Loopwright knows an agent called {name}"))
            .hint("Choose another name, or change the program of that agent."));
    }
    let program = checked(&agent.program)?.ok_or_else(|| bad("an agent needs a program"))?;
    let hidden = |arg: &String| arg.len() > LONGEST || arg.chars().any(is_unsafe_in_code);
    if agent.args.len() > MOST_ARGS || agent.args.iter().any(hidden) {
        return Err(Fault::new(
            ErrorCode::UsageInvalid,
            "the arguments are too long or contain invisible characters",
        ));
    }
    for (value, choices) in
        [(&agent.prompt_mode, PromptMode::WORDS), (&agent.output_format, OutputFormat::WORDS)]
    {
        if !choices.contains(&value.as_str()) {
            return Err(Fault::new(ErrorCode::UsageInvalid, format!("{value} is none of the choices"))
                .hint(format!("Choose {}.", choices.join(", "))));
        }
    }
    let line = std::iter::once(program).chain(agent.args.iter().map(String::as_str));
    let question = Question {
        title: format!("Add the agent {name}?"),
        text: format!(
            "{}\n\nLoopwright will start it with your rights whenever this agent works.",
            line.collect::<Vec<_>>().join("\n  ")
        ),
        yes: "Add agent".into(),
    };
    let key = |field: &str| format!("harness.{name}.{field}");
    let changes = vec![
        (key("prompt_mode"), agent.prompt_mode.clone()),
        (key("output_format"), agent.output_format.clone()),
        (key("args"), agent.args.join("\n")),
        (key("command"), program.to_owned()),
    ];
    Ok((question, changes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_of_ones_own_is_shown_whole_and_written_program_last() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let agent = OwnAgent {
            name: "mine".into(),
            program: file.path().to_str().unwrap().into(),
            args: vec!["--quiet".into(), "-p".into()],
            prompt_mode: "arg".into(),
            output_format: "text".into(),
        };
        let (question, changes) = own_agent(&agent).unwrap();
        assert!(question.title.contains("mine") && question.text.contains("\n  --quiet\n  -p\n"));
        assert_eq!(changes.last().unwrap().0, "harness.mine.command");
        let wrong = [
            OwnAgent { name: "claude".into(), ..agent.clone() },
            OwnAgent { name: "a.b".into(), ..agent.clone() },
            OwnAgent { name: String::new(), ..agent.clone() },
            OwnAgent { program: "sh".into(), ..agent.clone() },
            OwnAgent { program: String::new(), ..agent.clone() },
            OwnAgent { args: vec!["a\u{202e}b".into()], ..agent.clone() },
            OwnAgent { args: vec!["a\nb".into()], ..agent.clone() },
            OwnAgent { prompt_mode: "shout".into(), ..agent.clone() },
            OwnAgent { output_format: "xml".into(), ..agent },
        ];
        for agent in wrong {
            assert_eq!(own_agent(&agent).unwrap_err().code, ErrorCode::UsageInvalid, "{agent:?}");
        }
    }

    #[test]
    fn a_program_is_the_full_path_of_a_file() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let path = file.path().to_str().unwrap();
        assert_eq!(checked(path), Ok(Some(path)));
        assert_eq!(checked("  "), Ok(None));
        let folder = std::env::temp_dir();
        for wrong in ["claude", "./claude", folder.to_str().unwrap(), "/nowhere/claude"] {
            assert_eq!(checked(wrong).unwrap_err().code, ErrorCode::UsageInvalid, "{wrong}");
        }
    }

    #[test]
    fn what_could_deceive_in_the_confirmation_is_refused() {
        for trick in ["/bin/sh\0x", "/bin/\u{202e}hs", "/bin/s\u{200b}h", "/bin/sh\n\nSafe."] {
            assert!(checked(trick).unwrap_err().message.contains("invisible"), "{trick:?}");
        }
        let question = question(&agent("claude").unwrap(), Some("/opt/claude"));
        assert!(question.title.contains("Claude Code") && question.text.contains("/opt/claude"));
        assert!(agent("bash").is_err());
    }
}
