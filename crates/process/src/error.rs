//! What can go wrong when a program is started or waited for.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use loopwright_domain::{ErrorCode, Fault};

use crate::command::Captured;

/// Why a program did not run to its end.
#[derive(Debug, thiserror::Error)]
pub enum ProcessError {
    /// The program was not named by an absolute path.
    #[error("{} is not an absolute path", .program.display())]
    ProgramNotAbsolute {
        /// The program.
        program: PathBuf,
    },
    /// There is no such file.
    #[error("{} does not exist", .program.display())]
    ProgramMissing {
        /// The program.
        program: PathBuf,
    },
    /// The path names a folder.
    #[error("{} is a folder, not a program", .program.display())]
    ProgramIsFolder {
        /// The program.
        program: PathBuf,
    },
    /// The file may not be executed.
    #[error("{} may not be executed", .program.display())]
    ProgramNotExecutable {
        /// The program.
        program: PathBuf,
    },
    /// The file may be executed, but the system cannot: a missing interpreter or another machine's format.
    #[error("{} cannot be executed by this system", .program.display())]
    ProgramBroken {
        /// The program.
        program: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The arguments and the environment are longer than the system hands over.
    #[error("the arguments for {} are too long for this system", name(.program))]
    ArgumentsTooLong {
        /// The program.
        program: PathBuf,
    },
    /// The folder to run in does not exist.
    #[error("the folder {} does not exist", .dir.display())]
    FolderMissing {
        /// The folder.
        dir: PathBuf,
    },
    /// The system refused for another reason.
    #[error("{} could not be started", .program.display())]
    Spawn {
        /// The program.
        program: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The program ran, and the connection to it failed.
    #[error("the connection to {} failed", .program.display())]
    Pipe {
        /// The program.
        program: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The program did not end in time; its whole group was killed.
    #[error("{} did not end within {} and was stopped", name(.program), seconds(*.limit))]
    TimedOut {
        /// The program.
        program: PathBuf,
        /// How long it was given.
        limit: Duration,
        /// What it had printed by then.
        output: Box<Captured>,
    },
}

fn name(program: &Path) -> String {
    program.file_name().unwrap_or(program.as_os_str()).to_string_lossy().into_owned()
}

fn seconds(limit: Duration) -> String {
    if limit.subsec_millis() == 0 { format!("{} s", limit.as_secs()) } else { format!("{limit:?}") }
}

impl From<ProcessError> for Fault {
    fn from(error: ProcessError) -> Self {
        let code = match error {
            ProcessError::TimedOut { .. } => ErrorCode::ProcessTimeout,
            ProcessError::Pipe { .. } => ErrorCode::IoFailed,
            ProcessError::ProgramMissing { .. } => ErrorCode::ProcessMissing,
            ProcessError::ProgramNotExecutable { .. } | ProcessError::ProgramIsFolder { .. } => {
                ErrorCode::ProcessNotExecutable
            }
            ProcessError::ProgramBroken { .. } => ErrorCode::ProcessBroken,
            ProcessError::ArgumentsTooLong { .. } => ErrorCode::ProcessArguments,
            ProcessError::ProgramNotAbsolute { .. }
            | ProcessError::FolderMissing { .. }
            | ProcessError::Spawn { .. } => ErrorCode::ProcessSpawn,
        };
        let hint = match &error {
            ProcessError::ProgramNotAbsolute { .. } => "Give the full path of the program.".to_owned(),
            ProcessError::ProgramMissing { .. } => {
                "Install the program, or correct its path in the settings.".to_owned()
            }
            ProcessError::ProgramIsFolder { .. } => "Name the program inside the folder.".to_owned(),
            ProcessError::ProgramNotExecutable { .. } => "Make the file executable.".to_owned(),
            ProcessError::ProgramBroken { source, .. } => {
                format!(
                    "Check its first line (#!) and that it was built for this machine. The system said: {source}."
                )
            }
            ProcessError::ArgumentsTooLong { .. } => {
                "Hand the prompt over by standard input or in a file instead of as an argument.".to_owned()
            }
            ProcessError::FolderMissing { .. } => "Check whether the folder was moved or deleted.".to_owned(),
            ProcessError::Spawn { source, .. } | ProcessError::Pipe { source, .. } => {
                format!("The system said: {source}.")
            }
            ProcessError::TimedOut { .. } => "Try again, or give it more time.".to_owned(),
        };
        let fault = Self::new(code, error.to_string()).hint(hint);
        match std::error::Error::source(&error) {
            Some(source) => fault.because(source),
            None => fault,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_error_has_its_code_and_says_what_to_do() {
        let program = || PathBuf::from("/opt/agent");
        let refused = || io::Error::from(io::ErrorKind::OutOfMemory);
        let cases = [
            (ProcessError::ProgramNotAbsolute { program: program() }, ErrorCode::ProcessSpawn),
            (ProcessError::ProgramMissing { program: program() }, ErrorCode::ProcessMissing),
            (ProcessError::ProgramIsFolder { program: program() }, ErrorCode::ProcessNotExecutable),
            (ProcessError::ProgramNotExecutable { program: program() }, ErrorCode::ProcessNotExecutable),
            (ProcessError::ProgramBroken { program: program(), source: refused() }, ErrorCode::ProcessBroken),
            (ProcessError::ArgumentsTooLong { program: program() }, ErrorCode::ProcessArguments),
            (ProcessError::FolderMissing { dir: program() }, ErrorCode::ProcessSpawn),
            (ProcessError::Spawn { program: program(), source: refused() }, ErrorCode::ProcessSpawn),
            (ProcessError::Pipe { program: program(), source: refused() }, ErrorCode::IoFailed),
            (
                ProcessError::TimedOut {
                    program: program(),
                    limit: Duration::from_secs(30),
                    output: Box::default(),
                },
                ErrorCode::ProcessTimeout,
            ),
        ];
        for (error, code) in cases {
            let fault = Fault::from(error);
            assert_eq!(fault.code, code, "{fault:?}");
            assert!(fault.hint.is_some(), "{fault:?}");
        }
    }

    #[test]
    fn a_timeout_reads_well() {
        let error =
            |limit| ProcessError::TimedOut { program: "/usr/bin/git".into(), limit, output: Box::default() };
        let whole = Fault::from(error(Duration::from_secs(30)));
        assert_eq!(whole.message, "git did not end within 30 s and was stopped");
        assert_eq!(
            error(Duration::from_millis(1500)).to_string(),
            "git did not end within 1.5s and was stopped"
        );
    }
}
