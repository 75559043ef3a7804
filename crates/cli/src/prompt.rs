//! Asking at the terminal. Where there is none, nothing is asked and the cautious answer is taken.

use std::io::{IsTerminal, Write, stdin, stdout};

use crate::{display, output};

/// Whether a person can be asked.
pub(crate) fn interactive() -> bool {
    stdin().is_terminal() && stdout().is_terminal()
}

/// Asks for a line of text. None when there is nobody left to answer.
pub(crate) fn line(question: &str) -> Option<String> {
    display::hidden(|| {
        write!(output::stdout(), "{question}").and_then(|()| output::stdout().flush()).ok()?;
        let mut answer = String::new();
        let read = stdin().read_line(&mut answer).ok()?;
        (read > 0).then_some(answer)
    })
}

/// Asks a question that only "y" or "yes" agrees to.
pub(crate) fn agree(question: &str) -> bool {
    let answer = line(&format!("{question} [y/N] ")).unwrap_or_default();
    matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")
}

/// Asks for a line; none when the input has ended.
pub(crate) fn ask(question: &str) -> Option<String> {
    write!(output::stdout(), "{question}").and_then(|()| output::stdout().flush()).ok()?;
    let mut answer = String::new();
    let read = stdin().read_line(&mut answer).ok()?;
    (read > 0).then(|| answer.trim().to_owned())
}

/// Reads lines up to an empty one or the end.
pub(crate) fn lines() -> String {
    let mut text = String::new();
    while let Some(line) = ask("> ").filter(|line| !line.is_empty()) {
        text.push_str(&line);
        text.push('\n');
    }
    text.trim_end().to_owned()
}
