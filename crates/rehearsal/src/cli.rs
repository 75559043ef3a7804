//! The arguments, described for people.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Parser;
use clap::builder::{PossibleValuesParser, TypedValueParser, ValueParser};
use loopwright_rehearsal::scenario::ShapeName;

/// A scripted agent: it plays a scenario file instead of thinking.
///
/// Loopwright uses it for the sample project and for its own tests. It talks, edits files in the current folder,
/// runs commands and misbehaves exactly as the scenario says, and does the same every time.
#[derive(Debug, Parser)]
#[command(
    name = "loopwright-rehearsal",
    version = concat!(env!("CARGO_PKG_VERSION"), " (a scripted agent, not an AI)"),
    after_help = "Examples:\n  \
        loopwright-rehearsal --check scenario.toml       look for mistakes, play nothing\n  \
        loopwright-rehearsal --task 3 --attempt 1 < prompt.md\n  \
        loopwright-rehearsal --scenario scenario.toml --output claude --prompt-file prompt.md\n\n\
        Exit codes: what the scene says (0 if it says nothing), 1 when a step fails, 2 when the scenario or the \
        command line has a mistake; then nothing was done."
)]
pub(crate) struct Arguments {
    /// The prompt. Without it, the prompt comes from --prompt-file or standard input
    #[arg(value_name = "PROMPT", conflicts_with = "prompt_file")]
    pub(crate) prompt: Option<OsString>,

    /// The scenario to play
    #[arg(long, value_name = "FILE", default_value = ".loopwright/rehearsal.toml")]
    pub(crate) scenario: PathBuf,

    /// Only look for mistakes in a scenario; play nothing
    #[arg(long, value_name = "FILE")]
    pub(crate) check: Option<PathBuf>,

    /// Read the prompt from a file
    #[arg(long, value_name = "FILE")]
    pub(crate) prompt_file: Option<PathBuf>,

    /// The task's number, which helps to pick the scene
    #[arg(long, value_name = "N", env = "LOOPWRIGHT_TASK", hide_env_values = true)]
    pub(crate) task: Option<u32>,

    /// The attempt, counted from 1. Without it, --state counts; without that, it is 1
    #[arg(long, value_name = "N", env = "LOOPWRIGHT_ATTEMPT", hide_env_values = true)]
    pub(crate) attempt: Option<u32>,

    /// Remember attempts from one start to the next in this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) state: Option<PathBuf>,

    /// Speak like this agent CLI, whatever the scenario says
    #[arg(long, value_name = "SHAPE", value_parser = shape_parser())]
    pub(crate) output: Option<ShapeName>,

    /// Leave out the scenario's sleeps
    #[arg(long)]
    pub(crate) fast: bool,

    /// The iteration's id; becomes the session id in JSON output
    #[arg(long, value_name = "ID", env = "LOOPWRIGHT_ITERATION", hide_env_values = true)]
    pub(crate) iteration: Option<String>,

    /// Where signals are written
    #[arg(long, value_name = "FILE", env = "LOOPWRIGHT_SIGNAL_FILE", hide_env_values = true)]
    pub(crate) signal_file: Option<PathBuf>,

    /// The nonce that signals carry
    #[arg(long, value_name = "TEXT", env = "LOOPWRIGHT_NONCE", hide_env_values = true)]
    pub(crate) nonce: Option<String>,

    /// What a started child process is to do
    #[arg(long, hide = true, value_name = "JSON")]
    pub(crate) family_orders: Option<String>,
}

fn shape_parser() -> ValueParser {
    let names = PossibleValuesParser::new(ShapeName::ALL.map(ShapeName::as_str));
    let by_name = |name: String| ShapeName::ALL.into_iter().find(|shape| shape.as_str() == name);
    ValueParser::new(names.try_map(move |name| by_name(name).ok_or("unknown shape")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_hold_together() {
        Arguments::command().debug_assert();
    }
}
