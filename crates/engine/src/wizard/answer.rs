//! From an agent's JSON to a form and back: the schema of an answer, reading one, and where each value came from.

use std::collections::BTreeMap;

use loopwright_domain::wizard::form::{LONGEST_VALUE, MOST_ITEMS};
use loopwright_domain::wizard::{
    Field, FieldKind, FieldOrigin, FieldShape, FieldValue, Form, FormShape, Item, ListShape,
};
use serde_json::{Map, Value, json};

/// What is read beside the data: where values came from, and a word to the person.
const SOURCES: &str = "sources";
const REMARK: &str = "remark";

/// The schema of an answer. Everything is required and nothing else is allowed, as strict modes of agents want it.
pub(super) fn schema(shape: &FormShape, only: Option<&str>) -> Value {
    let mut properties = Map::new();
    for field in shape.fields.iter().filter(|field| wanted(only, field.name)) {
        properties.insert(field.name.to_owned(), field_schema(field));
    }
    for list in shape.lists.iter().filter(|list| wanted(only, list.name)) {
        let items = if list.is_plain() { json!({ "type": "string" }) } else { item_schema(list) };
        let schema = json!({ "type": "array", "description": list.help, "items": items });
        properties.insert(list.name.to_owned(), schema);
    }
    properties.insert(SOURCES.to_owned(), sources_schema());
    let remark = json!({ "type": "string", "description": "One or two sentences to the person." });
    properties.insert(REMARK.to_owned(), remark);
    closed(properties)
}

fn wanted(only: Option<&str>, name: &str) -> bool {
    only.is_none_or(|only| only == name)
}

fn item_schema(list: &ListShape) -> Value {
    let mut properties = Map::new();
    let id =
        json!({ "type": "string", "description": "The id of an item that is there already, else empty." });
    properties.insert("id".to_owned(), id);
    for field in list.fields {
        properties.insert(field.name.to_owned(), field_schema(field));
    }
    closed(properties)
}

fn sources_schema() -> Value {
    let text = |help: &str| json!({ "type": "string", "description": help });
    let mut properties = Map::new();
    properties.insert("path".into(), text("The field or item, such as problem_statement or features[0]."));
    properties.insert("from".into(), json!({ "enum": ["words", "document", "code", "assumed"] }));
    properties.insert("document".into(), text("The document's name, else empty."));
    properties.insert("quote".into(), text("The passage, word for word, else empty."));
    properties.insert("file".into(), text("The file of the code, else empty."));
    json!({ "type": "array", "items": closed(properties) })
}

fn closed(properties: Map<String, Value>) -> Value {
    let names: Vec<&String> = properties.keys().collect();
    json!({ "type": "object", "required": names, "properties": properties, "additionalProperties": false })
}

fn field_schema(field: &FieldShape) -> Value {
    match field.kind {
        FieldKind::Line | FieldKind::Text => json!({ "type": "string", "description": field.help }),
        FieldKind::Texts => {
            json!({ "type": "array", "description": field.help, "items": { "type": "string" } })
        }
        FieldKind::Choice => json!({ "enum": field.choices, "description": field.help }),
        FieldKind::Number => json!({ "type": "integer", "description": field.help }),
        FieldKind::Flag => json!({ "type": "boolean", "description": field.help }),
    }
}

/// A form as an agent is shown it: values alone, items with their ids. Names that `replace` knows are put in the place of
/// ids.
pub(super) fn shown(shape: &FormShape, form: &Form, names: &BTreeMap<String, String>) -> Value {
    let mut object = Map::new();
    for field in shape.fields {
        if let Some(known) = form.fields.get(field.name) {
            object.insert(field.name.to_owned(), value_shown(&known.value, names));
        }
    }
    for list in shape.lists {
        let items = form.items(list.name).iter().map(|item| match list.is_plain() {
            true => json!(item.text(list.key().name)),
            false => item_shown(list, item, names),
        });
        object.insert(list.name.to_owned(), Value::Array(items.collect()));
    }
    Value::Object(object)
}

fn item_shown(list: &ListShape, item: &Item, names: &BTreeMap<String, String>) -> Value {
    let mut object = Map::new();
    object.insert("id".to_owned(), json!(item.id));
    for field in list.fields {
        if let Some(known) = item.fields.get(field.name) {
            object.insert(field.name.to_owned(), value_shown(&known.value, names));
        }
    }
    Value::Object(object)
}

fn value_shown(value: &FieldValue, names: &BTreeMap<String, String>) -> Value {
    match value {
        FieldValue::Flag(flag) => json!(flag),
        FieldValue::Number(number) => json!(number),
        FieldValue::Text(text) => json!(text),
        FieldValue::Texts(texts) => {
            json!(texts.iter().map(|text| names.get(text).unwrap_or(text)).collect::<Vec<_>>())
        }
    }
}

/// What an answer is judged by: what the person said, and what can be looked up.
#[derive(Clone, Copy)]
pub(super) struct Evidence<'a> {
    /// The person's own words, all of them.
    pub(super) words: &'a str,
    /// Documents by name, with their texts.
    pub(super) documents: &'a [(String, String)],
    /// Whether a file is there in the code that was surveyed.
    pub(super) has_file: &'a dyn Fn(&str) -> bool,
    /// Whether the code was surveyed.
    pub(super) surveyed: bool,
}

/// An answer that was read.
#[derive(Clone, Debug, Default)]
pub(super) struct Answer {
    pub(super) form: Form,
    pub(super) remark: Option<String>,
}

/// Reads an answer. Names that are missing are an error unless `partial` is allowed; then at least one must be there.
///
/// # Errors
/// Says in words what does not fit, for the agent to repair.
pub(super) fn read(
    shape: &FormShape,
    value: &Value,
    only: Option<&str>,
    partial: bool,
    evidence: &Evidence<'_>,
) -> Result<Answer, String> {
    let object = value.as_object().ok_or("the answer is not an object")?;
    let names: Vec<&str> = shape.names().filter(|name| wanted(only, name)).collect();
    let missing: Vec<&str> = names.iter().copied().filter(|name| !object.contains_key(*name)).collect();
    if missing.len() == names.len() || (!partial && !missing.is_empty()) {
        return Err(format!("the answer has no {}", quoted(&missing)));
    }
    let origins = Origins::of(object.get(SOURCES), evidence);
    let mut form = Form::default();
    for field in shape.fields.iter().filter(|field| names.contains(&field.name)) {
        if let Some(value) = object.get(field.name) {
            let value = field_value(field, value).map_err(|problem| format!("{} {problem}", field.name))?;
            form.fields.insert(field.name.to_owned(), Field::of(value, origins.find(field.name, None, None)));
        }
    }
    for list in shape.lists.iter().filter(|list| names.contains(&list.name)) {
        if let Some(value) = object.get(list.name) {
            form.lists.insert(list.name.to_owned(), items(list, value, &origins)?);
        }
    }
    let remark = object.get(REMARK).and_then(Value::as_str).map(clean).filter(|text| !text.is_empty());
    Ok(Answer { form, remark })
}

fn items(list: &ListShape, value: &Value, origins: &Origins) -> Result<Vec<Item>, String> {
    let told = match value {
        Value::Array(items) => items.as_slice(),
        Value::Null => &[],
        _ => return Err(format!("{} is not a list", list.name)),
    };
    if told.len() > MOST_ITEMS {
        return Err(format!("{} has more than {MOST_ITEMS} items", list.name));
    }
    let mut items = Vec::new();
    for (place, value) in told.iter().enumerate() {
        let mut item = Item { id: String::new(), fields: BTreeMap::new() };
        let key = list.key();
        match value {
            Value::Object(object) => {
                item.id = object.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
                for field in list.fields {
                    let Some(value) = object.get(field.name) else { continue };
                    let value = field_value(field, value)
                        .map_err(|problem| format!("{}[{place}].{} {problem}", list.name, field.name))?;
                    let origin = origins.find(list.name, Some(place), Some(field.name));
                    item.fields.insert(field.name.to_owned(), Field::of(value, origin));
                }
            }
            Value::String(text) => {
                let value = FieldValue::Text(clean(text));
                let origin = origins.find(list.name, Some(place), None);
                item.fields.insert(key.name.to_owned(), Field::of(value, origin));
            }
            _ => return Err(format!("{}[{place}] is neither an object nor a text", list.name)),
        }
        if !item.text(key.name).trim().is_empty() {
            items.push(item);
        }
    }
    Ok(items)
}

/// Reads one value. A choice that is none of the words becomes the usual one: it is only a word to be looked at.
fn field_value(field: &FieldShape, value: &Value) -> Result<FieldValue, String> {
    let text_of = |value: &Value| match value {
        Value::String(text) => Some(clean(text)),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null => Some(String::new()),
        _ => None,
    };
    let read = match field.kind {
        FieldKind::Line => {
            let text = text_of(value).ok_or("is not a text")?;
            FieldValue::Text(text.split_whitespace().collect::<Vec<_>>().join(" "))
        }
        FieldKind::Text => match value {
            Value::Array(parts) => {
                let parts: Option<Vec<String>> = parts.iter().map(text_of).collect();
                FieldValue::Text(parts.ok_or("is not a text")?.join("\n"))
            }
            value => FieldValue::Text(text_of(value).ok_or("is not a text")?.trim().to_owned()),
        },
        FieldKind::Choice => {
            let told = text_of(value).ok_or("is not a word")?.to_lowercase().replace([' ', '-'], "_");
            let known = field.choices.iter().find(|choice| choice.to_lowercase() == told);
            let usual = field.choices.first().copied().unwrap_or_default();
            FieldValue::Text((*known.unwrap_or(&usual)).to_owned())
        }
        FieldKind::Texts => match value {
            Value::Array(parts) => {
                let parts: Option<Vec<String>> = parts.iter().map(text_of).collect();
                let parts =
                    parts.ok_or("is not a list of texts")?.into_iter().map(|text| text.trim().to_owned());
                FieldValue::Texts(parts.filter(|text| !text.is_empty()).collect())
            }
            value => {
                let text = text_of(value).ok_or("is not a list of texts")?;
                FieldValue::Texts(
                    text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect(),
                )
            }
        },
        FieldKind::Number => {
            let number = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok());
            let number = number.filter(|number| (0.0..=f64::from(u32::MAX)).contains(number));
            // In range, and a fraction of a number of pieces is none.
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "the range was looked at"
            )]
            FieldValue::Number(number.ok_or("is not a whole number")?.round() as u32)
        }
        FieldKind::Flag => match value {
            Value::Bool(flag) => FieldValue::Flag(*flag),
            Value::String(text) => FieldValue::Flag(matches!(text.trim(), "true" | "yes")),
            _ => return Err("is neither true nor false".to_owned()),
        },
    };
    let size = match &read {
        FieldValue::Text(text) => text.len(),
        FieldValue::Texts(texts) => texts.iter().map(String::len).sum(),
        FieldValue::Flag(_) | FieldValue::Number(_) => 0,
    };
    if size > LONGEST_VALUE { Err("is longer than 256 KiB".to_owned()) } else { Ok(read) }
}

/// A text without what only a terminal would understand.
fn clean(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect()
}

fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
}

/// Where values came from, as the agent says and the host has looked up.
struct Origins(Vec<(String, FieldOrigin)>);

impl Origins {
    fn of(told: Option<&Value>, evidence: &Evidence<'_>) -> Self {
        let entries = told.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object);
        let read = |entry: &Map<String, Value>| {
            let text = |name: &str| entry.get(name).and_then(Value::as_str).unwrap_or_default();
            let path = text("path").trim().trim_start_matches('$').trim_start_matches('.').to_owned();
            (!path.is_empty()).then(|| (path, origin(text("from"), &text, evidence)))
        };
        Self(entries.filter_map(read).collect())
    }

    /// The origin of a field, of an item's field, or of the item or list it is in, the nearest that was told.
    fn find(&self, name: &str, place: Option<usize>, field: Option<&str>) -> FieldOrigin {
        let item = place.map(|place| format!("{name}[{place}]"));
        let whole = match (&item, field) {
            (Some(item), Some(field)) => Some(format!("{item}.{field}")),
            _ => None,
        };
        let paths = [whole, item, Some(name.to_owned())];
        let find =
            |path: String| self.0.iter().find(|(told, _)| *told == path).map(|(_, origin)| origin.clone());
        paths.into_iter().flatten().find_map(find).unwrap_or_default()
    }
}

/// What an agent says about a source counts only where it can be found.
fn origin<'v>(from: &str, text: &dyn Fn(&str) -> &'v str, evidence: &Evidence<'_>) -> FieldOrigin {
    let quote = clean(text("quote"));
    match from {
        "words" if contains(evidence.words, &quote) => FieldOrigin::Words { quote: Some(quote) },
        "document" => {
            let found = evidence.documents.iter().find(|(_, content)| contains(content, &quote));
            found.map_or(FieldOrigin::Assumed, |(name, _)| FieldOrigin::Document {
                document: name.clone(),
                quote,
            })
        }
        "code" if evidence.surveyed => {
            let file = text("file").trim();
            match file {
                "" => FieldOrigin::Code { file: None },
                file if (evidence.has_file)(file) => FieldOrigin::Code { file: Some(file.to_owned()) },
                _ => FieldOrigin::Assumed,
            }
        }
        _ => FieldOrigin::Assumed,
    }
}

/// Whether a passage stands in a text, but for blanks and case. One word proves nothing.
fn contains(text: &str, passage: &str) -> bool {
    let fold = |text: &str| text.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ");
    let passage = fold(passage);
    passage.chars().count() >= 3 && fold(text).contains(&passage)
}

#[cfg(test)]
#[path = "answer_tests.rs"]
mod tests;
