//! Where checks stand in the text of a configuration file. Changes are made in the text itself, at places that the
//! parser tells, so every byte that is not meant stays as it is.

use std::ops::Range;

use loopwright_domain::{ErrorCode, Fault};
use toml_edit::{Document, Item, Table, Value};

use crate::file::tables::CHECKS;
use crate::value::bad_value;

/// One check as it is written.
pub(super) struct Written<'d> {
    /// Its keys.
    pub(super) table: &'d Table,
    /// From the comment right above its header to its last line, with the comment right below that.
    pub(super) block: Range<usize>,
    /// Whether it ends with a comment.
    pub(super) trails: bool,
    /// Whether something of another table is written inside of it.
    mixed: bool,
}

impl Written<'_> {
    pub(super) fn name(&self) -> Option<&str> {
        self.table.get("name").and_then(Item::as_str)
    }

    /// Fails for a check that cannot be cut out of the text.
    pub(super) fn whole(&self) -> Result<(), Fault> {
        if !self.mixed {
            return Ok(());
        }
        let message = "the check is written in several places of the file";
        Err(Fault::new(ErrorCode::ConfigBadValue, message).hint("Change it in the file itself."))
    }
}

/// All checks of a file, in the order of the file.
pub(super) fn written<'d>(document: &'d Document<&str>) -> Result<Vec<Written<'d>>, Fault> {
    let Some(item) = document.get(CHECKS) else { return Ok(Vec::new()) };
    let tables = item
        .as_array_of_tables()
        .ok_or_else(|| bad_value(CHECKS, "must be written as [[checks]], once for each check"))?;
    let mut all = Vec::new();
    places_of(document.as_table(), &mut all);
    Ok(tables.iter().map(|table| look(document.raw(), table, &all)).collect())
}

fn look<'d>(text: &str, table: &'d Table, all: &[Range<usize>]) -> Written<'d> {
    let mut own = Vec::new();
    places_of(table, &mut own);
    let header = table.span().unwrap_or_default();
    let before = all.iter().map(|place| place.end).filter(|end| *end <= header.start).max().unwrap_or(0);
    let last = own.iter().map(|place| place.end).max().unwrap_or(header.end);
    let start = comment_above(text, line_start(text, header.start), before);
    let end = line_end(text, last);
    let block = start..comment_below(text, end);
    let inside = all.iter().filter(|place| block.contains(&place.start)).count();
    Written { table, trails: block.end > end, block, mixed: inside != own.len() }
}

/// Where headers and values are.
fn places_of(table: &Table, found: &mut Vec<Range<usize>>) {
    found.extend(table.span().filter(|span| !span.is_empty()));
    for (_, item) in table.iter() {
        match item {
            Item::None => {}
            Item::Value(value) => found.extend(value.span()),
            Item::Table(inner) => places_of(inner, found),
            Item::ArrayOfTables(inner) => inner.iter().for_each(|inner| places_of(inner, found)),
        }
    }
}

/// The beginning of the comment that ends right above a line, else the line. What is before `floor` is no comment.
fn comment_above(text: &str, line: usize, floor: usize) -> usize {
    let mut start = line;
    while start > 0 {
        let above = line_start(text, start - 1);
        if above < floor || !is_comment(slice(text, above..start)) {
            break;
        }
        start = above;
    }
    start
}

/// The end of a comment that begins right below a line and is followed by nothing that it could be about.
fn comment_below(text: &str, end: usize) -> usize {
    let mut next = end;
    while is_comment(slice(text, next..line_end(text, next))) {
        next = line_end(text, next);
    }
    if is_apart(slice(text, next..text.len())) { next } else { end }
}

/// Whether a text begins with an empty line, or has nothing to say.
pub(super) fn is_apart(text: &str) -> bool {
    slice(text, 0..line_end(text, 0)).trim().is_empty()
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with('#')
}

pub(super) fn line_start(text: &str, at: usize) -> usize {
    slice(text, 0..at).rfind('\n').map_or(0, |newline| newline + 1)
}

/// The place after the line's end.
pub(super) fn line_end(text: &str, at: usize) -> usize {
    slice(text, at..text.len()).find('\n').map_or(text.len(), |newline| at + newline + 1)
}

pub(super) fn slice(text: &str, range: Range<usize>) -> &str {
    text.get(range).unwrap_or_default()
}

/// The line end that a file uses.
pub(super) fn newline(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// A text that ends with a line end, unless it is empty.
pub(super) fn ended(text: &str, newline: &str) -> String {
    let missing = if text.is_empty() || text.ends_with('\n') { "" } else { newline };
    format!("{text}{missing}")
}

/// One line of a table.
pub(super) fn line(key: &str, value: &Value) -> String {
    format!("{key} = {}", value.to_string().trim())
}

/// Changes to one check's keys, collected and then made at once.
pub(super) struct KeyChanges<'d> {
    text: &'d str,
    table: &'d Table,
    replaced: Vec<(Range<usize>, String)>,
    added: Vec<String>,
}

impl<'d> KeyChanges<'d> {
    pub(super) fn new(text: &'d str, table: &'d Table) -> Self {
        Self { text, table, replaced: Vec::new(), added: Vec::new() }
    }

    /// Gives a key a value, or its usual one. A key with its usual value is not written, unless it is there with a
    /// comment: the comment stays.
    pub(super) fn set(&mut self, key: &str, value: Option<Value>, usual: Option<Value>) {
        let Some(place) = self.value_place(key) else {
            if let Some(value) = value.filter(|_| !self.table.contains_key(key)) {
                self.added.push(line(key, &value));
            }
            return;
        };
        match value.or_else(|| usual.filter(|_| self.is_commented(key, &place))) {
            Some(value) => self.replaced.push((place, value.to_string().trim().to_owned())),
            None => self.replaced.push((self.lines_of(key, &place), String::new())),
        }
    }

    /// Puts another key with its value where this one is.
    pub(super) fn exchange(&mut self, key: &str, other: &str, value: &Value) {
        let name = self.table.key(key).and_then(toml_edit::Key::span);
        match name.zip(self.value_place(key)) {
            Some((name, place)) => self.replaced.push((name.start..place.end, line(other, value))),
            None => self.added.push(line(other, value)),
        }
    }

    /// The text with all changes.
    pub(super) fn apply(mut self) -> String {
        let end = line_end(self.text, self.keys_end());
        let mut text = self.text.to_owned();
        self.replaced.sort_by_key(|(place, _)| std::cmp::Reverse(place.start));
        let newline = newline(self.text);
        let indent = self.indent();
        let added: String = self.added.iter().map(|line| format!("{indent}{line}{newline}")).collect();
        if !added.is_empty() {
            let before = if slice(self.text, 0..end).ends_with('\n') { "" } else { newline };
            text.insert_str(end, &format!("{before}{added}"));
        }
        for (place, value) in self.replaced {
            text.replace_range(place, &value);
        }
        text
    }

    fn value_place(&self, key: &str) -> Option<Range<usize>> {
        self.table.get(key).and_then(Item::as_value).and_then(Value::span)
    }

    fn lines_of(&self, key: &str, value: &Range<usize>) -> Range<usize> {
        let name = self.table.key(key).and_then(toml_edit::Key::span).unwrap_or_else(|| value.clone());
        line_start(self.text, name.start)..line_end(self.text, value.end)
    }

    fn is_commented(&self, key: &str, value: &Range<usize>) -> bool {
        let lines = self.lines_of(key, value);
        let above = line_start(self.text, lines.start.saturating_sub(1))..lines.start;
        slice(self.text, value.end..lines.end).contains('#') || is_comment(slice(self.text, above))
    }

    /// Where the last of the table's own keys ends; what has a header of its own comes after.
    fn keys_end(&self) -> usize {
        let mut places = Vec::new();
        for (_, item) in self.table.iter() {
            match item {
                Item::Value(value) => places.extend(value.span()),
                Item::Table(inner) if inner.is_dotted() => places_of(inner, &mut places),
                _ => {}
            }
        }
        let header = self.table.span().map_or(0, |span| span.end);
        places.iter().map(|place| place.end).max().unwrap_or(header)
    }

    fn indent(&self) -> &'d str {
        let name = self.table.key("name").and_then(toml_edit::Key::span).map_or(0, |span| span.start);
        let before = slice(self.text, line_start(self.text, name)..name);
        if before.trim().is_empty() { before } else { "" }
    }
}
