//! The command line as it was typed: read, or refused with a word about what was probably meant.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;
use loopwright_domain::{ErrorCode, Fault};

use crate::args::Cli;
use crate::output::{self, QUIET, complain, say, styled};
use crate::topics;

/// Words of the systems Loopwright unites, and the command that does the same here. The longest match is named.
const SEED_WORDS: &[(&[&str], &str)] = &[
    (&["loop", "start"], "loopwright loop --prompt TEXT"),
    (&["loop", "status"], "loopwright status"),
    (&["loop", "resume"], "loopwright resume"),
    (&["loop", "cancel"], "loopwright cancel"),
    (&["auto-run"], "loopwright run"),
    (&["iterate"], "loopwright run --task ID, or loopwright begin ID"),
    (&["validate"], "loopwright check"),
    (&["index"], "loopwright spec import FILE"),
    (&["build"], "loopwright loop --procedure build"),
    (&["plan"], "loopwright loop --procedure plan, or loopwright new"),
    (&["bootstrap"], "loopwright loop --procedure bootstrap"),
    (&["scud"], "loopwright task import FILE"),
    (&["--backend"], "--harness NAME"),
    (&["--max-runs"], "--max-iterations N"),
    (&["--scud-tag"], "loopwright run --tag TAG"),
    (&["--state-file"], "loopwright resume RUN"),
];

/// Reads the command line. What cannot be read is told, with `--json` as a document, and gives the exit code.
pub(crate) fn parse() -> Result<Cli, ExitCode> {
    let words: Vec<OsString> = std::env::args_os().collect();
    let said = |flag: &str| words.iter().any(|word| word == flag);
    if said("--version") && said("--verbose") {
        version();
        return Err(ExitCode::SUCCESS);
    }
    if let Some(text) = topic(&words) {
        say!("{}", text.trim_end());
        return Err(ExitCode::SUCCESS);
    }
    Cli::try_parse_from(&words).map_err(|error| refuse(&error, &words, said("--json")))
}

/// What `help TOPIC` prints; none when it is the help of a command.
fn topic(words: &[OsString]) -> Option<String> {
    let [_, help, name] = words else { return None };
    match name.to_str().filter(|_| help == "help")? {
        "topics" => Some(topics::list()),
        name => topics::find(name).map(|topic| topic.text.to_owned()),
    }
}

/// What a bug report should say.
fn version() {
    say!("loopwright {}", env!("CARGO_PKG_VERSION"));
    say!("  system  {} {}", std::env::consts::OS, std::env::consts::ARCH);
    let profile = if cfg!(debug_assertions) { "debug" } else { "release" };
    say!("  build   {profile}");
    if let Ok(program) = std::env::current_exe() {
        say!("  program {}", output::plain(&program.display().to_string()));
    }
    for name in ["TERM", "LANG", "SHELL"] {
        if let Ok(value) = std::env::var(name) {
            say!("  {name:<7} {}", output::plain(&value));
        }
    }
}

fn refuse(error: &clap::Error, words: &[OsString], json: bool) -> ExitCode {
    let asked_for = matches!(
        error.kind(),
        ErrorKind::DisplayHelp
            | ErrorKind::DisplayVersion
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    );
    let code = ErrorCode::UsageInvalid.kind().exit_code();
    let meant = meant(words);
    if json && !asked_for {
        let text = error.render().to_string();
        let message = text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned();
        let hint = meant.map_or_else(|| "\"loopwright --help\" lists the commands.".to_owned(), here);
        return output::fail(&Fault::new(ErrorCode::UsageInvalid, message).hint(hint), true);
    }
    // Whoever closed the pipe does not read it.
    let _unread = error.print();
    if words.get(1).is_some_and(|word| word == "help") && error.kind() == ErrorKind::InvalidSubcommand {
        complain!("\n{}", topics::list());
    }
    if let Some(command) = meant.filter(|_| !asked_for) {
        complain!("\n{}", styled(QUIET, here(command)));
    }
    if error.use_stderr() { ExitCode::from(code) } else { ExitCode::SUCCESS }
}

fn here(command: &str) -> String {
    format!("Here that is: {command}")
}

/// The command that does what a word of another system says.
fn meant(words: &[OsString]) -> Option<&'static str> {
    let words: Vec<&str> = words.iter().skip(1).filter_map(|word| word.to_str()).collect();
    let says = |(seed, _): &&(&[&str], &str)| words.windows(seed.len()).any(|window| window == *seed);
    SEED_WORDS.iter().filter(says).max_by_key(|(seed, _)| seed.len()).map(|(_, command)| *command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_seeds_lead_to_the_command_that_does_it_here() {
        let told = |line: &str| meant(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(told("loopwright loop start x"), Some("loopwright loop --prompt TEXT"));
        assert_eq!(told("loopwright run --backend claude"), Some("--harness NAME"));
        assert_eq!(told("loopwright auto-run"), Some("loopwright run"));
        assert_eq!(told("loopwright run --bogus"), None);
    }
}
