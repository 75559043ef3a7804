//! Finding issues in what a check printed.

mod json;
mod lines;
mod pattern;
mod severity;

use loopwright_config::check::Parser;
use loopwright_domain::{Issue, Severity};

use crate::text::{cut_end, cut_start};

/// As many issues as one check may report; the first in order are kept.
pub(super) const MOST_ISSUES: usize = 1_000;
/// As long as a message may be, in characters.
pub(super) const LONGEST_MESSAGE: usize = 4_000;

/// Finds the issues in both streams, with files as they were printed. Any text is taken without harm.
///
/// # Errors
/// The output is not what the parser reads; the text says so as the end of a sentence about the check.
pub fn issues(parser: &Parser, stdout: &str, stderr: &str) -> Result<Vec<Issue>, String> {
    let streams = [stdout, stderr];
    match parser {
        Parser::Text => Ok(Vec::new()),
        Parser::Lines => Ok(streams.iter().flat_map(|text| lines::parse(text)).collect()),
        Parser::Regex(found) => Ok(streams.iter().flat_map(|text| pattern::parse(found, text)).collect()),
        Parser::Json(place) => {
            json::parse(place, stdout).or_else(|| json::parse(place, stderr)).ok_or_else(|| {
                "its output could not be read as JSON, although parser = \"json\" is set".to_owned()
            })
        }
    }
}

/// An issue from parts as they were printed; none when there is nothing to say.
fn issue(severity: Option<Severity>, file: Option<&str>, line: Option<u32>, message: &str) -> Option<Issue> {
    let message = message.trim();
    if message.is_empty() {
        return None;
    }
    let file = file.map(str::trim).filter(|file| !file.is_empty());
    Some(Issue {
        severity: severity.unwrap_or(Severity::Error),
        file: file.map(|file| cut_start(file, LONGEST_MESSAGE).to_owned()),
        line: line.filter(|line| *line > 0),
        message: cut_end(message, LONGEST_MESSAGE),
    })
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
