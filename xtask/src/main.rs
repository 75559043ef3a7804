//! `cargo xtask`: the project's own commands.

mod abreast;
mod agents;
mod app;
mod backtrace;
mod bench;
mod bindings;
mod bundle;
mod cargo;
mod cli;
mod crash;
mod cross;
mod display;
mod docs;
mod e2e;
mod failure;
mod fingerprint;
mod folders;
mod linkage;
mod lint;
mod programs;
mod scratch;
mod setup;
mod stages;
mod step;
mod strays;
mod tally;
mod test;
mod test_programs;
mod ui;
mod watch;
mod workspace;

use std::env;
use std::ffi::OsString;
use std::process::ExitCode;

use crate::display::Screen;
use crate::failure::{Failure, Outcome};
use crate::workspace::Workspace;

const USAGE: &str = "\
Loopwright's own commands. Use: cargo xtask COMMAND

  setup              install what is missing: system packages, the UI's npm packages
  app [FOLDER]       build the app and open it on the sample project, or on FOLDER
  cli [ARGUMENT...]  build the CLI and run it
  test [--agents]    lint, unit, integration, UI and real-window tests (--agents: the agent CLIs' too, if all is well)
  lint               formatting, static checks, licences, house rules
  bindings           write the UI's TypeScript bindings from the Rust code
  docs               write the guide's settings, JSON and event references from the Rust code
  e2e [--xvfb]       the tests that drive a real window (--xvfb: on a private display)
  agents [--full] [CLI...]
                     install the real agent CLIs into the cache and try them against a model on loopback
                     (--full: all of them, and the slow cases)
  bench [cli|loop|output|tasks|memory|spec|app|ui] [--json]
                     measure start-up, size, loop, output, tasks, memory, spec and window against their targets
  crash [--kills N] [--aimed N] [--seed N]
                     kill runs at random times and resume them: nothing may be lost or done twice
  cross              type-check the CLI and the app for Windows and the CLI for macOS, from Linux
  bundle [FORMAT...] [--verify]
                     make the installer (.deb, .dmg or .msi, or the named formats) and the CLI archive;
                     --verify tries the .deb in a clean root

Option before the command:
  --dry-run          print the commands instead of running them
";

fn main() -> ExitCode {
    match run(env::args_os().skip(1).collect()) {
        Ok(code) => code,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(mut args: Vec<OsString>) -> Outcome<ExitCode> {
    let dry_run = args.first().is_some_and(|first| first == "--dry-run");
    if dry_run {
        args.remove(0);
    }
    let command = if args.is_empty() { OsString::from("help") } else { args.remove(0) };
    let workspace = Workspace::locate(dry_run)?;
    dispatch(&workspace, &command.to_string_lossy(), &args)
}

fn dispatch(workspace: &Workspace, command: &str, args: &[OsString]) -> Outcome<ExitCode> {
    let words: Vec<&str> = args.iter().filter_map(|arg| arg.to_str()).collect();
    let done = match (command, words.as_slice()) {
        ("cli", _) => {
            let code = cli::run(workspace, args)?;
            return Ok(ExitCode::from(u8::try_from(code).unwrap_or(1)));
        }
        ("app", _) if args.len() <= 1 => app::run(workspace, args.first().map(AsRef::as_ref)),
        ("setup", []) => setup::ensure(workspace, setup::EVERYTHING),
        ("test", []) => test::run(workspace, false),
        ("test", ["--agents"]) => test::run(workspace, true),
        ("agents", words) => match agents::Options::parse(words) {
            Some(options) => agents::run(workspace, &options),
            None => Err(unknown(command, words)),
        },
        ("lint", []) => lint::run(workspace),
        ("bindings", []) => bindings::run(workspace),
        ("docs", []) => docs::run(workspace),
        ("e2e", []) => e2e::run(workspace, Screen::OwnIfThere),
        ("e2e", ["--xvfb"]) => e2e::run(workspace, Screen::Private),
        ("bench", words) => match bench::Options::parse(words) {
            Some(options) => bench::run(workspace, options),
            None => Err(unknown(command, words)),
        },
        ("crash", words) => match crash::Options::parse(words) {
            Some(options) => crash::run(workspace, options),
            None => Err(unknown(command, words)),
        },
        ("cross", []) => cross::run(workspace),
        ("bundle", words) => match bundle::Options::parse(words) {
            Some(options) => bundle::run(workspace, &options),
            None => Err(unknown(command, words)),
        },
        ("help" | "--help" | "-h", []) => {
            print!("{USAGE}");
            Ok(())
        }
        _ => Err(unknown(command, &words)),
    };
    done.map(|()| ExitCode::SUCCESS)
}

fn unknown(command: &str, words: &[&str]) -> Failure {
    let given = [&[command], words].concat().join(" ");
    Failure::new(format!("`cargo xtask {given}` is not a command here.\n\n{USAGE}"))
}
