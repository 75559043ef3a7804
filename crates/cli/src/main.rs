//! The `loopwright` command. Everything it does is the engine's work; here are only words and exit codes.

mod args;
mod commands;
mod context;
mod display;
#[cfg(test)]
mod documentation;
mod next_step;
mod output;
mod prompt;
mod signals;
mod topics;
mod usage;

use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = match usage::parse() {
        Ok(cli) => cli,
        Err(code) => return code,
    };
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
