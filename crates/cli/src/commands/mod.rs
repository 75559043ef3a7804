//! One file per command.

mod check;
mod config;
mod demo;
mod doctor;
#[cfg(test)]
mod documents;
mod gate;
mod init;
mod install;
mod man;
mod mcp;
mod memory;
mod notify;
mod open;
mod procedure;
mod run;
mod spec;
mod status;
mod task;
mod trust;
mod wave;
mod wizard;

use std::process::ExitCode;

pub(crate) use run::StartReply;

use clap::CommandFactory;
use loopwright_domain::{ControlKind, Fault};

use crate::args::{Cli, Command, NotifyCommand};
use crate::context::Context;
use crate::output::say;

/// Carries out one command line.
pub(crate) fn run(cli: Cli) -> Result<ExitCode, Fault> {
    if let Command::Completions { shell } = cli.command {
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut Cli::command(), "loopwright", &mut script);
        say!("{}", String::from_utf8_lossy(&script).trim_end());
        return Ok(ExitCode::SUCCESS);
    }
    if let Command::Man { folder } = &cli.command {
        return man::write(folder);
    }
    if matches!(cli.command, Command::Mcp) {
        // Before anything is asked of the machine: agents start it with hardly any variables.
        return mcp::run();
    }
    let context = Context::new(cli.global)?;
    match cli.command {
        Command::Init(args) => init::run(&context, args),
        Command::New(args) => wizard::new(&context, &args),
        Command::Wizard(command) => wizard::run(&context, &command),
        Command::Demo(args) => demo::run(&context, &args),
        Command::Status { changes } => status::run(&context, changes),
        Command::Check(args) => check::run(&context, &args),
        Command::Run(args) => run::start_tasks(&context, &args),
        Command::Begin { task } => run::begin(&context, &task),
        Command::Finish(args) => run::finish_by_hand(&context, &args),
        Command::Handoff(args) => run::handoff(&context, &args),
        Command::Loop(args) => run::start_loop(&context, &args),
        Command::Fix(args) => run::start_fix(&context, &args),
        Command::Task(command) => task::run(&context, &command),
        Command::Spec(command) => spec::run(&context, &command),
        Command::Wave(command) => wave::run(&context, &command),
        Command::Procedure(command) => procedure::run(&context, &command),
        Command::Failure(command) => memory::run_failure(&context, &command),
        Command::Pattern(command) => memory::run_pattern(&context, &command),
        Command::Solution(command) => memory::run_solution(&context, &command),
        Command::Learn(args) => memory::learn(&context, &args),
        Command::Learning(command) => memory::run_learning(&context, &command),
        Command::Preview(args) => memory::preview(&context, &args),
        Command::Stats(args) => memory::stats(&context, &args),
        Command::Health => memory::health(&context),
        Command::Resume(args) => run::resume(&context, &args),
        Command::Pause { after_iteration: false } => run::ask(&context, ControlKind::Pause),
        Command::Pause { after_iteration: true } => run::ask(&context, ControlKind::PauseAfterIteration),
        Command::Cancel => run::ask(&context, ControlKind::Cancel),
        Command::Gate(command) => gate::run(&context, &command),
        Command::Approve(args) => gate::approve(&context, &args),
        Command::Reject(args) => gate::reject(&context, &args),
        Command::Revert(args) => gate::revert(&context, &args),
        Command::Watch(args) => run::watch(&context, &args),
        Command::History { limit } => run::history(&context, limit),
        Command::Show(args) => run::show(&context, &args),
        Command::Log(args) => run::log(&context, &args),
        Command::Diff(args) => run::diff(&context, &args),
        Command::Restore(args) => run::restore(&context, &args),
        Command::Recover => run::recover(&context),
        Command::Install(args) => install::run(&context, args),
        Command::Signal(command) => run::signal(&context, command),
        Command::Notify(NotifyCommand::Test) => notify::test(&context),
        Command::Open { folder } => open::run(&context, folder),
        Command::Trust(args) => trust::run(&context, &args),
        Command::Config(command) => config::run(&context, &command),
        Command::Doctor(args) => doctor::run(&context, &args),
        Command::Mcp | Command::Man { .. } | Command::Completions { .. } => Ok(ExitCode::SUCCESS),
    }
}
