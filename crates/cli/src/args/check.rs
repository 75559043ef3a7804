//! `loopwright check`.

use clap::{Args, Subcommand};

/// Options of `check`.
#[derive(Debug, Args)]
#[command(
    after_help = "A check that is called like one of the commands above is run with \"loopwright check -- NAME\"."
)]
pub(crate) struct CheckArgs {
    #[command(subcommand)]
    pub(crate) command: Option<CheckCommand>,
    /// Only these checks; all that are switched on when left out
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,
    /// Print the work list for an agent instead
    #[arg(long)]
    pub(crate) prompt: bool,
    /// How much the agent may do, as the work list tells it; loop.automation when left out
    #[arg(long, value_name = "MODE", value_parser = ["manual", "plan", "auto", "yolo"], requires = "prompt")]
    pub(crate) automation: Option<String>,
    /// Trust what this folder would execute, as "loopwright trust" does
    #[arg(long)]
    pub(crate) trust: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CheckCommand {
    /// List the checks in the order they run in, with how they went last
    List,
    /// Add a check to .loopwright/config.toml; comments in the file stay
    Add(AddCheckArgs),
    /// Change a check in .loopwright/config.toml; what is left out stays as it is
    Edit(EditCheckArgs),
    /// Move a check to another place in the order
    Move {
        /// Its name
        name: String,
        /// The place it is to have: 1 for the first
        #[arg(value_parser = clap::value_parser!(u32).range(1..))]
        place: u32,
    },
    /// Switch a check on
    Enable {
        /// Its name
        name: String,
    },
    /// Switch a check off: it stays in the file and is not run
    Disable {
        /// Its name
        name: String,
    },
    /// Take a check out of .loopwright/config.toml
    Remove {
        /// Its name
        name: String,
    },
    /// Show checks that this folder's files speak of and that are not set up yet
    Suggest {
        /// Add one of them by its name, or "all"; may be given several times
        #[arg(long = "add", value_name = "NAME")]
        add: Vec<String>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct AddCheckArgs {
    /// Its name
    pub(crate) name: String,
    /// The command with its arguments, in quotes; never given to a shell
    #[arg(required_unless_present = "builtin")]
    pub(crate) command: Option<String>,
    /// A built-in check instead of a command
    #[arg(long, value_name = "CHECK", conflicts_with = "command", value_parser = ["clean-tree", "placeholders", "merge-markers", "spec-drift"])]
    pub(crate) builtin: Option<String>,
    /// Its failure is told and does not fail an attempt
    #[arg(long)]
    pub(crate) optional: bool,
    /// It fails when it changes files; otherwise its edits are part of the work
    #[arg(long, conflicts_with = "builtin")]
    pub(crate) no_edits: bool,
    /// How long it may take, such as "90s"; 10 minutes when left out
    #[arg(long, value_name = "TIME")]
    pub(crate) timeout: Option<String>,
    /// The folder it runs in
    #[arg(long, value_name = "FOLDER")]
    pub(crate) folder: Option<String>,
    /// Where it stands among the others: lower numbers first
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    pub(crate) order: Option<i64>,
    /// How issues are found in its output
    #[arg(long, value_parser = ["text", "lines", "json", "regex"])]
    pub(crate) parser: Option<String>,
    /// The pattern of the parser "regex", with the groups file, line, message and severity
    #[arg(long)]
    pub(crate) pattern: Option<String>,
    /// Where the parser "json" finds the issues, such as "results"
    #[arg(long, value_name = "PATH")]
    pub(crate) issues: Option<String>,
}

#[derive(Debug, Args)]
#[command(override_usage = "loopwright check edit <NAME> <CHANGE>...")]
#[command(group = clap::ArgGroup::new("change").required(true).multiple(true).args([
    "rename", "command", "builtin", "required", "optional", "edits", "no_edits", "timeout", "folder", "parser", "pattern", "issues",
]))]
pub(crate) struct EditCheckArgs {
    /// The check
    pub(crate) name: String,
    /// Another name; its history stays with the old one
    #[arg(long, value_name = "NAME")]
    pub(crate) rename: Option<String>,
    /// The command with its arguments, in quotes; never given to a shell
    #[arg(long)]
    pub(crate) command: Option<String>,
    /// A built-in check instead of a command
    #[arg(long, value_name = "CHECK", conflicts_with = "command", value_parser = ["clean-tree", "placeholders", "merge-markers", "spec-drift"])]
    pub(crate) builtin: Option<String>,
    /// Its failure fails an attempt
    #[arg(long, conflicts_with = "optional")]
    pub(crate) required: bool,
    /// Its failure is told and does not fail an attempt
    #[arg(long)]
    pub(crate) optional: bool,
    /// What it edits is part of the work
    #[arg(long, conflicts_with = "no_edits")]
    pub(crate) edits: bool,
    /// It fails when it changes files
    #[arg(long)]
    pub(crate) no_edits: bool,
    /// How long it may take, such as "90s"; "" for the usual 10 minutes
    #[arg(long, value_name = "TIME")]
    pub(crate) timeout: Option<String>,
    /// The folder it runs in; "" for the project folder
    #[arg(long, value_name = "FOLDER")]
    pub(crate) folder: Option<String>,
    /// How issues are found in its output
    #[arg(long, value_parser = ["text", "lines", "json", "regex"])]
    pub(crate) parser: Option<String>,
    /// The pattern of the parser "regex"
    #[arg(long)]
    pub(crate) pattern: Option<String>,
    /// Where the parser "json" finds the issues
    #[arg(long, value_name = "PATH")]
    pub(crate) issues: Option<String>,
}
