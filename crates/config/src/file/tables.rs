//! What the tables with names of the user's own share: `[[checks]]`, `[harness.<name>]`,
//! `[prices.<model>]` and `[patterns.<name>]`.

use std::collections::BTreeMap;
use std::ops::Range;

use loopwright_domain::Fault;
use toml_edit::{Item, TableLike};

use super::Source;
use crate::value::bad_value;

pub(crate) const CHECKS: &str = "checks";
pub(crate) const HARNESS: &str = "harness";
pub(crate) const PRICES: &str = "prices";
pub(crate) const PATTERNS: &str = "patterns";
/// The names of these tables.
pub(crate) const TABLES: &[&str] = &[CHECKS, HARNESS, PRICES, PATTERNS];

/// One table being read: collects problems, each with its place.
pub(crate) struct Fields<'a> {
    pub(crate) title: String,
    pub(crate) table: &'a dyn TableLike,
    pub(crate) source: Source<'a>,
    pub(crate) problems: &'a mut Vec<Fault>,
}

impl Fields<'_> {
    pub(crate) fn span(&self, key: &str) -> Option<Range<usize>> {
        self.table.key(key).and_then(toml_edit::Key::span)
    }

    pub(crate) fn report(&mut self, key: &str, reason: &str) {
        let fault = bad_value(&format!("{}.{key}", self.title), reason);
        self.problems.push(self.source.place(fault, self.span(key)));
    }

    pub(crate) fn only(&mut self, valid: &[&str]) {
        for (key, _) in self.table.iter().filter(|(key, _)| !valid.contains(key)) {
            let fault = self.source.unknown(key, self.span(key), valid.iter().copied());
            self.problems.push(fault);
        }
    }

    pub(crate) fn get<T>(&mut self, key: &str, what: &str, read: impl Fn(&Item) -> Option<T>) -> Option<T> {
        let item = self.table.get(key)?;
        let value = read(item);
        if value.is_none() {
            self.report(key, what);
        }
        value
    }

    pub(crate) fn text(&mut self, key: &str) -> Option<String> {
        self.get(key, "must be text in quotes", |item| item.as_str().map(str::to_owned))
    }

    pub(crate) fn env(&mut self) -> BTreeMap<String, String> {
        let read = |item: &Item| {
            let table = item.as_table_like()?;
            table.iter().map(|(key, item)| Some((key.to_owned(), item.as_str()?.to_owned()))).collect()
        };
        self.get("env", "must be a table of texts, like { KEY = \"value\" }", read).unwrap_or_default()
    }
}
