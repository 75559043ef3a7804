//! Making a command ready to start, and telling apart why it cannot.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::command::Command;
use crate::error::ProcessError;
use crate::system;

/// As much of a script's first line as systems read.
const FIRST_LINE_LIMIT: u64 = 256;

/// Makes a command ready for the system.
#[expect(clippy::disallowed_methods, reason = "the one place of Loopwright that starts programs")]
pub(crate) fn prepare(command: &Command) -> Result<std::process::Command, ProcessError> {
    check_place(command)?;
    let mut prepared = std::process::Command::new(&command.program);
    prepared.args(&command.args).current_dir(&command.dir).env_clear().envs(&command.env);
    Ok(prepared)
}

/// Tells what the system would refuse at the start of a command that something else starts for us.
pub(crate) fn check(command: &Command) -> Result<(), ProcessError> {
    check_place(command)?;
    match interpreter(&command.program) {
        Some(interpreter) if !interpreter.exists() => Err(ProcessError::ProgramBroken {
            program: command.program.clone(),
            source: io::ErrorKind::NotFound.into(),
        }),
        _ => Ok(()),
    }
}

fn check_place(command: &Command) -> Result<(), ProcessError> {
    check_program(&command.program)?;
    if command.dir.is_dir() { Ok(()) } else { Err(ProcessError::FolderMissing { dir: command.dir.clone() }) }
}

/// The program that a script names in its first line.
fn interpreter(script: &Path) -> Option<PathBuf> {
    let mut beginning = Vec::new();
    File::open(script).ok()?.take(FIRST_LINE_LIMIT).read_to_end(&mut beginning).ok()?;
    let line = beginning.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let line = std::str::from_utf8(line).ok()?;
    line.split_ascii_whitespace().next().map(PathBuf::from)
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
