//! `loopwright failure` and `loopwright pattern`.

use std::path::PathBuf;

use clap::Subcommand;
use loopwright_domain::TaskId;

#[derive(Debug, Subcommand)]
pub(crate) enum FailureCommand {
    /// List what made attempts fail, the newest first
    List {
        /// Only failures of this pattern, for example "assertion_failed"
        #[arg(long, value_name = "PATTERN")]
        pattern: Option<String>,
        /// Only failures of this task
        #[arg(long, value_name = "TASK", value_parser = super::task::task_id)]
        task: Option<TaskId>,
        /// At most so many
        #[arg(short = 'n', long, value_name = "N", default_value_t = 20)]
        limit: u32,
    },
    /// Show one with its excerpt
    Show {
        /// Its number
        failure: u32,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum PatternCommand {
    /// List the patterns of failures, and how often each was met here
    List,
    /// Show one, and the failures that have it
    Show {
        /// Its name, for example "assertion_failed"
        pattern: String,
    },
    /// Say which pattern the saved output of a command has, and what it names as the cause
    Test {
        /// The files; "-" is standard input
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
}
