//! Why an attempt failed, inline: the lines that name the cause, where it is, and the command that shows more.

use std::path::{Component, Path};

use loopwright_domain::{Diagnosis, FailureCategory};

use crate::output::{BAD, QUIET, plain, styled};

/// As many lines of an output are shown.
const LINES: usize = 12;
/// Where the lines begin: below the check they belong to.
const INDENT: &str = "             ";

/// The lines that tell a failure. `root` is the folder that files are found in, `links` whether the terminal can open
/// them.
pub(super) fn lines(diagnosis: &Diagnosis, iteration: u32, root: Option<&Path>, links: bool) -> Vec<String> {
    let mut lines = Vec::new();
    let known = diagnosis.category != FailureCategory::Unknown;
    if !known && diagnosis.file.is_none() && says_nothing(&diagnosis.excerpt) {
        return lines;
    }
    let what = if known { format!("{}: {}", diagnosis.category, diagnosis.pattern) } else { String::new() };
    let place = place(diagnosis, root, links);
    let head = [what, place].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("  ");
    if !head.is_empty() {
        lines.push(format!("{INDENT}{}", styled(QUIET, head)));
    }
    lines.extend(excerpt(&diagnosis.excerpt, &diagnosis.cause));
    lines.push(format!("{INDENT}{}", styled(QUIET, format!("more: loopwright show {iteration}"))));
    lines
}

/// Whether there is nothing in an output but how the program ended, which was told already.
fn says_nothing(excerpt: &str) -> bool {
    let mut said = excerpt.lines().filter(|line| !line.trim().is_empty());
    match (said.next(), said.next()) {
        (None, _) => true,
        (Some(only), None) => only.trim_start().starts_with("exited with "),
        _ => false,
    }
}

/// The lines around the cause; the cause itself stands out.
fn excerpt(excerpt: &str, cause: &str) -> Vec<String> {
    let all: Vec<&str> = excerpt.lines().map(str::trim_end).collect();
    let at = all.iter().position(|line| line.trim() == cause.trim()).unwrap_or(0);
    let from = at.saturating_sub(LINES / 3).min(all.len().saturating_sub(LINES));
    let shown = all.iter().skip(from).take(LINES);
    let told = shown.map(|line| match line.trim() == cause.trim() {
        true => format!("{INDENT}{}", styled(BAD, plain(line))),
        false => format!("{INDENT}{}", plain(line)),
    });
    told.map(|line| line.trim_end().to_owned()).collect()
}

/// File and line, as a link where the terminal can open it.
fn place(diagnosis: &Diagnosis, root: Option<&Path>, links: bool) -> String {
    let named = diagnosis.file.as_deref().map(|file| (file, diagnosis.line));
    let Some((file, line)) = named.or_else(|| place_in(&diagnosis.cause, root?)) else {
        return String::new();
    };
    let shown = match line {
        Some(line) => format!("{}:{line}", plain(file)),
        None => plain(file),
    };
    match root.filter(|_| links).map(|root| root.join(file)).filter(|path| path.is_absolute()) {
        Some(path) => linked(&shown, &path),
        None => shown,
    }
}

/// The place that a line begins with, as grep and most tools write it, if there is such a file.
fn place_in<'a>(cause: &'a str, root: &Path) -> Option<(&'a str, Option<u32>)> {
    let (file, rest) = cause.split_once(':')?;
    let line = rest.split(':').next()?.trim().parse().ok()?;
    let is_below = Path::new(file).components().all(|part| matches!(part, Component::Normal(_)));
    (is_below && root.join(file).is_file()).then_some((file, Some(line)))
}

/// A text that opens a file (OSC 8).
fn linked(text: &str, path: &Path) -> String {
    let mut url = String::from("file://");
    for byte in path.to_string_lossy().bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                url.push(char::from(byte))
            }
            byte => url.push_str(&format!("%{byte:02X}")),
        }
    }
    format!("\u{1b}]8;;{url}\u{1b}\\{text}\u{1b}]8;;\u{1b}\\")
}

#[cfg(test)]
mod tests {
    use anstream::adapter::strip_str;

    use super::*;

    fn diagnosis(excerpt: &str) -> Diagnosis {
        let place = Some(("src/a b.rs".to_owned(), Some(12)));
        Diagnosis::new(
            "assertion_failed",
            FailureCategory::Test,
            "assertion `left == right` failed".into(),
            place,
            excerpt.into(),
        )
    }

    #[test]
    fn the_cause_is_shown_however_long_the_output_is() {
        let around: Vec<String> = (0..40).map(|n| format!("line {n}")).collect();
        let excerpt =
            format!("{}\nassertion `left == right` failed\n  left: 1\n right: 2", around.join("\n"));
        let told = lines(&diagnosis(&excerpt), 3, None, false);
        let text = strip_str(&told.join("\n")).to_string();
        assert!(text.contains("test: assertion_failed  src/a b.rs:12"), "{text}");
        assert!(text.contains("assertion `left == right` failed\n"), "{text}");
        assert!(text.contains("right: 2") && text.ends_with("more: loopwright show 3"), "{text}");
        assert!(told.len() <= LINES + 2, "{text}");
    }

    #[test]
    fn one_line_is_told_and_an_exit_code_is_not() {
        let unknown = |excerpt: &str| {
            Diagnosis::new("unknown", FailureCategory::Unknown, excerpt.into(), None, excerpt.into())
        };
        assert!(lines(&unknown("exited with 1"), 1, None, false).is_empty());
        let told = lines(&unknown("Darjeeling is 6.40"), 1, None, false).join("\n");
        assert!(strip_str(&told).to_string().contains("Darjeeling is 6.40\n"), "{told}");
    }

    #[test]
    fn a_place_that_a_line_begins_with_is_one_if_the_file_is_there() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert_eq!(place_in("src/main.rs:3:<li>", root), Some(("src/main.rs", Some(3))));
        for none in ["src/gone.rs:3: x", "error: 3", "../cli/src/main.rs:3: x", "/etc/passwd:1: x"] {
            assert_eq!(place_in(none, root), None, "{none}");
        }
    }

    #[test]
    fn a_place_is_a_link_and_hostile_names_stay_text() {
        let told = lines(&diagnosis("x"), 1, Some(Path::new("/home/ada")), true).join("\n");
        assert!(told.contains("\u{1b}]8;;file:///home/ada/src/a%20b.rs\u{1b}\\src/a b.rs:12"), "{told:?}");
        let mut hostile = diagnosis("x");
        hostile.file = Some("a\u{1b}]8;;evil\u{7}b".into());
        let told = lines(&hostile, 1, None, false).join("\n");
        assert!(!told.contains("\u{1b}]8;;evil"), "{told:?}");
    }
}
