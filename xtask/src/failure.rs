//! What went wrong, in words for the person at the terminal.

use std::fmt;

/// A failed command of the project: one message that says what happened and what to do next.
#[derive(Debug)]
pub(crate) struct Failure(String);

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The result of every fallible function here.
pub(crate) type Outcome<T = ()> = Result<T, Failure>;

/// Turns a lower-level error into a [`Failure`] that says what was being done.
pub(crate) trait Context<T> {
    fn context(self, doing: impl fmt::Display) -> Outcome<T>;
}

impl<T, E: fmt::Display> Context<T> for Result<T, E> {
    fn context(self, doing: impl fmt::Display) -> Outcome<T> {
        self.map_err(|error| Failure(format!("{doing}: {error}")))
    }
}
