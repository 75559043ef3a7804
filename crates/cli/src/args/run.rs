//! The commands that start, steer and show runs.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand, ValueEnum};
use loopwright_domain::{OutputFormat, PromptMode};

/// Words of an enum; clap lists them and refuses any other.
fn words<T: Clone + Send + Sync + 'static>(
    words: &'static [&'static str],
    parse: fn(&str) -> Option<T>,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(words).try_map(move |word| parse(&word).ok_or("there is no such word"))
}

use crate::display::StreamMode;

/// Options of `loop`.
#[derive(Debug, Args)]
pub(crate) struct LoopArgs {
    /// What the agent is to do
    #[arg(short, long, value_name = "TEXT", conflicts_with_all = ["prompt_file", "procedure"])]
    pub(crate) prompt: Option<String>,
    /// Read what to do from a file; "-" reads standard input
    #[arg(long, value_name = "FILE", conflicts_with = "procedure")]
    pub(crate) prompt_file: Option<PathBuf>,
    /// Run a procedure; "loopwright procedure list" shows them
    #[arg(short = 'P', long, value_name = "NAME")]
    pub(crate) procedure: Option<String>,
    /// The word between promise tags that ends the loop; empty: an agent that ends well ends it
    #[arg(long, value_name = "WORD")]
    pub(crate) completion_promise: Option<String>,
    /// The word alone on a line counts too
    #[arg(long)]
    pub(crate) plain_promise: bool,
    /// Everything else
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// Options of `fix`.
#[derive(Debug, Args)]
pub(crate) struct FixArgs {
    /// Something to tell the agent besides the failing checks
    #[arg(short, long, value_name = "TEXT")]
    pub(crate) prompt: Option<String>,
    /// Everything else
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// What `run`, `loop` and `fix` share.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// The agent, by its name in the settings
    #[arg(long, value_name = "NAME", conflicts_with = "command")]
    pub(crate) harness: Option<String>,
    /// A command as the agent; split into words, never given to a shell
    #[arg(long, value_name = "COMMAND")]
    pub(crate) command: Option<String>,
    /// How the command takes its prompt
    #[arg(long, value_name = "MODE", value_parser = words(PromptMode::WORDS, PromptMode::parse))]
    pub(crate) prompt_mode: Option<PromptMode>,
    /// What the command prints
    #[arg(long, value_name = "FORMAT", value_parser = words(OutputFormat::WORDS, OutputFormat::parse))]
    pub(crate) output_format: Option<OutputFormat>,
    /// The model
    #[arg(long)]
    pub(crate) model: Option<String>,
    /// How much the agent may do
    #[arg(long, value_name = "MODE", value_parser = ["manual", "plan", "auto", "yolo"])]
    pub(crate) automation: Option<String>,
    /// When you look at work: autonomous, review_each or review_every:N
    #[arg(long, value_name = "MODE")]
    pub(crate) mode: Option<String>,
    /// Wait at a gate until somebody decides, instead of ending with exit code 5
    #[arg(long)]
    pub(crate) wait: bool,
    /// A file or a text to hand along; may be given several times
    #[arg(long, value_name = "FILE|TEXT")]
    pub(crate) context: Vec<String>,
    /// The folder the agent works in, inside the project
    #[arg(long, value_name = "DIR")]
    pub(crate) working_dir: Option<PathBuf>,
    /// Whether the required checks run once before the first agent: what fails already is told; "require" refuses then
    #[arg(long, value_name = "run|skip|require", value_parser = ["run", "skip", "require"])]
    pub(crate) baseline: Option<String>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) git: GitArgs,
    /// Show what would be done; start and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// What of the agent's work to show as it happens; a terminal shows all of it, anything else nothing
    #[arg(long, value_name = "PART", value_enum)]
    pub(crate) stream: Option<StreamMode>,
    /// Also print each prompt and each response
    #[arg(short, long)]
    pub(crate) verbose: bool,
    /// Work in the background, without this terminal
    #[arg(long, conflicts_with = "dry_run")]
    pub(crate) detach: bool,
    /// Go on with the run that was stopped
    #[arg(long, conflicts_with_all = ["new", "dry_run"])]
    pub(crate) resume: bool,
    /// Begin anew although a run was stopped
    #[arg(long)]
    pub(crate) new: bool,
    /// Trust what this folder would execute, as "loopwright trust" does
    #[arg(long)]
    pub(crate) trust: bool,
}

/// When a run stops.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// How many iterations at most; 0 is without end
    #[arg(short = 'n', long, value_name = "N")]
    pub(crate) max_iterations: Option<u32>,
    /// Stop after this many failures in a row; 0 never
    #[arg(long, value_name = "N")]
    pub(crate) failure_threshold: Option<u32>,
    /// How long one agent may work: "300" seconds, "10m"
    #[arg(long, value_name = "TIME")]
    pub(crate) timeout: Option<String>,
    /// How long an agent may be silent
    #[arg(long, value_name = "TIME")]
    pub(crate) idle_timeout: Option<String>,
    /// How long the whole run may work
    #[arg(long, value_name = "TIME")]
    pub(crate) max_runtime: Option<String>,
    /// How many US dollars the run may cost
    #[arg(long, value_name = "USD")]
    pub(crate) max_cost: Option<String>,
    /// How many tokens the run may use; 0 is without limit
    #[arg(long, value_name = "N")]
    pub(crate) max_tokens: Option<u64>,
    /// Warn about prompts larger than this
    #[arg(long, value_name = "N")]
    pub(crate) token_budget: Option<u64>,
}

/// What is done with git.
#[derive(Debug, Args)]
#[command(next_help_heading = "Git")]
pub(crate) struct GitArgs {
    /// Commit the work of each good iteration
    #[arg(long)]
    pub(crate) auto_commit: bool,
    /// The message of those commits, with {iteration}, {timestamp}, {title} …
    #[arg(long, value_name = "TEXT")]
    pub(crate) commit_template: Option<String>,
    /// Work on a new branch
    #[arg(long)]
    pub(crate) create_branch: bool,
    /// The name of that branch
    #[arg(long, value_name = "TEXT")]
    pub(crate) branch_template: Option<String>,
    /// What to do about uncommitted changes
    #[arg(long, value_name = "stop|include", value_parser = ["stop", "include"])]
    pub(crate) dirty: Option<String>,
}

/// Options of `resume`.
#[derive(Debug, Args)]
pub(crate) struct ResumeArgs {
    /// The run; the last one when left out
    pub(crate) run: Option<String>,
    #[command(flatten)]
    pub(crate) limits: NewLimitArgs,
    /// Wait at a gate until somebody decides, instead of ending with exit code 5
    #[arg(long)]
    pub(crate) wait: bool,
    /// Work in the background, without this terminal
    #[arg(long)]
    pub(crate) detach: bool,
    /// What of the agent's work to show as it happens; a terminal shows all of it, anything else nothing
    #[arg(long, value_name = "PART", value_enum)]
    pub(crate) stream: Option<StreamMode>,
    /// Also print each prompt and each response
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

/// Other limits for a run that goes on, counted from its beginning.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits, counted from the beginning of the run")]
pub(crate) struct NewLimitArgs {
    /// How many iterations at most; 0 is without end
    #[arg(short = 'n', long, value_name = "N")]
    pub(crate) max_iterations: Option<u32>,
    /// Stop after this many failures in a row; 0 never
    #[arg(long, value_name = "N")]
    pub(crate) failure_threshold: Option<u32>,
    /// How long the whole run may work
    #[arg(long, value_name = "TIME")]
    pub(crate) max_runtime: Option<String>,
    /// How many US dollars the run may cost
    #[arg(long, value_name = "USD")]
    pub(crate) max_cost: Option<String>,
    /// How many tokens the run may use; 0 is without limit
    #[arg(long, value_name = "N")]
    pub(crate) max_tokens: Option<u64>,
}

/// Options of `watch`.
#[derive(Debug, Args)]
pub(crate) struct WatchArgs {
    /// What of the agent's work to show as it happens; a terminal shows all of it, anything else nothing
    #[arg(long, value_name = "PART", value_enum)]
    pub(crate) stream: Option<StreamMode>,
}

/// Which run.
#[derive(Debug, Args)]
pub(crate) struct WhichRun {
    /// The run, by its id; the last one when left out
    #[arg(long, value_name = "ID")]
    pub(crate) run: Option<String>,
}

/// Options of `log`.
#[derive(Debug, Args)]
pub(crate) struct LogArgs {
    /// The iteration, counted from 1; the last one when left out
    pub(crate) iteration: Option<u32>,
    #[command(flatten)]
    pub(crate) which: WhichRun,
    /// Wait for more; what comes is plain text, also with --json
    #[arg(short, long)]
    pub(crate) follow: bool,
    /// What to print
    #[arg(long, value_enum, default_value_t = LogPart::Output)]
    pub(crate) part: LogPart,
}

/// The files of an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogPart {
    /// What the agent printed
    Output,
    /// What it printed on its error stream
    Stderr,
    /// What it was asked
    Prompt,
    /// Its own last words
    Response,
    /// What it said and did, as JSON lines
    Transcript,
}

impl LogPart {
    /// Its name, as `--part` takes it.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Output => "output",
            Self::Stderr => "stderr",
            Self::Prompt => "prompt",
            Self::Response => "response",
            Self::Transcript => "transcript",
        }
    }
}

/// Options of `show`.
#[derive(Debug, Args)]
pub(crate) struct IterationArgs {
    /// The iteration, counted from 1
    pub(crate) iteration: Option<u32>,
    #[command(flatten)]
    pub(crate) which: WhichRun,
}

/// What an agent says.
#[derive(Debug, Subcommand)]
pub(crate) enum SignalCommand {
    /// The work is done
    Complete {
        /// What was done
        #[arg(default_value = "")]
        summary: String,
        /// Where no file had to be changed: what satisfies the work already, a file or check:NAME; may be given several
        /// times
        #[arg(long, value_name = "PATH|check:NAME")]
        already: Vec<String>,
    },
    /// The work cannot go on without a person
    Blocked {
        /// Why
        reason: String,
    },
    /// Something worth remembering
    Learning {
        /// What was learned
        description: String,
        /// What it is about
        #[arg(long, default_value = "other")]
        category: String,
        /// The same in a few words
        #[arg(long, default_value = "", hide_default_value = true)]
        title: String,
        /// When it applies
        #[arg(long, default_value = "", hide_default_value = true)]
        when: String,
    },
}
