//! Reads one configuration file. Every mistake is named with file, line and the nearest valid key; what is
//! right beside a mistake is still read, so that the app can show a project whose file has a slip in it.

pub(crate) mod checks;
mod harness;
mod patterns;
mod prices;
pub(crate) mod tables;

use std::collections::BTreeMap;
use std::ops::Range;

use loopwright_domain::{ErrorCode, Fault, NextAction, NextStep, UserPattern};
use toml_edit::{Document, Item, TableLike};

pub use self::harness::HarnessCommand;
use self::prices::PlacedPrice;
pub(crate) use self::prices::built_in as built_in_prices;
use self::tables::TABLES;
use crate::check::Check;
use crate::schema::{self, KEYS, KeySpec, Scope};
use crate::value::{Value, bad_value};

/// A configuration file larger than this is not one.
pub const FILE_LIMIT: u64 = 1024 * 1024;

/// How a project's own file is named in messages.
pub const PROJECT_FILE: &str = ".loopwright/config.toml";

/// What one file says.
#[derive(Clone, Debug, Default)]
pub(crate) struct FileLayer {
    /// Plain keys with the line each is on.
    pub(crate) values: BTreeMap<&'static str, (Value, u32)>,
    /// The checks, in order. Only a project's file has any.
    pub(crate) checks: Vec<Check>,
    /// Agent commands of the user's own, by name.
    pub(crate) harnesses: BTreeMap<String, HarnessCommand>,
    /// Prices of models, by name.
    pub(crate) prices: BTreeMap<String, PlacedPrice>,
    /// Patterns of failures, by name.
    pub(crate) patterns: BTreeMap<String, UserPattern>,
    /// Everything that is wrong with the file.
    pub(crate) problems: Vec<Fault>,
}

/// Reads a file's text. `label` is how the file is named in errors.
#[must_use]
pub(crate) fn read(label: &str, text: &str, scope: Scope) -> FileLayer {
    let mut layer = FileLayer::default();
    match Document::parse(text) {
        Ok(document) => {
            let mut reader = LayerReader { source: Source { label, text }, scope, layer: &mut layer };
            reader.table("", document.as_table());
        }
        Err(error) => layer.problems.push(Source { label, text }.syntax(&error)),
    }
    layer
}

/// A file's name and text, for pointing at places in it.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// How the file is named in errors.
    pub label: &'a str,
    /// Its text.
    pub text: &'a str,
}

impl Source<'_> {
    /// The fault for a file that is not TOML.
    #[must_use]
    pub fn syntax(&self, error: &toml_edit::TomlError) -> Fault {
        let message = format!("{} cannot be read: {}", self.label, error.message());
        let fault = Fault::new(ErrorCode::ConfigSyntax, message)
            .hint("Fix the line named here; TOML needs text in quotes and one \"key = value\" per line.");
        self.place(fault, error.span())
    }

    /// Puts the place of an item into a fault.
    #[must_use]
    pub fn place(&self, fault: Fault, span: Option<Range<usize>>) -> Fault {
        fault.at(self.label, span.map(|span| line_of(self.text, span.start)))
    }

    /// The fault for a key that does not exist, naming the nearest that does.
    pub fn unknown<'k>(
        &self,
        key: &str,
        span: Option<Range<usize>>,
        valid: impl IntoIterator<Item = &'k str>,
    ) -> Fault {
        let fault = Fault::new(ErrorCode::ConfigUnknownKey, format!("unknown key \"{key}\""));
        let fault = match schema::nearest(key, valid) {
            Some(near) => fault.hint(format!("Did you mean \"{near}\"?")),
            None => fault.hint("Remove it.").next(NextAction::ListSettings, "See the keys there are"),
        };
        self.place(fault, span)
    }
}

/// The line a byte offset lies on, counted from 1.
#[must_use]
pub fn line_of(text: &str, offset: usize) -> u32 {
    let before = text.as_bytes().get(..offset).unwrap_or(text.as_bytes());
    u32::try_from(before.iter().filter(|byte| **byte == b'\n').count() + 1).unwrap_or(u32::MAX)
}

struct LayerReader<'a> {
    source: Source<'a>,
    scope: Scope,
    layer: &'a mut FileLayer,
}

impl LayerReader<'_> {
    fn table(&mut self, prefix: &str, table: &dyn TableLike) {
        for (key, item) in table.iter() {
            let path = if prefix.is_empty() { key.to_owned() } else { format!("{prefix}.{key}") };
            let span = table.key(key).and_then(toml_edit::Key::span).or_else(|| item.span());
            self.item(&path, item, span);
        }
    }

    fn item(&mut self, path: &str, item: &Item, span: Option<Range<usize>>) {
        if let Some(spec) = schema::find(path) {
            self.value(spec, item, span);
        } else if path == tables::CHECKS && self.scope == Scope::Project {
            checks::read(item, self.source, &mut self.layer.checks, &mut self.layer.problems);
        } else if path == tables::HARNESS {
            harness::read(item, self.source, &mut self.layer.harnesses, &mut self.layer.problems);
        } else if path == tables::PRICES {
            prices::read(item, self.source, &mut self.layer.prices, &mut self.layer.problems);
        } else if path == tables::PATTERNS {
            patterns::read(item, self.source, &mut self.layer.patterns, &mut self.layer.problems);
        } else if path == tables::CHECKS {
            let fault =
                Fault::new(ErrorCode::ConfigUnknownKey, "checks belong to a project, not to the user file")
                    .hint("Move them into the project's .loopwright/config.toml.");
            self.problem(fault, span);
        } else if let (Some(table), true) = (item.as_table_like(), is_section(path)) {
            self.table(path, table);
        } else {
            let valid = KEYS.iter().map(|spec| spec.key).chain(TABLES.iter().copied());
            let fault = self.source.unknown(path, span, valid);
            self.layer.problems.push(fault);
        }
    }

    fn value(&mut self, spec: &'static KeySpec, item: &Item, span: Option<Range<usize>>) {
        if !spec.scopes.contains(&self.scope) {
            let (message, action, text) = match self.scope {
                Scope::Project => (
                    "belongs in your own settings, not in a project",
                    NextAction::ChangeUserSetting,
                    "Set it there",
                ),
                Scope::User => (
                    "belongs in a project, not in the user file",
                    NextAction::ChangeSetting,
                    "Set it inside the project",
                ),
            };
            let fault = Fault::new(ErrorCode::ConfigBadValue, format!("\"{}\" {message}", spec.key))
                .hint("Remove it here.")
                .step(NextStep::new(action, text).about(format!("{} VALUE", spec.key)));
            return self.problem(fault, span);
        }
        match spec.kind.read(item) {
            Ok(value) => {
                let line = span.map_or(1, |span| line_of(self.source.text, span.start));
                self.layer.values.insert(spec.key, (value, line));
            }
            Err(reason) => self.problem(bad_value(spec.key, &reason), span),
        }
    }

    fn problem(&mut self, fault: Fault, span: Option<Range<usize>>) {
        self.layer.problems.push(self.source.place(fault, span));
    }
}

fn is_section(path: &str) -> bool {
    KEYS.iter().any(|spec| spec.key.strip_prefix(path).is_some_and(|rest| rest.starts_with('.')))
}

#[cfg(test)]
mod tests;
