//! Configuration values and what each kind of key accepts.

use loopwright_domain::{ErrorCode, Fault};
use toml_edit::{Array, Item};

/// A value as a person thinks of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// One piece of text.
    Text(String),
    /// Several pieces, in order.
    List(Vec<String>),
}

/// What a key accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// Any text.
    Text,
    /// One of a few words.
    Choice(&'static [&'static str]),
    /// `autonomous`, `review_each` or `review_every:N`.
    Mode,
    /// A list of texts.
    List,
    /// A list of path patterns.
    Globs,
}

impl ValueKind {
    /// Whether values are lists.
    #[must_use]
    pub const fn is_list(self) -> bool {
        matches!(self, Self::List | Self::Globs)
    }

    /// Says what is wrong with a value, as the end of a sentence that begins with the key.
    ///
    /// # Errors
    /// The value is not one this kind accepts.
    pub fn check(self, value: &Value) -> Result<(), String> {
        match (self, value) {
            (Self::Text, Value::Text(_)) | (Self::List, Value::List(_)) => Ok(()),
            (Self::Choice(options), Value::Text(text)) if options.contains(&text.as_str()) => Ok(()),
            (Self::Choice(options), _) => Err(format!("must be one of: {}", options.join(", "))),
            (Self::Mode, Value::Text(text)) if is_mode(text) => Ok(()),
            (Self::Mode, _) => Err("must be autonomous, review_each, or review_every:N with N from 1".into()),
            (Self::Globs, Value::List(patterns)) => check_globs(patterns),
            (Self::Text, Value::List(_)) => Err("must be text in quotes".into()),
            (Self::List | Self::Globs, Value::Text(_)) => {
                Err("must be a list, like [\"one\", \"two\"]".into())
            }
        }
    }

    /// Reads a value written on a command line, in a variable, or in a text box: lists are one item per line,
    /// or a TOML array.
    ///
    /// # Errors
    /// The text is not a value this kind accepts.
    pub fn parse(self, text: &str) -> Result<Value, String> {
        let value =
            if self.is_list() { Value::List(parse_list(text)?) } else { Value::Text(text.to_owned()) };
        self.check(&value)?;
        Ok(value)
    }

    /// Reads a value from a configuration file.
    ///
    /// # Errors
    /// The item is not a value this kind accepts.
    pub fn read(self, item: &Item) -> Result<Value, String> {
        let value = match item.as_value() {
            Some(toml_edit::Value::String(text)) => Value::Text(text.value().clone()),
            Some(toml_edit::Value::Array(array)) => Value::List(texts(array)?),
            _ if self.is_list() => return Err("must be a list, like [\"one\", \"two\"]".into()),
            _ => return Err("must be text in quotes".into()),
        };
        self.check(&value)?;
        Ok(value)
    }
}

fn texts(array: &Array) -> Result<Vec<String>, String> {
    array
        .iter()
        .map(|item| {
            item.as_str().map(str::to_owned).ok_or_else(|| "must hold only text in quotes".to_owned())
        })
        .collect()
}

fn is_mode(text: &str) -> bool {
    match text.strip_prefix("review_every:") {
        Some(count) => count.parse::<u32>().is_ok_and(|count| count > 0),
        None => matches!(text, "autonomous" | "review_each"),
    }
}

fn check_globs(patterns: &[String]) -> Result<(), String> {
    for pattern in patterns {
        globset::Glob::new(pattern)
            .map_err(|error| format!("holds a pattern that cannot be read: {error}"))?;
    }
    Ok(())
}

fn parse_list(text: &str) -> Result<Vec<String>, String> {
    if text.trim_start().starts_with('[') {
        let value: toml_edit::Value =
            text.trim().parse().map_err(|_| "is not a list that can be read".to_owned())?;
        return value.as_array().map_or_else(|| Err("must be a list".into()), texts);
    }
    Ok(text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect())
}

impl Value {
    /// The value for a text box: lists one item per line.
    #[must_use]
    pub fn to_text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::List(items) => items.join("\n"),
        }
    }

    /// The value as TOML.
    #[must_use]
    pub fn to_toml(&self) -> toml_edit::Value {
        match self {
            Self::Text(text) => text.as_str().into(),
            Self::List(items) => toml_edit::Value::Array(items.iter().map(String::as_str).collect()),
        }
    }
}

/// The fault for a value that its key does not accept.
#[must_use]
pub fn bad_value(key: &str, reason: &str) -> Fault {
    Fault::new(ErrorCode::ConfigBadValue, format!("\"{key}\" {reason}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_are_the_three_of_the_design() {
        for good in ["autonomous", "review_each", "review_every:1", "review_every:25"] {
            assert!(ValueKind::Mode.parse(good).is_ok(), "{good}");
        }
        for bad in
            ["", "auto", "review_every", "review_every:", "review_every:0", "review_every:-1", "Autonomous"]
        {
            assert!(ValueKind::Mode.parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn lists_are_read_from_lines_and_from_toml() {
        let expected = Value::List(vec!["a b".into(), "c".into()]);
        assert_eq!(ValueKind::List.parse("a b\n\n  c\n"), Ok(expected.clone()));
        assert_eq!(ValueKind::List.parse("[\"a b\", \"c\"]"), Ok(expected));
        assert!(ValueKind::List.parse("[1, 2]").is_err());
        assert!(ValueKind::List.parse("[\"open").is_err());
        assert_eq!(ValueKind::List.parse(""), Ok(Value::List(Vec::new())));
    }

    #[test]
    fn broken_patterns_are_named() {
        let error = ValueKind::Globs.parse("src/[").unwrap_err();
        assert!(error.contains("src/["), "{error}");
    }

    proptest::proptest! {
        #[test]
        fn any_text_written_as_toml_reads_back(items in proptest::collection::vec(".*", 0..5)) {
            let value = Value::List(items);
            let document: toml_edit::DocumentMut = format!("key = {}", value.to_toml()).parse().unwrap();
            proptest::prop_assert_eq!(ValueKind::List.read(&document["key"]), Ok(value));
        }
    }
}
