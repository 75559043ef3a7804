//! What a document says of itself before its text: its name, and the documents it depends on.

/// The keys of front matter that are looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::spec) struct FrontMatter {
    /// `id`: what other documents call it.
    pub(in crate::spec) id: Option<String>,
    /// `depends_on`: names or paths of documents.
    pub(in crate::spec) depends_on: Vec<String>,
}

/// Reads the lines of front matter. Of YAML no more is understood than `key: value`, lists with dashes and lists in
/// brackets, at any depth; what is something else is passed over.
pub(in crate::spec) fn read(lines: &str) -> FrontMatter {
    let mut found = FrontMatter::default();
    // The indentation of `depends_on` while its items are read.
    let mut list: Option<usize> = None;
    for line in lines.lines() {
        let text = line.trim();
        let indent = line.len() - line.trim_start().len();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        if let (Some(above), Some(item)) = (list, text.strip_prefix("- "))
            && indent >= above
        {
            found.depends_on.extend(scalar(item));
            continue;
        }
        list = None;
        match text.split_once(':') {
            Some(("depends_on", "")) => list = Some(indent),
            Some(("depends_on", value)) => {
                let items = value.trim().trim_start_matches('[').trim_end_matches(']').split(',');
                found.depends_on.extend(items.filter_map(scalar));
            }
            Some(("id", value)) if found.id.is_none() => found.id = scalar(value),
            _ => {}
        }
    }
    found
}

/// A plain or quoted value; none when it is empty.
fn scalar(text: &str) -> Option<String> {
    let text = text.trim();
    let quoted = |mark: char| text.strip_prefix(mark).and_then(|rest| rest.split(mark).next());
    let plain = || text.split(" #").next().unwrap_or(text).trim_end();
    let value = quoted('"').or_else(|| quoted('\'')).unwrap_or_else(plain);
    (!value.is_empty()).then(|| value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_dependencies_are_read_in_the_usual_ways() {
        let cases: [(&str, Option<&str>, &[&str]); 6] = [
            (
                "---\ndun:\n  id: F-017\n  depends_on:\n    - helix.prd\n  review:\n    deps:\n      - x\n---\n",
                Some("F-017"),
                &["helix.prd"],
            ),
            (
                "---\nid: 'tea' # ours\ndepends_on: [a.md, \"b c.md\"]\n---\n",
                Some("tea"),
                &["a.md", "b c.md"],
            ),
            ("---\ndepends_on:\n- one\n- two\ntitle: x\n- three\n---\n", None, &["one", "two"]),
            ("---\ndepends_on: prd.md\n---\n", None, &["prd.md"]),
            ("---\ndepends_on: []\nid:\n---\n", None, &[]),
            ("", None, &[]),
        ];
        for (lines, id, depends_on) in cases {
            let found = read(lines);
            assert_eq!(
                (found.id.as_deref(), found.depends_on.as_slice()),
                (id, &depends_on.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>()[..]),
                "{lines}"
            );
        }
    }
}
