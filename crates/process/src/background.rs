//! Starting a program that lives on by itself, with its output in a file.

use std::io::Write;
use std::path::Path;
use std::process::{Child, Stdio};

use crate::children::let_go;
use crate::command::{Command, Exit};
use crate::error::ProcessError;
use crate::{spawn, system};

/// A program in the background. It goes on when this is dropped, and when this process ends.
#[derive(Debug)]
pub struct Background {
    child: Child,
}

impl Background {
    /// Its process id.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// How it ended, if it has.
    #[must_use]
    pub fn ended(&mut self) -> Option<Exit> {
        self.child.try_wait().ok().flatten().map(system::exit_of)
    }
}

/// Starts a program in a session of its own, where no terminal that is closed and no Ctrl-C reaches it. What it prints
/// goes to `log`, which only this user may read. It gets the command's input; time and output limits do not apply.
///
/// # Errors
/// When the log cannot be written or the program cannot be started.
pub fn spawn_in_background(command: &Command, log: &Path) -> Result<Background, ProcessError> {
    let mut prepared = spawn::prepare(command)?;
    system::lead_own_session(&mut prepared);
    let_go(&mut prepared);
    let refused = |error| spawn::refused(command, error);
    let output = system::private_file(log).map_err(refused)?;
    let errors = output.try_clone().map_err(refused)?;
    let input = if command.stdin.is_empty() { Stdio::null() } else { Stdio::piped() };
    let mut child = prepared.stdin(input).stdout(output).stderr(errors).spawn().map_err(refused)?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program that ends without reading its input is no error.
        let _unread = stdin.write_all(&command.stdin);
    }
    Ok(Background { child })
}
