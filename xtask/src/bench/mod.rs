//! `cargo xtask bench`: start-up, size, the cost of an iteration, against their targets, compared in one run.

mod app;
mod cli;
mod iteration;
mod report;
mod timing;

use crate::failure::{Failure, Outcome};
use crate::scratch::Scratch;
use crate::step::Step;
use crate::workspace::Workspace;

use self::report::Report;

pub(crate) use self::app::{READY_FILE, start_until};

/// What to measure and how to say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    cli: bool,
    iterations: bool,
    app: bool,
    json: bool,
}

impl Options {
    /// Reads `[cli|loop|app] [--json]`; nothing when there is another word.
    pub(crate) fn parse(words: &[&str]) -> Option<Self> {
        let mut options = Self { cli: false, iterations: false, app: false, json: false };
        for word in words {
            match *word {
                "cli" => options.cli = true,
                "loop" => options.iterations = true,
                "app" => options.app = true,
                "--json" => options.json = true,
                _ => return None,
            }
        }
        if !options.cli && !options.iterations && !options.app {
            options = Self { cli: true, iterations: true, app: true, ..options };
        }
        Some(options)
    }
}

/// Measures, prints the table and fails when a target is missed.
pub(crate) fn run(workspace: &Workspace, options: Options) -> Outcome {
    let mut report = Report::default();
    if options.cli {
        cli::measure(workspace, &mut report)?;
    }
    if options.iterations {
        iteration::measure(workspace, &mut report)?;
    }
    if options.app {
        app::measure(workspace, &mut report)?;
    }
    print!("{}", if options.json { report.json() } else { report.table() });
    match report.missed() {
        0 => Ok(()),
        missed => Err(Failure::new(format!("{missed} target(s) missed."))),
    }
}

/// Points a program's settings, state and caches at an empty folder, so that a measurement neither reads nor
/// writes the person's own.
fn at_home(step: Step, home: &Scratch) -> Step {
    let below = |name: &str| home.path().join(name);
    step.env("HOME", home.path())
        .env("USERPROFILE", home.path())
        .env("XDG_CONFIG_HOME", below("config"))
        .env("XDG_DATA_HOME", below("data"))
        .env("XDG_STATE_HOME", below("state"))
        .env("XDG_CACHE_HOME", below("cache"))
        .env("LOOPWRIGHT_CONFIG_DIR", below("config"))
        .env("LOOPWRIGHT_DATA_DIR", below("data"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_part_all_are_measured() {
        let all = Options { cli: true, iterations: true, app: true, json: false };
        assert_eq!(Options::parse(&[]), Some(all));
        let cli = Options { cli: true, iterations: false, app: false, json: true };
        assert_eq!(Options::parse(&["--json", "cli"]), Some(cli));
        assert_eq!(Options::parse(&["ui"]), None);
    }
}
