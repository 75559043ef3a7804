//! Attribute files: which files are handed to filter, diff and merge programs.

use std::path::Path;

use crate::display_text::shown;
use crate::finding_kind::FindingKind;
use crate::findings::Report;
use crate::limited_read::{ReadError, read};

const FILE_LIMIT: u64 = 1024 * 1024;

/// Drivers that are part of git and start nothing.
const BUILT_IN: &[&[u8]] = &[
    b"ada",
    b"bash",
    b"bibtex",
    b"binary",
    b"cpp",
    b"csharp",
    b"css",
    b"dts",
    b"elixir",
    b"fortran",
    b"fountain",
    b"golang",
    b"html",
    b"ini",
    b"java",
    b"kotlin",
    b"markdown",
    b"matlab",
    b"objc",
    b"pascal",
    b"perl",
    b"php",
    b"python",
    b"r",
    b"ruby",
    b"rust",
    b"scheme",
    b"tex",
    b"text",
    b"typescript",
    b"union",
];

/// Looks through one attribute file.
pub(super) fn look(path: &Path, report: &mut Report) {
    let name = report.name(path);
    match read(path, FILE_LIMIT) {
        Ok(text) => {
            for (kind, driver) in drivers(&text) {
                let detail = format!("{name} hands files to the {kind} driver {}", shown(driver));
                report.add(FindingKind::Attributes, detail);
            }
        }
        Err(ReadError::Missing) => {}
        Err(error) => report.add(FindingKind::Unreadable, format!("{name} cannot be read: {error}")),
    }
}

/// The drivers that an attribute file names, with the kind of each.
fn drivers(text: &[u8]) -> Vec<(&'static str, &[u8])> {
    let lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let rules = lines.filter(|line| !line.is_empty() && !line.starts_with(b"#"));
    rules.flat_map(|rule| after_pattern(rule).split(u8::is_ascii_whitespace)).filter_map(driver).collect()
}

fn driver(attribute: &[u8]) -> Option<(&'static str, &[u8])> {
    let named =
        |kind: &'static str| Some((kind, attribute.strip_prefix(kind.as_bytes())?.strip_prefix(b"=")?));
    let (kind, driver) = named("filter").or_else(|| named("diff")).or_else(|| named("merge"))?;
    let built_in = kind != "filter" && BUILT_IN.contains(&driver);
    (!built_in && !driver.is_empty()).then_some((kind, driver))
}

/// A rule without its pattern, which may be in quotes.
fn after_pattern(rule: &[u8]) -> &[u8] {
    let mut end = 0;
    if rule.starts_with(b"\"") {
        end = 1;
        while let Some(byte) = rule.get(end) {
            match byte {
                b'"' => break,
                b'\\' => end += 2,
                _ => end += 1,
            }
        }
    }
    let rest = rule.get(end..).unwrap_or_default();
    rest.iter().position(u8::is_ascii_whitespace).and_then(|space| rest.get(space..)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn drivers_are_named_and_built_in_ones_are_not() {
        let text = b"# *.x filter=no\n\n*.psd filter=lfs diff=lfs merge=lfs -text\r\n*.py diff=python text\n\
            \"with space\\\" filter=no\" filter=a=b\n[attr]mine diff=evil\nfilter=pattern.txt\n*.b merge=union filter=\n";
        let found: Vec<String> = drivers(text)
            .iter()
            .map(|(kind, name)| format!("{kind} {}", String::from_utf8_lossy(name)))
            .collect();
        assert_eq!(found, ["filter lfs", "diff lfs", "merge lfs", "filter a=b", "diff evil"]);
    }

    proptest! {
        #[test]
        fn a_driver_is_found_behind_any_pattern(pattern in "[a-z*/.]{1,10}", driver in "[a-z][a-z=.-]{0,10}") {
            let text = format!("{pattern} text filter={driver} -crlf\n");
            prop_assert_eq!(drivers(text.as_bytes()), vec![("filter", driver.as_bytes())]);
        }

        #[test]
        fn any_bytes_are_read_without_harm(text in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = drivers(&text);
        }
    }
}
