//! How each JSON format calls what it holds about a task, and what of it is ours.

use std::collections::HashSet;

use loopwright_domain::task::DEFAULT_PRIORITY;
use loopwright_domain::{Fault, TaskDraft, TaskKind, TaskSize, TaskStatus};
use serde_json::{Map, Value};

use super::json::Node;
use super::links;
use super::model::{
    complexity_of, joined, one_line, parted, priority_of, priority_word, qualified, status_of, status_word,
};
use super::{Format, Item};

/// What a field must be; anything may also be null or left out, but for the title.
#[derive(Clone, Copy)]
enum Kind {
    Id,
    Title,
    Text,
    Texts,
    Status,
    Priority,
    Number,
    Names,
    Size,
    Work,
    Sections,
}

/// The names of the fields that mean the same by another name.
struct Names {
    depends_on: &'static str,
    test_strategy: &'static str,
}

const fn names(format: Format) -> Names {
    match format {
        Format::TaskMaster => Names { depends_on: "dependencies", test_strategy: "testStrategy" },
        Format::ScudMap => Names { depends_on: "dependencies", test_strategy: "test_strategy" },
        _ => Names { depends_on: "depends_on", test_strategy: "test_strategy" },
    }
}

/// The fields that are looked at; others are kept as they are.
fn fields(format: Format) -> Vec<(&'static str, Kind)> {
    let names = names(format);
    let mut fields = vec![
        ("id", Kind::Id),
        ("title", Kind::Title),
        ("description", Kind::Text),
        (names.test_strategy, Kind::Text),
        ("status", Kind::Status),
        ("priority", Kind::Priority),
        ("complexity", Kind::Number),
        (names.depends_on, Kind::Names),
    ];
    match format {
        Format::Loopwright => fields.extend([
            ("acceptance", Kind::Texts),
            ("notes", Kind::Text),
            ("tag", Kind::Text),
            ("size", Kind::Size),
            ("kind", Kind::Work),
            (links::FIELD, Kind::Sections),
        ]),
        Format::ScudMap => fields.extend([("details", Kind::Text), ("parent_id", Kind::Text)]),
        _ => fields.push(("details", Kind::Text)),
    }
    fields
}

/// Reads the object of a task; its parts and what it waits for are not looked at yet.
pub(super) fn read_object(node: &Node<'_>, format: Format) -> Result<Map<String, Value>, Fault> {
    let members = node.members()?;
    for (field, kind) in fields(format) {
        let found = members.iter().rfind(|(name, _)| name == field).map(|(_, member)| member);
        let value = found.map(Node::value).transpose()?.filter(|value| !value.is_null());
        match (value, found) {
            (Some(value), Some(found)) => {
                refusal(kind, &value).map_or(Ok(()), |reason| Err(found.bad(reason)))?
            }
            _ if matches!(kind, Kind::Title) => return Err(node.bad("has no title")),
            _ if matches!(kind, Kind::Id) && format != Format::Loopwright => {
                return Err(node.bad("has no id"));
            }
            _ => {}
        }
    }
    match node.value()? {
        Value::Object(object) => Ok(object),
        _ => Err(node.bad("must be an object")),
    }
}

/// What is wrong with a value.
fn refusal(kind: Kind, value: &Value) -> Option<&'static str> {
    let text = value.as_str();
    let good = match kind {
        Kind::Id => name_of(value).is_some(),
        Kind::Title => text.is_some_and(|text| !text.trim().is_empty()),
        Kind::Text => text.is_some(),
        Kind::Texts => value.as_array().is_some_and(|items| items.iter().all(Value::is_string)),
        Kind::Status => text.and_then(status_of).is_some(),
        Kind::Priority => priority(value).is_some(),
        Kind::Number => value.as_u64().is_some(),
        Kind::Names => value.as_array().is_some_and(|items| items.iter().all(|item| name_of(item).is_some())),
        Kind::Size => text.and_then(TaskSize::parse).is_some(),
        Kind::Work => text.and_then(TaskKind::parse).is_some(),
        Kind::Sections => value.as_array().is_some_and(|items| items.iter().all(links::is_link)),
    };
    (!good).then_some(match kind {
        Kind::Id => "must be a number or a text that is not empty",
        Kind::Title => "must be a text that is not empty",
        Kind::Text => "must be a text",
        Kind::Texts => "must be a list of texts",
        Kind::Status => "is no known status",
        Kind::Priority => "must be critical, high, medium, low or a number",
        Kind::Number => "must be a whole number",
        Kind::Names => "must be a list of task ids",
        Kind::Size => "must be S, M, L or XL",
        Kind::Work => "is no known kind of task",
        Kind::Sections => "must be a list of sections, each with a title",
    })
}

/// An id: a number or a text.
pub(super) fn name_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        Value::Number(number) if number.is_u64() => Some(number.to_string()),
        _ => None,
    }
}

fn priority(value: &Value) -> Option<u32> {
    match value {
        Value::String(word) => priority_of(word),
        value => value.as_u64().and_then(|number| u32::try_from(number).ok()),
    }
}

fn text<'o>(object: &'o Map<String, Value>, field: &str) -> &'o str {
    object.get(field).and_then(Value::as_str).unwrap_or_default()
}

/// What an object says about a task, in our words.
pub(super) fn draft_of(object: &Map<String, Value>, format: Format, tag: Option<&str>) -> TaskDraft {
    let own = format == Format::Loopwright;
    let word = |field: &str| object.get(field).and_then(Value::as_str);
    TaskDraft {
        description: joined(text(object, "description"), if own { "" } else { text(object, "details") }),
        acceptance: if own { texts(object.get("acceptance")) } else { Vec::new() },
        test_strategy: text(object, names(format).test_strategy).to_owned(),
        priority: object.get("priority").and_then(priority).unwrap_or(DEFAULT_PRIORITY),
        complexity: complexity_of(object.get("complexity").and_then(Value::as_u64).unwrap_or_default()),
        size: word("size").filter(|_| own).and_then(TaskSize::parse),
        kind: word("kind").filter(|_| own).and_then(TaskKind::parse),
        tag: if own { word("tag").map(str::to_owned) } else { tag.map(str::to_owned) },
        notes: if own { text(object, "notes").to_owned() } else { String::new() },
        ..TaskDraft::titled(one_line(text(object, "title")))
    }
}

fn texts(value: Option<&Value>) -> Vec<String> {
    let items = value.and_then(Value::as_array).into_iter().flatten();
    items.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Where an object says that its task stands.
pub(super) fn status_in(object: &Map<String, Value>) -> TaskStatus {
    status_of(text(object, "status")).unwrap_or(TaskStatus::Pending)
}

/// The names of the tasks an object waits for. In task-master a part's plain number may be another part.
pub(super) fn waits_for(
    object: &Map<String, Value>,
    format: Format,
    tag: Option<&str>,
    parent: Option<&str>,
    known: &HashSet<String>,
) -> Vec<String> {
    let listed = object.get(names(format).depends_on).and_then(Value::as_array).into_iter().flatten();
    let name = |local: String| {
        let sibling =
            parent.filter(|_| format == Format::TaskMaster).map(|parent| format!("{parent}.{local}"));
        sibling.filter(|name| known.contains(name)).unwrap_or_else(|| qualified(tag, &local))
    };
    listed.filter_map(name_of).map(name).collect()
}

/// The object for a task: what the document held about it, with what is different now.
pub(super) fn write_object(
    item: &Item,
    format: Format,
    tag: Option<&str>,
    known: &HashSet<String>,
) -> Map<String, Value> {
    let mut object = item.raw.clone();
    let was = draft_of(&object, format, tag);
    let now = &item.draft;
    let names = names(format);
    let fresh = object.is_empty();
    let own = format == Format::Loopwright;
    if fresh {
        object.insert("id".into(), id_value(&local(&item.id, tag, item.parent.as_deref(), format), format));
    }
    let mut set = |changed: bool, field: &str, value: Value| {
        if changed || fresh {
            object.insert(field.to_owned(), value);
        }
    };
    set(was.title != now.title, "title", Value::from(now.title.as_str()));
    set(was.test_strategy != now.test_strategy, names.test_strategy, Value::from(now.test_strategy.as_str()));
    set(was.complexity != now.complexity, "complexity", Value::from(now.complexity));
    let priority = match own || item.raw.get("priority").is_some_and(Value::is_number) {
        true => Value::from(now.priority),
        false => Value::from(priority_for(now.priority, format)),
    };
    set(was.priority != now.priority, "priority", priority);
    let word = if own { item.status.as_str() } else { status_word(item.status) };
    set(status_in(&item.raw) != item.status, "status", Value::from(word));
    if own {
        set(was.acceptance != now.acceptance, "acceptance", Value::from(now.acceptance.clone()));
        set(was.notes != now.notes, "notes", Value::from(now.notes.as_str()));
        set(was.tag != now.tag, "tag", Value::from(now.tag.clone()));
        set(was.size != now.size, "size", Value::from(now.size.map(TaskSize::as_str)));
        set(was.kind != now.kind, "kind", Value::from(now.kind.map(TaskKind::as_str)));
    }
    if was.description != now.description || fresh {
        let (description, details) =
            parted(&now.description, if own { "" } else { text(&item.raw, "details") });
        set(true, "description", Value::from(description));
        set(item.raw.contains_key("details") && !own, "details", Value::from(details));
    }
    if waits_for(&item.raw, format, tag, item.parent.as_deref(), known) != item.depends_on || fresh {
        // A part's own number stands for another part, so others are named in full.
        let name = |name: &String| id_value(&local(name, tag, None, format), format);
        set(true, names.depends_on, Value::from(item.depends_on.iter().map(name).collect::<Vec<_>>()));
    }
    object
}

/// task-master knows three priorities.
fn priority_for(priority: u32, format: Format) -> &'static str {
    match (priority_word(priority), format) {
        ("critical", Format::TaskMaster) => "high",
        (word, _) => word,
    }
}

/// A task's name inside its group and, in task-master, inside the task it is a part of.
fn local(name: &str, tag: Option<&str>, parent: Option<&str>, format: Format) -> String {
    let within = parent.filter(|_| format == Format::TaskMaster);
    let within = within.and_then(|parent| name.strip_prefix(parent)?.strip_prefix('.'));
    let bare = || tag.and_then(|tag| name.strip_prefix(tag)?.strip_prefix(':')).unwrap_or(name);
    within.unwrap_or_else(bare).to_owned()
}

/// SCUD's older shape has texts for ids, the others have numbers where they can.
fn id_value(local: &str, format: Format) -> Value {
    let plain = local.parse::<u64>().ok().filter(|number| number.to_string() == local);
    match plain.filter(|_| format != Format::ScudMap) {
        Some(number) => Value::from(number),
        None => Value::from(local),
    }
}
