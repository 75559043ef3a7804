//! Typed access to one table of the scenario. Unknown keys are found first, so a misspelt key is never
//! reported as a missing one.

use std::time::Duration;

use toml_edit::{Array, Item, TableLike, Value};

use super::source::{Source, suggestion};
use super::{RelativePath, ScenarioError, kind_of};

/// A table, its line and what messages call it.
pub(super) struct TableReader<'a> {
    pub(super) source: &'a Source<'a>,
    table: &'a dyn TableLike,
    pub(super) line: u32,
    place: String,
}

impl<'a> TableReader<'a> {
    /// Opens a table that may hold only `known` keys.
    pub(super) fn new(
        source: &'a Source<'a>,
        table: &'a dyn TableLike,
        line: u32,
        place: impl Into<String>,
        known: &[&str],
    ) -> Result<Self, ScenarioError> {
        let reader = Self { source, table, line, place: place.into() };
        match table.iter().find(|(key, _)| !known.contains(key)) {
            Some((key, _)) => Err(source.unknown(reader.line_of(key), &reader.place, "key", key, known)),
            None => Ok(reader),
        }
    }

    /// The line a key stands on.
    pub(super) fn line_of(&self, key: &str) -> u32 {
        self.source.line(self.table.key(key).and_then(toml_edit::Key::span), self.line)
    }

    fn wrong(&self, key: &str, wanted: &str, item: &Item) -> ScenarioError {
        let message = format!("\"{key}\" must be {wanted}, not {}", kind_of(item));
        self.source.invalid(self.line_of(key), message, None)
    }

    /// An error about a key's value.
    pub(super) fn bad(&self, key: &str, message: String) -> ScenarioError {
        self.source.invalid(self.line_of(key), message, None)
    }

    fn required<T>(&self, key: &str, value: Option<T>) -> Result<T, ScenarioError> {
        value.ok_or_else(|| self.source.invalid(self.line, format!("{} needs \"{key}\"", self.place), None))
    }

    /// A text.
    pub(super) fn text(&self, key: &str) -> Result<Option<String>, ScenarioError> {
        match self.table.get(key) {
            None => Ok(None),
            Some(item) => match item.as_str() {
                Some(text) => Ok(Some(text.to_owned())),
                None => Err(self.wrong(key, "a text", item)),
            },
        }
    }

    /// A text that has to be there.
    pub(super) fn need_text(&self, key: &str) -> Result<String, ScenarioError> {
        let value = self.text(key)?;
        self.required(key, value)
    }

    /// True or false.
    pub(super) fn flag(&self, key: &str) -> Result<Option<bool>, ScenarioError> {
        match self.table.get(key) {
            None => Ok(None),
            Some(item) => item.as_bool().map(Some).ok_or_else(|| self.wrong(key, "true or false", item)),
        }
    }

    /// A key that can only be `true`: a step without a value of its own.
    pub(super) fn only_true(&self, key: &str) -> Result<(), ScenarioError> {
        match self.flag(key)? {
            Some(false) => {
                Err(self.bad(key, format!("\"{key}\" can only be true; leave the step out instead")))
            }
            _ => Ok(()),
        }
    }

    /// A whole number from 0 up.
    pub(super) fn number(&self, key: &str) -> Result<Option<u64>, ScenarioError> {
        let Some(item) = self.table.get(key) else { return Ok(None) };
        let number = item.as_integer().ok_or_else(|| self.wrong(key, "a whole number", item))?;
        let number = u64::try_from(number);
        number.map(Some).map_err(|_| self.bad(key, format!("\"{key}\" cannot be negative")))
    }

    /// A number that has to be there.
    pub(super) fn need_number(&self, key: &str) -> Result<u64, ScenarioError> {
        let value = self.number(key)?;
        self.required(key, value)
    }

    /// A whole number from 1 up.
    pub(super) fn count(&self, key: &str) -> Result<Option<u32>, ScenarioError> {
        match self.number(key)? {
            None => Ok(None),
            Some(number) => match u32::try_from(number) {
                Ok(count) if count > 0 => Ok(Some(count)),
                _ => Err(self.bad(key, format!("\"{key}\" must be a number from 1 up"))),
            },
        }
    }

    /// A number with or without a fraction, from 0 up.
    pub(super) fn amount(&self, key: &str) -> Result<Option<f64>, ScenarioError> {
        let Some(item) = self.table.get(key) else { return Ok(None) };
        let amount = item.as_float().or_else(|| item.as_integer().map(|whole| whole as f64));
        match amount {
            Some(amount) if amount.is_finite() && amount >= 0.0 => Ok(Some(amount)),
            Some(_) => Err(self.bad(key, format!("\"{key}\" must be 0 or more"))),
            None => Err(self.wrong(key, "a number", item)),
        }
    }

    /// One of several words.
    pub(super) fn choice<T: Copy>(&self, key: &str, words: &[(&str, T)]) -> Result<Option<T>, ScenarioError> {
        let Some(text) = self.text(key)? else { return Ok(None) };
        self.pick(key, &text, words).map(Some)
    }

    /// Several of several words.
    pub(super) fn choices<T: Copy>(&self, key: &str, words: &[(&str, T)]) -> Result<Vec<T>, ScenarioError> {
        self.texts(key)?.unwrap_or_default().iter().map(|text| self.pick(key, text, words)).collect()
    }

    fn pick<T: Copy>(&self, key: &str, text: &str, words: &[(&str, T)]) -> Result<T, ScenarioError> {
        words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value).ok_or_else(|| {
            let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            let message = format!("\"{key}\" cannot be \"{text}\"");
            self.source.invalid(self.line_of(key), message, Some(suggestion(text, &known)))
        })
    }

    /// A path inside the working folder.
    pub(super) fn place(&self, key: &str) -> Result<Option<RelativePath>, ScenarioError> {
        let Some(text) = self.text(key)? else { return Ok(None) };
        let place = RelativePath::new(&text);
        place.map(Some).map_err(|why| self.bad(key, format!("the path \"{}\" {why}", text.escape_debug())))
    }

    /// A path that has to be there.
    pub(super) fn need_place(&self, key: &str) -> Result<RelativePath, ScenarioError> {
        let value = self.place(key)?;
        self.required(key, value)
    }

    /// A time such as `"250ms"`, `"3s"` or `"2m"`.
    pub(super) fn time(&self, key: &str) -> Result<Option<Duration>, ScenarioError> {
        let Some(text) = self.text(key)? else { return Ok(None) };
        duration(&text).map(Some).ok_or_else(|| {
            let hint = Some("Write a whole number and ms, s or m, for example \"250ms\".".to_owned());
            self.source.invalid(self.line_of(key), format!("\"{text}\" is not a time"), hint)
        })
    }

    /// A time that has to be there.
    pub(super) fn need_time(&self, key: &str) -> Result<Duration, ScenarioError> {
        let value = self.time(key)?;
        self.required(key, value)
    }

    fn array(&self, key: &str, wanted: &str) -> Result<Option<&'a Array>, ScenarioError> {
        match self.table.get(key) {
            None => Ok(None),
            Some(item) => item.as_array().map(Some).ok_or_else(|| self.wrong(key, wanted, item)),
        }
    }

    /// A list of texts.
    pub(super) fn texts(&self, key: &str) -> Result<Option<Vec<String>>, ScenarioError> {
        let Some(array) = self.array(key, "a list of texts")? else { return Ok(None) };
        let texts: Option<Vec<String>> =
            array.iter().map(|value| value.as_str().map(str::to_owned)).collect();
        texts.map(Some).ok_or_else(|| self.bad(key, format!("\"{key}\" may hold only texts")))
    }

    /// A list of bytes.
    pub(super) fn bytes(&self, key: &str) -> Result<Vec<u8>, ScenarioError> {
        let array = self.array(key, "a list of bytes such as [0xff, 0x0a]")?;
        let byte = |value: &Value| value.as_integer().and_then(|number| u8::try_from(number).ok());
        let bytes: Option<Vec<u8>> = array.into_iter().flatten().map(byte).collect();
        bytes.ok_or_else(|| self.bad(key, format!("\"{key}\" may hold only numbers from 0 to 255")))
    }

    /// A nested table.
    pub(super) fn table(&self, key: &str) -> Result<Option<&'a dyn TableLike>, ScenarioError> {
        match self.table.get(key) {
            None => Ok(None),
            Some(item) => item.as_table_like().map(Some).ok_or_else(|| self.wrong(key, "a table", item)),
        }
    }

    /// A list of tables, written either way TOML allows, each with its line.
    pub(super) fn tables(&self, key: &str) -> Result<Vec<(&'a dyn TableLike, u32)>, ScenarioError> {
        match self.table.get(key) {
            None => Ok(Vec::new()),
            Some(Item::ArrayOfTables(tables)) => Ok(tables
                .iter()
                .map(|table| (table as &dyn TableLike, self.source.line(table.span(), self.line)))
                .collect()),
            Some(Item::Value(Value::Array(array))) => {
                array.iter().map(|value| self.inline_table(key, value)).collect()
            }
            Some(item) => Err(self.wrong(key, "a list of tables", item)),
        }
    }

    fn inline_table(&self, key: &str, value: &'a Value) -> Result<(&'a dyn TableLike, u32), ScenarioError> {
        let line = self.source.line(value.span(), self.line);
        match value.as_inline_table() {
            Some(table) => Ok((table as &dyn TableLike, line)),
            None => Err(self.source.invalid(line, format!("\"{key}\" may hold only tables"), None)),
        }
    }
}

fn duration(text: &str) -> Option<Duration> {
    let split = text.find(|letter: char| !letter.is_ascii_digit())?;
    let (number, unit) = text.split_at_checked(split)?;
    let number: u32 = number.parse().ok()?;
    match unit {
        "ms" => Some(Duration::from_millis(number.into())),
        "s" => Some(Duration::from_secs(number.into())),
        "m" => Some(Duration::from_secs(u64::from(number) * 60)),
        _ => None,
    }
}
