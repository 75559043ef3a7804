//! Error codes. The CLI and the UI decide on a [`Fault`]'s code and kind, never on its text.

use std::error::Error;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::next_action::{NextAction, NextStep, advice};

/// What sort of trouble it is; decides the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum ErrorKind {
    /// The command line or the call was wrong.
    Usage,
    /// A configuration file or value is wrong.
    Config,
    /// The folder has to be trusted first.
    Trust,
    /// Something in the surroundings is missing or refuses: a program, a disk, a permission.
    Environment,
    /// Another process holds what is needed.
    Locked,
    /// A defect of Loopwright itself.
    Internal,
}

impl ErrorKind {
    /// The process exit code for this kind.
    #[must_use]
    pub const fn exit_code(self) -> u8 {
        match self {
            Self::Usage | Self::Config | Self::Trust => 2,
            Self::Environment => 1,
            Self::Locked => 6,
            Self::Internal => 70,
        }
    }
}

macro_rules! error_codes {
    ($( $(#[$doc:meta])* $name:ident = $text:literal => $kind:ident, )+) => {
        /// A stable, documented name for each thing that can go wrong.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "specta", derive(specta::Type))]
        pub enum ErrorCode {
            $( $(#[$doc])* #[serde(rename = $text)] $name, )+
        }

        impl ErrorCode {
            /// Every code, for documentation and tests.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// The code as written in JSON and in the documentation.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text),+ }
            }

            /// The code that is written so; none for any other word.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|code| code.as_str() == text)
            }

            /// The kind this code belongs to.
            #[must_use]
            pub const fn kind(self) -> ErrorKind {
                match self { $(Self::$name => ErrorKind::$kind),+ }
            }
        }
    };
}

error_codes! {
    /// An argument or a value handed in is not usable.
    UsageInvalid = "usage.invalid" => Usage,
    /// There is no Loopwright project at or above the folder.
    ProjectNotFound = "project.not_found" => Usage,
    /// The folder already holds a Loopwright project.
    ProjectExists = "project.exists" => Usage,
    /// The path does not name a folder that can be used.
    ProjectBadFolder = "project.bad_folder" => Usage,
    /// The target folder has files in it.
    FolderNotEmpty = "folder.not_empty" => Usage,
    /// The configuration file is not valid TOML.
    ConfigSyntax = "config.syntax" => Config,
    /// The configuration holds a key that does not exist.
    ConfigUnknownKey = "config.unknown_key" => Config,
    /// The configuration holds a value of the wrong type or out of range.
    ConfigBadValue = "config.bad_value" => Config,
    /// The folder would execute commands that nobody has trusted yet.
    TrustRequired = "trust.required" => Trust,
    /// What was shown is no longer what is there.
    TrustChanged = "trust.changed" => Trust,
    /// Only a person may do this; it was asked for inside an agent's process tree.
    AgentForbidden = "agent.forbidden" => Trust,
    /// The state database was made by a newer Loopwright.
    StoreNewerSchema = "store.newer_schema" => Environment,
    /// The state folder or database cannot be written.
    StoreReadOnly = "store.read_only" => Environment,
    /// Another process kept the database locked for too long.
    StoreBusy = "store.busy" => Locked,
    /// The disk holding the state is full.
    StoreFull = "store.full" => Environment,
    /// The state database is damaged and could not be set aside.
    StoreCorrupt = "store.corrupt" => Environment,
    /// The state database was moved or deleted while it was in use.
    StoreGone = "store.gone" => Environment,
    /// A write that would break the rules of the state database; nothing was changed.
    StoreRefused = "store.refused" => Internal,
    /// The state database refused for another reason.
    StoreFailed = "store.failed" => Internal,
    /// Git is not installed.
    GitMissing = "git.missing" => Environment,
    /// The installed git is too old.
    GitTooOld = "git.too_old" => Environment,
    /// The repository belongs to another user, and git refuses to work in it.
    GitForeignOwner = "git.foreign_owner" => Environment,
    /// Git ended with an error.
    GitFailed = "git.failed" => Environment,
    /// A merge, rebase or the like is under way, or conflicts are not resolved.
    GitBusy = "git.operation" => Environment,
    /// The branch, its commit or the files are no longer what they were.
    GitMoved = "git.moved" => Environment,
    /// A git hook failed, did not end in time or refused the commit.
    GitHook = "git.hook" => Environment,
    /// A hook refused the message of a commit: commit-msg or prepare-commit-msg.
    GitMessageHook = "git.message_hook" => Environment,
    /// A commit could not be signed.
    GitSigning = "git.signing" => Environment,
    /// A filter that files go through is missing or failed.
    GitFilter = "git.filter" => Environment,
    /// There is more to save than a checkpoint may hold, or too little free space.
    GitTooLarge = "git.too_large" => Environment,
    /// The repository is a home folder or a whole disk.
    GitBadFolder = "git.bad_folder" => Usage,
    /// Another git process holds a lock.
    GitLocked = "git.locked" => Locked,
    /// The repository's own folder is gone or damaged.
    GitGone = "git.gone" => Environment,
    /// A program did not end within its time.
    ProcessTimeout = "process.timeout" => Environment,
    /// A program could not be started.
    ProcessSpawn = "process.spawn" => Environment,
    /// The program to start does not exist.
    ProcessMissing = "process.missing" => Environment,
    /// The program to start may not be executed.
    ProcessNotExecutable = "process.not_executable" => Environment,
    /// The program to start was made for another system, or its interpreter is missing.
    ProcessBroken = "process.broken" => Environment,
    /// The arguments for a program are longer than the system hands over.
    ProcessArguments = "process.arguments" => Environment,
    /// The program of a check is not on the search path.
    CheckProgram = "check.program_missing" => Config,
    /// No agent is chosen, or its program cannot be found.
    AgentMissing = "agent.missing" => Environment,
    /// An agent is not logged in, or its key is refused.
    AgentLogin = "agent.login" => Environment,
    /// An agent was not allowed to do what it was asked for.
    AgentPermission = "agent.permission" => Environment,
    /// An agent does not work as root without a sandbox.
    AgentRoot = "agent.root" => Environment,
    /// An agent does not trust the folder.
    AgentFolder = "agent.untrusted_folder" => Environment,
    /// An agent does not know an option it was given.
    AgentOption = "agent.option" => Environment,
    /// An agent's version is too old to be driven.
    AgentVersion = "agent.version" => Environment,
    /// An agent's account has reached its limit.
    AgentLimit = "agent.limit" => Environment,
    /// The service of an agent's model is overloaded or down.
    AgentOverload = "agent.overload" => Environment,
    /// An agent's account has no money left.
    AgentBilling = "agent.billing" => Environment,
    /// An agent gave up for another reason.
    AgentFailed = "agent.failed" => Environment,
    /// The sandbox that was asked for is not to be had.
    SandboxUnavailable = "sandbox.unavailable" => Environment,
    /// An agent's command, or how it takes its prompt, is not usable.
    AgentCommand = "agent.command" => Config,
    /// The prompt is too long for, or cannot be, an argument or a variable.
    AgentPromptArgument = "agent.prompt_argument" => Config,
    /// There is no procedure with this name.
    ProcedureNotFound = "procedure.not_found" => Usage,
    /// There is a procedure with this name already.
    ProcedureExists = "procedure.exists" => Usage,
    /// The desktop app is not installed beside the CLI.
    AppMissing = "app.missing" => Environment,
    /// Another process works on this project.
    RunLocked = "run.locked" => Locked,
    /// An earlier run was stopped; whether to resume it has to be said.
    RunInterrupted = "run.interrupted" => Usage,
    /// There is no such run, or none that this could be done with.
    RunNotFound = "run.not_found" => Usage,
    /// The tree has uncommitted work.
    RunDirty = "run.dirty" => Usage,
    /// There is no such task.
    TaskNotFound = "task.not_found" => Usage,
    /// A task is not usable as it is: no title, an unknown complexity, it would wait for itself or for nothing.
    TaskInvalid = "task.invalid" => Usage,
    /// The tasks would wait for each other in a circle.
    TaskCycle = "task.cycle" => Usage,
    /// The task's status does not allow that.
    TaskStatus = "task.status" => Usage,
    /// The task was changed by somebody else since it was read.
    TaskChanged = "task.changed" => Usage,
    /// A person works on a task by hand, or nobody does.
    HandWork = "task.by_hand" => Usage,
    /// A file with tasks or a document cannot be understood; nothing was changed.
    ImportInvalid = "import.invalid" => Usage,
    /// There is no such section.
    SectionNotFound = "section.not_found" => Usage,
    /// The section was changed by somebody else since it was read.
    SectionChanged = "section.changed" => Usage,
    /// There is no such term.
    TermNotFound = "term.not_found" => Usage,
    /// A term cannot be as it was asked for.
    TermInvalid = "term.invalid" => Usage,
    /// There is no such wizard.
    WizardNotFound = "wizard.not_found" => Usage,
    /// A wizard was changed elsewhere since it was looked at; nothing was changed.
    WizardChanged = "wizard.changed" => Usage,
    /// Another process works on the wizard.
    WizardLocked = "wizard.locked" => Locked,
    /// The wizard's agents have used what they may.
    WizardCap = "wizard.cap" => Usage,
    /// An HTTP API cannot be reached.
    ApiUnreachable = "api.unreachable" => Environment,
    /// An HTTP API does not know the model, or its address is wrong.
    ApiModel = "api.model_not_found" => Environment,
    /// An HTTP API answered something that is not what its interface says.
    ApiAnswer = "api.bad_answer" => Environment,
    /// There is no such gate.
    GateNotFound = "gate.not_found" => Usage,
    /// There is no such iteration, or what is asked of it is not kept.
    IterationNotFound = "iteration.not_found" => Usage,
    /// There is no such failure.
    FailureNotFound = "failure.not_found" => Usage,
    /// There is no such failure pattern.
    PatternNotFound = "pattern.not_found" => Usage,
    /// There is no such solution.
    SolutionNotFound = "solution.not_found" => Usage,
    /// There is no such learning.
    LearningNotFound = "learning.not_found" => Usage,
    /// Somebody has decided already.
    GateDecided = "gate.decided" => Usage,
    /// The files are no longer what was shown at the gate; nothing was decided.
    GateChanged = "gate.changed" => Usage,
    /// No tree was saved at that place.
    TreeNotSaved = "tree.not_saved" => Usage,
    /// The files are no longer what was shown before a restore; nothing was changed.
    RestoreChanged = "restore.changed" => Environment,
    /// The repository or the state was deleted or damaged while a run worked.
    WorkspaceDamaged = "workspace.damaged" => Environment,
    /// A person said no in a native confirmation.
    ConfirmationDeclined = "confirmation.declined" => Usage,
    /// A file or folder could not be read or written.
    IoFailed = "io.failed" => Environment,
    /// A defect of Loopwright.
    Internal = "internal" => Internal,
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Where in a file the trouble is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Location {
    /// The file, as the person would name it.
    pub file: String,
    /// Line, counted from 1, when known.
    pub line: Option<u32>,
}

/// Why something went wrong, one level down. Plain data, so that a fault can be kept, compared and sent to the app.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[error("{message}")]
pub struct Cause {
    /// What that error says of itself.
    pub message: String,
    /// What caused it in turn.
    #[source]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Box<Cause>>,
}

impl Cause {
    /// An error and all that caused it.
    #[must_use]
    pub fn of(error: &(dyn Error + 'static)) -> Self {
        Self { message: error.to_string(), source: error.source().map(|source| Box::new(Self::of(source))) }
    }
}

/// What happened, and what to do next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[error("{message}")]
pub struct Fault {
    /// What to decide on.
    pub code: ErrorCode,
    /// The code's kind, repeated here for readers of the JSON.
    pub kind: ErrorKind,
    /// What happened: plain, short, for people.
    pub message: String,
    /// What to do next, in words that hold for the terminal and the app; commands and buttons are in `next`.
    pub hint: Option<String>,
    /// What to do next, as actions that the terminal renders as commands and the app as it likes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<NextStep>,
    /// Where it is, when it is in a file.
    pub location: Option<Location>,
    /// The error behind it, when there is one.
    #[source]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Box<Cause>>,
}

impl Fault {
    /// A fault with a message for people.
    #[must_use]
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            kind: code.kind(),
            message: message.into(),
            hint: None,
            next: Vec::new(),
            location: None,
            cause: None,
        }
    }

    /// A fault for something that could not be done because of another error: the message says both, and the error is
    /// kept as the cause.
    #[must_use]
    pub fn caused(code: ErrorCode, message: impl fmt::Display, error: &(dyn Error + 'static)) -> Self {
        Self::new(code, format!("{message}: {error}")).because(error)
    }

    /// Keeps the error behind it, with all that caused it.
    #[must_use]
    pub fn because(mut self, error: &(dyn Error + 'static)) -> Self {
        self.cause = Some(Box::new(Cause::of(error)));
        self
    }

    /// Adds what to do next in words.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds something to do next.
    #[must_use]
    pub fn next(self, action: NextAction, text: impl Into<String>) -> Self {
        self.step(NextStep::new(action, text))
    }

    /// Adds a step.
    #[must_use]
    pub fn step(mut self, step: NextStep) -> Self {
        self.next.push(step);
        self
    }

    /// Adds where it is.
    #[must_use]
    pub fn at(mut self, file: impl Into<String>, line: Option<u32>) -> Self {
        self.location = Some(Location { file: file.into(), line });
        self
    }

    /// What to do next in words alone, for where neither a command nor a button can be given.
    #[must_use]
    pub fn advice(&self) -> Option<String> {
        advice(self.hint.as_deref(), &self.next, |step| step.text.clone())
    }

    /// What happened and what to do next, in a sentence or two of words alone.
    #[must_use]
    pub fn told(&self) -> String {
        match self.advice() {
            Some(advice) => format!("{}. {advice}", self.message.trim_end_matches('.')),
            None => self.message.clone(),
        }
    }

    /// What the errors behind it say that has not been said yet, outermost first.
    #[must_use]
    pub fn causes(&self) -> Vec<&str> {
        let mut said = vec![self.message.as_str(), self.hint.as_deref().unwrap_or_default()];
        let mut cause = self.cause.as_deref();
        while let Some(found) = cause {
            if !said.iter().any(|text| text.contains(&found.message)) {
                said.push(&found.message);
            }
            cause = found.source.as_deref();
        }
        said.split_off(2)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn codes_are_unique_lowercase_and_serialize_as_documented() {
        let mut seen = HashSet::new();
        for code in ErrorCode::ALL {
            assert!(seen.insert(code.as_str()), "{code} is used twice");
            assert!(
                code.as_str().chars().all(|c| c.is_ascii_lowercase() || matches!(c, '.' | '_')),
                "{code}"
            );
            assert_eq!(serde_json::to_string(code).unwrap(), format!("\"{code}\""));
        }
    }

    #[test]
    fn exit_codes_follow_the_kind() {
        let cases = [
            (ErrorCode::UsageInvalid, 2),
            (ErrorCode::ConfigUnknownKey, 2),
            (ErrorCode::TrustRequired, 2),
            (ErrorCode::GitMissing, 1),
            (ErrorCode::StoreBusy, 6),
            (ErrorCode::Internal, 70),
        ];
        for (code, exit) in cases {
            assert_eq!(code.kind().exit_code(), exit, "{code}");
        }
    }

    #[test]
    fn a_fault_survives_json() {
        let fault = Fault::new(ErrorCode::ConfigUnknownKey, "unknown key \"harnes\"")
            .hint("did you mean \"harness\"?")
            .at(".loopwright/config.toml", Some(3));
        let json = serde_json::to_string(&fault).unwrap();
        assert_eq!(serde_json::from_str::<Fault>(&json).unwrap(), fault);
        assert!(json.contains(r#""kind":"config""#));
    }
    #[test]
    fn a_fault_keeps_what_caused_it_and_tells_only_what_is_new() {
        let refused = std::io::Error::other("permission denied");
        let fault = Fault::caused(ErrorCode::IoFailed, "cannot read a.toml", &refused);
        assert_eq!(fault.message, "cannot read a.toml: permission denied");
        assert_eq!(fault.causes(), Vec::<&str>::new());
        let outer = Fault::new(ErrorCode::Internal, "the run cannot start").because(&fault);
        assert_eq!(outer.causes(), ["cannot read a.toml: permission denied"]);
        assert!(
            outer
                .source()
                .and_then(Error::source)
                .is_some_and(|inner| inner.to_string() == "permission denied")
        );
        let json = serde_json::to_string(&outer).unwrap();
        assert_eq!(serde_json::from_str::<Fault>(&json).unwrap(), outer);
    }

    #[test]
    fn what_to_do_is_told_in_words_where_there_is_no_terminal() {
        let fault = Fault::new(ErrorCode::RunLocked, "this project is in use.")
            .next(NextAction::WatchRun, "Watch it")
            .next(NextAction::CancelRun, "End it");
        assert_eq!(fault.told(), "this project is in use. Watch it, or end it.");
    }
}
