//! Tasks in JSON: SCUD's two shapes, claude-task-master's, and our own.

use std::collections::{HashMap, HashSet};

use loopwright_domain::{ErrorCode, Fault};
use serde_json::{Map, Value};

use super::dialect::{draft_of, name_of, read_object, status_in, waits_for, write_object};
use super::json::Node;
use super::model::qualified;
use super::{Document, Format, Group, Item, Placed};

/// The key and the value by which our own files are known.
const OWN_KEY: &str = "loopwright";

/// Reads a document.
pub(super) fn read(file: &str, text: &str, format: Format) -> Result<Placed, Fault> {
    let root = Node::parse(file, text)?;
    let mut places = Vec::new();
    let groups = match (format, root.member("tasks")?) {
        (Format::ScudMap, _) | (Format::TaskMaster, None) => tagged(&root, format, &mut places)?,
        (_, Some(tasks)) if !tasks.is_object() => {
            let tag = match root.member("tag")?.map(|tag| tag.value()).transpose()? {
                Some(Value::String(tag)) if format == Format::ScudLoop => Some(tag),
                _ => None,
            };
            vec![Scope { format, tag: tag.as_deref(), prefix: None }.read(&root, &mut places)?]
        }
        (Format::TaskMaster, Some(_)) => tagged(&root, format, &mut places)?,
        _ => return Err(root.bad("must have a list \"tasks\"")),
    };
    Ok(Placed { document: Document { format, groups }, places })
}

/// Which of the formats a JSON text is, when it is one of them.
pub(super) fn detect(text: &str, name: &str) -> Option<Format> {
    let value: Value = serde_json::from_str(text.strip_prefix('\u{feff}').unwrap_or(text)).ok()?;
    let root = value.as_object()?;
    if root.contains_key(OWN_KEY) {
        return Some(Format::Loopwright);
    }
    let scud = name.contains(".scud/");
    if let Some(tasks) = root.get("tasks").and_then(Value::as_array) {
        let like_the_loop =
            |task: &Value| task.get("depends_on").is_some() || task.get("test_strategy").is_some();
        let in_a_loop =
            root.contains_key("tag") || root.contains_key("waves") || tasks.iter().any(like_the_loop);
        return Some(if in_a_loop || scud { Format::ScudLoop } else { Format::TaskMaster });
    }
    let groups: Vec<&Value> =
        root.values().filter(|group| group.get("tasks").is_some_and(Value::is_array)).collect();
    let tasks = groups.iter().filter_map(|group| group.get("tasks")?.as_array()).flatten();
    let like_scud = |task: &Value| {
        let parts = task.get("subtasks").and_then(Value::as_array).into_iter().flatten();
        task.get("parent_id").is_some()
            || task.get("test_strategy").is_some()
            || parts.clone().any(Value::is_string)
    };
    let map = groups.iter().any(|group| group.get("name").is_some()) || tasks.clone().any(like_scud) || scud;
    (!groups.is_empty()).then_some(if map { Format::ScudMap } else { Format::TaskMaster })
}

fn tagged(root: &Node<'_>, format: Format, places: &mut Vec<usize>) -> Result<Vec<Group>, Fault> {
    let groups = root.members()?.into_iter();
    groups
        .map(|(tag, node)| Scope { format, tag: Some(&tag), prefix: Some(&tag) }.read(&node, places))
        .collect()
}

/// Where tasks are read: their group, and what their names begin with.
#[derive(Clone, Copy)]
struct Scope<'s> {
    format: Format,
    tag: Option<&'s str>,
    prefix: Option<&'s str>,
}

impl Scope<'_> {
    fn read(self, node: &Node<'_>, places: &mut Vec<usize>) -> Result<Group, Fault> {
        let tasks = node.member("tasks")?.ok_or_else(|| node.bad("must have a list \"tasks\""))?;
        let mut items = Vec::new();
        for task in tasks.items()? {
            self.task(&task, None, &mut items, places)?;
        }
        let known: HashSet<String> = items.iter().map(|item| item.id.clone()).collect();
        for item in &mut items {
            item.depends_on = waits_for(&item.raw, self.format, self.prefix, item.parent.as_deref(), &known);
        }
        let mut raw = match node.value()? {
            Value::Object(raw) => raw,
            _ => Map::new(),
        };
        raw.remove("tasks");
        Ok(Group { tag: self.tag.map(str::to_owned), items, raw })
    }

    fn task(
        self,
        node: &Node<'_>,
        parent: Option<&str>,
        items: &mut Vec<Item>,
        places: &mut Vec<usize>,
    ) -> Result<(), Fault> {
        let mut raw = read_object(node, self.format)?;
        let local = raw.get("id").and_then(name_of).unwrap_or_else(|| (items.len() + 1).to_string());
        let id = match parent {
            Some(parent) => format!("{parent}.{local}"),
            None => qualified(self.prefix, &local),
        };
        let named = raw.get("parent_id").and_then(name_of).filter(|_| self.format == Format::ScudMap);
        let parent = parent.map(str::to_owned).or_else(|| named.map(|name| qualified(self.prefix, &name)));
        let parts = match node.member("subtasks")?.filter(|_| self.format == Format::TaskMaster) {
            Some(parts) if !parts.value()?.is_null() => parts.items()?,
            _ => Vec::new(),
        };
        if !parts.is_empty() {
            raw.insert("subtasks".into(), Value::Array(Vec::new()));
        }
        let (draft, status) = (draft_of(&raw, self.format, self.tag), status_in(&raw));
        items.push(Item { id: id.clone(), draft, status, parent, depends_on: Vec::new(), raw });
        places.push(node.span().start);
        parts.iter().try_for_each(|part| self.task(part, Some(&id), items, places))
    }
}

/// Writes a document.
pub(super) fn write(document: &Document) -> Result<String, Fault> {
    let format = document.format;
    let known: HashSet<String> = document.items().map(|item| item.id.clone()).collect();
    let tagged = match format {
        Format::ScudMap => true,
        Format::TaskMaster => document.groups.iter().any(|group| group.tag.is_some()),
        _ => false,
    };
    let mut root = Map::new();
    for group in &document.groups {
        let tag = group.tag.as_deref();
        let writer = Writer::of(group, format, tag.filter(|_| tagged), &known);
        let mut object = group.raw.clone();
        object.insert("tasks".into(), writer.tasks());
        if tagged {
            let tag = tag.unwrap_or("master");
            if format == Format::ScudMap && group.raw.is_empty() {
                object.insert("name".into(), Value::from(tag));
            }
            root.insert(tag.to_owned(), Value::Object(object));
        } else {
            if let Some(tag) = tag.filter(|_| format == Format::ScudLoop) {
                object.insert("tag".into(), Value::from(tag));
            }
            root.extend(object);
        }
    }
    if format == Format::Loopwright && !root.contains_key(OWN_KEY) {
        root.insert(OWN_KEY.into(), Value::from(1));
    }
    let text = serde_json::to_string_pretty(&root)
        .map_err(|error| Fault::caused(ErrorCode::Internal, "cannot write JSON", &error))?;
    Ok(text + "\n")
}

struct Writer<'g> {
    group: &'g Group,
    format: Format,
    prefix: Option<&'g str>,
    known: &'g HashSet<String>,
    parts: HashMap<&'g str, Vec<&'g Item>>,
}

impl<'g> Writer<'g> {
    fn of(group: &'g Group, format: Format, prefix: Option<&'g str>, known: &'g HashSet<String>) -> Self {
        let mut parts: HashMap<&str, Vec<&Item>> = HashMap::new();
        for item in &group.items {
            if let Some(parent) = &item.parent {
                parts.entry(parent).or_default().push(item);
            }
        }
        Self { group, format, prefix, known, parts }
    }

    fn tasks(&self) -> Value {
        let nested = self.format == Format::TaskMaster;
        let tasks = self.group.items.iter().filter(|item| !nested || item.parent.is_none());
        tasks.map(|item| self.task(item)).collect()
    }

    fn task(&self, item: &Item) -> Value {
        let mut object = write_object(item, self.format, self.prefix, self.known);
        let parts = self.parts.get(item.id.as_str()).map(Vec::as_slice).unwrap_or_default();
        match self.format {
            Format::TaskMaster if !parts.is_empty() => {
                object.insert("subtasks".into(), parts.iter().map(|part| self.task(part)).collect());
            }
            Format::ScudMap if item.raw.is_empty() => {
                let local = |name: &str| {
                    let bare = self.prefix.and_then(|prefix| name.strip_prefix(prefix)?.strip_prefix(':'));
                    Value::from(bare.unwrap_or(name))
                };
                object.insert("subtasks".into(), parts.iter().map(|part| local(&part.id)).collect());
                object.insert("parent_id".into(), item.parent.as_deref().map_or(Value::Null, local));
            }
            _ => {}
        }
        Value::Object(object)
    }
}
