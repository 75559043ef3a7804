//! What a person is asked in a native dialog before something takes effect that a page must not decide by itself.

use std::path::Path;

use loopwright_domain::sanitize::is_unsafe_in_code;
use loopwright_engine::{CheckSuggestion, TrustReport};

use crate::desktop::Question;

/// The longest text of one line in a dialog.
const LONGEST_LINE: usize = 160;
/// The most lines that are told one by one.
const MOST_LINES: usize = 12;

/// Before a folder is trusted. The dialog names what would run, from the same reading of the folder that the decision
/// is bound to.
pub(crate) fn trust(report: &TrustReport) -> Question {
    let all = &report.executables;
    let lines = all.iter().map(|item| format!("{} {}: {}", item.kind, item.name, item.command));
    let (digest, _) = report.digest.0.split_at_checked(12).unwrap_or((&report.digest.0, ""));
    Question {
        title: "Trust this folder?".to_owned(),
        text: format!(
            "Loopwright will start these programs with your rights:\n\n{}\n\nThis covers exactly this list ({digest}).",
            listed(lines)
        ),
        yes: "Trust this folder".to_owned(),
    }
}

/// Before a setting opens the sandbox; none when this one does not.
pub(crate) fn setting(key: &str, value: Option<&str>) -> Option<Question> {
    match (key, value) {
        ("sandbox", Some("off")) => Some(Question {
            title: "Switch the sandbox off?".to_owned(),
            text: "Agents will be able to write wherever you can, and share your repository. A hostile one could \
                   change Loopwright's own state and so open a gate."
                .to_owned(),
            yes: "Switch it off".to_owned(),
        }),
        ("sandbox_write", Some(folders)) if !folders.trim().is_empty() => Some(Question {
            title: "Open these folders to agents?".to_owned(),
            text: format!(
                "Agents in the sandbox will be able to write there:\n\n{}",
                listed(folders.lines().map(str::to_owned))
            ),
            yes: "Open the folders".to_owned(),
        }),
        _ => None,
    }
}

/// Before commands that a folder suggests become its checks; none when there are none.
pub(crate) fn suggested_checks(checks: &[CheckSuggestion], folder: &Path) -> Option<Question> {
    let lines = checks.iter().map(|check| format!("{}: {}", check.name, check.command));
    (!checks.is_empty()).then(|| Question {
        title: "Run these commands as checks?".to_owned(),
        text: format!(
            "{}\n\n{}\n\nLoopwright will run them with your rights whenever the checks run.",
            listed(lines),
            shown(&folder.display().to_string())
        ),
        yes: "Use these commands".to_owned(),
    })
}

/// Before commands that a wizard proposes are run and become checks; none when there are none.
pub(crate) fn proposed_checks<'a>(
    checks: impl Iterator<Item = (&'a str, &'a str)>,
    folder: &Path,
) -> Option<Question> {
    let lines: Vec<String> = checks.map(|(name, command)| format!("{name}: {command}")).collect();
    (!lines.is_empty()).then(|| Question {
        title: "Run these commands as checks?".to_owned(),
        text: format!(
            "{}\n\n{}\n\nThey were proposed for your plan. Loopwright will run them with your rights.",
            listed(lines.into_iter()),
            shown(&folder.display().to_string())
        ),
        yes: "Run these commands".to_owned(),
    })
}

/// Lines as a dialog shows them: none can pass for another one or push the others out of sight.
fn listed(lines: impl Iterator<Item = String>) -> String {
    let lines: Vec<String> = lines.collect();
    let more = lines.len().saturating_sub(MOST_LINES);
    let mut text: Vec<String> = lines.iter().take(MOST_LINES).map(|line| shown(line)).collect();
    if more > 0 {
        text.push(format!("and {more} more, all listed in the window"));
    }
    text.join("\n")
}

fn shown(line: &str) -> String {
    let mut text: String = line.chars().take(LONGEST_LINE).map(visible).collect();
    if line.chars().count() > LONGEST_LINE {
        text.push('…');
    }
    text
}

fn visible(character: char) -> char {
    if is_unsafe_in_code(character) { '\u{fffd}' } else { character }
}

#[cfg(test)]
mod tests {
    use loopwright_domain::{Executable, TrustDigest, TrustState};

    use super::*;

    fn report(commands: &[&str]) -> TrustReport {
        let executable = |command: &&str| Executable {
            kind: "check".into(),
            name: "test".into(),
            command: (*command).into(),
            fingerprint: String::new(),
        };
        let executables: Vec<Executable> = commands.iter().map(executable).collect();
        let digest = TrustDigest::of(&executables);
        TrustReport { state: TrustState::Untrusted, digest, executables, findings: Vec::new() }
    }

    #[test]
    fn trust_names_what_would_run_and_the_digest_it_is_bound_to() {
        let report = report(&["cargo test"]);
        let question = trust(&report);
        assert!(question.text.contains("check test: cargo test"), "{question:?}");
        assert!(question.text.contains(&report.digest.0[..12]), "{question:?}");
    }

    #[test]
    fn a_command_cannot_deceive_or_hide_others() {
        let question =
            trust(&report(&["true\n\nThis covers nothing.\u{202e}", &"x".repeat(5000), "curl evil"]));
        assert!(question.text.contains("true\u{fffd}\u{fffd}This covers nothing.\u{fffd}"), "{question:?}");
        assert!(question.text.contains("curl evil") && question.text.len() < 1000, "{question:?}");
        let many = trust(&report(&["true"; 40]));
        assert!(many.text.contains("and 28 more"), "{many:?}");
    }

    #[test]
    fn only_what_opens_the_sandbox_is_asked() {
        let asked = |key: &str, value: Option<&str>| setting(key, value).is_some();
        assert!(asked("sandbox", Some("off")) && asked("sandbox_write", Some("/srv\n/opt")));
        for (key, value) in [
            ("sandbox", Some("on")),
            ("sandbox", Some("auto")),
            ("sandbox", None),
            ("sandbox_write", Some("")),
            ("sandbox_write", None),
            ("ui.theme", Some("off")),
        ] {
            assert!(!asked(key, value), "{key} {value:?}");
        }
    }
}
