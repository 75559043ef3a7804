//! Adds, changes, moves and removes checks in a configuration file, and changes nothing else.

use loopwright_domain::{ErrorCode, Fault, NextAction};
use toml_edit::{Document, Item, Table, Value};

use super::check_text::{KeyChanges, Written, ended, is_apart, line, newline, slice, written};
use crate::check::{Check, CheckDraft};
use crate::file::{self, FileLayer, PROJECT_FILE, checks};
use crate::schema::{Scope, nearest};

/// The text of a file with one more check, after the others.
///
/// # Errors
/// The file cannot be read, there is a check of that name, or the new one is not right.
pub fn add(label: &str, text: &str, draft: &CheckDraft, order: Option<i64>) -> Result<String, Fault> {
    let document = parse(label, text)?;
    let checks = written(&document)?;
    refuse_twice(&checks, &draft.name)?;
    let end = checks.last().map_or(text.len(), |last| last.block.end);
    let newline = newline(text);
    let before = ended(slice(text, 0..end), newline);
    let gap = if before.trim().is_empty() { "" } else { newline };
    let table = table_text(draft, order).replace('\n', newline);
    let changed = format!("{before}{gap}{table}{}", slice(text, end..text.len()));
    sound(label, text, changed)
}

/// The text of a file in which the check of this name is as the draft says. What a draft does not speak of stays,
/// unless it no longer goes with the rest.
///
/// # Errors
/// The file cannot be read, there is no check of that name or another one with the new name, or the draft is not right.
pub fn change(label: &str, text: &str, name: &str, draft: &CheckDraft) -> Result<String, Fault> {
    let document = parse(label, text)?;
    let all = written(&document)?;
    let check = find(&all, name)?;
    if draft.name != name {
        refuse_twice(&all, &draft.name)?;
    }
    let old = draft_of(check.table);
    let draft = &fitting(&old, draft);
    let mut keys = KeyChanges::new(text, check.table);
    if draft.name != old.name {
        keys.set("name", Some(draft.name.as_str().into()), None);
    }
    change_work(&mut keys, &old, draft);
    for (key, usual, before, now) in switches(&old, draft) {
        if before != now {
            keys.set(key, (now != usual).then(|| now.into()), Some(usual.into()));
        }
    }
    for (key, usual, before, now) in texts(&old, draft) {
        if before != now {
            keys.set(key, now.map(Into::into), usual.map(Into::into));
        }
    }
    sound(label, text, keys.apply())
}

/// A draft without what it only still says because the check said it, and what does not go with the rest any more.
fn fitting(old: &CheckDraft, draft: &CheckDraft) -> CheckDraft {
    let mut draft = draft.clone();
    let builtin = draft.builtin.is_some();
    let parser = draft.parser.clone().unwrap_or_default();
    let goes = |fits: bool, now: &mut Option<String>, before: &Option<String>| {
        if !fits && now == before {
            *now = None;
        }
    };
    goes(!builtin, &mut draft.dir, &old.dir);
    goes(!builtin, &mut draft.parser, &old.parser);
    goes(!builtin && parser == "regex", &mut draft.pattern, &old.pattern);
    goes(!builtin && parser == "json", &mut draft.issues, &old.issues);
    draft
}

/// Exchanges what the check does, and takes out what does not go with it.
fn change_work(keys: &mut KeyChanges<'_>, old: &CheckDraft, draft: &CheckDraft) {
    let (was, is) = (old.builtin.is_some(), draft.builtin.is_some());
    let value: Value = draft.builtin.as_deref().unwrap_or(&draft.command).into();
    match (was, is) {
        (false, false) if old.command != draft.command => keys.set("command", Some(value), None),
        (true, true) if old.builtin != draft.builtin => keys.set("builtin", Some(value), None),
        (true, false) => keys.exchange("builtin", "command", &value),
        (false, true) => {
            keys.exchange("command", "builtin", &value);
            for key in checks::COMMAND_KEYS.iter().filter(|key| !DRAFT_KEYS.contains(key)) {
                keys.set(key, None, None);
            }
        }
        _ => {}
    }
    let was_json = old.parser.as_deref() == Some("json");
    if !is && was_json && draft.parser.as_deref() != Some("json") {
        keys.set("fields", None, None);
    }
}

/// The text of a file without a check, and without the comment that touches it.
///
/// # Errors
/// The file cannot be read, or there is no check of that name.
pub fn remove(label: &str, text: &str, name: &str) -> Result<String, Fault> {
    let document = parse(label, text)?;
    let all = written(&document)?;
    let check = find(&all, name)?;
    check.whole()?;
    let (before, after) = (slice(text, 0..check.block.start), slice(text, check.block.end..text.len()));
    // Of two empty lines around it one goes too.
    let shorter = before.strip_suffix("\r\n").or_else(|| before.strip_suffix('\n'));
    let shorter = shorter.filter(|rest| is_apart(after) && (rest.is_empty() || rest.ends_with('\n')));
    let changed = match (before, after.strip_prefix("\r\n").or_else(|| after.strip_prefix('\n'))) {
        ("", Some(after)) => after.to_owned(),
        _ => format!("{}{after}", shorter.unwrap_or(before)),
    };
    same_otherwise(label, text, &changed)?;
    Ok(changed)
}

/// The text of a file in which a check is run at another place, counted from 0. Its lines move; an order number is
/// written only when the place cannot be had otherwise.
///
/// # Errors
/// The file cannot be read, there is no check of that name, or there are not as many places.
pub fn move_to(label: &str, text: &str, name: &str, place: usize) -> Result<String, Fault> {
    let mut rest = read(label, text).checks;
    let Some(now) = rest.iter().position(|check| check.name == name) else {
        parse(label, text)?;
        return Err(unknown(name, rest.iter().map(|check| check.name.as_str())));
    };
    if place >= rest.len() {
        let message = match rest.len() {
            1 => "there is only one check".to_owned(),
            count => format!("there are only {count} checks"),
        };
        return Err(Fault::new(ErrorCode::UsageInvalid, message).hint("Choose a place among them."));
    }
    if place == now {
        return Ok(text.to_owned());
    }
    let moved = rest.remove(now);
    let before = place.checked_sub(1).and_then(|index| rest.get(index));
    let after = rest.get(place);
    let lowest = before.map_or(i64::MIN, |check| check.order);
    let highest = after.map_or(i64::MAX, |check| check.order);
    let order = if (lowest..=highest).contains(&moved.order) {
        moved.order
    } else if before.is_some() {
        lowest
    } else {
        highest
    };
    let text = set_order(label, text, name, order)?;
    let neighbour = match (before, after) {
        (Some(before), _) if before.order == order => Some((&before.name, 1)),
        (_, Some(after)) if after.order == order => Some((&after.name, 0)),
        _ => None,
    };
    match neighbour {
        Some((neighbour, offset)) => move_block(label, &text, name, neighbour, offset),
        None => Ok(text),
    }
}

fn set_order(label: &str, text: &str, name: &str, order: i64) -> Result<String, Fault> {
    let document = parse(label, text)?;
    let all = written(&document)?;
    let table = find(&all, name)?.table;
    if table.get("order").and_then(Item::as_integer).unwrap_or(0) == order {
        return Ok(text.to_owned());
    }
    let mut keys = KeyChanges::new(text, table);
    keys.set("order", (order != 0).then(|| order.into()), Some(0.into()));
    Ok(keys.apply())
}

/// Puts a check's lines before another one's (`offset` 0), or behind them (1). What is written between checks stays.
fn move_block(label: &str, text: &str, name: &str, neighbour: &str, offset: usize) -> Result<String, Fault> {
    let document = parse(label, text)?;
    let all = written(&document)?;
    all.iter().try_for_each(Written::whole)?;
    let moved = find(&all, name)?;
    let mut order: Vec<&Written<'_>> = all.iter().filter(|check| check.name() != Some(name)).collect();
    let at = order.iter().position(|check| check.name() == Some(neighbour)).unwrap_or(order.len());
    order.insert((at + offset).min(order.len()), moved);
    let newline = newline(text);
    let (mut changed, mut end) = (String::new(), 0);
    for (slot, check) in all.iter().zip(order) {
        changed.push_str(slice(text, end..slot.block.start));
        changed.push_str(&ended(slice(text, check.block.clone()), newline));
        end = slot.block.end;
        if check.trails && !is_apart(slice(text, end..text.len())) {
            changed.push_str(newline);
        }
    }
    changed.push_str(slice(text, end..text.len()));
    same_otherwise(label, text, &changed)?;
    Ok(changed)
}

/// What a file says of its checks, in the order of the file. A file that cannot be read says nothing.
#[must_use]
pub fn drafts(text: &str) -> Vec<CheckDraft> {
    let Ok(document) = Document::parse(text) else { return Vec::new() };
    let checks = written(&document).unwrap_or_default();
    checks.iter().map(|check| draft_of(check.table)).collect()
}

/// The check of this name as a file has it, if it can be read.
#[must_use]
pub fn find_check(text: &str, name: &str) -> Option<Check> {
    read(PROJECT_FILE, text).checks.into_iter().find(|check| check.name == name)
}

fn draft_of(table: &Table) -> CheckDraft {
    let text = |key: &str| table.get(key).and_then(Item::as_str).map(str::to_owned);
    let switch = |key: &str| table.get(key).and_then(Item::as_bool).unwrap_or(true);
    CheckDraft {
        name: text("name").unwrap_or_default(),
        command: text("command").unwrap_or_default(),
        builtin: text("builtin"),
        required: switch("required"),
        enabled: switch("enabled"),
        edits: switch("edits"),
        timeout: text("timeout"),
        dir: text("dir"),
        parser: text("parser"),
        pattern: text("pattern"),
        issues: text("issues"),
    }
}

/// The keys that a draft speaks of.
const DRAFT_KEYS: &[&str] = &["command", "dir", "parser", "pattern", "issues", "edits"];

type Field<T> = (&'static str, T, T, T);

/// The keys that are on or off: key, usual value, before, now.
fn switches(old: &CheckDraft, draft: &CheckDraft) -> [Field<bool>; 3] {
    [
        ("required", true, old.required, draft.required),
        ("enabled", true, old.enabled, draft.enabled),
        ("edits", true, old.edits, draft.edits),
    ]
}

/// The keys that are texts or left out: key, usual value, before, now.
fn texts<'a>(old: &'a CheckDraft, draft: &'a CheckDraft) -> [Field<Option<&'a str>>; 5] {
    [
        ("timeout", Some("10m"), old.timeout.as_deref(), draft.timeout.as_deref()),
        ("dir", Some("."), old.dir.as_deref(), draft.dir.as_deref()),
        ("parser", Some("text"), old.parser.as_deref(), draft.parser.as_deref()),
        ("pattern", None, old.pattern.as_deref(), draft.pattern.as_deref()),
        ("issues", None, old.issues.as_deref(), draft.issues.as_deref()),
    ]
}

/// A check as it is written into a file.
#[must_use]
pub fn table_text(draft: &CheckDraft, order: Option<i64>) -> String {
    let usual = CheckDraft::default();
    let mut lines = vec!["[[checks]]".to_owned(), line("name", &draft.name.as_str().into())];
    lines.push(match &draft.builtin {
        Some(builtin) => line("builtin", &builtin.as_str().into()),
        None => line("command", &draft.command.as_str().into()),
    });
    let texts = texts(&usual, draft).into_iter().filter_map(|(key, _, _, now)| Some((key, now?)));
    lines.extend(texts.map(|(key, now)| line(key, &now.into())));
    lines.extend(order.map(|order| line("order", &order.into())));
    let switched = switches(&usual, draft).into_iter().filter(|(_, usual, _, now)| usual != now);
    lines.extend(switched.map(|(key, _, _, now)| line(key, &now.into())));
    lines.push(String::new());
    lines.join("\n")
}

/// The fault for a check that is not there, naming the nearest that is.
pub fn unknown<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Fault {
    let fault = Fault::new(ErrorCode::UsageInvalid, format!("there is no check called \"{name}\""));
    match nearest(name, names) {
        Some(near) => fault.hint(format!("Did you mean \"{near}\"?")),
        None => fault.next(NextAction::ListChecks, "See those there are"),
    }
}

fn parse<'t>(label: &str, text: &'t str) -> Result<Document<&'t str>, Fault> {
    Document::parse(text).map_err(|error| super::unreadable(label, text, &error))
}

fn find<'w, 'd>(checks: &'w [Written<'d>], name: &str) -> Result<&'w Written<'d>, Fault> {
    let found = checks.iter().find(|check| check.name() == Some(name));
    found.ok_or_else(|| unknown(name, checks.iter().filter_map(Written::name)))
}

fn refuse_twice(checks: &[Written<'_>], name: &str) -> Result<(), Fault> {
    if checks.iter().all(|check| check.name() != Some(name)) {
        return Ok(());
    }
    Err(Fault::new(ErrorCode::UsageInvalid, format!("there is a check called \"{name}\" already"))
        .hint("Choose another name."))
}

fn read(label: &str, text: &str) -> FileLayer {
    file::read(label, text, Scope::Project)
}

/// The changed text, unless it says something wrong that the text did not say before.
fn sound(label: &str, text: &str, changed: String) -> Result<String, Fault> {
    let placeless = |fault: Fault| Fault { location: None, ..fault };
    let before: Vec<Fault> = read(label, text).problems.into_iter().map(placeless).collect();
    let wrong =
        read(label, &changed).problems.into_iter().map(placeless).find(|fault| !before.contains(fault));
    match wrong {
        Some(fault) => Err(fault),
        None => same_otherwise(label, text, &changed).map(|()| changed),
    }
}

/// Fails when more than the checks would change: the file is written in a way that cannot be taken apart.
fn same_otherwise(label: &str, text: &str, changed: &str) -> Result<(), Fault> {
    let (before, after) = (read(label, text), read(label, changed));
    let values = |layer: &FileLayer| -> Vec<_> {
        layer.values.iter().map(|(key, (value, _))| (*key, value.clone())).collect()
    };
    let syntax = after.problems.iter().any(|fault| fault.code == ErrorCode::ConfigSyntax);
    if !syntax && values(&before) == values(&after) && before.harnesses == after.harnesses {
        return Ok(());
    }
    Err(Fault::new(ErrorCode::ConfigBadValue, format!("{label} cannot be changed here"))
        .hint("Change it in the file itself."))
}

#[cfg(test)]
#[path = "check_edit_tests.rs"]
mod tests;
