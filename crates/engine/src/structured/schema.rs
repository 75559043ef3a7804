//! Checks a value against the part of JSON Schema that answers are asked with.

use serde_json::Value;

/// Says where and why a value does not fit.
pub(super) fn check(value: &Value, schema: &Value) -> Result<(), String> {
    check_at("the answer", value, schema)
}

fn check_at(place: &str, value: &Value, schema: &Value) -> Result<(), String> {
    let types: Vec<&str> = match schema.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if !types.is_empty() && !types.iter().any(|name| is_a(value, name)) {
        let wanted: Vec<&str> = types.into_iter().map(word).collect();
        return Err(format!("{place} is {}, not {}", word(kind(value)), wanted.join(" or ")));
    }
    if let Some(Value::Array(allowed)) = schema.get("enum")
        && !allowed.contains(value)
    {
        let allowed: Vec<String> = allowed.iter().map(ToString::to_string).collect();
        return Err(format!("{place} is none of {}", allowed.join(", ")));
    }
    match value {
        Value::Object(fields) => {
            let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
            if let Some(missing) = required.filter_map(Value::as_str).find(|name| !fields.contains_key(*name))
            {
                return Err(format!("{place} has no \"{missing}\""));
            }
            let known = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
            known
                .filter_map(|(name, schema)| Some((name, fields.get(name)?, schema)))
                .try_for_each(|(name, value, schema)| check_at(&inside(place, name), value, schema))
        }
        Value::Array(items) => schema.get("items").map_or(Ok(()), |schema| {
            let mut numbered = items.iter().enumerate();
            numbered
                .try_for_each(|(number, item)| check_at(&format!("{}[{number}]", named(place)), item, schema))
        }),
        _ => Ok(()),
    }
}

fn inside(place: &str, name: &str) -> String {
    match named(place) {
        "" => name.to_owned(),
        outer => format!("{outer}.{name}"),
    }
}

/// The path so far; the whole answer has none.
fn named(place: &str) -> &str {
    if place == "the answer" { "" } else { place }
}

fn is_a(value: &Value, name: &str) -> bool {
    match name {
        "integer" => {
            value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|number| number.fract() == 0.0)
        }
        name => kind(value) == name,
    }
}

const fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// What people call a type.
fn word(name: &str) -> &str {
    match name {
        "null" => "nothing",
        "boolean" => "true or false",
        "integer" => "a whole number",
        "number" => "a number",
        "string" => "a text",
        "array" => "a list",
        "object" => "an object",
        other => other,
    }
}
