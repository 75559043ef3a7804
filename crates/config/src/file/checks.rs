//! `[[checks]]`: commands of the project's own that pass or fail, and built-in checks that are switched on.

use std::ops::Range;
use std::path::{Component, Path};

use loopwright_domain::{ErrorCode, Fault};
use toml_edit::Item;

use super::Source;
use super::tables::{CHECKS, Fields};
use crate::check::{Builtin, Check, CheckCommand, CheckWork, DEFAULT_TIMEOUT};
use crate::check::{FieldPaths, JsonIssues, JsonPath, Parser, Pattern};
use crate::value::{bad_value, parse_time};

const KEYS: &[&str] = &[
    "name", "command", "required", "timeout", "dir", "env", "success", "order", "parser", "pattern",
    "issues", "fields", "warn", "enabled", "builtin", "edits",
];
/// What only a command has.
pub(crate) const COMMAND_KEYS: &[&str] =
    &["command", "dir", "env", "success", "warn", "parser", "pattern", "issues", "fields", "edits"];
const FIELD_KEYS: &[&str] = &["file", "line", "message", "severity"];

/// Reads all checks and puts them in the order they run in.
pub(super) fn read(item: &Item, source: Source<'_>, checks: &mut Vec<Check>, problems: &mut Vec<Fault>) {
    let Some(tables) = item.as_array_of_tables() else {
        let fault = bad_value(CHECKS, "must be written as [[checks]], once for each check");
        problems.push(source.place(fault, item.span()));
        return;
    };
    for (index, table) in tables.iter().enumerate() {
        let fields = Fields { title: format!("checks[{}]", index + 1), table, source, problems };
        let place = table.span();
        let Some(check) = read_check(fields, place.clone()) else { continue };
        if checks.iter().any(|other| other.name == check.name) {
            let fault = bad_value(CHECKS, &format!("holds two checks called \"{}\"", check.name));
            problems.push(source.place(fault, place));
        } else {
            checks.push(check);
        }
    }
    checks.sort_by_key(|check| check.order);
    for (position, check) in (0..).zip(checks) {
        check.position = position;
    }
}

fn read_check(mut fields: Fields<'_>, place: Option<Range<usize>>) -> Option<Check> {
    fields.only(KEYS);
    let builtin = fields.table.contains_key("builtin");
    for key in if builtin { &["name"] as &[_] } else { &["name", "command"] } {
        if !fields.table.contains_key(key) {
            let fault = Fault::new(ErrorCode::ConfigBadValue, format!("{} has no \"{key}\"", fields.title));
            fields.problems.push(fields.source.place(fault, place.clone()));
        }
    }
    let name = fields.text("name");
    let switch = |item: &Item| item.as_bool();
    let required = fields.get("required", "must be true or false", switch).unwrap_or(true);
    let enabled = fields.get("enabled", "must be true or false", switch).unwrap_or(true);
    let edits = fields.get("edits", "must be true or false", switch).unwrap_or(true);
    let order = fields.get("order", "must be a whole number", Item::as_integer).unwrap_or(0);
    let time = |item: &Item| item.as_str().and_then(parse_time);
    let timeout = fields.get("timeout", "must be a time, like \"90s\" or \"10m\"", time);
    let work = if builtin { read_builtin(&mut fields) } else { read_command(&mut fields) };
    let name = name?;
    if name.trim().is_empty() || name.contains(char::is_control) {
        fields.report("name", "must be a name on one line");
        return None;
    }
    let timeout = timeout.unwrap_or(DEFAULT_TIMEOUT);
    Some(Check { name, position: 0, required, enabled, edits, order, timeout, work: work? })
}

fn read_builtin(fields: &mut Fields<'_>) -> Option<CheckWork> {
    for key in COMMAND_KEYS.iter().filter(|key| fields.table.contains_key(key)) {
        fields.report(key, "does not go with \"builtin\"");
    }
    let names: Vec<&str> = Builtin::ALL.iter().map(|builtin| builtin.as_str()).collect();
    let what = format!("must be one of: {}", names.join(", "));
    let read = |item: &Item| item.as_str().and_then(Builtin::parse);
    fields.get("builtin", &what, read).map(CheckWork::Builtin)
}

fn read_command(fields: &mut Fields<'_>) -> Option<CheckWork> {
    let text = fields.text("command");
    let dir = fields.text("dir").unwrap_or_else(|| ".".to_owned());
    if !stays_inside(&dir) {
        fields.report("dir", "must be a folder inside the project");
    }
    let env = fields.env();
    let success = fields.get("success", "must be a list of exit codes, like [0]", codes).unwrap_or(vec![0]);
    let warn = fields.get("warn", "must be a list of exit codes, like [2]", codes).unwrap_or_default();
    if let Some(code) = warn.iter().find(|code| success.contains(code)) {
        fields.report("warn", &format!("holds {code}, which means success already"));
    }
    let parser = read_parser(fields);
    let text = text?;
    let argv = shell_words::split(&text).ok().filter(|argv| !argv.is_empty());
    let Some(argv) = argv else {
        fields.report("command", "must be a program with its arguments; close every quote");
        return None;
    };
    let parser = parser?;
    let command = CheckCommand { text, argv, dir, env, success, warn, parser };
    Some(CheckWork::Command(Box::new(command)))
}

fn codes(item: &Item) -> Option<Vec<i32>> {
    item.as_array()?.iter().map(|code| i32::try_from(code.as_integer()?).ok()).collect()
}

fn read_parser(fields: &mut Fields<'_>) -> Option<Parser> {
    let word = fields.text("parser").unwrap_or_else(|| "text".to_owned());
    for (key, owner) in [("pattern", "regex"), ("issues", "json"), ("fields", "json")] {
        if word != owner && fields.table.contains_key(key) {
            fields.report(key, &format!("goes with parser = \"{owner}\" only"));
        }
    }
    match word.as_str() {
        "text" => Some(Parser::Text),
        "lines" => Some(Parser::Lines),
        "json" => Some(Parser::Json(read_json(fields))),
        "regex" => read_pattern(fields).map(Parser::Regex),
        _ => {
            fields.report("parser", &format!("must be one of: {}", Parser::WORDS.join(", ")));
            None
        }
    }
}

fn read_pattern(fields: &mut Fields<'_>) -> Option<Pattern> {
    let Some(text) = fields.text("pattern") else {
        fields.report("parser", "needs a \"pattern\" with the groups file, line, message and severity");
        return None;
    };
    match Pattern::new(&text) {
        Ok(pattern) => Some(pattern),
        Err(reason) => {
            fields.report("pattern", &reason);
            None
        }
    }
}

fn read_json(fields: &mut Fields<'_>) -> JsonIssues {
    let path = |item: &Item| item.as_str().and_then(JsonPath::parse);
    let what = "must be a path of names, like \"results\" or \"$.a.b\"";
    let issues = fields.get("issues", what, path).unwrap_or_default();
    let mut names = FieldPaths::default();
    let Some(item) = fields.table.get("fields") else { return JsonIssues { issues, fields: names } };
    let Some(table) = item.as_table_like() else {
        fields.report("fields", "must be a table, like { file = \"path\", line = \"loc.line\" }");
        return JsonIssues { issues, fields: names };
    };
    let title = format!("{}.fields", fields.title);
    let mut inner = Fields { title, table, source: fields.source, problems: &mut *fields.problems };
    inner.only(FIELD_KEYS);
    for (key, place) in names.by_name() {
        if let Some(path) = inner.get(key, what, path) {
            *place = path;
        }
    }
    JsonIssues { issues, fields: names }
}

/// Whether a path from the project folder stays in it, judged by its words alone.
fn stays_inside(dir: &str) -> bool {
    Path::new(dir).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

#[cfg(test)]
#[path = "checks_tests.rs"]
mod tests;
