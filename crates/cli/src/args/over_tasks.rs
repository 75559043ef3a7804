//! The commands that work on tasks.

use std::path::PathBuf;

use clap::Args;

use super::RunArgs;

/// Options of `run`.
#[derive(Debug, Args)]
pub(crate) struct RunTasksArgs {
    /// Only the tasks of this group
    #[arg(long, alias = "scud-tag", value_name = "TAG")]
    pub(crate) tag: Option<String>,
    /// Only this task
    #[arg(long, value_name = "ID")]
    pub(crate) task: Option<String>,
    /// Only the tasks of this wave
    #[arg(long, value_name = "N")]
    pub(crate) wave: Option<u32>,
    /// A plan; its section for the task is handed along
    #[arg(long, value_name = "FILE")]
    pub(crate) plan: Option<String>,
    /// A document that is handed along whole; may be given several times
    #[arg(long = "spec-file", value_name = "FILE")]
    pub(crate) spec_files: Vec<String>,
    /// Warn when plan and documents are more tokens than this
    #[arg(long, value_name = "N")]
    pub(crate) max_spec_tokens: Option<u32>,
    /// A command that is run as one more check
    #[arg(long, value_name = "COMMAND")]
    pub(crate) verify: Option<String>,
    /// A task is blocked after this many failed attempts in this run
    #[arg(long, value_name = "N")]
    pub(crate) max_attempts: Option<u32>,
    /// A task is blocked after this many failures over all runs; 0 never
    #[arg(long, value_name = "N")]
    pub(crate) max_total_failures: Option<u32>,
    /// When work is committed
    #[arg(long, value_name = "WHEN", value_parser = ["task", "wave", "iteration", "none"])]
    pub(crate) commit: Option<String>,
    /// Write where things stand into this file when the run ends
    #[arg(long, value_name = "FILE")]
    pub(crate) handoff: Option<String>,
    /// Everything else
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// Options of `finish`.
#[derive(Debug, Args)]
pub(crate) struct FinishArgs {
    /// What was done
    #[arg(default_value = "")]
    pub(crate) summary: String,
    /// Give the task up: the files are put back, what was done is kept
    #[arg(long, conflicts_with = "summary")]
    pub(crate) give_up: bool,
}

/// Options of `handoff`.
#[derive(Debug, Args)]
pub(crate) struct HandoffArgs {
    /// Where to write it; printed when left out
    pub(crate) file: Option<PathBuf>,
}
