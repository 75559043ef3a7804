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
    let cli = args::Cli::parse();
    let json = cli.global.json;
    let answer_file = cli.global.answer_file.clone();
    match commands::run(cli) {
        Ok(code) => code,
        Err(fault) => {
            let code = output::fail(&fault, json);
            if let Some(file) = answer_file {
                commands::StartReply::Error(fault).write(&file);
            }
            code
        }
    }
}
