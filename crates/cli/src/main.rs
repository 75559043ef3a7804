//! The `loopwright` command. Everything it does is the engine's work; here are only words and exit codes.

mod args;
mod commands;
mod context;
mod memory;
mod output;
mod prompt;
mod signals;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let word = args::only_word();
    if word.as_ref().is_some_and(|word| word == "--version" || word == "-V") {
        output::say!("loopwright {}", env!("CARGO_PKG_VERSION"));
        return ExitCode::SUCCESS;
    }
    memory::take_large_pieces();
    let cli = word.as_deref().and_then(args::Cli::of_word).unwrap_or_else(args::Cli::parse);
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
