//! The tables that carry names of the user's own: `[[checks]]` and `[harness.<name>]`.

use std::collections::BTreeMap;
use std::ops::Range;

use jiff::SignedDuration;
use loopwright_domain::{ErrorCode, Fault};
use toml_edit::{Item, TableLike};

use super::file::Source;
use super::value::bad_value;

pub(super) const CHECKS: &str = "checks";
pub(super) const HARNESS: &str = "harness";
/// The names of these tables.
pub(super) const TABLES: &[&str] = &[CHECKS, HARNESS];

const CHECK_KEYS: &[&str] = &["name", "command", "required", "timeout", "dir", "env", "success"];
const DEFAULT_TIMEOUT: SignedDuration = SignedDuration::from_mins(10);

/// A named command, run by the host, that passes or fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// Its name; unique in the project.
    pub name: String,
    /// The command as written.
    pub command: String,
    /// The command split into program and arguments. Never empty, never given to a shell.
    pub argv: Vec<String>,
    /// Whether its failure fails the attempt.
    pub required: bool,
    /// How long it may take.
    pub timeout: SignedDuration,
    /// Where it runs, from the project folder.
    pub dir: String,
    /// Variables it gets besides the usual ones.
    pub env: BTreeMap<String, String>,
    /// The exit codes that mean it passed.
    pub success: Vec<i32>,
}

/// One table being read: collects problems, each with its place.
pub(super) struct Fields<'a> {
    pub(super) title: String,
    pub(super) table: &'a dyn TableLike,
    pub(super) source: Source<'a>,
    pub(super) problems: &'a mut Vec<Fault>,
}

impl Fields<'_> {
    pub(super) fn span(&self, key: &str) -> Option<Range<usize>> {
        self.table.key(key).and_then(toml_edit::Key::span)
    }

    pub(super) fn report(&mut self, key: &str, reason: &str) {
        let fault = bad_value(&format!("{}.{key}", self.title), reason);
        self.problems.push(self.source.place(fault, self.span(key)));
    }

    pub(super) fn only(&mut self, valid: &[&str]) {
        for (key, _) in self.table.iter().filter(|(key, _)| !valid.contains(key)) {
            let fault = self.source.unknown(key, self.span(key), valid.iter().copied());
            self.problems.push(fault);
        }
    }

    pub(super) fn get<T>(&mut self, key: &str, what: &str, read: impl Fn(&Item) -> Option<T>) -> Option<T> {
        let item = self.table.get(key)?;
        let value = read(item);
        if value.is_none() {
            self.report(key, what);
        }
        value
    }

    pub(super) fn text(&mut self, key: &str) -> Option<String> {
        self.get(key, "must be text in quotes", |item| item.as_str().map(str::to_owned))
    }

    pub(super) fn env(&mut self) -> BTreeMap<String, String> {
        let read = |item: &Item| {
            let table = item.as_table_like()?;
            table.iter().map(|(key, item)| Some((key.to_owned(), item.as_str()?.to_owned()))).collect()
        };
        self.get("env", "must be a table of texts, like { KEY = \"value\" }", read).unwrap_or_default()
    }
}

pub(super) fn read_checks(
    item: &Item,
    source: Source<'_>,
    checks: &mut Vec<Check>,
    problems: &mut Vec<Fault>,
) {
    let Some(tables) = item.as_array_of_tables() else {
        let fault = bad_value(CHECKS, "must be written as [[checks]], once for each check");
        problems.push(source.place(fault, item.span()));
        return;
    };
    for (index, table) in tables.iter().enumerate() {
        let fields = Fields { title: format!("checks[{}]", index + 1), table, source, problems };
        let place = table.span();
        if let Some(check) = read_check(fields, place.clone()) {
            if checks.iter().any(|other| other.name == check.name) {
                let fault = bad_value("checks", &format!("holds two checks called \"{}\"", check.name));
                problems.push(source.place(fault, place));
            } else {
                checks.push(check);
            }
        }
    }
}

fn read_check(mut fields: Fields<'_>, place: Option<Range<usize>>) -> Option<Check> {
    fields.only(CHECK_KEYS);
    for key in ["name", "command"] {
        if fields.table.get(key).is_none() {
            let fault = Fault::new(ErrorCode::ConfigBadValue, format!("{} has no \"{key}\"", fields.title));
            fields.problems.push(fields.source.place(fault, place.clone()));
        }
    }
    let name = fields.text("name");
    let command = fields.text("command");
    let required = fields.get("required", "must be true or false", Item::as_bool).unwrap_or(true);
    let duration = |item: &Item| item.as_str()?.parse().ok().filter(SignedDuration::is_positive);
    let timeout = fields.get("timeout", "must be a time, like \"90s\" or \"10m\"", duration);
    let dir = fields.text("dir").unwrap_or_else(|| ".".to_owned());
    if !stays_inside(&dir) {
        fields.report("dir", "must be a folder inside the project");
    }
    let env = fields.env();
    let codes = |item: &Item| -> Option<Vec<i32>> {
        item.as_array()?.iter().map(|code| i32::try_from(code.as_integer()?).ok()).collect()
    };
    let success = fields.get("success", "must be a list of exit codes, like [0]", codes).unwrap_or(vec![0]);
    let (name, command) = (name?, command?);
    if name.trim().is_empty() {
        fields.report("name", "must not be empty");
        return None;
    }
    let argv = shell_words::split(&command).ok().filter(|argv| !argv.is_empty());
    let Some(argv) = argv else {
        fields.report("command", "must be a program with its arguments; close every quote");
        return None;
    };
    let timeout = timeout.unwrap_or(DEFAULT_TIMEOUT);
    Some(Check { name, command, argv, required, timeout, dir, env, success })
}

/// Whether a path from the project folder stays in it, judged by its words alone.
fn stays_inside(dir: &str) -> bool {
    use std::path::{Component, Path};
    Path::new(dir).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}
