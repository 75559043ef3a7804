//! What can go wrong when git is asked.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use loopwright_domain::{Cause, ErrorCode, Fault, NextAction};
use loopwright_process::{Captured, Exit, ProcessError};

use crate::display_text::shown;
use crate::oid::Oid;
use crate::operation::Operation;
use crate::version::Version;

const MIB: u64 = 1024 * 1024;

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
    #[error("git {found} is too old; {needed} or newer is needed")]
    TooOld {
        /// The version that is installed.
        found: Version,
        /// The oldest that will do.
        needed: Version,
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
        /// What it had printed by then.
        output: Box<Captured>,
    },
    /// Something larger is under way, and its unfinished work must not be mixed with a run's.
    #[error("a {operation} is under way in this repository")]
    Busy {
        /// What is under way.
        operation: Operation,
    },
    /// The index holds conflicts that nobody has resolved.
    #[error("the index holds conflicts that are not resolved")]
    Conflicts,
    /// HEAD is not where it was.
    #[error("the repository moved: {found} instead of {expected}")]
    HeadMoved {
        /// Where it was.
        expected: String,
        /// Where it is.
        found: String,
    },
    /// A file was changed after it was recorded.
    #[error("{} was changed after it was recorded", .path.display())]
    FileMoved {
        /// The file, counted from the work tree.
        path: PathBuf,
    },
    /// A hook refused the commit.
    #[error("a git hook refused the commit: {}", last_line(.output))]
    Hook {
        /// What it printed.
        output: String,
    },
    /// A hook made another tree of what was to be committed, or changed tracked files.
    #[error("the git hook {hook} changed what was to be committed")]
    HookEdited {
        /// The hook's name.
        hook: String,
        /// What was staged or committed after it.
        tree: Oid,
        /// What it printed.
        output: String,
    },
    /// A hook refused the message of the commit.
    #[error("the git hook {hook} refused the commit message: {}", last_line(.output))]
    MessageHook {
        /// The hook's name.
        hook: String,
        /// What it printed.
        output: String,
    },
    /// A filter that files go through on their way into git, or out of it, is missing or failed.
    #[error("a git filter failed: {detail}")]
    Filter {
        /// What git said.
        detail: String,
    },
    /// A hook did not end.
    #[error("the commit did not end within {} s and was stopped: a hook or a question about a key holds it up", .limit.as_secs())]
    HookTimedOut {
        /// How long it was given.
        limit: Duration,
        /// What was printed by then.
        output: String,
    },
    /// The commit could not be signed.
    #[error("the commit could not be signed: {}", signing_line(.output))]
    Signing {
        /// What was printed.
        output: String,
    },
    /// There is more to save than a checkpoint may hold.
    #[error("there are {} MiB of new and changed files to save; the limit is {} MiB", .bytes / MIB, .limit / MIB)]
    TooLarge {
        /// How much there is.
        bytes: u64,
        /// How much may be saved.
        limit: u64,
    },
    /// There are more changed files than can be listed.
    #[error("there are too many new and changed files to list")]
    TooManyFiles,
    /// The disk is nearly full.
    #[error("only {} MiB are free on the disk of the repository; {} MiB are needed", .free / MIB, .needed.div_ceil(MIB))]
    NoSpace {
        /// How much is free.
        free: u64,
        /// How much has to be free.
        needed: u64,
    },
    /// Nothing more could be written.
    #[error("the disk of the repository is full")]
    DiskFull,
    /// The work tree is a home folder or a whole disk.
    #[error("{} is a home folder or a whole disk, too much for checkpoints", .dir.display())]
    BadFolder {
        /// The folder.
        dir: PathBuf,
    },
    /// Another git process, or one that ended badly, holds a lock.
    #[error("{} is locked by another git process", .path.display())]
    Locked {
        /// What is locked.
        path: PathBuf,
    },
    /// Git's own folder is gone.
    #[error("git's folder {} is gone or damaged", .dir.display())]
    Gone {
        /// The folder.
        dir: PathBuf,
    },
    /// A name cannot be used for a branch or a reference.
    #[error("{name:?} cannot be the name of a branch or a reference")]
    BadName {
        /// The name.
        name: String,
    },
    /// A reference is there already and holds something else.
    #[error("{name} is there already")]
    Exists {
        /// The reference.
        name: String,
    },
    /// A recorded object is not there any more.
    #[error("{name} is not in the repository")]
    Missing {
        /// The object or reference.
        name: String,
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
    #[error("{} cannot be used: {source}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: Cause,
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
        if let Some(path) = locked_path(&said) {
            return Self::Locked { path };
        }
        if ["No space left on device", "Out of diskspace"].iter().any(|words| said.contains(words)) {
            return Self::DiskFull;
        }
        if let Some(line) = said.lines().rfind(|line| line.contains(" filter '") && line.contains("' failed"))
        {
            return Self::Filter { detail: shown(line.as_bytes()) };
        }
        let told = said.lines().rfind(|line| line.starts_with("fatal:") || line.starts_with("error:"));
        let line =
            told.or_else(|| said.lines().rfind(|line| !line.trim().is_empty())).unwrap_or("no explanation");
        Self::Failed { command, exit, detail: shown(line.as_bytes()) }
    }

    pub(crate) fn file(path: impl Into<PathBuf>, error: &io::Error) -> Self {
        if matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) {
            return Self::DiskFull;
        }
        Self::File { path: path.into(), source: Cause::of(error) }
    }

    const fn code(&self) -> ErrorCode {
        match self {
            Self::GitMissing | Self::GitInsideProject { .. } => ErrorCode::GitMissing,
            Self::TooOld { .. } => ErrorCode::GitTooOld,
            Self::ForeignOwner { .. } => ErrorCode::GitForeignOwner,
            Self::TimedOut { .. } => ErrorCode::ProcessTimeout,
            Self::Busy { .. } | Self::Conflicts => ErrorCode::GitBusy,
            Self::HeadMoved { .. } | Self::FileMoved { .. } => ErrorCode::GitMoved,
            Self::Hook { .. } | Self::HookEdited { .. } | Self::HookTimedOut { .. } => ErrorCode::GitHook,
            Self::MessageHook { .. } => ErrorCode::GitMessageHook,
            Self::Filter { .. } => ErrorCode::GitFilter,
            Self::Signing { .. } => ErrorCode::GitSigning,
            Self::TooLarge { .. } | Self::TooManyFiles => ErrorCode::GitTooLarge,
            Self::NoSpace { .. } | Self::DiskFull => ErrorCode::StoreFull,
            Self::BadFolder { .. } => ErrorCode::GitBadFolder,
            Self::Locked { .. } => ErrorCode::GitLocked,
            Self::Gone { .. } => ErrorCode::GitGone,
            Self::BadName { .. } => ErrorCode::UsageInvalid,
            Self::File { .. } => ErrorCode::IoFailed,
            _ => ErrorCode::GitFailed,
        }
    }

    fn hint(&self) -> String {
        match self {
            Self::GitMissing => "Install git from https://git-scm.com, or add its folder to PATH.".to_owned(),
            Self::GitInsideProject { .. } => "Put the folder of your own git before it on PATH.".to_owned(),
            Self::TooOld { needed, .. } => format!("Update git to {needed} or newer."),
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
            Self::Failed { detail, .. } if speaks_of_damage(detail) => {
                "Run \"git fsck\" to see what of the repository is damaged.".to_owned()
            }
            Self::Failed { .. } | Self::Unexpected { .. } => {
                "Look at what git says, mend that, then try again. \"git status\" shows where the repository stands."
                    .to_owned()
            }
            Self::Busy { operation } => {
                format!("Finish the {operation} or give it up, then try again.")
            }
            Self::Conflicts => "Resolve them and \"git add\" the files, then try again.".to_owned(),
            Self::HeadMoved { .. } => "Somebody committed or switched branches meanwhile. Look at \"git log\", then resume.".to_owned(),
            Self::FileMoved { .. } => "Look at the change, then try again.".to_owned(),
            Self::Hook { .. } => "Correct what the hook complains about, or switch hooks off in the settings.".to_owned(),
            Self::HookEdited { .. } => {
                "Let the hook leave alone what it has changed once, or switch hooks off in the settings.".to_owned()
            }
            Self::MessageHook { .. } => {
                "Change the hook, or the task's title, which is the first line of its commit."
                    .to_owned()
            }
            Self::Filter { .. } => {
                "Install the filter's program, or take filter.<name> out of git's configuration.".to_owned()
            }
            Self::HookTimedOut { .. } => {
                "Run \"git commit\" by hand to see what it waits for; unlock your key first if it is signed.".to_owned()
            }
            Self::Signing { .. } => {
                "Unlock your key, or switch off commit.gpgSign for this repository.".to_owned()
            }
            Self::TooLarge { .. } | Self::TooManyFiles => "Add generated files and data to .gitignore.".to_owned(),
            Self::NoSpace { .. } | Self::DiskFull => "Make room on the disk, then resume.".to_owned(),
            Self::BadFolder { .. } => "Make a repository of the project's own folder.".to_owned(),
            Self::Locked { .. } => {
                "Wait until the other git ends. If none is running, remove the .lock file by hand.".to_owned()
            }
            Self::Gone { .. } | Self::Missing { .. } => "There may be a backup of it.".to_owned(),
            Self::BadName { .. } => "Choose a name of letters, digits, \"-\" and \"/\".".to_owned(),
            Self::Exists { .. } => "Choose another name.".to_owned(),
            Self::Process(_) | Self::File { .. } => "Check that you may read and write there.".to_owned(),
        }
    }
}

/// The last line that says something, fit to be shown.
fn last_line(output: &str) -> String {
    let line = output.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it said nothing");
    shown(line.as_bytes())
}

/// The first line that says why a commit could not be signed; git's own last words only say that it was not made.
fn signing_line(output: &str) -> String {
    let says_why =
        |line: &&str| line.starts_with("error: ") || line.starts_with("gpg: ") || line.starts_with("ssh");
    output.lines().find(says_why).map_or_else(|| last_line(output), |line| shown(line.as_bytes()))
}

/// What is locked, when that is why git refused.
fn locked_path(said: &str) -> Option<PathBuf> {
    let line = said.lines().find(|line| line.contains(".lock': File exists"))?;
    let end = line.find(".lock': File exists")?;
    let start = line.get(..end)?.rfind('\'')? + 1;
    Some(PathBuf::from(line.get(start..end)?))
}

impl From<VcsError> for Fault {
    fn from(error: VcsError) -> Self {
        match error {
            VcsError::Process(error) => error.into(),
            error => {
                let fault = Self::new(error.code(), error.to_string()).hint(error.hint());
                let fault = match std::error::Error::source(&error) {
                    Some(source) => fault.because(source),
                    None => fault,
                };
                match error {
                    VcsError::Gone { .. } | VcsError::Missing { .. } => {
                        fault.next(NextAction::Recover, "Bring it back from the backup")
                    }
                    VcsError::MessageHook { .. } => fault.next(NextAction::EditTask, "Change the title"),
                    _ => fault,
                }
            }
        }
    }
}

/// Whether git says that something of its own cannot be read: objects or packs that are gone or garbled.
fn speaks_of_damage(detail: &str) -> bool {
    let detail = detail.to_lowercase();
    let signs = [
        "corrupt",
        "bad object",
        "missing blob",
        "missing tree",
        "missing commit",
        "unable to read tree",
        "unable to read sha1",
        "unable to unpack",
        "could not read",
        "garbage at end of loose object",
        "inflate:",
        "not a valid object",
        "invalid object",
        "packfile",
        "bad signature",
        "index file",
    ];
    signs.iter().any(|sign| detail.contains(sign))
}

#[cfg(test)]
#[path = "error_tests.rs"]
mod tests;
