//! Looking for a text, and for errors.

use std::fs::File;
use std::io;
use std::ops::ControlFlow;

use aho_corasick::AhoCorasick;

use crate::classify::Format;
use crate::entry::{self, Size};
use crate::filter::Choice;
use crate::index::Index;
use crate::model::{Entry, EntryKind, OutputMatches};
use crate::walk::Walk;

/// As many places are told at most.
const MOST: usize = 10_000;
/// As many lines are read at once when errors are looked for backwards.
const BACKWARDS: u32 = 10_000;
/// Words of compilers, test runners and shells when something went wrong.
const ERRORS: [&str; 5] = ["error", "fatal", "panicked", "exception", "traceback"];

/// A text to look for, whatever its case.
struct Needle {
    lower: String,
    /// Set when bytes can be compared without a thought about letters.
    bytes: Option<AhoCorasick>,
}

impl Needle {
    fn new(text: &str) -> Self {
        let bytes = text.is_ascii().then(|| searcher(&[text])).flatten();
        Self { lower: text.to_lowercase(), bytes }
    }

    fn is_in(&self, text: &str) -> bool {
        match &self.bytes {
            Some(bytes) => bytes.is_match(text),
            None => text.to_lowercase().contains(&self.lower),
        }
    }

    /// Looks into a plain line. Only one with control characters has to be cleaned for it.
    fn is_in_line(&self, line: &[u8]) -> bool {
        match &self.bytes {
            Some(bytes) if !line.iter().any(u8::is_ascii_control) => bytes.is_match(line),
            _ => self.is_in(&loopwright_domain::sanitize::strip(&String::from_utf8_lossy(line))),
        }
    }

    fn is_in_entry(&self, entry: &Entry) -> bool {
        let of_tool = [entry.name.as_ref(), entry.answer.as_ref().map(|answer| &answer.text)];
        self.is_in(&entry.text) || of_tool.into_iter().flatten().any(|text| self.is_in(text))
    }
}

fn searcher(words: &[&str]) -> Option<AhoCorasick> {
    AhoCorasick::builder().ascii_case_insensitive(true).build(words).ok()
}

/// Where a text is, among what a filter lets through.
pub(crate) fn find(index: &Index, file: File, choice: Choice, text: &str) -> io::Result<OutputMatches> {
    let mut matches = OutputMatches { places: Vec::new(), more: false };
    if text.is_empty() {
        return Ok(matches);
    }
    let needle = Needle::new(text);
    let mut place = 0;
    let mut look = |found: bool| {
        if found && matches.places.len() == MOST {
            matches.more = true;
            return ControlFlow::Break(());
        }
        if found {
            matches.places.push(place);
        }
        place += 1;
        ControlFlow::Continue(())
    };
    if index.format() == Format::Plain {
        let mut walk = Walk::new(index, file, Size::Whole.bytes())?;
        while let Some(piece) = walk.next()? {
            if choice.takes(piece.class.kind) && look(needle.is_in_line(walk.bytes())).is_break() {
                break;
            }
        }
    } else {
        entry::each(index, file, choice.from(index, 0), Size::Whole, |entry| {
            look(needle.is_in_entry(&entry))
        })?;
    }
    Ok(matches)
}

/// The next entry after a place that tells of an error, or the one before it, among what a filter lets through.
/// Without a place the first, or the last.
pub(crate) fn error(
    index: &Index,
    file: File,
    choice: Choice,
    from: Option<u32>,
    backwards: bool,
) -> io::Result<Option<u32>> {
    let total = index.total();
    let entry = |place: u32| choice.from(index, place).next().unwrap_or(total);
    let mut range = match (from, backwards) {
        (None, _) => 0..total,
        (Some(place), false) => entry(place.saturating_add(1))..total,
        (Some(place), true) => 0..entry(place),
    };
    let found = if index.format() == Format::Plain {
        error_in_lines(index, file, choice, range, backwards)?
    } else {
        let tells = |n: &u32| {
            choice.takes(index.kind(*n)) && (index.failed(*n) || index.kind(*n) == EntryKind::Error)
        };
        if backwards { range.rev().find(tells) } else { range.find(tells) }
    };
    Ok(found.map(|n| choice.place_of(index, n)))
}

fn error_in_lines(
    index: &Index,
    file: File,
    choice: Choice,
    range: std::ops::Range<u32>,
    backwards: bool,
) -> io::Result<Option<u32>> {
    let Some(words) = searcher(&ERRORS) else { return Ok(None) };
    let mut walk = Walk::new(index, file, Size::Short.bytes())?;
    let mut end = range.end;
    loop {
        let start = if backwards { end.saturating_sub(BACKWARDS).max(range.start) } else { range.start };
        let mut found = None;
        walk.go_to(start)?;
        while let Some(piece) = walk.next()? {
            if piece.n >= end {
                break;
            }
            if piece.n >= start && choice.takes(piece.class.kind) && tells_of_an_error(&words, walk.bytes()) {
                found = Some(piece.n);
                if !backwards {
                    break;
                }
            }
        }
        if found.is_some() || start <= range.start {
            return Ok(found);
        }
        end = start;
    }
}

/// Whether one of the words stands in a line by itself.
fn tells_of_an_error(words: &AhoCorasick, line: &[u8]) -> bool {
    let letter = |at: Option<usize>| at.and_then(|at| line.get(at)).is_some_and(u8::is_ascii_alphanumeric);
    words.find_iter(line).any(|found| !letter(found.start().checked_sub(1)) && !letter(Some(found.end())))
        || memchr::memmem::find(line, b"FAILED").is_some()
}
