//! What can go wrong with the state database, and how it is told to people.

use std::io;
use std::path::{Path, PathBuf};

use loopwright_domain::{
    DependencyProblem, DraftProblem, ErrorCode, EventSeq, Fault, NextAction, SectionId, TaskId, TaskStatus,
    TermProblem,
};
use sqlx::error::DatabaseError;
use sqlx::migrate::MigrateError;

/// A [`StoreProblem`] and the database it is about.
#[derive(Debug, thiserror::Error)]
#[error("{problem}")]
pub struct StoreError {
    /// The database file.
    pub database: PathBuf,
    /// What went wrong.
    #[source]
    pub problem: StoreProblem,
}

/// What went wrong with the state database.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreProblem {
    /// A newer Loopwright made it. It was left as it is.
    #[error(
        "the project's state was written by a newer Loopwright (version {found}, this one knows {known})"
    )]
    NewerSchema {
        /// The version of the database.
        found: i64,
        /// The newest version this build knows.
        known: i64,
    },
    /// The folder or the file refuses writes.
    #[error("the project's state cannot be written: the folder or the file is read-only")]
    ReadOnly,
    /// Another process held it for longer than the busy timeout.
    #[error("another process kept the project's state busy for too long")]
    Busy,
    /// There is no room left.
    #[error("the disk is full: the project's state was not changed")]
    Full,
    /// It is damaged.
    #[error("the project's state is damaged: {0}")]
    Damaged(String),
    /// It is damaged or foreign, and another program keeps it from being moved.
    #[error("the project's state is damaged and could not be set aside: {0}")]
    Stuck(String),
    /// The file was moved or deleted while it was open here.
    #[error("the project's state was moved or deleted while it was in use")]
    Gone,
    /// There is something else of that name.
    #[error("the project's state should be a file, but it is something else")]
    NotAFile,
    /// SQLite takes only paths that are text.
    #[error("the path of the project's state is not valid Unicode")]
    PathNotUnicode,
    /// An event that this build cannot read, so another one wrote it.
    #[error("event {seq} was written by another version of Loopwright: {reason}")]
    UnreadableEvent {
        /// The event's place in history.
        seq: EventSeq,
        /// What was not understood.
        reason: String,
    },
    /// Something that this build cannot read, so another one wrote it.
    #[error("the project's state was written by another version of Loopwright: {column}: {reason}")]
    UnreadableRow {
        /// The table and the column.
        column: String,
        /// What was not understood.
        reason: String,
    },
    /// A write against the rules of the state. A defect of whoever writes; nothing was changed.
    #[error("the project's state did not take a change: {0}")]
    Refused(String),
    /// A backup was to be put where there is a sound database.
    #[error("the project has a sound state, so no backup was put in its place")]
    AlreadyThere,
    /// A file that should be a backup is none, or is damaged.
    #[error("this is no sound backup of a project's state: {0}")]
    BadBackup(String),
    /// A new task that cannot be stored.
    #[error("new task {place} cannot be added: {reason}")]
    InvalidTask {
        /// Which of the new tasks, counted from 1.
        place: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A task waits for one that does not exist.
    #[error("new task {place} waits for task {missing}, which does not exist")]
    UnknownTask {
        /// Which of the new tasks, counted from 1.
        place: usize,
        /// The task that does not exist.
        missing: TaskId,
    },
    /// There is no such task.
    #[error("there is no task {0}")]
    NoTask(TaskId),
    /// There is no such section.
    #[error("there is no section {0}")]
    NoSection(SectionId),
    /// A task cannot be accepted as it is, because nothing it carries out changed since it was finished.
    #[error("task {0} is not stale: it is not finished, or its sections are as they were")]
    NotStale(TaskId),
    /// There is no such term.
    #[error("there is no term \"{0}\"")]
    NoTerm(String),
    /// A term cannot be so.
    #[error("the term cannot be so: {0}")]
    InvalidTerm(#[from] TermProblem),
    /// A task cannot be removed, because it was worked on.
    #[error("task {0} was worked on, so its history needs it")]
    TaskWorkedOn(TaskId),
    /// A task cannot be removed, because another one waits for it.
    #[error("task {task} cannot be removed: task {by} waits for it")]
    TaskNeeded {
        /// The task.
        task: TaskId,
        /// One that waits for it.
        by: TaskId,
    },
    /// A task was changed since somebody looked at it.
    #[error("task {0} was changed by somebody else since you looked at it")]
    TaskChanged(TaskId),
    /// A task cannot be what somebody wants to make of it.
    #[error("task {task} cannot be changed so: {problem}")]
    InvalidDraft {
        /// The task.
        task: TaskId,
        /// What is wrong.
        problem: DraftProblem,
    },
    /// A task cannot wait for what somebody wants it to wait for.
    #[error(transparent)]
    Dependency(DependencyProblem),
    /// A task stands where it cannot be moved from.
    #[error("task {task} {}", standing(*.status))]
    TaskAt {
        /// The task.
        task: TaskId,
        /// Where it stands.
        status: TaskStatus,
    },
    /// SQLite could not open it, and nothing says why.
    #[error("the project's state could not be opened: {0}")]
    Unopenable(String),
    /// The disk, or a file beside the database, could not be read or written.
    #[error("the project's state could not be reached: {0}")]
    Io(#[source] io::Error),
    /// SQLite refused for another reason.
    #[error("the project's state database refused: {0}")]
    Failed(String),
}

impl StoreProblem {
    pub(crate) fn about(self, database: &Path) -> StoreError {
        StoreError { database: database.to_owned(), problem: self }
    }

    /// The code that the CLI and the UI decide on.
    #[must_use]
    pub const fn code(&self) -> ErrorCode {
        match self {
            Self::NewerSchema { .. } | Self::UnreadableEvent { .. } | Self::UnreadableRow { .. } => {
                ErrorCode::StoreNewerSchema
            }
            Self::Refused(_) => ErrorCode::StoreRefused,
            Self::ReadOnly => ErrorCode::StoreReadOnly,
            Self::Busy => ErrorCode::StoreBusy,
            Self::Full => ErrorCode::StoreFull,
            Self::Damaged(_) | Self::Stuck(_) | Self::NotAFile | Self::BadBackup(_) => {
                ErrorCode::StoreCorrupt
            }
            Self::Gone => ErrorCode::StoreGone,
            Self::PathNotUnicode => ErrorCode::ProjectBadFolder,
            Self::AlreadyThere => ErrorCode::UsageInvalid,
            Self::Dependency(DependencyProblem::Cycle(_)) => ErrorCode::TaskCycle,
            Self::InvalidTask { .. }
            | Self::UnknownTask { .. }
            | Self::InvalidDraft { .. }
            | Self::Dependency(_) => ErrorCode::TaskInvalid,
            Self::NoTask(_) => ErrorCode::TaskNotFound,
            Self::NoSection(_) => ErrorCode::SectionNotFound,
            Self::NoTerm(_) => ErrorCode::TermNotFound,
            Self::InvalidTerm(_) => ErrorCode::TermInvalid,
            Self::TaskChanged(_) => ErrorCode::TaskChanged,
            Self::TaskAt { .. } | Self::NotStale(_) | Self::TaskWorkedOn(_) | Self::TaskNeeded { .. } => {
                ErrorCode::TaskStatus
            }
            Self::Unopenable(_) | Self::Io(_) => ErrorCode::IoFailed,
            Self::Failed(_) => ErrorCode::StoreFailed,
        }
    }

    /// Whether the trouble is with the database, and not with what a person asked for.
    const fn is_about_the_file(&self) -> bool {
        !matches!(
            self.code(),
            ErrorCode::TaskInvalid
                | ErrorCode::TaskCycle
                | ErrorCode::TaskNotFound
                | ErrorCode::TaskChanged
                | ErrorCode::TaskStatus
                | ErrorCode::SectionNotFound
                | ErrorCode::TermNotFound
                | ErrorCode::TermInvalid
        )
    }

    const fn hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::NewerSchema { .. } | Self::UnreadableEvent { .. } | Self::UnreadableRow { .. } => {
                "Update Loopwright and try again. Nothing was changed."
            }
            Self::ReadOnly => "Make the folder and the file writable for you, then try again.",
            Self::Busy => "Try again when the other command has finished.",
            Self::Full => "Free some space on this disk, then try again.",
            Self::Damaged(_) => {
                "Try again: the damaged file is then set aside, never deleted, and a new one is begun."
            }
            Self::Stuck(_) => {
                "Make sure that the folder is writable and that no other program uses the file, then try again."
            }
            Self::Gone => "Open the project again.",
            Self::AlreadyThere => "Move it away if the backup should take its place, then try again.",
            Self::BadBackup(_) => "Use another backup, or start without one.",
            Self::NotAFile => "Move it away, then try again.",
            Self::PathNotUnicode => "Rename the folder so that its path is plain text.",
            Self::Unopenable(_) | Self::Io(_) => "Check that the folder exists and that you may use it.",
            Self::NoTerm(_) => "The list of terms shows them all.",
            Self::TaskChanged(_) => "Look at it again, then change it.",
            Self::TaskAt { status: TaskStatus::InProgress, .. } => "Wait until the run is done with it.",
            Self::TaskAt { status: TaskStatus::AwaitingApproval, .. } => "Decide at its gate.",
            Self::TaskAt { .. }
            | Self::NoTask(_)
            | Self::NoSection(_)
            | Self::InvalidTask { .. }
            | Self::UnknownTask { .. }
            | Self::InvalidDraft { .. }
            | Self::Dependency(_)
            | Self::Refused(_)
            | Self::InvalidTerm(_)
            | Self::NotStale(_)
            | Self::TaskWorkedOn(_)
            | Self::TaskNeeded { .. }
            | Self::Failed(_) => return None,
        })
    }

    const fn steps(&self) -> &'static [(NextAction, &'static str)] {
        match self {
            Self::NoTask(_) => &[(NextAction::ListTasks, "See them all")],
            Self::NoSection(_) => &[(NextAction::ListSections, "See them all")],
            Self::Dependency(DependencyProblem::Cycle(_)) => {
                &[(NextAction::RemoveDependency, "Remove one of these dependencies first")]
            }
            Self::TaskWorkedOn(_) => &[(NextAction::CancelTask, "Cancel it instead")],
            Self::TaskNeeded { .. } => &[(NextAction::RemoveDependency, "Remove that dependency first")],
            Self::TaskAt { status: TaskStatus::InProgress, .. } => {
                &[(NextAction::CancelRun, "Or end the run")]
            }
            Self::TaskAt { status: TaskStatus::AwaitingApproval, .. } => {
                &[(NextAction::Approve, "Approve it"), (NextAction::Reject, "Reject it")]
            }
            Self::TaskAt { .. } => &[(NextAction::ReopenTask, "Take it up again first")],
            _ => &[],
        }
    }
}

/// Why a task that stands there is not moved by a person.
const fn standing(status: TaskStatus) -> &'static str {
    match status {
        TaskStatus::InProgress => "is being worked on",
        TaskStatus::AwaitingApproval => "waits for approval",
        TaskStatus::Done => "is done",
        TaskStatus::Cancelled => "is cancelled",
        TaskStatus::Pending => "is pending",
        TaskStatus::Blocked => "is blocked",
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        let code = error.problem.code();
        let message = error.problem.to_string();
        let fault = match error.problem.is_about_the_file() {
            true => Self::new(code, capitalised(&message)).at(error.database.display().to_string(), None),
            false => Self::new(code, message),
        };
        let fault =
            error.problem.steps().iter().fold(fault, |fault, (action, text)| fault.next(*action, *text));
        let fault = match std::error::Error::source(&error.problem) {
            Some(source) => fault.because(source),
            None => fault,
        };
        match error.problem.hint() {
            Some(hint) => fault.hint(hint),
            None => fault,
        }
    }
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).chain(['.']).collect())
}

impl From<io::Error> for StoreProblem {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly,
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full,
            _ => Self::Io(error),
        }
    }
}

impl From<MigrateError> for StoreProblem {
    fn from(error: MigrateError) -> Self {
        match error {
            MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => error.into(),
            other => Self::Failed(other.to_string()),
        }
    }
}

impl From<sqlx::Error> for StoreProblem {
    fn from(error: sqlx::Error) -> Self {
        match error {
            sqlx::Error::Database(error) => from_result_code(result_code(&*error), error.message()),
            sqlx::Error::Io(error) => error.into(),
            // Columns have their types by the schema, so what does not decode was not written by anybody.
            sqlx::Error::ColumnDecode { index, source } => Self::Damaged(format!("{index}: {source}")),
            other => Self::Failed(other.to_string()),
        }
    }
}

impl StoreProblem {
    /// The problem behind an error of a statement that is right for every sound database. SQLite's plain "error"
    /// is then about the file as well: a schema that makes no sense, a format it does not know.
    pub(crate) fn of_the_file(error: sqlx::Error) -> Self {
        match error {
            sqlx::Error::Database(error) if result_code(&*error) & 0xff == result::ERROR => {
                Self::Damaged(error.message().to_owned())
            }
            other => other.into(),
        }
    }
}

fn result_code(error: &dyn DatabaseError) -> i32 {
    error.code().and_then(|code| code.parse().ok()).unwrap_or(result::ERROR)
}

/// SQLite's result codes, as its documentation numbers them. The low byte is the primary code.
mod result {
    pub(super) const ERROR: i32 = 1;
    pub(super) const PERM: i32 = 3;
    pub(super) const BUSY: i32 = 5;
    pub(super) const LOCKED: i32 = 6;
    pub(super) const READONLY: i32 = 8;
    pub(super) const IOERR: i32 = 10;
    pub(super) const CORRUPT: i32 = 11;
    pub(super) const FULL: i32 = 13;
    pub(super) const CANTOPEN: i32 = 14;
    pub(super) const PROTOCOL: i32 = 15;
    pub(super) const CONSTRAINT: i32 = 19;
    pub(super) const NOTADB: i32 = 26;
    pub(super) const READONLY_DBMOVED: i32 = READONLY | (4 << 8);
    pub(super) const CONSTRAINT_FOREIGN_KEY: i32 = CONSTRAINT | (3 << 8);
    pub(super) const CONSTRAINT_UNIQUE: i32 = CONSTRAINT | (8 << 8);
}

fn from_result_code(code: i32, message: &str) -> StoreProblem {
    match code {
        result::READONLY_DBMOVED => return StoreProblem::Gone,
        result::CONSTRAINT_FOREIGN_KEY => {
            return StoreProblem::Refused("it names something that is not there".into());
        }
        result::CONSTRAINT_UNIQUE => {
            return StoreProblem::Refused(format!("it is there already ({message})"));
        }
        _ => {}
    }
    match code & 0xff {
        result::CONSTRAINT => StoreProblem::Refused(message.to_owned()),
        result::PERM | result::READONLY => StoreProblem::ReadOnly,
        result::BUSY | result::LOCKED | result::PROTOCOL => StoreProblem::Busy,
        result::FULL => StoreProblem::Full,
        result::IOERR => StoreProblem::Io(io::Error::other(format!("{message} (SQLite {code})"))),
        result::CANTOPEN => StoreProblem::Unopenable(message.to_owned()),
        result::CORRUPT | result::NOTADB => StoreProblem::Damaged(message.to_owned()),
        _ => StoreProblem::Failed(format!("{message} (SQLite {code})")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sqlite_results_become_codes() {
        let cases = [
            (5, ErrorCode::StoreBusy),
            (5 | (2 << 8), ErrorCode::StoreBusy),
            (8, ErrorCode::StoreReadOnly),
            (8 | (6 << 8), ErrorCode::StoreReadOnly),
            (8 | (4 << 8), ErrorCode::StoreGone),
            (11, ErrorCode::StoreCorrupt),
            (26, ErrorCode::StoreCorrupt),
            (13, ErrorCode::StoreFull),
            (10 | (4 << 8), ErrorCode::IoFailed),
            (14, ErrorCode::IoFailed),
            (19 | (7 << 8), ErrorCode::StoreRefused),
            (1, ErrorCode::StoreFailed),
        ];
        for (code, expected) in cases {
            assert_eq!(from_result_code(code, "as SQLite says it").code(), expected, "{code}");
        }
    }

    #[test]
    fn file_errors_become_codes() {
        let cases = [
            (io::ErrorKind::PermissionDenied, ErrorCode::StoreReadOnly),
            (io::ErrorKind::ReadOnlyFilesystem, ErrorCode::StoreReadOnly),
            (io::ErrorKind::StorageFull, ErrorCode::StoreFull),
            (io::ErrorKind::NotADirectory, ErrorCode::IoFailed),
        ];
        for (kind, expected) in cases {
            assert_eq!(StoreProblem::from(io::Error::from(kind)).code(), expected, "{kind}");
        }
    }

    #[test]
    fn a_fault_says_what_to_do_and_where() {
        let fault = Fault::from(StoreProblem::Busy.about(Path::new("state.db")));
        assert_eq!(fault.code, ErrorCode::StoreBusy);
        assert_eq!(fault.message, "Another process kept the project's state busy for too long.");
        assert_eq!(fault.hint.as_deref(), Some("Try again when the other command has finished."));
        assert_eq!(fault.location.unwrap().file, "state.db");
    }
}
