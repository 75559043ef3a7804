//! `loopwright failure`, `pattern`, `solution`, `learn`, `learning`, `preview` and `stats`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use loopwright_domain::{FailureCategory, LearningCategory, LearningScope, TaskId};

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
    /// Add one of your own to the project's settings
    ///
    /// It is suggested first and names nothing; "promote" confirms it: then it names what no built-in pattern names.
    /// Promoted again it is trusted, and comes before the built-in ones.
    Add {
        /// Its name, for example "time_zone_mismatch"
        name: String,
        /// The regular expression that a line of the output has to match
        regex: String,
        /// What kind of thing goes wrong: import, syntax, runtime, test, build, environment or unknown
        #[arg(long, value_parser = failure_category, default_value = "unknown")]
        category: FailureCategory,
        /// What it means, in one line
        #[arg(long, value_name = "TEXT", default_value = "")]
        about: String,
    },
    /// Take one of your own a step further: suggested, confirmed, trusted
    Promote {
        /// Its name
        pattern: String,
    },
    /// Remove one of your own; failures that have it keep its name
    Remove {
        /// Its name
        pattern: String,
    },
    /// Say what failures without a pattern have in common
    Suggest {
        /// Add these as suggested patterns
        #[arg(long)]
        add: bool,
    },
    /// Say which pattern the saved output of a command has, and what it names as the cause
    Test {
        /// The files; "-" is standard input
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum SolutionCommand {
    /// List solutions, the most trusted first
    List {
        /// Only those of this pattern
        #[arg(long, value_name = "PATTERN")]
        pattern: Option<String>,
        /// Retired ones too
        #[arg(long)]
        all: bool,
    },
    /// Show one with its history and effect
    Show {
        /// Its number
        solution: u32,
    },
    /// Add one of your own; it begins on trial
    Add {
        /// The pattern of failures that it fixes
        #[arg(required_unless_present = "learning")]
        pattern: Option<String>,
        /// What to do
        #[arg(required_unless_present = "learning")]
        text: Option<String>,
        /// Make it from this learning: what you leave out is the learning's
        #[arg(long, value_name = "LEARNING")]
        learning: Option<u32>,
        /// The same in a few words
        #[arg(long)]
        title: Option<String>,
        /// A file it is about; may be given several times
        #[arg(long = "file", value_name = "PATH")]
        files: Vec<String>,
    },
    /// Change one; what is not given stays
    Edit {
        /// Its number
        solution: u32,
        /// The pattern of failures that it fixes
        #[arg(long)]
        pattern: Option<String>,
        /// What to do
        #[arg(long)]
        text: Option<String>,
        /// The same in a few words
        #[arg(long)]
        title: Option<String>,
        /// A file it is about; may be given several times
        #[arg(long = "file", value_name = "PATH")]
        files: Vec<String>,
    },
    /// Take one out of use
    Retire {
        /// Its number
        solution: u32,
        /// Why
        #[arg(long)]
        reason: Option<String>,
    },
    /// Take a retired one back into use
    Restore {
        /// Its number
        solution: u32,
    },
    /// Say that one still holds, so that it does not lose trust for not being used
    Refresh {
        /// Its number
        solution: u32,
    },
    /// Write all that are in use to a file, or to standard output, for another project
    Export {
        /// The file
        file: Option<PathBuf>,
    },
    /// Read solutions of another project; they begin on trial
    Import {
        /// The file; "-" is standard input
        file: PathBuf,
    },
}

fn failure_category(word: &str) -> Result<FailureCategory, String> {
    FailureCategory::parse(word).ok_or_else(|| words(FailureCategory::ALL.iter().map(|it| it.as_str())))
}

fn category(word: &str) -> Result<LearningCategory, String> {
    LearningCategory::parse(word).ok_or_else(|| words(LearningCategory::ALL.iter().map(|it| it.as_str())))
}

fn scope(word: &str) -> Result<LearningScope, String> {
    LearningScope::parse(word).ok_or_else(|| words(LearningScope::ALL.iter().map(|it| it.as_str())))
}

fn words<'a>(known: impl Iterator<Item = &'a str>) -> String {
    format!("possible values: {}", known.collect::<Vec<_>>().join(", "))
}

#[derive(Debug, Args)]
pub(crate) struct LearnArgs {
    /// What to do or to avoid
    pub(crate) text: String,
    /// What it is about: build, test, setup, gotcha, pattern, tool or other
    #[arg(long, value_parser = category)]
    pub(crate) category: Option<LearningCategory>,
    /// The same in a few words
    #[arg(long)]
    pub(crate) title: Option<String>,
    /// When it applies
    #[arg(long)]
    pub(crate) when: Option<String>,
    /// Where it holds: project, stack or everywhere
    #[arg(long, value_parser = scope)]
    pub(crate) scope: Option<LearningScope>,
    /// The failure pattern it is about
    #[arg(long)]
    pub(crate) pattern: Option<String>,
    /// The task it was learned at
    #[arg(long, value_name = "TASK", value_parser = super::task::task_id)]
    pub(crate) task: Option<TaskId>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum LearningCommand {
    /// List learnings, the newest first
    List {
        /// Only of this category
        #[arg(long, value_parser = category)]
        category: Option<LearningCategory>,
        /// Only about this failure pattern
        #[arg(long, value_name = "PATTERN")]
        pattern: Option<String>,
        /// At most so many
        #[arg(short = 'n', long, value_name = "N", default_value_t = 50)]
        limit: u32,
    },
    /// Find learnings by their words, the best match first
    Search {
        /// The words
        #[arg(required = true)]
        words: Vec<String>,
        /// At most so many
        #[arg(short = 'n', long, value_name = "N", default_value_t = 20)]
        limit: u32,
    },
    /// Show one
    Show {
        /// Its number
        learning: u32,
    },
    /// Change one; what is not given stays
    Edit {
        /// Its number
        learning: u32,
        /// What to do or to avoid
        #[arg(long)]
        text: Option<String>,
        /// The same in a few words
        #[arg(long)]
        title: Option<String>,
        /// When it applies
        #[arg(long)]
        when: Option<String>,
        /// What it is about
        #[arg(long, value_parser = category)]
        category: Option<LearningCategory>,
        /// Where it holds
        #[arg(long, value_parser = scope)]
        scope: Option<LearningScope>,
        /// The failure pattern it is about
        #[arg(long)]
        pattern: Option<String>,
    },
    /// Remove some
    Remove {
        /// Their numbers
        #[arg(required = true)]
        learnings: Vec<u32>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct PreviewArgs {
    /// The task; the next one that can start when left out
    #[arg(value_parser = super::task::task_id)]
    pub(crate) task: Option<TaskId>,
    /// Print the prompt itself too
    #[arg(long)]
    pub(crate) prompt: bool,
}

#[derive(Debug, Args)]
pub(crate) struct StatsArgs {
    /// How to print them
    #[arg(long, value_enum, default_value_t = StatsFormat::Text)]
    pub(crate) format: StatsFormat,
    /// Only the last so many days, day by day
    #[arg(long, value_name = "DAYS")]
    pub(crate) trend: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StatsFormat {
    Text,
    Json,
    Csv,
}
