//! The `loopwright` command. Everything it does is the engine's work; here are only words and exit codes.

mod args;
mod commands;
mod context;
mod output;
mod prompt;
mod signals;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    if asks_only_for_version() {
        output::say!("loopwright {}", env!("CARGO_PKG_VERSION"));
        return ExitCode::SUCCESS;
    }
    let cli = args::Cli::parse();
    let json = cli.global.json;
    let answer_file = cli.global.answer_file.clone();
    match commands::run(cli) {
        Ok(code) => code,
        Err(fault) => {
            let code = output::fail(&fault, json);
            if let Some(file) = answer_file {
                commands::Answer::Error(fault).write(&file);
            }
            code
        }
    }
}

/// Whether the version is all that is asked for: scripts do that often, and need not wait for the whole command line
/// to be described.
fn asks_only_for_version() -> bool {
    let mut words = std::env::args_os().skip(1);
    matches!((words.next(), words.next()), (Some(word), None) if word == "--version" || word == "-V")
}
