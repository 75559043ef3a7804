//! `loopwright task` and `loopwright wave`.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use loopwright_domain::{SectionId, TaskFilter, TaskId, TaskKind, TaskSize, TaskStatus};

#[derive(Debug, Subcommand)]
pub(crate) enum TaskCommand {
    /// Add a task
    Add(Box<AddTaskArgs>),
    /// List the tasks in the order a run takes them, wave by wave
    List(TaskListArgs),
    /// Show a task in full: its texts, what it waits for, its attempts and its history
    Show {
        /// The task's number
        #[arg(value_parser = task_id)]
        id: TaskId,
    },
    /// Change a task; without a flag in your editor ($VISUAL or $EDITOR)
    ///
    /// What is left out stays as it is. Several tasks can be given one priority, tag, kind or size at once.
    Edit(Box<EditTaskArgs>),
    /// Show the task that a run would take next
    ///
    /// Exit code 4: something is left, and nothing of it can start.
    Next(TaskFilterArgs),
    /// Say that tasks are done
    Done(TaskIds),
    /// Say that tasks cannot go on, and why
    Block {
        #[command(flatten)]
        tasks: TaskIds,
        /// Why: what has to happen before it can go on
        #[arg(short, long)]
        reason: String,
    },
    /// Let blocked tasks go on; what failed before no longer counts against them
    Unblock(TaskIds),
    /// Say that tasks will not be done, and hear what waits for them
    Cancel(TaskIds),
    /// Remove tasks that nobody has worked on; what was worked on can only be cancelled
    Remove(TaskIds),
    /// Do tasks again, or after all
    Reopen(TaskIds),
    /// Leave finished tasks as they are though sections of theirs changed since
    Accept(TaskIds),
    /// Let a task wait for others
    Depend(DependencyArgs),
    /// Let a task no longer wait for others
    Undepend(DependencyArgs),
    /// Find tasks by what is written about them, best match first
    Search {
        /// Any words
        #[arg(required = true, value_name = "WORD")]
        words: Vec<String>,
        /// How many
        #[arg(short = 'n', long, default_value_t = 20)]
        limit: u32,
    },
    /// Read tasks from a file of SCUD, claude-task-master, a Markdown check list, or our own
    ///
    /// New tasks are added, those that came from the file before are brought up to date: what you changed here stays
    /// where the file did not change. A file that cannot be understood changes nothing.
    Import(super::ImportArgs),
    /// Write tasks as such a file; what was read from one is written back without loss
    Export(super::ExportArgs),
    /// List the tasks that fail again and again
    ///
    /// Failures are counted over all runs. What you forgave by "unblock" or "reopen" does not count.
    Chronic {
        /// From how many failures on; run.max_total_failures when left out
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        failures: Option<u32>,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum WaveCommand {
    /// Show how far each wave is, what comes next and what stands in the way
    List {
        /// Only tasks with this tag
        #[arg(long, visible_alias = "scud-tag")]
        tag: Option<String>,
    },
}

/// Tasks by their numbers.
#[derive(Debug, Args)]
pub(crate) struct TaskIds {
    /// The tasks' numbers
    #[arg(required = true, value_name = "ID", value_parser = task_id)]
    pub(crate) ids: Vec<TaskId>,
}

#[derive(Debug, Args)]
pub(crate) struct DependencyArgs {
    /// The task that waits
    #[arg(value_parser = task_id)]
    pub(crate) id: TaskId,
    /// What it waits for
    #[arg(required = true, value_name = "ON", value_parser = task_id)]
    pub(crate) on: Vec<TaskId>,
}

/// Which tasks are meant.
#[derive(Debug, Args)]
pub(crate) struct TaskFilterArgs {
    /// Only tasks with this tag
    #[arg(long, visible_alias = "scud-tag")]
    pub(crate) tag: Option<String>,
    /// Only tasks of this wave, counted from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) wave: Option<u32>,
}

impl TaskFilterArgs {
    pub(crate) fn filter(&self) -> TaskFilter {
        TaskFilter { tag: self.tag.clone(), task: None, wave: self.wave }
    }
}

#[derive(Debug, Args)]
pub(crate) struct TaskListArgs {
    #[command(flatten)]
    pub(crate) filter: TaskFilterArgs,
    /// Only tasks that stand there; may be given several times
    #[arg(long, value_parser = words(TaskStatus::ALL, TaskStatus::as_str))]
    pub(crate) status: Vec<TaskStatus>,
    /// Only tasks of this kind
    #[arg(long, value_parser = words(TaskKind::ALL, TaskKind::as_str))]
    pub(crate) kind: Option<TaskKind>,
}

#[derive(Debug, Args)]
pub(crate) struct AddTaskArgs {
    /// What is to be done, in one line
    pub(crate) title: String,
    #[command(flatten)]
    pub(crate) fields: TaskFields,
}

#[derive(Debug, Args)]
pub(crate) struct EditTaskArgs {
    #[command(flatten)]
    pub(crate) tasks: TaskIds,
    /// What is to be done, in one line
    #[arg(long)]
    pub(crate) title: Option<String>,
    #[command(flatten)]
    pub(crate) fields: TaskFields,
}

/// What can be said about a task. When a task is edited, "" takes away what was there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub(crate) struct TaskFields {
    /// What is to be done, in full; "-" reads it from standard input
    #[arg(short, long, value_name = "TEXT")]
    pub(crate) description: Option<String>,
    /// What must hold when it is done, in a sentence; may be given several times
    #[arg(short, long = "accept", value_name = "TEXT")]
    pub(crate) acceptance: Option<Vec<String>>,
    /// How it is tested
    #[arg(long = "test", value_name = "TEXT")]
    pub(crate) test_strategy: Option<String>,
    /// Smaller is sooner; 5 when nobody says
    #[arg(short, long, value_name = "N")]
    pub(crate) priority: Option<u32>,
    /// How much work it is: S, M, L or XL
    #[arg(long, value_parser = optional_word(TaskSize::parse, TaskSize::ALL, TaskSize::as_str))]
    pub(crate) size: Option<Optional<TaskSize>>,
    /// How hard it is: 0, 1, 2, 3, 5, 8, 13, 21, 34, 55 or 89
    #[arg(long, value_name = "N")]
    pub(crate) complexity: Option<u32>,
    /// What kind of work it is: feature, fix, test, refactor, config, docs or verification
    #[arg(long, value_parser = optional_word(TaskKind::parse, TaskKind::ALL, TaskKind::as_str))]
    pub(crate) kind: Option<Optional<TaskKind>>,
    /// The group it belongs to, such as a phase or a release
    #[arg(long)]
    pub(crate) tag: Option<String>,
    /// The tasks it waits for, such as "3,4"; may be given several times
    #[arg(long = "after", value_name = "IDS", value_parser = numbers)]
    pub(crate) after: Option<Vec<Numbers>>,
    /// The sections of the spec it carries out, such as "1,2"; may be given several times
    #[arg(long = "section", value_name = "IDS", value_parser = numbers)]
    pub(crate) sections: Option<Vec<Numbers>>,
    /// What to remember about it
    #[arg(long, value_name = "TEXT")]
    pub(crate) notes: Option<String>,
}

/// A word, or none for "".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Optional<T>(pub(crate) Option<T>);

/// Numbers with commas between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Numbers(Vec<u32>);

impl Numbers {
    pub(crate) fn tasks(all: &[Self]) -> Vec<TaskId> {
        all.iter().flat_map(|numbers| &numbers.0).copied().map(TaskId).collect()
    }

    pub(crate) fn sections(all: &[Self]) -> Vec<SectionId> {
        all.iter().flat_map(|numbers| &numbers.0).copied().map(SectionId).collect()
    }
}

/// A task's number, as it is written anywhere: `7` or `#7`.
pub(crate) fn task_id(text: &str) -> Result<TaskId, String> {
    number(text).map(TaskId)
}

fn number(text: &str) -> Result<u32, String> {
    let digits = text.trim().trim_start_matches(['#', '§']);
    digits.parse().map_err(|_| format!("\"{text}\" is no number of a task or a section"))
}

fn numbers(text: &str) -> Result<Numbers, String> {
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts.map(number).collect::<Result<_, _>>().map(Numbers)
}

/// One of some words.
fn words<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    word: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let find = move |text: String| all.iter().copied().find(|one| word(*one) == text).ok_or("it is unknown");
    PossibleValuesParser::new(all.iter().map(|one| word(*one))).try_map(find)
}

/// One of some words, or "" for none of them.
fn optional_word<T: Copy + Send + Sync + 'static>(
    parse: fn(&str) -> Option<T>,
    all: &'static [T],
    word: fn(T) -> &'static str,
) -> impl Fn(&str) -> Result<Optional<T>, String> + Clone + Send + Sync + 'static {
    move |text| match text {
        "" => Ok(Optional(None)),
        text => parse(text).map(Some).map(Optional).ok_or_else(|| {
            let words: Vec<&str> = all.iter().map(|one| word(*one)).collect();
            format!("it is one of {}", words.join(", "))
        }),
    }
}
