//! What a check is: its name, what it does, and what its output and exit code mean.

mod custom;
mod draft;
mod parser;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use loopwright_domain::{ErrorCode, Fault};

pub use self::custom::{Custom, CustomCheck, Pending};
pub use self::draft::CheckDraft;
pub use self::parser::{FieldPaths, JsonIssues, JsonPath, Parser, Pattern};

/// How long a check may take unless it says otherwise.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10 * 60);

/// A named thing the host does that passes or fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// Its name, on one line; unique in the project.
    pub name: String,
    /// Its place in the order of checks, counted from 0.
    pub position: u32,
    /// Whether its failure fails the attempt.
    pub required: bool,
    /// Whether it is run at all.
    pub enabled: bool,
    /// Whether what it edits is part of the work; otherwise it fails when it edits.
    pub edits: bool,
    /// Where it stands among the others: lower numbers first.
    pub order: i64,
    /// How long it may take; longer than nothing.
    pub timeout: Duration,
    /// What it does.
    pub work: CheckWork,
}

/// What a check does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckWork {
    /// Runs a command.
    Command(Box<CheckCommand>),
    /// Looks for something Loopwright knows by itself; executes nothing of the folder.
    Builtin(Builtin),
    /// Runs code of the program that embeds the engine.
    Custom(Custom),
}

/// A command and how its result is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckCommand {
    /// The command as written.
    pub text: String,
    /// The command split into program and arguments. Never empty, never given to a shell.
    pub argv: Vec<String>,
    /// Where it runs, from the project folder.
    pub dir: String,
    /// Variables it gets besides the usual ones.
    pub env: BTreeMap<String, String>,
    /// The exit codes that mean it passed.
    pub success: Vec<i32>,
    /// The exit codes that mean it passed with a warning.
    pub warn: Vec<i32>,
    /// How issues are found in its output.
    pub parser: Parser,
}

/// The checks Loopwright has built in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    /// Nothing differs from the last commit.
    CleanTree,
    /// No placeholder was added.
    Placeholders,
    /// No changed file holds the markers of a merge.
    MergeMarkers,
    /// Finished tasks and imported documents are what the spec says now.
    SpecDrift,
}

impl Builtin {
    /// All of them.
    pub const ALL: &[Self] = &[Self::CleanTree, Self::Placeholders, Self::MergeMarkers, Self::SpecDrift];

    /// The word in the configuration.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::CleanTree => "clean-tree",
            Self::Placeholders => "placeholders",
            Self::MergeMarkers => "merge-markers",
            Self::SpecDrift => "spec-drift",
        }
    }

    /// The one with this word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|builtin| builtin.as_str() == word)
    }

    /// What it looks for, for people.
    #[must_use]
    pub const fn purpose(self) -> &'static str {
        match self {
            Self::CleanTree => "nothing differs from the last commit",
            Self::Placeholders => "no placeholder was added",
            Self::MergeMarkers => "no changed file holds merge markers",
            Self::SpecDrift => "finished tasks and documents are what the spec says now",
        }
    }
}

impl Check {
    /// A required check of one's own, for the end of a project's checks.
    #[must_use]
    pub fn custom(name: impl Into<String>, position: u32, check: Arc<dyn CustomCheck>) -> Self {
        Self {
            name: name.into(),
            position,
            required: true,
            enabled: true,
            edits: true,
            order: 0,
            timeout: DEFAULT_TIMEOUT,
            work: CheckWork::Custom(Custom(check)),
        }
    }

    /// Required checks that run the commands of a line, one after another where it has `&&`, for the end of a project's
    /// checks. No shell reads it.
    ///
    /// # Errors
    /// The line cannot be split into words, or a command is missing.
    pub fn verifying(line: &str, position: u32) -> Result<Vec<Self>, Fault> {
        let bad = || {
            Fault::new(ErrorCode::UsageInvalid, format!("\"{line}\" is not a program with its arguments"))
                .hint("Close every quote, and name a program first. It is not given to a shell.")
        };
        let words = shell_words::split(line).map_err(|_| bad())?;
        let mut checks = Vec::new();
        for (argv, number) in words.split(|word| word == "&&").zip(1..) {
            if argv.is_empty() {
                return Err(bad());
            }
            let name = if number == 1 { "verify".to_owned() } else { format!("verify {number}") };
            let command = CheckCommand {
                text: shell_words::join(argv),
                argv: argv.to_vec(),
                dir: ".".to_owned(),
                env: BTreeMap::new(),
                success: vec![0],
                warn: Vec::new(),
                parser: Parser::Text,
            };
            checks.push(Self {
                name,
                position: position.saturating_add(number - 1),
                required: true,
                enabled: true,
                edits: true,
                order: i64::MAX,
                timeout: DEFAULT_TIMEOUT,
                work: CheckWork::Command(Box::new(command)),
            });
        }
        Ok(checks)
    }

    /// What it does in one line: the command, or the built-in check's name.
    #[must_use]
    pub fn shown(&self) -> String {
        match &self.work {
            CheckWork::Command(command) => command.text.clone(),
            CheckWork::Builtin(builtin) => format!("built in: {}", builtin.as_str()),
            CheckWork::Custom(_) => "a check of this program".to_owned(),
        }
    }

    /// The command as written, when it runs one.
    #[must_use]
    pub fn command_text(&self) -> Option<&str> {
        match &self.work {
            CheckWork::Command(command) => Some(&command.text),
            CheckWork::Builtin(_) | CheckWork::Custom(_) => None,
        }
    }

    /// The command, when it runs one and is switched on: what trust has to cover.
    #[must_use]
    pub fn executes(&self) -> Option<&CheckCommand> {
        match &self.work {
            CheckWork::Command(command) if self.enabled => Some(command),
            _ => None,
        }
    }
}
