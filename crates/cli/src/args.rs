//! The command line, written for people: `--help` is the manual.

mod check;
mod gate;
mod history;
mod memory;
mod over_tasks;
mod procedure;
mod run;
mod spec;
mod task;
mod wizard;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

pub(crate) use check::{AddCheckArgs, CheckArgs, CheckCommand, EditCheckArgs};
pub(crate) use gate::{ApproveArgs, GateCommand, RejectArgs, Remark, RevertArgs};
pub(crate) use history::{DiffArgs, RestoreArgs};
pub(crate) use memory::{
    FailureCommand, LearnArgs, LearningCommand, PatternCommand, PreviewArgs, SolutionCommand, StatsArgs,
    StatsFormat,
};
pub(crate) use over_tasks::{FinishArgs, HandoffArgs, RunTasksArgs};
pub(crate) use procedure::ProcedureCommand;
pub(crate) use run::{
    FixArgs, IterationArgs, LogArgs, LogPart, LoopArgs, NewLimitArgs, ResumeArgs, RunArgs, SignalCommand,
    WatchArgs, WhichRun,
};
pub(crate) use spec::{ExportArgs, ImportArgs, SectionText, SpecCommand, TemplateCommand, TermCommand};
pub(crate) use task::{
    AddTaskArgs, DependencyArgs, EditTaskArgs, Numbers, TaskCommand, TaskFields, TaskListArgs, WaveCommand,
};
pub(crate) use wizard::{NewArgs, WizardArgs, WizardCommand};

/// Let AI coding agents work for hours, and trust what comes out.
///
/// Loopwright runs an agent CLI in a loop over a project folder: one fresh process per attempt, checks run
/// by Loopwright and not by the agent, and gates where you decide.
#[derive(Debug, Parser)]
#[command(
    name = "loopwright",
    version,
    propagate_version = false,
    after_help = "Try it without an agent and without an account:\n  loopwright demo tea-house\n  cd tea-house && loopwright status\n\n\
                  Exit codes: 0 done, 1 failed, 2 usage, settings or trust, 3 stopped at a limit, 4 blocked, 5 waiting for a person, \
                  6 locked by another run, 70 a defect of Loopwright, 130 interrupted or cancelled, 143 ended by the system.\n\n\
                  More: \"loopwright help topics\"; an agent's work list of failing checks: \"loopwright check --prompt\"."
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What every command takes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Everywhere")]
pub(crate) struct Global {
    /// Work in this folder instead of the current one
    #[arg(short = 'C', long = "dir", value_name = "DIR", global = true)]
    pub(crate) dir: Option<PathBuf>,
    /// Print one JSON document instead of text
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Set a setting for this call only; may be given several times
    #[arg(short = 'c', long = "config", value_name = "KEY=VALUE", global = true, value_parser = key_value)]
    pub(crate) config: Vec<(String, String)>,
    /// How much to write to the log files
    #[arg(long, value_name = "LEVEL", global = true, value_parser = ["error", "warn", "info", "debug"])]
    pub(crate) log_level: Option<String>,
    /// Where to say that the run has begun: for --detach
    #[arg(long, value_name = "FILE", global = true, hide = true)]
    pub(crate) answer_file: Option<PathBuf>,
}

fn key_value(text: &str) -> Result<(String, String), String> {
    text.split_once('=')
        .map(|(key, value)| (key.trim().to_owned(), value.to_owned()))
        .ok_or_else(|| "write it as KEY=VALUE".to_owned())
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make this folder a Loopwright project
    Init(InitArgs),
    /// Plan a project from an idea, a document or the code in a folder
    ///
    /// Nine phases, each filled in by an agent that only reads, or by hand, and accepted by you. Everything is saved as you go;
    /// nothing is written into the project before the last phase is accepted. Exit code 5: a phase waits for you.
    New(Box<NewArgs>),
    /// Show the plans that are being made
    #[command(subcommand)]
    Wizard(WizardCommand),
    /// Make the sample project: needs only git, no agent and no account
    Demo(DemoArgs),
    /// Show where the project stands
    Status {
        /// Also count the files that differ from the last commit
        #[arg(long)]
        changes: bool,
    },
    /// Run the checks, or change which there are
    ///
    /// All checks run, in their order. Exit code 1: a required one failed. With --prompt an agent's work list is printed
    /// instead: the same for the same files and settings, byte for byte.
    Check(Box<CheckArgs>),
    /// Let an agent work on the tasks, wave by wave
    ///
    /// Each attempt is a fresh process. What passes the checks is committed; what does not is put back, kept, and tried
    /// again with what was learned. Risky work waits for you. Exit code 4: tasks are left and none can start; 5: a gate
    /// waits for you.
    Run(Box<RunTasksArgs>),
    /// Begin to work on a task yourself
    Begin {
        /// The task
        task: String,
    },
    /// Check and commit the task you work on
    ///
    /// What does not pass stays as it is. Exit code 1: a check failed; 5: a gate waits for you.
    Finish(FinishArgs),
    /// Say where things stand, as Markdown
    Handoff(HandoffArgs),
    /// Let an agent work on one prompt or procedure, again and again
    ///
    /// Each iteration is a fresh process. The loop ends when the agent gives its completion promise and the required
    /// checks pass, or at a limit. In git the tree is saved before every agent.
    Loop(Box<LoopArgs>),
    /// Let an agent mend the failing checks
    ///
    /// The checks run first: when all pass, no agent is started.
    Fix(Box<FixArgs>),
    /// Add tasks, show them, change them, and say what waits for what
    #[command(subcommand)]
    Task(TaskCommand),
    /// Read the spec, show its sections, and change them
    #[command(subcommand)]
    Spec(SpecCommand),
    /// Show how far each wave of tasks is
    #[command(subcommand)]
    Wave(WaveCommand),
    /// Show the procedures, and begin one of the project's own
    #[command(subcommand)]
    Procedure(ProcedureCommand),
    /// Show what made attempts fail
    #[command(subcommand)]
    Failure(FailureCommand),
    /// Show the patterns by which failures are known, and try them on saved output
    #[command(subcommand)]
    Pattern(PatternCommand),
    /// Show what fixed failures and how far it is trusted, and add, change or retire it
    #[command(subcommand)]
    Solution(SolutionCommand),
    /// Remember something that whoever works here next should know
    Learn(LearnArgs),
    /// Show, search and change what was learned
    #[command(subcommand)]
    Learning(LearningCommand),
    /// Show what a task's next prompt is made of, with reasons, sizes and prices
    Preview(PreviewArgs),
    /// Show figures: what passed, what it took, what it cost
    Stats(StatsArgs),
    /// Show how well the project is doing, and what would raise it most
    Health,
    /// Go on with a run that was stopped or paused
    Resume(ResumeArgs),
    /// Pause the run at its next phase
    Pause {
        /// Pause only after this iteration
        #[arg(long)]
        after_iteration: bool,
    },
    /// End the run for good
    Cancel,
    /// Show what waits for you to decide
    #[command(subcommand)]
    Gate(GateCommand),
    /// Approve the work that a gate shows: it is committed
    ///
    /// Bound to what was shown: when the files change first, nothing is approved and the gate shows them anew. On a
    /// terminal you see what it is about and are asked. Exit code 1: your own edits do not pass the checks.
    Approve(ApproveArgs),
    /// Reject the work that a gate shows: the files become what they were before it
    ///
    /// Nothing is lost: the work stays reachable in git, and the reason goes into the next prompt.
    Reject(RejectArgs),
    /// Take finished work back with a commit of its own, and queue its task again
    Revert(RevertArgs),
    /// Follow a run that works in another terminal or in the app, and end with its exit code
    Watch(WatchArgs),
    /// List the runs of this project
    History {
        /// How many
        #[arg(short = 'n', long, default_value_t = 20)]
        limit: u32,
    },
    /// Show a run, or one of its iterations
    Show(IterationArgs),
    /// Print what an agent printed, said, or was asked
    Log(LogArgs),
    /// Show what an iteration changed, a whole run, or what differs between two iterations
    Diff(DiffArgs),
    /// Go back to the files as an iteration left them
    ///
    /// Everything as it is now is kept first, so that it can be taken back. Ignored files stay, and so do the index,
    /// the branch and the stash. Not while a run works.
    Restore(RestoreArgs),
    /// Bring back what was deleted or left unfinished
    ///
    /// When an agent deleted .git or Loopwright's state, the copies in your data folder are put back. What is there is
    /// not touched.
    Recover,
    /// Open the desktop app on a project
    Open {
        /// The project; the current folder when left out
        folder: Option<PathBuf>,
    },
    /// Say that this folder's commands may run
    ///
    /// A folder can name commands (checks, agents, git hooks). They run only after you trusted exactly these;
    /// when they change, for example after a pull, you are asked again.
    Trust(TrustArgs),
    /// Show and change settings
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Look for what is missing or broken, and say how to mend it
    Doctor(DoctorArgs),
    /// Tell agents in AGENTS.md how to use this project's checks
    ///
    /// A block between two marks explains the work list, one item at a time, and how to report. Nothing else in the file
    /// changes, and installing again only brings the block up to date.
    Install(InstallArgs),
    /// For the agent: say that the work is done or blocked
    #[command(subcommand)]
    Signal(SignalCommand),
    /// For the agent: tools to report with, as an MCP server
    ///
    /// It speaks on standard input and output, offers report_complete, report_blocked, record_learning and current_task,
    /// and is bound to the iteration. Loopwright gives it to agents that take a server.
    Mcp,
    /// Try the command that tells you about runs when you are elsewhere
    #[command(subcommand)]
    Notify(NotifyCommand),
    /// Write the manual pages into a folder
    #[command(hide = true)]
    Man {
        /// The folder; made when it is not there
        folder: PathBuf,
    },
    /// Print a completion script for your shell
    Completions {
        /// The shell
        shell: Shell,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum NotifyCommand {
    /// Start notify.command once, and say whether it worked
    Test,
}

#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// The folder; the current one when left out, made when it is not there
    pub(crate) folder: Option<PathBuf>,
    /// The project's name; the folder's name when left out
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Make it a project although it lies in another one
    #[arg(long)]
    pub(crate) nested: bool,
    /// Also make it a git repository if it is none
    #[arg(long)]
    pub(crate) git: bool,
    /// Switch on a proposed check by its name, or "all"; may be given several times
    #[arg(long = "check", value_name = "NAME")]
    pub(crate) checks: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// Where to make it
    #[arg(default_value = "loopwright-sample")]
    pub(crate) folder: PathBuf,
    /// Be content when the sample is there already
    #[arg(long)]
    pub(crate) existing_ok: bool,
    /// Trust it, let its scripted agent do all tasks, and approve what waits for you
    #[arg(short, long)]
    pub(crate) yes: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Show every agent: where it is, its version, whether it is logged in, what to do about it
    #[arg(long, conflicts_with = "try_agent")]
    pub(crate) agents: bool,
    /// Ask this agent one question, to see whether it answers; costs what one short answer costs
    #[arg(long = "try", value_name = "NAME")]
    pub(crate) try_agent: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct InstallArgs {
    /// Put the guide into this file too; may be given several times
    #[arg(long = "file", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Put it into CLAUDE.md too, and make the slash commands
    #[arg(long)]
    pub(crate) claude: bool,
    /// Put it into GEMINI.md too
    #[arg(long)]
    pub(crate) gemini: bool,
    /// Make slash commands for Claude Code: /loopwright-loop, /loopwright-cancel, /loopwright-help
    #[arg(long)]
    pub(crate) commands: bool,
    /// Take all of it away again; a command that somebody changed stays
    #[arg(long)]
    pub(crate) remove: bool,
    /// Only show what would be done
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
pub(crate) struct TrustArgs {
    /// Only show what would be trusted
    #[arg(long)]
    pub(crate) show: bool,
    /// Do not ask
    #[arg(short, long)]
    pub(crate) yes: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Print every setting with its value and where it comes from
    Show,
    /// Print one setting's value
    Get {
        /// The key, for example gate.protected
        key: String,
    },
    /// Set a setting; comments in the file stay
    Set {
        /// The key
        key: String,
        /// The value; for lists one item per line, or ["a", "b"]
        value: String,
        /// Which file to change
        #[command(flatten)]
        scope: ScopeArgs,
    },
    /// Remove a setting from the file
    Unset {
        /// The key
        key: String,
        /// Which file to change
        #[command(flatten)]
        scope: ScopeArgs,
    },
}

#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct ScopeArgs {
    /// Change your own settings instead of the project's
    #[arg(long)]
    pub(crate) user: bool,
}
