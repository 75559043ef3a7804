//! `[patterns.<name>]`: patterns of failures of the user's own.

use std::collections::BTreeMap;

use loopwright_domain::{FailureCategory, Fault, PatternStatus, UserPattern, is_pattern_name};
use regex::RegexBuilder;
use toml_edit::Item;

use super::Source;
use super::tables::{Fields, PATTERNS};
use crate::value::bad_value;

const KEYS: &[&str] = &["regex", "category", "about", "status"];
/// As large as a compiled expression may be, in bytes.
const LARGEST_REGEX: usize = 1 << 20;

/// Reads a file's patterns.
pub(super) fn read(
    item: &Item,
    source: Source<'_>,
    patterns: &mut BTreeMap<String, UserPattern>,
    problems: &mut Vec<Fault>,
) {
    let Some(tables) = item.as_table_like() else {
        let fault = bad_value(PATTERNS, "must be a table, like [patterns.my_pattern]");
        problems.push(source.place(fault, item.span()));
        return;
    };
    for (name, item) in tables.iter() {
        let span = tables.key(name).and_then(toml_edit::Key::span).or_else(|| item.span());
        let title = format!("{PATTERNS}.{name}");
        let wrong = match item.as_table_like() {
            None => Some("must be a table with a regex"),
            Some(_) if !is_pattern_name(name) => Some("must be named in small letters, digits and \"_\""),
            Some(_) => None,
        };
        let Some(table) = item.as_table_like().filter(|_| wrong.is_none()) else {
            problems.push(source.place(bad_value(&title, wrong.unwrap_or_default()), span));
            continue;
        };
        let mut fields = Fields { title, table, source, problems };
        fields.only(KEYS);
        patterns.extend(read_one(&mut fields, name).map(|pattern| (name.to_owned(), pattern)));
    }
}

fn read_one(fields: &mut Fields<'_>, name: &str) -> Option<UserPattern> {
    let category = |item: &Item| FailureCategory::parse(item.as_str()?);
    let category = fields
        .get("category", "must be import, syntax, runtime, test, build, environment or unknown", category)
        .unwrap_or(FailureCategory::Unknown);
    let own =
        |item: &Item| PatternStatus::parse(item.as_str()?).filter(|status| *status != PatternStatus::BuiltIn);
    let status = fields.get("status", "must be suggested, confirmed or trusted", own);
    let about = fields.text("about").unwrap_or_default();
    let Some(regex) = fields.text("regex") else {
        if fields.table.get("regex").is_none() {
            fields.report("regex", "is missing");
        }
        return None;
    };
    if let Err(reason) = check_regex(&regex) {
        fields.report("regex", &reason);
        return None;
    }
    // Who writes one by hand means it.
    let status = status.unwrap_or(PatternStatus::Confirmed);
    Some(UserPattern { name: name.to_owned(), category, regex, about, status })
}

/// Whether an expression can name failures: it compiles, is small, and does not match everything.
fn check_regex(regex: &str) -> Result<(), String> {
    let compiled = RegexBuilder::new(regex).multi_line(true).size_limit(LARGEST_REGEX).build();
    match compiled {
        Err(regex::Error::CompiledTooBig(_)) => Err("is too large".to_owned()),
        Err(error) => {
            let told = error.to_string();
            Err(format!("is no regular expression: {}", told.lines().last().unwrap_or_default().trim()))
        }
        Ok(compiled) if compiled.is_match("") => Err("matches every line".to_owned()),
        Ok(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use toml_edit::Document;

    use super::*;

    fn read_text(text: &str) -> (BTreeMap<String, UserPattern>, Vec<String>) {
        let document = Document::parse(text).unwrap();
        let (mut patterns, mut problems) = (BTreeMap::new(), Vec::new());
        let source = Source { label: "config.toml", text };
        read(document.get(PATTERNS).unwrap(), source, &mut patterns, &mut problems);
        (patterns, problems.into_iter().map(|fault| fault.message).collect())
    }

    #[test]
    fn a_pattern_is_read_and_one_written_by_hand_is_used() {
        let (patterns, problems) = read_text(
            "[patterns.time_zone]\nregex = 'UTC[+-]\\d'\n\n[patterns.kettle]\nregex = \"kettle\"\ncategory = \"test\"\nabout = \"It leaks\"\nstatus = \"trusted\"\n",
        );
        assert_eq!(problems, [""; 0]);
        let zone = &patterns["time_zone"];
        assert_eq!((zone.status, zone.category), (PatternStatus::Confirmed, FailureCategory::Unknown));
        let kettle = &patterns["kettle"];
        assert_eq!((kettle.status, kettle.about.as_str()), (PatternStatus::Trusted, "It leaks"));
    }

    #[test]
    fn mistakes_are_named_and_take_only_their_pattern() {
        for (text, told) in [
            ("regex = \"(\"", "is no regular expression"),
            ("regex = \".*\"", "matches every line"),
            ("about = \"x\"", "regex\" is missing"),
            ("regex = \"x\"\nstatus = \"built_in\"", "must be suggested, confirmed or trusted"),
            ("regex = \"x\"\ncategory = \"weather\"", "must be import"),
            ("regex = \"x\"\nregexp = \"y\"", "unknown key"),
            ("regex = \"(a{1000}){1000}\"", "is too large"),
        ] {
            let (patterns, problems) =
                read_text(&format!("[patterns.fine]\nregex = \"x\"\n\n[patterns.own]\n{text}\n"));
            assert!(problems.len() == 1 && problems[0].contains(told), "{text}: {problems:?}");
            assert!(patterns.contains_key("fine"), "{text}");
        }
        let (patterns, problems) = read_text("[patterns.\"Not A Name\"]\nregex = \"x\"\n");
        assert!(patterns.is_empty() && problems[0].contains("small letters"), "{problems:?}");
    }
}
