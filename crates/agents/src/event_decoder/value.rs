//! Looking into JSON values.

use serde_json::Value;

/// The value at a dotted path, like `usage.input_tokens`.
pub(crate) fn at<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(value, |value, key| value.get(key)).filter(|value| !value.is_null())
}

/// The text at a dotted path.
pub(super) fn text(value: &Value, path: &str) -> Option<String> {
    at(value, path)?.as_str().map(str::to_owned)
}

/// The first text that is there and not empty.
pub(super) fn first_text(value: &Value, paths: &[&str]) -> Option<String> {
    paths.iter().find_map(|path| text(value, path).filter(|text| !text.is_empty()))
}

/// A small number at a dotted path, rounded down.
pub(super) fn number(value: &Value, path: &str) -> Option<u32> {
    let number = at(value, path)?.as_f64()?;
    (0.0..=f64::from(u32::MAX)).contains(&number).then_some(number as u32)
}

/// Whether the value at a path says true.
pub(super) fn is_true(value: &Value, path: &str) -> bool {
    at(value, path).and_then(Value::as_bool).unwrap_or(false)
}

/// What a tool was given or has answered, as text: a text as it is, anything else as JSON.
pub(super) fn as_text(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(blocks)) if blocks.iter().any(|block| text(block, "text").is_some()) => {
            blocks.iter().filter_map(|block| text(block, "text")).collect::<Vec<_>>().join("\n")
        }
        Some(other) => other.to_string(),
    }
}

/// A time: RFC 3339, or seconds since 1970.
pub(super) fn time(value: &Value) -> Option<String> {
    let time = match value {
        Value::String(text) => text.parse::<jiff::Timestamp>().ok()?,
        _ => jiff::Timestamp::from_second(value.as_i64().or_else(|| Some(value.as_f64()? as i64))?).ok()?,
    };
    Some(time.to_string())
}
