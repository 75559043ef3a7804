//! Patterns of failures that a person adds.

use serde::{Deserialize, Serialize};

use crate::failure::FailureCategory;
use crate::word::words;

words! {
    /// How far a pattern of a person's own has come. Only confirmed and trusted ones name failures.
    PatternStatus {
        /// Proposed, and not used yet.
        Suggested = "suggested",
        /// Used where no built-in pattern names a cause.
        Confirmed = "confirmed",
        /// Used before the built-in ones.
        Trusted = "trusted",
        /// Built in.
        BuiltIn = "built_in",
    }
}

/// A pattern of a person's own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct UserPattern {
    /// Its name, such as `time_zone_mismatch`.
    pub name: String,
    /// What kind of thing goes wrong.
    pub category: FailureCategory,
    /// The regular expression that a line of the output has to match.
    pub regex: String,
    /// What it means, in one line.
    pub about: String,
    /// How far it has come.
    pub status: PatternStatus,
}

/// Words that several failures without a pattern have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct PatternSuggestion {
    /// A name for it.
    pub name: String,
    /// A regular expression that matches all of them.
    pub regex: String,
    /// How many failures it matches.
    pub failures: u32,
    /// Causes that it matches, at most three.
    pub examples: Vec<String>,
}
