//! What can be wrong with a scenario.

use loopwright_domain::{ErrorCode, Fault};

/// A scenario that cannot be played. Nothing has been done when it is reported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScenarioError {
    /// The file is missing or cannot be read.
    #[error("{file}: the scenario cannot be read: {reason}")]
    Unreadable {
        /// The file as the person named it.
        file: String,
        /// The system's reason.
        reason: String,
    },
    /// The text is not TOML.
    #[error("{file}:{line}: not valid TOML: {reason}")]
    Syntax {
        /// The file as the person named it.
        file: String,
        /// Line, counted from 1.
        line: u32,
        /// What the TOML parser expected.
        reason: String,
    },
    /// A key or step name that does not exist.
    #[error("{file}:{line}: {place} has no {what} \"{found}\"")]
    Unknown {
        /// The file as the person named it.
        file: String,
        /// Line, counted from 1.
        line: u32,
        /// Where it stands: "a scene", "the step \"write\"".
        place: String,
        /// "key" or "step".
        what: &'static str,
        /// The name in the file.
        found: String,
        /// What to write instead.
        hint: String,
    },
    /// A value of the wrong type, out of range, or missing.
    #[error("{file}:{line}: {message}")]
    Invalid {
        /// The file as the person named it.
        file: String,
        /// Line, counted from 1.
        line: u32,
        /// What is wrong.
        message: String,
        /// What to write instead, when that is clear.
        hint: Option<String>,
    },
}

impl ScenarioError {
    /// What to do next, when there is something to do.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        match self {
            Self::Unknown { hint, .. } => Some(hint),
            Self::Invalid { hint, .. } => hint.as_deref(),
            Self::Unreadable { .. } | Self::Syntax { .. } => None,
        }
    }
}

impl From<ScenarioError> for Fault {
    fn from(error: ScenarioError) -> Self {
        let (code, file, line) = match &error {
            ScenarioError::Unreadable { file, .. } => (ErrorCode::IoFailed, file, None),
            ScenarioError::Syntax { file, line, .. } => (ErrorCode::ConfigSyntax, file, Some(*line)),
            ScenarioError::Unknown { file, line, .. } => (ErrorCode::ConfigUnknownKey, file, Some(*line)),
            ScenarioError::Invalid { file, line, .. } => (ErrorCode::ConfigBadValue, file, Some(*line)),
        };
        let fault = Self::new(code, error.to_string()).at(file.clone(), line);
        match error.hint() {
            Some(hint) => fault.hint(hint),
            None => fault,
        }
    }
}
