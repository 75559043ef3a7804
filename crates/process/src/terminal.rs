//! Programs that take over the terminal for a while, such as an editor or a pager.

use std::io::Write;
use std::process::Stdio;

use crate::command::{Command, Exit};
use crate::error::ProcessError;
use crate::{spawn, system};

/// Runs a program that talks with the person at the terminal, and waits until it has ended. It has our output, and our
/// input too unless the command brings its own; time and output limits of the command do not apply.
///
/// # Errors
/// When the program cannot be started.
pub fn run_in_terminal(command: &Command) -> Result<Exit, ProcessError> {
    let mut prepared = spawn::prepare(command)?;
    let refused = |source| spawn::refused(command, source);
    if command.stdin.is_empty() {
        return Ok(system::exit_of(prepared.status().map_err(refused)?));
    }
    let mut child = prepared.stdin(Stdio::piped()).spawn().map_err(refused)?;
    if let Some(mut input) = child.stdin.take() {
        // A pager that is left before its text has been read closes its end.
        let _read_in_part = input.write_all(&command.stdin);
    }
    Ok(system::exit_of(child.wait().map_err(refused)?))
}
