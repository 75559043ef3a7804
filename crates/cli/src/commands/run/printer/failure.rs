//! Why an attempt failed, inline: the lines that name the cause, where it is, and the command that shows more.

use std::path::Path;

use loopwright_domain::{Diagnosis, FailureCategory};

use crate::output::{BAD, QUIET, plain, styled};

/// As many lines of an output are shown.
const LINES: usize = 12;
/// Where the lines begin: below the check they belong to.
const INDENT: &str = "             ";

/// The lines that tell a failure. `links` is the folder that files are found in, where the terminal can open them.
pub(super) fn lines(diagnosis: &Diagnosis, iteration: u32, links: Option<&Path>) -> Vec<String> {
    let mut lines = Vec::new();
    let known = diagnosis.category != FailureCategory::Unknown;
    if !known && diagnosis.file.is_none() && diagnosis.excerpt.lines().count() < 2 {
        // Nothing but an exit code.
        return lines;
    }
    let what = if known { format!("{}: {}", diagnosis.category, diagnosis.pattern) } else { String::new() };
    let place = place(diagnosis, links);
    let head = [what, place].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("  ");
    if !head.is_empty() {
        lines.push(format!("{INDENT}{}", styled(QUIET, head)));
    }
    lines.extend(excerpt(&diagnosis.excerpt, &diagnosis.cause));
    lines.push(format!("{INDENT}{}", styled(QUIET, format!("more: loopwright show {iteration}"))));
    lines
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
fn place(diagnosis: &Diagnosis, links: Option<&Path>) -> String {
    let Some(file) = &diagnosis.file else { return String::new() };
    let shown = match diagnosis.line {
        Some(line) => format!("{}:{line}", plain(file)),
        None => plain(file),
    };
    match links.map(|root| root.join(file)).filter(|path| path.is_absolute()) {
        Some(path) => linked(&shown, &path),
        None => shown,
    }
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
        let told = lines(&diagnosis(&excerpt), 3, None);
        let text = strip_str(&told.join("\n")).to_string();
        assert!(text.contains("test: assertion_failed  src/a b.rs:12"), "{text}");
        assert!(text.contains("assertion `left == right` failed\n"), "{text}");
        assert!(text.contains("right: 2") && text.ends_with("more: loopwright show 3"), "{text}");
        assert!(told.len() <= LINES + 2, "{text}");
    }

    #[test]
    fn a_place_is_a_link_and_hostile_names_stay_text() {
        let told = lines(&diagnosis("x"), 1, Some(Path::new("/home/ada"))).join("\n");
        assert!(told.contains("\u{1b}]8;;file:///home/ada/src/a%20b.rs\u{1b}\\src/a b.rs:12"), "{told:?}");
        let mut hostile = diagnosis("x");
        hostile.file = Some("a\u{1b}]8;;evil\u{7}b".into());
        let told = lines(&hostile, 1, None).join("\n");
        assert!(!told.contains("\u{1b}]8;;evil"), "{told:?}");
    }
}
