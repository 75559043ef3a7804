//! An agent's program, as a person names it in the settings.

use std::path::Path;

use loopwright_domain::{ErrorCode, Fault};
use loopwright_engine::agent::{KnownAgent, known_agent};

use crate::desktop::Question;

const LONGEST: usize = 4096;

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
    if program.len() > LONGEST || program.chars().any(deceives) {
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

/// Characters that could make a shown text read as another one.
pub(crate) fn deceives(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
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

#[cfg(test)]
mod tests {
    use super::*;

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
