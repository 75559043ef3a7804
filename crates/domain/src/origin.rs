//! Who caused something: the shell that a person used.

use serde::{Deserialize, Serialize};

/// Who caused something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// A person at the command line.
    Cli,
    /// A person in the desktop app.
    App,
}
