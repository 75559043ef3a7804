//! Programs that take over the terminal for a while, such as an editor.

use crate::command::{Command, Exit};
use crate::error::ProcessError;
use crate::{spawn, system};

/// Runs a program that talks with the person at the terminal, and waits until it has ended. It has our input and
/// output; time and output limits of the command do not apply.
///
/// # Errors
/// When the program cannot be started.
pub fn run_in_terminal(command: &Command) -> Result<Exit, ProcessError> {
    let mut prepared = spawn::prepare(command)?;
    let status = prepared.status().map_err(|source| spawn::refused(command, source))?;
    Ok(system::exit_of(status))
}
