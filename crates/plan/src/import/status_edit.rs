//! Where a text says how its tasks stand, and how only that is changed.

use std::collections::HashMap;
use std::ops::Range;

use loopwright_domain::{Fault, TaskStatus};
use serde_json::Value;

use super::json::Node;
use super::model::status_word;
use super::scg_write::{pipes, status_code};
use super::{Format, checklist, read_placed};

/// Sets the statuses of tasks, by their names in the document. Every byte stays as it was but for the statuses that differ.
pub(super) fn restate(
    file: &str,
    text: &str,
    format: Format,
    wanted: &HashMap<String, TaskStatus>,
) -> Result<String, Fault> {
    let placed = read_placed(file, text, format)?;
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    for (item, place) in placed.document.items().zip(&placed.places) {
        let Some(status) = wanted.get(&item.id) else { continue };
        if says(item.status, *status, format) {
            continue;
        }
        edits.extend(match format {
            Format::Checklist => in_list(text, *place, *status),
            Format::Scg => in_graph(text, *place, *status),
            _ => in_json(file, text, *place, *status, format)?,
        });
    }
    edits.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
    let mut text = text.to_owned();
    for (span, new) in edits {
        text.replace_range(span, &new);
    }
    Ok(text)
}

/// Whether a document that says the one means the other: a list knows only done, given up and all else.
fn says(there: TaskStatus, wanted: TaskStatus, format: Format) -> bool {
    let list = |status: TaskStatus| checklist::character(status);
    there == wanted || (format == Format::Checklist && list(there) == list(wanted))
}

fn line_at(text: &str, place: usize) -> &str {
    text.get(place..).unwrap_or_default().split('\n').next().unwrap_or_default()
}

fn in_list(text: &str, place: usize, status: TaskStatus) -> Option<(Range<usize>, String)> {
    let mark = checklist::mark(line_at(text, place))?;
    let start = place + mark.place;
    Some((start..start + mark.mark.len_utf8(), checklist::character(status).to_string()))
}

fn in_graph(text: &str, place: usize, status: TaskStatus) -> Option<(Range<usize>, String)> {
    let line = line_at(text, place);
    let pipes = pipes(line);
    let (start, end) = (pipes.get(1)? + 1, pipes.get(2).copied().unwrap_or(line.trim_end().len()));
    let column = line.get(start..end)?;
    let code = match column.trim() {
        "" => return Some((place + start..place + end, format!(" {} ", status_code(status)))),
        _ => status_code(status),
    };
    let lead = column.len() - column.trim_start().len();
    let start = place + start + lead;
    Some((start..start + column.trim().len(), code.to_owned()))
}

fn in_json(
    file: &str,
    text: &str,
    place: usize,
    status: TaskStatus,
    format: Format,
) -> Result<Option<(Range<usize>, String)>, Fault> {
    let word = if format == Format::Loopwright { status.as_str() } else { status_word(status) };
    let word = Value::from(word).to_string();
    let node = Node::at(file, text, place)?;
    Ok(Some(match node.member("status")? {
        Some(member) => (member.span(), word),
        None => (place + 1..place + 1, format!("\"status\": {word}, ")),
    }))
}
