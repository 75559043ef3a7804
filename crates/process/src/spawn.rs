//! Making a command ready to start, and telling apart why it cannot.

use std::io;
use std::path::Path;
use std::process::Stdio;

use crate::command::Command;
use crate::error::ProcessError;
use crate::system;

/// Makes a command ready for the system.
#[expect(clippy::disallowed_methods, reason = "the one place of Loopwright that starts programs")]
pub(crate) fn prepare(command: &Command) -> Result<std::process::Command, ProcessError> {
    check_program(&command.program)?;
    if !command.dir.is_dir() {
        return Err(ProcessError::FolderMissing { dir: command.dir.clone() });
    }
    let mut prepared = std::process::Command::new(&command.program);
    prepared.args(&command.args).current_dir(&command.dir).env_clear().envs(&command.env);
    Ok(prepared)
}

/// Tells apart what the system reports with one and the same error.
fn check_program(program: &Path) -> Result<(), ProcessError> {
    let owned = || program.to_owned();
    if !program.is_absolute() {
        return Err(ProcessError::ProgramNotAbsolute { program: owned() });
    }
    match program.metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(ProcessError::ProgramMissing { program: owned() })
        }
        Err(source) => Err(ProcessError::Spawn { program: owned(), source }),
        Ok(metadata) if metadata.is_dir() => Err(ProcessError::ProgramIsFolder { program: owned() }),
        Ok(_) if !system::is_executable(program) => {
            Err(ProcessError::ProgramNotExecutable { program: owned() })
        }
        Ok(_) => Ok(()),
    }
}

pub(crate) fn refused(command: &Command, source: io::Error) -> ProcessError {
    let program = command.program.clone();
    if source.kind() == io::ErrorKind::ArgumentListTooLong {
        ProcessError::ArgumentsTooLong { program }
    } else if system::is_broken_program(&source) {
        ProcessError::ProgramBroken { program, source }
    } else {
        ProcessError::Spawn { program, source }
    }
}

/// Connects a prepared command to us: the input if there is one, and both outputs.
pub(crate) fn connect(prepared: &mut std::process::Command, command: &Command) {
    let stdin = if command.stdin.is_empty() { Stdio::null() } else { Stdio::piped() };
    prepared.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
}
