//! The commands of the wizard.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Options of `new` and `spec wizard`.
#[derive(Debug, Args)]
pub(crate) struct NewArgs {
    /// The project's name; its folder is made below the current one. Left out, the plan is for the current folder
    pub(crate) name: Option<String>,
    #[command(flatten)]
    pub(crate) wizard: WizardArgs,
    /// Stop after this phase: its number or name
    #[arg(long, value_name = "PHASE")]
    pub(crate) until: Option<String>,
    /// Start the run when the plan is written
    #[arg(long)]
    pub(crate) start: bool,
}

/// What a wizard starts from, and how it goes on.
#[derive(Debug, Args)]
pub(crate) struct WizardArgs {
    /// The idea in your own words; "-" reads standard input
    #[arg(long, value_name = "TEXT")]
    pub(crate) idea: Option<String>,
    /// A document to start from: Markdown, text, Word or PDF; may be given several times
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Vec<PathBuf>,
    /// Start from the code in the folder: the plan is about a change to it
    #[arg(long)]
    pub(crate) from_code: bool,
    /// The template of the spec; "loopwright spec templates list" shows them
    #[arg(long, value_name = "NAME")]
    pub(crate) template: Option<String>,
    /// The agent; "api" for an OpenAI-compatible HTTP API, "none" to fill everything in by hand
    #[arg(long, value_name = "NAME")]
    pub(crate) harness: Option<String>,
    /// The model
    #[arg(long)]
    pub(crate) model: Option<String>,
    /// The address of the API, such as http://localhost:11434/v1
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// Go on with a wizard: the last one of this folder, or the one with this id
    #[arg(long, value_name = "ID", num_args = 0..=1, default_missing_value = "")]
    pub(crate) resume: Option<String>,
    /// Accept every phase; starts nothing without --start
    #[arg(short, long)]
    pub(crate) yes: bool,
    /// With --yes, also agree to the commands that are proposed: they are tried once, and a run may start them
    #[arg(long, requires = "yes")]
    pub(crate) trust: bool,
    /// Answers as JSON, as docs/wizard.md describes it
    #[arg(long, value_name = "FILE")]
    pub(crate) answers: Option<PathBuf>,
    /// What the wizard's agents may cost, in US dollars; 0 is without a limit
    #[arg(long, value_name = "USD")]
    pub(crate) max_cost: Option<f64>,
    /// How many tokens they may use; 0 is without a limit
    #[arg(long, value_name = "NUMBER")]
    pub(crate) max_tokens: Option<u64>,
}

/// `wizard …`.
#[derive(Debug, Subcommand)]
pub(crate) enum WizardCommand {
    /// List the wizards, the last one first
    List,
    /// Show where a wizard stands: the last one of this folder, or the one with this id
    Show {
        /// The wizard
        id: Option<String>,
        /// Show what this phase holds: its number or name
        #[arg(long, value_name = "PHASE")]
        phase: Option<String>,
    },
    /// Throw a wizard away; what it has written into a project stays
    Discard {
        /// The wizard
        id: String,
    },
}
