//! The scenario's text: turns positions into lines and mistakes into errors.

use std::ops::Range;

use super::ScenarioError;

/// Names closer than this (0 to 1) are worth suggesting.
const SIMILAR: f64 = 0.75;

/// A scenario's text and name.
pub(super) struct Source<'a> {
    file: &'a str,
    text: &'a str,
}

impl<'a> Source<'a> {
    pub(super) fn new(file: &'a str, text: &'a str) -> Self {
        Self { file, text }
    }

    /// The line of a position, counted from 1; `fallback` when the parser kept none.
    pub(super) fn line(&self, span: Option<Range<usize>>, fallback: u32) -> u32 {
        let Some(before) = span.and_then(|span| self.text.as_bytes().get(..span.start)) else {
            return fallback;
        };
        u32::try_from(1 + before.iter().filter(|byte| **byte == b'\n').count()).unwrap_or(u32::MAX)
    }

    pub(super) fn syntax(&self, error: &toml_edit::TomlError) -> ScenarioError {
        ScenarioError::Syntax {
            file: self.file.to_owned(),
            line: self.line(error.span(), 1),
            reason: error.message().replace('\n', ", "),
        }
    }

    pub(super) fn invalid(&self, line: u32, message: String, hint: Option<String>) -> ScenarioError {
        ScenarioError::Invalid { file: self.file.to_owned(), line, message, hint }
    }

    pub(super) fn unknown(
        &self,
        line: u32,
        place: &str,
        what: &'static str,
        found: &str,
        known: &[&str],
    ) -> ScenarioError {
        ScenarioError::Unknown {
            file: self.file.to_owned(),
            line,
            place: place.to_owned(),
            what,
            found: found.to_owned(),
            hint: suggestion(found, known),
        }
    }
}

/// Names the nearest valid name, or all of them when none is near.
pub(super) fn suggestion(found: &str, known: &[&str]) -> String {
    let nearest = known
        .iter()
        .map(|name| (strsim::jaro_winkler(found, name), *name))
        .filter(|(similarity, _)| *similarity >= SIMILAR)
        .max_by(|one, other| one.0.total_cmp(&other.0));
    match nearest {
        Some((_, name)) => format!("Did you mean \"{name}\"?"),
        None => format!("Valid here: {}.", known.join(", ")),
    }
}
