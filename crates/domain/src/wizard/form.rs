//! Forms: the data of a phase.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::path::FieldPath;
use super::shape::{FormShape, ListShape};
use crate::fault::{ErrorCode, Fault};

/// The longest text of one field, in bytes.
pub const LONGEST_VALUE: usize = 256 * 1024;
/// The most items of one list.
pub const MOST_ITEMS: usize = 500;

/// What stands in a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(untagged)]
pub enum FieldValue {
    /// Yes or no.
    Flag(bool),
    /// A whole number.
    Number(u32),
    /// Several texts, one line each.
    Texts(Vec<String>),
    /// A text, or one word of a choice.
    Text(String),
}

impl FieldValue {
    /// Whether nothing stands there.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Flag(_) | Self::Number(_) => false,
            Self::Texts(texts) => texts.iter().all(|text| text.trim().is_empty()),
            Self::Text(text) => text.trim().is_empty(),
        }
    }

    /// It in one line, for people.
    #[must_use]
    pub fn shown(&self) -> String {
        match self {
            Self::Flag(true) => "yes".to_owned(),
            Self::Flag(false) => "no".to_owned(),
            Self::Number(number) => number.to_string(),
            Self::Texts(texts) => texts.join("; "),
            Self::Text(text) => text.clone(),
        }
    }
}

/// Where a value came from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(tag = "from", rename_all = "snake_case")]
pub enum FieldOrigin {
    /// Nobody said so: the agent, or a default, supposed it.
    #[default]
    Assumed,
    /// The person's own words: an idea, an answer, a request, an edit.
    Words {
        /// The words, when it was an agent that took them over.
        quote: Option<String>,
    },
    /// A document of the person's.
    Document {
        /// The document's name.
        document: String,
        /// The passage, found in the document letter for letter but for blanks and case.
        quote: String,
    },
    /// The code in the folder.
    Code {
        /// The file, relative to the folder; none for the survey as a whole.
        file: Option<String>,
    },
}

impl FieldOrigin {
    /// Whether it is supposed and nobody said so.
    #[must_use]
    pub const fn is_assumed(&self) -> bool {
        matches!(self, Self::Assumed)
    }
}

/// One field with its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Field {
    /// What stands there.
    pub value: FieldValue,
    /// Where it came from.
    pub origin: FieldOrigin,
    /// Whether a person wrote it. Then a re-run changes it only with consent.
    pub edited: bool,
    /// Whether it is locked. Then a re-run leaves it as it is, without asking.
    pub locked: bool,
}

impl Field {
    /// What an agent answered, or a default.
    #[must_use]
    pub const fn of(value: FieldValue, origin: FieldOrigin) -> Self {
        Self { value, origin, edited: false, locked: false }
    }

    /// What a person wrote.
    #[must_use]
    pub const fn by_hand(value: FieldValue) -> Self {
        Self { value, origin: FieldOrigin::Words { quote: None }, edited: true, locked: false }
    }

    /// Whether an answer may replace it unasked.
    #[must_use]
    pub const fn is_protected(&self) -> bool {
        self.edited || self.locked
    }
}

/// One item of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Item {
    /// Its name inside the wizard, such as `i7`; stays the same, and is never given twice.
    pub id: String,
    /// Its fields by their names.
    pub fields: BTreeMap<String, Field>,
}

impl Item {
    /// The text of a field; empty where there is none.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        text_of(self.fields.get(name))
    }

    /// The texts of a field.
    #[must_use]
    pub fn texts(&self, name: &str) -> &[String] {
        texts_of(self.fields.get(name))
    }

    /// The number of a field.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<u32> {
        match self.fields.get(name).map(|field| &field.value) {
            Some(FieldValue::Number(number)) => Some(*number),
            _ => None,
        }
    }

    /// Whether a field says yes.
    #[must_use]
    pub fn flag(&self, name: &str, default: bool) -> bool {
        match self.fields.get(name).map(|field| &field.value) {
            Some(FieldValue::Flag(flag)) => *flag,
            _ => default,
        }
    }

    /// Writes a value without saying that a person did.
    pub fn put(&mut self, name: &str, value: FieldValue, origin: FieldOrigin) {
        self.fields.insert(name.to_owned(), Field::of(value, origin));
    }

    /// Whether a person wrote or locked any part of it.
    #[must_use]
    pub fn is_protected(&self) -> bool {
        self.fields.values().any(Field::is_protected)
    }

    /// Whether any part of it is locked.
    #[must_use]
    pub fn is_locked(&self) -> bool {
        self.fields.values().any(|field| field.locked)
    }
}

/// The data of a phase.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(default)]
pub struct Form {
    /// The fields by their names.
    pub fields: BTreeMap<String, Field>,
    /// The lists by their names, their items in order.
    pub lists: BTreeMap<String, Vec<Item>>,
}

/// What keeps a phase from being accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct FormProblem {
    /// The field, item or list, as a path.
    pub path: String,
    /// What is wrong, in words.
    pub message: String,
}

/// Something in a phase that nobody said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Assumption {
    /// The phase.
    pub phase: super::WizardPhase,
    /// The field, as a path in that phase's form.
    pub path: String,
    /// What the field is called.
    pub label: String,
    /// What was supposed.
    pub value: String,
}

impl Form {
    /// Whether nothing stands in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.fields.values().all(|field| field.value.is_empty()) && self.lists.values().all(Vec::is_empty)
    }

    /// The text of a field; empty where there is none.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        text_of(self.fields.get(name))
    }

    /// The texts of a field.
    #[must_use]
    pub fn texts(&self, name: &str) -> &[String] {
        texts_of(self.fields.get(name))
    }

    /// The number of a field.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<u32> {
        match self.fields.get(name).map(|field| &field.value) {
            Some(FieldValue::Number(number)) => Some(*number),
            _ => None,
        }
    }

    /// The items of a list.
    #[must_use]
    pub fn items(&self, list: &str) -> &[Item] {
        self.lists.get(list).map_or(&[], Vec::as_slice)
    }

    /// The item of a list with this id.
    #[must_use]
    pub fn item(&self, list: &str, id: &str) -> Option<&Item> {
        self.items(list).iter().find(|item| item.id == id)
    }

    /// The field at a path.
    #[must_use]
    pub fn field(&self, path: &FieldPath) -> Option<&Field> {
        match path {
            FieldPath::Field { field } => self.fields.get(field),
            FieldPath::ItemField { list, item, field } => self.item(list, item)?.fields.get(field),
            FieldPath::List { .. } | FieldPath::Item { .. } => None,
        }
    }

    /// Its values alone, without where they came from and who wrote them: what later phases build on.
    #[must_use]
    pub fn digest(&self) -> String {
        let mut text = String::new();
        let mut put = |name: &str, value: &FieldValue| text.push_str(&format!("{name}\u{1}{value:?}\u{2}"));
        for (name, field) in &self.fields {
            put(name, &field.value);
        }
        for (list, items) in &self.lists {
            for item in items {
                for (name, field) in &item.fields {
                    put(&format!("{list}/{}/{name}", item.id), &field.value);
                }
            }
        }
        crate::digest::short_name(text.as_bytes())
    }

    /// What nobody said, in the order of the form.
    #[must_use]
    pub fn assumptions(&self, shape: &FormShape) -> Vec<Assumption> {
        let mut found = Vec::new();
        let mut note = |path: String, label: String, field: &Field| {
            if field.origin.is_assumed() && !field.value.is_empty() {
                let value = field.value.shown();
                found.push(Assumption { phase: shape.phase, path, label, value });
            }
        };
        for field in shape.fields {
            if let Some(value) = self.fields.get(field.name) {
                note(field.name.to_owned(), field.label.to_owned(), value);
            }
        }
        for list in shape.lists {
            for item in self.items(list.name) {
                let assumed = item.fields.get(list.key().name);
                if let Some(value) = assumed {
                    note(format!("{}/{}", list.name, item.id), list.label.to_owned(), value);
                }
            }
        }
        found
    }
}

/// Whether a value can stand in a field of a shape, and the value as it is kept.
pub(super) fn fitting(shape: &super::FieldShape, value: FieldValue) -> Result<FieldValue, Fault> {
    use super::FieldKind;
    let wrong = |what: &str| {
        let message = format!("\"{}\" is {what}", shape.name);
        Err(Fault::new(ErrorCode::UsageInvalid, message))
    };
    let size = match &value {
        FieldValue::Text(text) => text.len(),
        FieldValue::Texts(texts) => texts.iter().map(String::len).sum(),
        FieldValue::Flag(_) | FieldValue::Number(_) => 0,
    };
    if size > LONGEST_VALUE {
        return wrong("longer than 256 KiB");
    }
    match (shape.kind, value) {
        (FieldKind::Line, FieldValue::Text(text)) => {
            Ok(FieldValue::Text(text.split_whitespace().collect::<Vec<_>>().join(" ")))
        }
        (FieldKind::Text, FieldValue::Text(text)) => Ok(FieldValue::Text(text.trim().to_owned())),
        (FieldKind::Choice, FieldValue::Text(text)) => {
            let same = |choice: &&&str| choice.eq_ignore_ascii_case(text.trim());
            match shape.choices.iter().find(same) {
                Some(choice) => Ok(FieldValue::Text((*choice).to_owned())),
                None => wrong(&format!("none of {}", shape.choices.join(", "))),
            }
        }
        (FieldKind::Texts, FieldValue::Texts(texts)) => {
            let trimmed = texts.iter().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
            Ok(FieldValue::Texts(trimmed.collect()))
        }
        (FieldKind::Texts, FieldValue::Text(text)) => {
            let lines = text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty());
            Ok(FieldValue::Texts(lines.collect()))
        }
        (FieldKind::Number, FieldValue::Number(number)) => Ok(FieldValue::Number(number)),
        (FieldKind::Number, FieldValue::Text(text)) => match text.trim().parse() {
            Ok(number) => Ok(FieldValue::Number(number)),
            Err(_) => wrong("not a whole number"),
        },
        (FieldKind::Flag, FieldValue::Flag(flag)) => Ok(FieldValue::Flag(flag)),
        (FieldKind::Flag, FieldValue::Text(text)) => match text.trim() {
            "yes" | "true" => Ok(FieldValue::Flag(true)),
            "no" | "false" => Ok(FieldValue::Flag(false)),
            _ => wrong("neither yes nor no"),
        },
        (FieldKind::Line | FieldKind::Text | FieldKind::Choice, _) => wrong("not a text"),
        (FieldKind::Texts, _) => wrong("not a list of texts"),
        (FieldKind::Number, _) => wrong("not a whole number"),
        (FieldKind::Flag, _) => wrong("neither yes nor no"),
    }
}

/// What an item is called: its key field.
#[must_use]
pub fn item_name<'i>(shape: &ListShape, item: &'i Item) -> &'i str {
    item.text(shape.key().name)
}

fn texts_of(field: Option<&Field>) -> &[String] {
    match field.map(|field| &field.value) {
        Some(FieldValue::Texts(texts)) => texts,
        _ => &[],
    }
}

fn text_of(field: Option<&Field>) -> &str {
    match field.map(|field| &field.value) {
        Some(FieldValue::Text(text)) => text,
        _ => "",
    }
}
