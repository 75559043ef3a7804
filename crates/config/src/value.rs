//! Configuration values and what each kind of key accepts.

use std::time::Duration;

use jiff::SignedDuration;
use loopwright_domain::{ErrorCode, Fault, ReviewMode};
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
    /// A list of some of a few words.
    Choices(&'static [&'static str]),
    /// A whole number from 0.
    Count,
    /// Yes or no.
    Switch,
    /// A length of time such as `90s` or `2h`; empty for none.
    Time,
    /// An amount of US dollars such as `25` or `0.50`; empty for none.
    Money,
}

impl ValueKind {
    /// Whether values are lists.
    #[must_use]
    pub const fn is_list(self) -> bool {
        matches!(self, Self::List | Self::Globs | Self::Choices(_))
    }

    const fn takes_numbers(self) -> bool {
        matches!(self, Self::Count | Self::Money)
    }

    /// A value of this kind as TOML.
    #[must_use]
    pub fn to_toml(self, value: &Value) -> toml_edit::Value {
        match (self, value) {
            (Self::Count, Value::Text(text)) => text.parse::<i64>().map_or_else(|_| text.into(), Into::into),
            (Self::Switch, Value::Text(text)) => (text == "true").into(),
            (_, value) => value.to_toml(),
        }
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
            (Self::Mode, Value::Text(text)) if ReviewMode::parse(text).is_some() => Ok(()),
            (Self::Mode, _) => Err("must be autonomous, review_each, or review_every:N with N from 1".into()),
            (Self::Globs, Value::List(patterns)) => check_globs(patterns),
            (Self::Choices(options), Value::List(words)) => {
                match words.iter().find(|word| !options.contains(&word.as_str())) {
                    None => Ok(()),
                    Some(word) => Err(format!("holds \"{word}\", which is none of: {}", options.join(", "))),
                }
            }
            (Self::Count, Value::Text(text)) if text.parse::<u64>().is_ok() => Ok(()),
            (Self::Count, _) => Err("must be a whole number from 0".into()),
            (Self::Switch, Value::Text(text)) if matches!(text.as_str(), "true" | "false") => Ok(()),
            (Self::Switch, _) => Err("must be true or false".into()),
            (Self::Time, Value::Text(text)) if text.is_empty() || parse_time(text).is_some() => Ok(()),
            (Self::Time, _) => Err("must be a time, like \"90s\" or \"2h\", or empty for none".into()),
            (Self::Money, Value::Text(text)) if text.is_empty() || parse_money(text).is_some() => Ok(()),
            (Self::Money, _) => Err("must be US dollars, like \"25\" or \"0.50\", or empty for none".into()),
            (Self::Text, Value::List(_)) => Err("must be text in quotes".into()),
            (Self::List | Self::Globs | Self::Choices(_), Value::Text(_)) => {
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
            Some(toml_edit::Value::Integer(number)) if self.takes_numbers() => {
                Value::Text(number.value().to_string())
            }
            Some(toml_edit::Value::Float(number)) if self == Self::Money => {
                Value::Text(number.value().to_string())
            }
            Some(toml_edit::Value::Boolean(answer)) if self == Self::Switch => {
                Value::Text(answer.value().to_string())
            }
            _ if self.takes_numbers() || self == Self::Switch => {
                return Err(self.check(&Value::List(Vec::new())).err().unwrap_or_default());
            }
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

/// Reads a length of time that is longer than nothing.
#[must_use]
pub fn parse_time(text: &str) -> Option<Duration> {
    let time: SignedDuration = text.trim().parse().ok()?;
    time.is_positive().then(|| time.unsigned_abs())
}

/// Reads an amount of US dollars as millionths of one.
#[must_use]
pub fn parse_money(text: &str) -> Option<u64> {
    let text = text.trim().trim_start_matches('$');
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() && part.is_empty() || part.len() > 6 || !digits(whole) || !digits(part) {
        return None;
    }
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let part: u64 = format!("{part:0<6}").parse().ok()?;
    whole.checked_mul(1_000_000)?.checked_add(part)
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
    fn numbers_times_and_money_are_read_and_written_in_their_own_form() {
        let read = |kind: ValueKind, toml: &str| {
            let document: toml_edit::DocumentMut = format!("key = {toml}").parse().unwrap();
            kind.read(&document["key"]).map(|value| value.to_text())
        };
        assert_eq!(read(ValueKind::Count, "20"), Ok("20".into()));
        assert!(read(ValueKind::Count, "-1").is_err());
        assert!(read(ValueKind::Count, "\"many\"").is_err());
        assert_eq!(read(ValueKind::Switch, "true"), Ok("true".into()));
        assert!(read(ValueKind::Switch, "1").is_err());
        assert_eq!(read(ValueKind::Money, "2.5"), Ok("2.5".into()));
        assert_eq!(read(ValueKind::Time, "\"8h\""), Ok("8h".into()));
        assert!(read(ValueKind::Time, "\"soon\"").is_err());
        assert!(read(ValueKind::Time, "5").is_err());
        assert_eq!(ValueKind::Count.to_toml(&Value::Text("7".into())).to_string(), "7");
        assert_eq!(ValueKind::Switch.to_toml(&Value::Text("false".into())).to_string(), "false");
        for (text, micros) in [
            ("25", Some(25_000_000)),
            ("$0.5", Some(500_000)),
            (".000001", Some(1)),
            ("1.0000001", None),
            ("-1", None),
            ("", None),
            ("1e3", None),
        ] {
            assert_eq!(parse_money(text), micros, "{text}");
        }
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
