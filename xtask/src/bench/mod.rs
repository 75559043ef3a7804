//! `cargo xtask bench`: start-up, size, the cost of an iteration, of looking at output, of many tasks and of memory, against their
//! targets, compared in one run.

mod app;
mod cli;
mod iteration;
mod large_repository;
mod memory;
mod output;
mod report;
mod spec;
mod tasks;
mod timing;
mod window;

use crate::failure::{Failure, Outcome};
use crate::scratch::Scratch;
use crate::step::Step;
use crate::workspace::Workspace;

use self::report::{Figure, Report};

pub(crate) use self::app::{READY_FILE, start_until};

/// What to measure and how to say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    cli: bool,
    iterations: bool,
    output: bool,
    tasks: bool,
    memory: bool,
    spec: bool,
    app: bool,
    ui: bool,
    json: bool,
}

impl Options {
    const NOTHING: Self = Self {
        cli: false,
        iterations: false,
        output: false,
        tasks: false,
        memory: false,
        spec: false,
        app: false,
        ui: false,
        json: false,
    };
    const ALL: Self = Self {
        cli: true,
        iterations: true,
        output: true,
        tasks: true,
        memory: true,
        spec: true,
        app: true,
        ui: true,
        json: false,
    };

    /// Reads `[cli|loop|output|tasks|memory|spec|app|ui] [--json]`; nothing when there is another word.
    pub(crate) fn parse(words: &[&str]) -> Option<Self> {
        let mut options = Self::NOTHING;
        for word in words {
            match *word {
                "cli" => options.cli = true,
                "loop" => options.iterations = true,
                "output" => options.output = true,
                "tasks" => options.tasks = true,
                "memory" => options.memory = true,
                "spec" => options.spec = true,
                "app" => options.app = true,
                "ui" => options.ui = true,
                "--json" => options.json = true,
                _ => return None,
            }
        }
        let json = options.json;
        if options == (Self { json, ..Self::NOTHING }) {
            options = Self { json, ..Self::ALL };
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
    if options.output {
        output::measure(workspace, &mut report)?;
    }
    if options.tasks {
        tasks::measure(workspace, &mut report)?;
    }
    if options.memory {
        memory::measure(workspace, &mut report)?;
    }
    if options.spec {
        spec::measure(workspace, &mut report)?;
    }
    if options.app {
        app::measure(workspace, &mut report)?;
    }
    if options.ui {
        window::measure(workspace, &mut report)?;
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
        .env("LOOPWRIGHT_SANDBOX", "off")
}

/// A number in the line of JSON that a measuring program prints.
fn field(json: &str, name: &str) -> Option<f64> {
    let rest = json.split_once(&format!("\"{name}\":"))?.1;
    let number: String =
        rest.trim_start().chars().take_while(|c| c.is_ascii_digit() || matches!(c, '.' | '-')).collect();
    number.parse().ok()
}

/// By how much the memory of a measuring program grew, where the system tells.
fn memory(name: &str, json: &str) -> Figure {
    match field(json, "extra_kib").filter(|_| cfg!(target_os = "linux")) {
        Some(kib) => Figure::number(name, kib / 1024.0, "MiB"),
        None => Figure::not_measured(name, "this system does not tell"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_in_json() {
        assert_eq!(field(r#"{"a":1,"mb_per_s":412.5}"#, "mb_per_s"), Some(412.5));
        assert_eq!(field(r#"{"a":null}"#, "a"), None);
    }

    #[test]
    fn without_a_part_all_are_measured() {
        assert_eq!(Options::parse(&[]), Some(Options::ALL));
        let cli = Options { cli: true, json: true, ..Options::NOTHING };
        assert_eq!(Options::parse(&["--json", "cli"]), Some(cli));
        assert_eq!(Options::parse(&["window"]), None);
    }
}
