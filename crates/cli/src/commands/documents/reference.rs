//! The JSON and event reference, from the published schema.

use serde_json::{Map, Value};

const INTRODUCTION: &str = "\
# JSON and events

Generated from the code by `cargo xtask docs`. The same as a JSON Schema is [loopwright.schema.json](loopwright.schema.json):
`$defs` has an entry for each command, such as `loopwright status`. A test validates what every command prints against it.

Every command takes `--json`. A query prints one document. `run`, `loop`, `fix`, `resume` and `watch` print one
[event](#events) per line, and a run ends with a line of type `run`. A command that fails prints a
[`ErrorDocument`](#errordocument) on standard output, wrong usage too. Later versions may add fields and events; what is here keeps its meaning.

Iterations are counted from 1. Times are RFC 3339 in UTC, durations milliseconds, sums of money millionths of a US dollar.

    loopwright status --json | jq .run.status
    loopwright run --json | jq -c 'select(.event.type == \"check.ended\") | [.iteration, .task, .event.name, .event.status]'

";

/// The prefix of the definitions that are whole documents.
const COMMAND: &str = "loopwright ";

/// All of the reference as Markdown.
pub(super) fn of(schema: &Value) -> String {
    let definitions = schema["$defs"].as_object().unwrap();
    let mut text = INTRODUCTION.to_owned();
    text.push_str("## Commands\n\n| command | prints |\n|---|---|\n");
    for (name, definition) in definitions.iter().filter(|(name, _)| name.starts_with(COMMAND)) {
        let documents = definition["anyOf"].as_array().unwrap();
        let printed = documents.iter().map(kind).filter(|kind| kind != "[ErrorDocument](#errordocument)");
        text.push_str(&format!("| `{name}` | {} |\n", printed.collect::<Vec<_>>().join(", or ")));
    }
    text.push_str("\n## Events\n\nThe `event` of an [`EventLine`](#eventline), by its `type`.\n");
    for variant in variants(&definitions["Event"]) {
        text.push_str(&format!("\n### `{}`\n\n{}", tag(variant).unwrap(), described(variant)));
        text.push_str(&fields(variant, Some("type")));
    }
    text.push_str("\n## Types\n");
    let types = definitions.iter().filter(|(name, _)| !name.starts_with(COMMAND) && *name != "Event");
    types.for_each(|(name, definition)| text.push_str(&definition_of(name, definition)));
    text
}

fn definition_of(name: &str, definition: &Value) -> String {
    let mut text = format!("\n### {name}\n\n{}", described(definition));
    let all = variants(definition);
    let words: Vec<String> = all.iter().filter_map(|variant| word(variant)).collect();
    if !words.is_empty() && words.len() == all.len() {
        text.push_str(&words.join(""));
    } else if all.len() > 1 {
        for variant in all {
            let about = described(variant).trim().replace('\n', " ");
            text.push_str(&format!(
                "- {}{}\n",
                kind(variant),
                if about.is_empty() { about } else { format!(": {about}") }
            ));
        }
    } else {
        let table = fields(definition, None);
        text.push_str(&if table.is_empty() { format!("{}\n", kind(definition)) } else { table });
    }
    text
}

/// One of several words, with what it means.
fn word(variant: &Value) -> Option<String> {
    let word = variant["const"].as_str()?;
    let about = described(variant).trim().replace('\n', " ");
    Some(if about.is_empty() { format!("- `{word}`\n") } else { format!("- `{word}`: {about}\n") })
}

fn variants(definition: &Value) -> Vec<&Value> {
    let all = definition.get("anyOf").or_else(|| definition.get("oneOf")).and_then(Value::as_array);
    all.map_or_else(Vec::new, |all| all.iter().collect())
}

/// The word by which a variant is known.
fn tag(variant: &Value) -> Option<&str> {
    variant["properties"]["type"]["const"].as_str()
}

fn described(schema: &Value) -> String {
    let text =
        schema["description"].as_str().unwrap_or_default().trim().replace("[`", "`").replace("`]", "`");
    if text.is_empty() { String::new() } else { format!("{text}\n\n") }
}

/// The fields of an object, with those of the objects it is put together from.
fn fields(schema: &Value, without: Option<&str>) -> String {
    let mut all: Vec<(&String, &Value)> = Vec::new();
    let parts = schema["allOf"]
        .as_array()
        .map_or_else(|| vec![schema], |parts| parts.iter().chain([schema]).collect());
    let mut flattened = Vec::new();
    for part in parts {
        flattened.extend(part["$ref"].as_str().map(link));
        all.extend(
            part["properties"].as_object().iter().flat_map(|fields: &&Map<String, Value>| fields.iter()),
        );
    }
    let mut text = String::new();
    for other in flattened {
        text.push_str(&format!("All fields of {other}.\n\n"));
    }
    let rows: Vec<String> = all
        .into_iter()
        .filter(|(name, _)| Some(name.as_str()) != without)
        .map(|(name, field)| {
            let about = described(field).trim().replace('\n', " ").replace('|', "\\|");
            format!("| `{name}` | {} | {about} |\n", kind(field).replace('|', "\\|"))
        })
        .collect();
    if !rows.is_empty() {
        text.push_str(&format!("| field | type | |\n|---|---|---|\n{}", rows.concat()));
    }
    text
}

/// What a value is, in words and links.
fn kind(schema: &Value) -> String {
    if let Some(reference) = schema["$ref"].as_str() {
        return link(reference);
    }
    if let Some(word) = schema["const"].as_str() {
        return format!("`{word}`");
    }
    if let Some(words) = schema["enum"].as_array() {
        return words
            .iter()
            .filter_map(Value::as_str)
            .map(|word| format!("`{word}`"))
            .collect::<Vec<_>>()
            .join(" or ");
    }
    let several = variants(schema);
    if !several.is_empty() {
        return several.into_iter().map(kind).collect::<Vec<_>>().join(" or ");
    }
    if let Some([only]) = schema["allOf"].as_array().map(Vec::as_slice) {
        return kind(only);
    }
    match &schema["type"] {
        Value::String(name) if name == "array" => format!("list of {}", kind(&schema["items"])),
        Value::String(name) if name == "object" && schema["additionalProperties"].is_object() => {
            format!("object of {}", kind(&schema["additionalProperties"]))
        }
        Value::String(name) if name == "object" => {
            let names: Vec<String> = schema["properties"]
                .as_object()
                .into_iter()
                .flatten()
                .map(|(name, _)| format!("`{name}`"))
                .collect();
            if names.is_empty() { "object".to_owned() } else { format!("object with {}", names.join(", ")) }
        }
        Value::String(name) => name.clone(),
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
        _ => "any value".to_owned(),
    }
}

fn link(reference: &str) -> String {
    let name = reference.trim_start_matches("#/$defs/");
    if name == "Event" {
        return "[Event](#events)".to_owned();
    }
    format!("[{name}](#{})", name.to_lowercase())
}
