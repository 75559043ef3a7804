//! SCUD Graph files, written: what a phase held, with what is different now.

use std::collections::HashSet;
use std::fmt::Write;

use loopwright_domain::{TaskDraft, TaskStatus};
use serde_json::{Map, Value};

use super::model::{
    complexity_of, joined, one_line, parted, priority_of, priority_word, qualified, status_of, status_word,
};
use super::scg::HEADER;
use super::{Document, Group, Item};

/// The details that are written first, in this order.
const FIRST: [&str; 3] = ["description", "details", "test_strategy"];

/// Writes a document.
pub(super) fn write(document: &Document) -> String {
    let known: HashSet<&str> = document.items().map(|item| item.id.as_str()).collect();
    let phases: Vec<String> = document.groups.iter().map(|group| phase(group, &known)).collect();
    phases.join("\n---\n\n")
}

fn phase(group: &Group, known: &HashSet<&str>) -> String {
    let tag = group.tag.as_deref().unwrap_or("tasks");
    let mut out = format!("{HEADER}\n# Phase: {tag}\n");
    let lines = |value: Option<&Value>| -> Vec<String> {
        let list = value.and_then(Value::as_array).into_iter().flatten();
        list.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    for comment in lines(group.raw.get("comments")) {
        line(&mut out, &comment);
    }
    line(&mut out, "\n@meta {");
    let meta = group.raw.get("meta").and_then(Value::as_array).into_iter().flatten();
    let meta: Vec<Vec<String>> = meta.map(|pair| lines(Some(pair))).collect();
    if !meta.iter().any(|pair| pair.first().is_some_and(|key| key == "name")) {
        line(&mut out, &format!("  name {tag}"));
    }
    for pair in meta {
        line(&mut out, &format!("  {}", pair.join(" ").trim_end()));
    }
    line(&mut out, "}\n\n@nodes\n# id | title | status | complexity | priority");
    for item in &group.items {
        line(&mut out, &node(item, tag));
    }
    section(&mut out, "edges", "dependent -> dependency", edges(group, tag, known));
    section(&mut out, "parents", "parent: child, child", parents(group, tag));
    section(&mut out, "assignments", "id | assigned_to | locked_by | locked_at", assignments(group, tag));
    for other in group.raw.get("sections").and_then(Value::as_array).into_iter().flatten() {
        let name = other.get(0).and_then(Value::as_str).unwrap_or_default();
        line(&mut out, &format!("\n@{name}"));
        let mut held = lines(other.get(1));
        while held.last().is_some_and(|line| line.trim().is_empty()) {
            held.pop();
        }
        held.iter().for_each(|held| line(&mut out, held));
    }
    section(&mut out, "details", "", details(group, tag));
    out
}

fn line(out: &mut String, text: &str) {
    let _infallible = writeln!(out, "{text}");
}

fn section(out: &mut String, name: &str, heading: &str, rows: Vec<String>) {
    if rows.is_empty() {
        return;
    }
    line(out, &format!("\n@{name}"));
    if !heading.is_empty() {
        line(out, &format!("# {heading}"));
    }
    rows.iter().for_each(|row| line(out, row));
}

fn node(item: &Item, tag: &str) -> String {
    let was = draft_of(&item.raw, tag);
    let keep = |same: bool, field: &str, now: &str| match item.raw.get(field).filter(|_| same) {
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
        None => now.to_owned(),
    };
    let now = &item.draft;
    let status = status_of(text(&item.raw, "status")) == Some(item.status);
    let mut columns = vec![
        local(item, tag),
        keep(was.title == now.title, "title", &now.title),
        keep(status, "status", status_code(item.status)),
        keep(was.complexity == now.complexity, "complexity", &now.complexity.to_string()),
        keep(was.priority == now.priority, "priority", &priority_word(now.priority)[..1].to_uppercase()),
    ];
    let more = item.raw.get("columns").and_then(Value::as_array).into_iter().flatten();
    columns.extend(more.filter_map(Value::as_str).map(str::to_owned));
    let columns: Vec<String> = columns.iter().map(|column| escape(column)).collect();
    columns.join(" | ")
}

/// The letter for a status.
pub(super) fn status_code(status: TaskStatus) -> &'static str {
    match status_word(status) {
        "pending" => "P",
        "in-progress" => "I",
        "review" => "R",
        "done" => "D",
        "blocked" => "B",
        _ => "C",
    }
}

/// What a task is called in its own phase: as it was written, else without the phase.
fn local(item: &Item, tag: &str) -> String {
    match text(&item.raw, "id") {
        "" => short(&item.id, tag),
        id => id.to_owned(),
    }
}

fn short(name: &str, tag: &str) -> String {
    name.strip_prefix(tag).and_then(|rest| rest.strip_prefix(':')).unwrap_or(name).to_owned()
}

fn name_in<'g>(group: &'g Group, tag: &str) -> impl Fn(&str) -> String + use<'g> {
    let tag = tag.to_owned();
    let names: std::collections::HashMap<&str, String> =
        group.items.iter().map(|item| (item.id.as_str(), local(item, &tag))).collect();
    move |id| names.get(id).cloned().unwrap_or_else(|| short(id, &tag))
}

fn edges(group: &Group, tag: &str, known: &HashSet<&str>) -> Vec<String> {
    let name = name_in(group, tag);
    let mut rows = Vec::new();
    for item in &group.items {
        let same = waits_for(&item.raw, tag) == item.depends_on;
        let was = item.raw.get("depends_on").and_then(Value::as_array).filter(|_| same);
        let waits: Vec<String> = match was {
            Some(was) => was.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            None => {
                let waits = item.depends_on.iter().filter(|id| known.contains(id.as_str()));
                waits.map(|id| name(id)).collect()
            }
        };
        rows.extend(waits.iter().map(|to| format!("{} -> {to}", local(item, tag))));
    }
    rows
}

fn parents(group: &Group, tag: &str) -> Vec<String> {
    let name = name_in(group, tag);
    let mut rows: Vec<(String, Vec<String>)> = Vec::new();
    let mut places = std::collections::HashMap::new();
    for item in &group.items {
        let Some(parent) = &item.parent else { continue };
        let place = *places.entry(parent.as_str()).or_insert_with(|| {
            rows.push((name(parent), Vec::new()));
            rows.len() - 1
        });
        if let Some((_, children)) = rows.get_mut(place) {
            children.push(local(item, tag));
        }
    }
    rows.iter().map(|(parent, children)| format!("{parent}: {}", children.join(", "))).collect()
}

fn assignments(group: &Group, tag: &str) -> Vec<String> {
    let row = |item: &Item| {
        let columns = item.raw.get("assignment")?.as_array()?;
        let columns: Vec<String> = columns.iter().filter_map(Value::as_str).map(escape).collect();
        Some(format!("{} | {}", local(item, tag), columns.join(" | ")))
    };
    group.items.iter().filter_map(row).collect()
}

fn details(group: &Group, tag: &str) -> Vec<String> {
    let mut rows = Vec::new();
    for item in &group.items {
        let was = draft_of(&item.raw, tag);
        let mut texts: Vec<(String, String)> = Vec::new();
        let fields = item.raw.get("details").and_then(Value::as_object);
        let others =
            fields.into_iter().flat_map(Map::keys).map(String::as_str).filter(|f| !FIRST.contains(f));
        for field in FIRST.into_iter().chain(others) {
            texts.extend(detail(&item.raw, field).map(|text| (field.to_owned(), text)));
        }
        let mut set = |field: &str, text: &str| {
            texts.retain(|(name, _)| name != field);
            if !text.is_empty() {
                texts.push((field.to_owned(), text.to_owned()));
            }
        };
        if was.description != item.draft.description {
            let held = detail(&item.raw, "details").unwrap_or_default();
            let (description, held) = parted(&item.draft.description, &held);
            set("details", &held);
            set("description", &description);
        }
        if was.test_strategy != item.draft.test_strategy {
            set("test_strategy", &item.draft.test_strategy);
        }
        let order = |field: &str| FIRST.iter().position(|first| *first == field).unwrap_or(FIRST.len());
        texts.sort_by_key(|(field, _)| order(field));
        for (field, text) in texts {
            rows.push(format!("{} | {} |", local(item, tag), escape(&field)));
            rows.extend(text.split('\n').map(|line| format!("  {line}")));
        }
    }
    rows
}

/// What a node of a file says about a task, in our words.
pub(super) fn draft_of(raw: &Map<String, Value>, tag: &str) -> TaskDraft {
    let held = |field: &str| detail(raw, field).unwrap_or_default();
    TaskDraft {
        description: joined(&held("description"), &held("details")),
        test_strategy: held("test_strategy"),
        priority: priority_of(text(raw, "priority")).unwrap_or_default(),
        complexity: complexity_of(raw.get("complexity").and_then(Value::as_u64).unwrap_or_default()),
        tag: Some(tag.to_owned()),
        ..TaskDraft::titled(one_line(text(raw, "title")))
    }
}

/// The names of the tasks a node waits for.
pub(super) fn waits_for(raw: &Map<String, Value>, tag: &str) -> Vec<String> {
    let waits = raw.get("depends_on").and_then(Value::as_array).into_iter().flatten();
    waits.filter_map(Value::as_str).map(|local| qualified(Some(tag), local)).collect()
}

fn detail(raw: &Map<String, Value>, field: &str) -> Option<String> {
    let lines = raw.get("details")?.get(field)?.as_array()?;
    Some(lines.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n"))
}

/// A text of a raw object; empty when there is none.
pub(super) fn text<'o>(raw: &'o Map<String, Value>, field: &str) -> &'o str {
    raw.get(field).and_then(Value::as_str).unwrap_or_default()
}

/// Where a row is cut: at each `|` that is not escaped.
pub(super) fn pipes(row: &str) -> Vec<usize> {
    let mut escaped = false;
    let cut = |(place, c): (usize, char)| {
        let cuts = c == '|' && !escaped;
        escaped = c == '\\' && !escaped;
        cuts.then_some(place)
    };
    row.char_indices().filter_map(cut).collect()
}

/// A row's columns.
pub(super) fn columns(row: &str) -> Vec<String> {
    let pipes = pipes(row);
    let starts = std::iter::once(0).chain(pipes.iter().map(|pipe| pipe + 1));
    let ends = pipes.iter().copied().chain([row.len()]);
    starts.zip(ends).map(|(start, end)| unescape(row.get(start..end).unwrap_or_default().trim())).collect()
}

fn unescape(column: &str) -> String {
    let mut chars = column.chars();
    let mut text = String::new();
    while let Some(c) = chars.next() {
        text.push(match (c, chars.clone().next()) {
            ('\\', Some(escaped)) => {
                chars.next();
                if escaped == 'n' { '\n' } else { escaped }
            }
            (c, _) => c,
        });
    }
    text
}

fn escape(column: &str) -> String {
    column.replace('\\', "\\\\").replace('|', "\\|").replace('\n', "\\n")
}
