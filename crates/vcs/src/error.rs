//! What can go wrong when git is asked.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use loopwright_domain::{ErrorCode, Fault};
use loopwright_process::{Exit, ProcessError};

use crate::text::shown;
use crate::version::{MINIMUM_VERSION, Version};

/// Why git could not be asked, or would not answer.
#[derive(Debug, thiserror::Error)]
pub enum VcsError {
    /// There is no git on the search path.
    #[error("git is not installed, or not on the search path")]
    GitMissing,
    /// The git that was found lies in the folder it is to look at.
    #[error("the git on the search path, {}, lies inside this project", .program.display())]
    GitInsideProject {
        /// The program.
        program: PathBuf,
    },
    /// Git is older than what can be made safe.
    #[error("git {found} is too old; {MINIMUM_VERSION} or newer is needed")]
    TooOld {
        /// The version that is installed.
        found: Version,
    },
    /// Git did not say its version.
    #[error("the program called git does not say its version")]
    UnknownVersion,
    /// The repository belongs to another user, and git refuses to work in it.
    #[error("git refuses to work here: the repository belongs to another user")]
    ForeignOwner {
        /// What git said.
        detail: String,
    },
    /// The repository's configuration names more programs than can be switched off.
    #[error("the repository's git configuration names {count} filters and helpers, too many to switch off")]
    TooManyDrivers {
        /// How many.
        count: usize,
    },
    /// The repository's configuration is larger than can be looked through.
    #[error("the repository's git configuration is too large")]
    ConfigTooLarge,
    /// A name in the configuration is not text on this system.
    #[error("the repository's git configuration holds a name that is not valid text")]
    UnreadableKey,
    /// The folder is a repository already.
    #[error("{} is a git repository already", .dir.display())]
    AlreadyRepository {
        /// The folder.
        dir: PathBuf,
    },
    /// Git did not end in time.
    #[error("{command} did not end within {} s and was stopped", .limit.as_secs())]
    TimedOut {
        /// The command.
        command: String,
        /// How long it was given.
        limit: Duration,
    },
    /// Git ended with an error.
    #[error("{command} failed ({exit}): {detail}")]
    Failed {
        /// The command.
        command: String,
        /// How it ended.
        exit: Exit,
        /// The last thing it said.
        detail: String,
    },
    /// Git printed something that is not its format.
    #[error("{command} printed something unexpected")]
    Unexpected {
        /// The command.
        command: &'static str,
    },
    /// Git could not be started.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// A file of the repository could not be read or written.
    #[error("{} cannot be used: {reason}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
}

impl VcsError {
    /// Understands why git ended with an error.
    pub(crate) fn from_refusal(command: String, exit: Exit, stderr: &[u8]) -> Self {
        let said = String::from_utf8_lossy(stderr);
        if said.contains("dubious ownership") || said.contains("is owned by someone else") {
            let line = said.lines().next().unwrap_or_default();
            return Self::ForeignOwner { detail: shown(line.as_bytes()) };
        }
        let told = said.lines().rfind(|line| line.starts_with("fatal:") || line.starts_with("error:"));
        let line =
            told.or_else(|| said.lines().rfind(|line| !line.trim().is_empty())).unwrap_or("no explanation");
        Self::Failed { command, exit, detail: shown(line.as_bytes()) }
    }

    pub(crate) fn file(path: impl Into<PathBuf>, error: &io::Error) -> Self {
        Self::File { path: path.into(), reason: error.to_string() }
    }

    const fn code(&self) -> ErrorCode {
        match self {
            Self::GitMissing | Self::GitInsideProject { .. } => ErrorCode::GitMissing,
            Self::TooOld { .. } => ErrorCode::GitTooOld,
            Self::ForeignOwner { .. } => ErrorCode::GitForeignOwner,
            Self::TimedOut { .. } => ErrorCode::ProcessTimeout,
            Self::File { .. } => ErrorCode::IoFailed,
            _ => ErrorCode::GitFailed,
        }
    }

    fn hint(&self) -> String {
        match self {
            Self::GitMissing => "Install git from https://git-scm.com, or add its folder to PATH.".to_owned(),
            Self::GitInsideProject { .. } => "Put the folder of your own git before it on PATH.".to_owned(),
            Self::TooOld { .. } => format!("Update git to {MINIMUM_VERSION} or newer."),
            Self::UnknownVersion => "Run \"git --version\" to see what answers by that name.".to_owned(),
            Self::ForeignOwner { detail } => format!(
                "If you trust its owner, run \"git config --global --add safe.directory <folder>\". Git said: {detail}"
            ),
            Self::TooManyDrivers { .. } | Self::ConfigTooLarge | Self::UnreadableKey => {
                "Look through the file config in its .git folder: an honest one is short.".to_owned()
            }
            Self::AlreadyRepository { .. } => "Choose another folder.".to_owned(),
            Self::TimedOut { .. } => {
                "Try again. If it stays slow, run \"git status\" in a folder you trust and see what holds it up.".to_owned()
            }
            Self::Failed { .. } | Self::Unexpected { .. } => {
                "Run \"git fsck\" to see whether the repository is damaged.".to_owned()
            }
            Self::Process(_) | Self::File { .. } => "Check that you may read and write there.".to_owned(),
        }
    }
}

impl From<VcsError> for Fault {
    fn from(error: VcsError) -> Self {
        match error {
            VcsError::Process(error) => error.into(),
            error => Self::new(error.code(), error.to_string()).hint(error.hint()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(stderr: &str) -> VcsError {
        VcsError::from_refusal("git status".to_owned(), Exit::Code(128), stderr.as_bytes())
    }

    #[test]
    fn a_foreign_owner_is_told_apart_in_old_and_new_words() {
        for words in [
            "fatal: detected dubious ownership in repository at '/x'\nTo add an exception…\n",
            "fatal: unsafe repository ('/x' is owned by someone else)\n",
        ] {
            let fault = Fault::from(refusal(words));
            assert_eq!(fault.code, ErrorCode::GitForeignOwner);
            assert!(fault.hint.unwrap().contains("safe.directory"));
        }
    }

    #[test]
    fn the_reason_is_the_last_fatal_line_and_cannot_move_the_cursor() {
        let error = refusal("warning: x\nfatal: bad\u{1b}[2J object HEAD\nhint: y\n");
        assert_eq!(error.to_string(), r"git status failed (exit code 128): fatal: bad\u{1b}[2J object HEAD");
        assert_eq!(refusal("").to_string(), "git status failed (exit code 128): no explanation");
        assert_eq!(Fault::from(error).code, ErrorCode::GitFailed);
    }

    #[test]
    fn each_error_says_what_to_do() {
        let found = Version { major: 2, minor: 1, patch: 0 };
        let errors = [
            VcsError::GitMissing,
            VcsError::GitInsideProject { program: "/p/git".into() },
            VcsError::TooOld { found },
            VcsError::UnknownVersion,
            VcsError::TooManyDrivers { count: 9 },
            VcsError::ConfigTooLarge,
            VcsError::UnreadableKey,
            VcsError::AlreadyRepository { dir: "/p".into() },
            VcsError::TimedOut { command: "git status".into(), limit: Duration::from_secs(30) },
            VcsError::Unexpected { command: "git status" },
            VcsError::Process(ProcessError::ProgramMissing { program: "/p".into() }),
            VcsError::File { path: "/p".into(), reason: "x".into() },
        ];
        for error in errors {
            let fault = Fault::from(error);
            assert!(!fault.message.is_empty() && fault.hint.is_some_and(|hint| hint.ends_with('.')));
        }
    }
}
