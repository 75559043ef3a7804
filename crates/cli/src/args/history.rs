//! The commands that compare what iterations left, and go back to it.

use clap::Args;

use super::WhichRun;

/// Options of `diff`.
#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// One iteration, counted from 1: what it changed. Two, or 2..5: how what they left differs. RUN:2 is one of another run
    #[arg(value_name = "ITERATION", num_args = 0..=2)]
    pub(crate) iterations: Vec<String>,
    #[command(flatten)]
    pub(crate) which: WhichRun,
    /// Only list the files
    #[arg(long)]
    pub(crate) stat: bool,
}

/// Options of `restore`.
#[derive(Debug, Args)]
pub(crate) struct RestoreArgs {
    /// The iteration, counted from 1; the last one when left out
    #[arg(conflicts_with = "undo")]
    pub(crate) iteration: Option<u32>,
    #[command(flatten)]
    pub(crate) which: WhichRun,
    /// The files as its agent found them, not as it left them
    #[arg(long, conflicts_with = "undo")]
    pub(crate) before: bool,
    /// Take the last restore back, or the one that kept this commit
    #[arg(long, value_name = "COMMIT", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub(crate) undo: Option<String>,
    /// Only show what would be done
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Do not ask
    #[arg(short, long)]
    pub(crate) yes: bool,
}
