//! Asking at the terminal. Where there is none, nothing is asked and the cautious answer is taken.

use std::io::{IsTerminal, Write, stdin, stdout};

use crate::output;

/// Whether a person can be asked.
pub(crate) fn interactive() -> bool {
    stdin().is_terminal() && stdout().is_terminal()
}

/// Asks a question that only "y" or "yes" agrees to.
pub(crate) fn agree(question: &str) -> bool {
    if write!(output::stdout(), "{question} [y/N] ").and_then(|()| output::stdout().flush()).is_err() {
        return false;
    }
    let mut answer = String::new();
    let read = stdin().read_line(&mut answer);
    read.is_ok() && matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")
}
