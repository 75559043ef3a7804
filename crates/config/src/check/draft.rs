//! A check as a person writes it into the project's file.

use serde::{Deserialize, Serialize};

/// What a person writes about a check. Only what differs from the defaults gets into the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct CheckDraft {
    /// Its name.
    pub name: String,
    /// The command line; empty for a built-in check.
    pub command: String,
    /// The built-in check, by name.
    pub builtin: Option<String>,
    /// Whether its failure fails the attempt.
    pub required: bool,
    /// Whether it is run.
    pub enabled: bool,
    /// Whether what it edits is part of the work; otherwise it fails when it edits.
    pub edits: bool,
    /// How long it may take, as in the file; none for the default.
    pub timeout: Option<String>,
    /// Where it is run, from the project folder; none for the project folder.
    pub dir: Option<String>,
    /// How its output is read; none for the default.
    pub parser: Option<String>,
    /// The pattern of the parser `regex`.
    pub pattern: Option<String>,
    /// Where the parser `json` finds the issues.
    pub issues: Option<String>,
}

impl Default for CheckDraft {
    fn default() -> Self {
        Self {
            name: String::new(),
            command: String::new(),
            builtin: None,
            required: true,
            enabled: true,
            edits: true,
            timeout: None,
            dir: None,
            parser: None,
            pattern: None,
            issues: None,
        }
    }
}

impl CheckDraft {
    /// A check that runs a command, and has its usual values otherwise.
    #[must_use]
    pub fn command(name: impl Into<String>, command: impl Into<String>) -> Self {
        Self { name: name.into(), command: command.into(), ..Self::default() }
    }

    /// What it does: the command line, or the built-in check.
    #[must_use]
    pub fn work(&self) -> &str {
        self.builtin.as_deref().unwrap_or(&self.command)
    }

    /// The same without spaces around it, and without texts that are empty.
    #[must_use]
    pub fn tidy(&self) -> Self {
        let text = |text: &Option<String>| {
            text.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
        };
        Self {
            name: self.name.trim().to_owned(),
            command: self.command.trim().to_owned(),
            builtin: text(&self.builtin),
            required: self.required,
            enabled: self.enabled,
            edits: self.edits || self.builtin.is_some(),
            timeout: text(&self.timeout),
            dir: text(&self.dir),
            parser: text(&self.parser),
            pattern: self.pattern.clone().filter(|pattern| !pattern.is_empty()),
            issues: text(&self.issues),
        }
    }
}
