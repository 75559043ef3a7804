//! SCUD Graph files, version 1.
//!
//! A file holds phases with lines `---` between them. A phase is a heading, `@meta { … }` and sections: `@nodes` with
//! a task each line, `@edges`, `@parents`, `@assignments`, `@details`. Sections this reader does not know are kept.

use std::collections::HashMap;

use loopwright_domain::{ErrorCode, Fault, TaskStatus};
use serde_json::{Map, Value, json};

use super::model::{priority_of, qualified, status_of};
use super::scg_write::{columns, draft_of, text, waits_for};
use super::{Document, Format, Group, Item, Placed};

/// The line every file begins with.
pub(super) const HEADER: &str = "# SCUD Graph v1";

/// Reads a document.
pub(super) fn read(file: &str, text: &str) -> Result<Placed, Fault> {
    let mut reader = ScgReader { file, line: 0, groups: Vec::new(), places: Vec::new() };
    let mut phase = Phase::default();
    let mut place = 0;
    for line in text.split_inclusive('\n') {
        reader.line += 1;
        let bare = line.strip_suffix('\n').unwrap_or(line);
        let bare = bare.strip_suffix('\r').unwrap_or(bare);
        if bare.trim() == "---" {
            reader.finish(std::mem::take(&mut phase))?;
        } else {
            phase.take(bare, place, &reader)?;
        }
        place += line.len();
    }
    reader.finish(phase)?;
    if reader.groups.is_empty() {
        return Err(Fault::new(ErrorCode::ImportInvalid, "the file has no phase").at(file, Some(1)));
    }
    let document = Document { format: Format::Scg, groups: reader.groups };
    Ok(Placed { document, places: reader.places })
}

struct ScgReader<'a> {
    file: &'a str,
    line: u32,
    groups: Vec<Group>,
    places: Vec<usize>,
}

impl ScgReader<'_> {
    fn bad(&self, reason: impl Into<String>) -> Fault {
        Fault::new(ErrorCode::ImportInvalid, reason).at(self.file, Some(self.line))
    }

    fn finish(&mut self, phase: Phase) -> Result<(), Fault> {
        if phase.is_empty() {
            return Ok(());
        }
        let Phase { header, meta, comments, sections, nodes, places, edges, parents, .. } = phase;
        let named = meta.iter().find(|(key, _)| key == "name").map(|(_, name)| name.clone());
        let tag = header.or(named).ok_or_else(|| self.bad("a phase has no name: write \"# Phase: NAME\""))?;
        let meta: Vec<_> = meta.into_iter().filter(|(key, value)| key != "name" || *value != tag).collect();
        let full = |local: &str| qualified(Some(&tag), local);
        let mut parent_of: HashMap<String, String> = HashMap::new();
        for (parent, child) in parents {
            parent_of.insert(full(&child), full(&parent));
        }
        let mut items = Vec::new();
        for mut raw in nodes {
            let local = text(&raw, "id").to_owned();
            if let Some(waits) = edges.get(&local) {
                raw.insert("depends_on".into(), json!(waits));
            }
            let id = full(&local);
            items.push(Item {
                draft: draft_of(&raw, &tag),
                status: status_of(text(&raw, "status")).unwrap_or(TaskStatus::Pending),
                parent: parent_of.remove(&id),
                depends_on: waits_for(&raw, &tag),
                id,
                raw,
            });
        }
        let raw = [("meta", json!(meta)), ("comments", json!(comments)), ("sections", json!(sections))];
        let raw = raw.into_iter().filter(|(_, value)| value.as_array().is_some_and(|list| !list.is_empty()));
        let raw = raw.map(|(key, value)| (key.to_owned(), value)).collect();
        self.groups.push(Group { tag: Some(tag), items, raw });
        self.places.extend(places);
        Ok(())
    }
}

/// A phase that is being read.
#[derive(Default)]
struct Phase {
    header: Option<String>,
    section: Option<String>,
    meta: Vec<(String, String)>,
    comments: Vec<String>,
    sections: Vec<(String, Vec<String>)>,
    nodes: Vec<Map<String, Value>>,
    by_id: HashMap<String, usize>,
    places: Vec<usize>,
    edges: HashMap<String, Vec<String>>,
    parents: Vec<(String, String)>,
    /// The task and the field whose lines follow, and blank lines that count only when more lines follow.
    detail: Option<(usize, String)>,
    blank: usize,
}

impl Phase {
    fn is_empty(&self) -> bool {
        self.header.is_none() && self.meta.is_empty() && self.nodes.is_empty()
    }

    fn take(&mut self, line: &str, place: usize, reader: &ScgReader<'_>) -> Result<(), Fault> {
        let trimmed = line.trim();
        if self.section.as_deref() == Some("details") && (trimmed.is_empty() || line.starts_with("  ")) {
            self.detail_line(line);
            return Ok(());
        }
        if let Some(name) = trimmed.strip_prefix('@') {
            return self.begin(name, reader);
        }
        match self.section.as_deref() {
            Some("meta") if trimmed == "}" => self.section = None,
            Some("meta") => self.meta_line(trimmed),
            None if trimmed == HEADER || trimmed.is_empty() => {}
            None => self.header_line(trimmed, reader)?,
            Some("nodes" | "edges" | "parents" | "assignments" | "details")
                if trimmed.is_empty() || trimmed.starts_with('#') => {}
            Some("nodes") => self.node(trimmed, place, reader)?,
            Some("edges") => self.edge(trimmed, reader)?,
            Some("parents") => self.children(trimmed, reader)?,
            Some("assignments") => self.assignment(trimmed, reader)?,
            Some("details") => self.detail(trimmed, reader)?,
            Some(_) => {
                if let Some((_, lines)) = self.sections.last_mut() {
                    lines.push(line.to_owned());
                }
            }
        }
        Ok(())
    }

    fn begin(&mut self, name: &str, reader: &ScgReader<'_>) -> Result<(), Fault> {
        self.detail = None;
        let Some(meta) = name.strip_prefix("meta") else {
            if !["nodes", "edges", "parents", "assignments", "details"].contains(&name) {
                self.sections.push((name.to_owned(), Vec::new()));
            }
            self.section = Some(name.to_owned());
            return Ok(());
        };
        let open = meta.trim().strip_prefix('{').ok_or_else(|| reader.bad("@meta must be followed by {"))?;
        self.section = (!open.trim_end().ends_with('}')).then(|| "meta".to_owned());
        let inner = open.trim().trim_end_matches('}').trim();
        self.meta_line(inner);
        Ok(())
    }

    fn meta_line(&mut self, line: &str) {
        let (key, value) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        if !key.is_empty() {
            self.meta.push((key.trim_end_matches(':').to_owned(), value.trim().trim_matches('"').to_owned()));
        }
    }

    fn header_line(&mut self, line: &str, reader: &ScgReader<'_>) -> Result<(), Fault> {
        let comment = line.strip_prefix('#').ok_or_else(|| reader.bad("this line stands in no section"))?;
        let phase = ["Phase:", "Epic:"].iter().find_map(|word| comment.trim().strip_prefix(word));
        match phase.map(str::trim).filter(|name| !name.is_empty()) {
            Some(name) => self.header = Some(name.to_owned()),
            None => self.comments.push(line.to_owned()),
        }
        Ok(())
    }

    fn node(&mut self, line: &str, place: usize, reader: &ScgReader<'_>) -> Result<(), Fault> {
        let columns = columns(line);
        let column = |place: usize| columns.get(place).map(String::as_str).unwrap_or_default();
        if (column(0), column(1)) == ("id", "title") {
            return Ok(());
        }
        if column(0).is_empty() || column(1).trim().is_empty() {
            return Err(
                reader.bad("a node needs an id and a title: id | title | status | complexity | priority")
            );
        }
        if status_of(column(2)).is_none() {
            return Err(reader.bad(format!("node {}: status \"{}\" is unknown", column(0), column(2))));
        }
        if priority_of(column(4)).is_none() {
            return Err(reader.bad(format!("node {}: priority \"{}\" is unknown", column(0), column(4))));
        }
        let complexity = match column(3) {
            "" => 0,
            number => number.parse::<u64>().map_err(|_| {
                reader.bad(format!("node {}: complexity \"{number}\" is no number", column(0)))
            })?,
        };
        let mut raw = Map::new();
        raw.insert("id".into(), Value::from(column(0)));
        raw.insert("title".into(), Value::from(column(1)));
        raw.insert("status".into(), Value::from(column(2)));
        raw.insert("complexity".into(), Value::from(complexity));
        raw.insert("priority".into(), Value::from(column(4)));
        if columns.len() > 5 {
            raw.insert("columns".into(), json!(columns.get(5..)));
        }
        self.by_id.insert(column(0).to_owned(), self.nodes.len());
        self.nodes.push(raw);
        self.places.push(place);
        Ok(())
    }

    fn edge(&mut self, line: &str, reader: &ScgReader<'_>) -> Result<(), Fault> {
        let (from, to) =
            line.split_once("->").ok_or_else(|| reader.bad("an edge reads: dependent -> dependency"))?;
        let from = from.trim();
        if !self.by_id.contains_key(from) {
            return Err(reader.bad(format!("the edge is of \"{from}\", which is no node of this phase")));
        }
        for to in to.split(',').map(str::trim).filter(|to| !to.is_empty()) {
            self.edges.entry(from.to_owned()).or_default().push(to.to_owned());
        }
        Ok(())
    }

    fn children(&mut self, line: &str, reader: &ScgReader<'_>) -> Result<(), Fault> {
        let (parent, children) = line
            .split_once(": ")
            .or_else(|| line.strip_suffix(':').map(|parent| (parent, "")))
            .ok_or_else(|| reader.bad("parents read: parent: child, child"))?;
        for child in children.split(',').map(str::trim).filter(|child| !child.is_empty()) {
            self.parents.push((parent.trim().to_owned(), child.to_owned()));
        }
        Ok(())
    }

    fn assignment(&mut self, line: &str, reader: &ScgReader<'_>) -> Result<(), Fault> {
        let columns = columns(line);
        let node = self.known(columns.first().map(String::as_str).unwrap_or_default(), reader)?;
        if let Some(raw) = self.nodes.get_mut(node) {
            raw.insert("assignment".into(), json!(columns.get(1..)));
        }
        Ok(())
    }

    fn detail(&mut self, line: &str, reader: &ScgReader<'_>) -> Result<(), Fault> {
        let columns = columns(line);
        let (Some(id), Some(field)) = (columns.first(), columns.get(1).filter(|field| !field.is_empty()))
        else {
            return Err(reader.bad("a detail reads: id | field |"));
        };
        let node = self.known(id, reader)?;
        self.detail = Some((node, field.clone()));
        self.blank = 0;
        self.set_detail(None);
        Ok(())
    }

    fn detail_line(&mut self, line: &str) {
        match line.strip_prefix("  ") {
            Some(line) => {
                for _ in 0..std::mem::take(&mut self.blank) {
                    self.set_detail(Some(""));
                }
                self.set_detail(Some(line));
            }
            None => self.blank += 1,
        }
    }

    fn set_detail(&mut self, line: Option<&str>) {
        let Some((node, field)) = &self.detail else { return };
        let Some(raw) = self.nodes.get_mut(*node) else { return };
        let details = raw.entry("details").or_insert_with(|| Value::Object(Map::new()));
        let Some(details) = details.as_object_mut() else { return };
        match (line, details.get_mut(field)) {
            (Some(line), Some(Value::Array(lines))) => lines.push(Value::from(line)),
            _ => drop(details.insert(field.clone(), Value::Array(Vec::new()))),
        }
    }

    fn known(&self, id: &str, reader: &ScgReader<'_>) -> Result<usize, Fault> {
        let node = self.by_id.get(id).copied();
        node.ok_or_else(|| reader.bad(format!("\"{id}\" is no node of this phase")))
    }
}
