//! Markdown check lists: `- [ ]` is a task, `- [x]` a finished one, and one below another is a part of it.
//!
//! Everything else in the text is kept where it stands, byte by byte.

use std::collections::HashSet;

use loopwright_domain::TaskStatus;
use serde_json::{Map, Value};

use super::{Document, Format, Group, Item, Placed};
use crate::spec::Blocks;

/// The start of a line that is a task.
pub(super) struct Mark<'a> {
    /// What stands before the box.
    lead: &'a str,
    /// Where the character in the box stands in the line.
    pub(super) place: usize,
    /// That character.
    pub(super) mark: char,
    title: &'a str,
}

/// Reads a line as a task.
pub(super) fn mark(line: &str) -> Option<Mark<'_>> {
    let bare = line.trim_end();
    let indent = bare.len() - bare.trim_start().len();
    let rest = bare.get(indent..)?;
    let bullet = match rest.chars().next()? {
        '-' | '*' | '+' => 1,
        c if c.is_ascii_digit() => {
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            rest.get(digits..)?.starts_with(['.', ')']).then_some(digits + 1)?
        }
        _ => return None,
    };
    let after = rest.get(bullet..)?;
    let blank = after.len() - after.trim_start_matches([' ', '\t']).len();
    let boxed = after.get(blank..)?.strip_prefix('[').filter(|_| blank > 0)?;
    let mark = boxed.chars().next()?;
    let title = boxed.get(mark.len_utf8()..)?.strip_prefix(']')?;
    let title = title.strip_prefix([' ', '\t'])?.trim();
    let place = indent + bullet + blank + 1;
    (status(mark).is_some() && !title.is_empty()).then_some(Mark {
        lead: bare.get(..place)?,
        place,
        mark,
        title,
    })
}

/// What a box says.
pub(super) const fn status(mark: char) -> Option<TaskStatus> {
    Some(match mark {
        ' ' => TaskStatus::Pending,
        'x' | 'X' => TaskStatus::Done,
        '-' => TaskStatus::Cancelled,
        '/' | '~' => TaskStatus::InProgress,
        _ => return None,
    })
}

/// How a status is written: a list knows finished, given up, and all else.
pub(super) const fn character(status: TaskStatus) -> char {
    match status {
        TaskStatus::Done => 'x',
        TaskStatus::Cancelled => '-',
        _ => ' ',
    }
}

/// Reads a document. Any text is one, if only one without tasks.
pub(super) fn read(text: &str) -> Placed {
    let mut reader = ChecklistReader::default();
    let mut blocks = Blocks::default();
    let mut place = 0;
    for line in text.split_inclusive('\n') {
        // Code inside of a list is indented with it.
        let held = blocks.hold(line.trim_start());
        match mark(line).filter(|_| !held) {
            Some(mark) => reader.task(line, &mark, place),
            None => reader.other(line),
        }
        place += line.len();
    }
    reader.finish()
}

#[derive(Default)]
struct ChecklistReader {
    items: Vec<Item>,
    places: Vec<usize>,
    names: HashSet<String>,
    /// The tasks that the next one may be a part of, with their indentation.
    above: Vec<(usize, String)>,
    /// Text since the last task that does not belong to it.
    between: String,
    /// Whether a line may still belong to the last task.
    open: bool,
}

impl ChecklistReader {
    fn task(&mut self, line: &str, mark: &Mark<'_>, place: usize) {
        let indent = indentation(mark.lead);
        while self.above.last().is_some_and(|(above, _)| *above >= indent) {
            self.above.pop();
        }
        let parent = self.above.last().map(|(_, name)| name.clone());
        let full = parent.as_ref().map_or_else(|| mark.title.to_owned(), |p| format!("{p} > {}", mark.title));
        let mut id = full.clone();
        let mut number = 2;
        while !self.names.insert(id.clone()) {
            id = format!("{full} ({number})");
            number += 1;
        }
        self.above.push((indent, id.clone()));
        let mut item = Item::new(id, mark.title);
        item.status = status(mark.mark).unwrap_or(TaskStatus::Pending);
        item.parent = parent;
        item.raw = raw(&std::mem::take(&mut self.between), line);
        self.items.push(item);
        self.places.push(place);
        self.open = true;
    }

    /// A line that is no task: it belongs to the last one while it is indented deeper than that.
    fn other(&mut self, line: &str) {
        let deeper = self.above.last().is_some_and(|(above, _)| indentation(line) > *above);
        let belongs = self.open && deeper && !line.trim().is_empty();
        let Some(item) = self.items.last_mut().filter(|_| belongs) else {
            self.open = self.open && line.trim().is_empty() && self.between.is_empty() && deeper;
            if !line.trim().is_empty() && indentation(line) == 0 {
                self.above.clear();
            }
            self.between.push_str(line);
            return;
        };
        let lines = item.raw.get("lines").and_then(Value::as_str).unwrap_or_default().to_owned() + line;
        item.draft.description = described(&lines);
        item.raw.insert("lines".into(), Value::from(lines));
    }

    fn finish(self) -> Placed {
        let mut raw = Map::new();
        if !self.between.is_empty() {
            raw.insert("after".into(), Value::from(self.between));
        }
        let group = Group { tag: None, items: self.items, raw };
        Placed { document: Document { format: Format::Checklist, groups: vec![group] }, places: self.places }
    }
}

fn raw(before: &str, lines: &str) -> Map<String, Value> {
    let fields = [("before", before), ("lines", lines)].into_iter().filter(|(_, text)| !text.is_empty());
    fields.map(|(field, text)| (field.to_owned(), Value::from(text))).collect()
}

fn indentation(line: &str) -> usize {
    let blank = line.chars().take_while(|c| matches!(c, ' ' | '\t'));
    blank.map(|c| if c == '\t' { 4 } else { 1 }).sum()
}

/// The description in a task's lines: all but the first, without their indentation.
fn described(lines: &str) -> String {
    lines.lines().skip(1).map(str::trim).collect::<Vec<_>>().join("\n")
}

/// Writes a document.
pub(super) fn write(document: &Document) -> String {
    let mut out = String::new();
    for group in &document.groups {
        let depths = depths(&group.items);
        for (item, depth) in group.items.iter().zip(depths) {
            let held = |field: &str| item.raw.get(field).and_then(Value::as_str).unwrap_or_default();
            if !out.is_empty() && !out.ends_with('\n') {
                out.push('\n');
            }
            out.push_str(held("before"));
            out.push_str(&lines(item, held("lines"), depth));
        }
        out.push_str(group.raw.get("after").and_then(Value::as_str).unwrap_or_default());
    }
    out
}

/// How deep each task stands below others.
fn depths(items: &[Item]) -> Vec<usize> {
    let mut depths: std::collections::HashMap<&str, usize> = std::collections::HashMap::new();
    let mut all = Vec::with_capacity(items.len());
    for item in items {
        let depth = item.parent.as_deref().and_then(|parent| depths.get(parent)).map_or(0, |depth| depth + 1);
        depths.insert(&item.id, depth);
        all.push(depth);
    }
    all
}

fn lines(item: &Item, held: &str, depth: usize) -> String {
    let (first, rest) = held.split_at(held.find('\n').map_or(held.len(), |end| end + 1));
    let Some(mark) = mark(first) else {
        let indent = "  ".repeat(depth);
        return format!("{indent}- [{}] {}\n", character(item.status), item.draft.title)
            + &below(item, &indent);
    };
    let box_ = if status(mark.mark) == Some(item.status) { mark.mark } else { character(item.status) };
    let head = match mark.title == item.draft.title {
        true => format!(
            "{}{box_}{}",
            mark.lead,
            first.get(mark.place + mark.mark.len_utf8()..).unwrap_or_default()
        ),
        false => {
            let end = first.get(first.trim_end().len()..).unwrap_or_default();
            format!("{}{box_}] {}{end}", mark.lead, item.draft.title)
        }
    };
    if described(held) == item.draft.description {
        return head + rest;
    }
    let indent: String = mark.lead.chars().take_while(|c| c.is_whitespace()).collect();
    head + if first.ends_with('\n') { "" } else { "\n" } + &below(item, &indent)
}

/// A task's description below it.
fn below(item: &Item, indent: &str) -> String {
    let lines = item.draft.description.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.map(|line| format!("{indent}  {line}\n")).collect()
}
