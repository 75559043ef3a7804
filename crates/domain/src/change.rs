//! What stands behind a claim that work is done: a change, or what satisfied the work before. Nothing changed is not
//! done by itself.

/// What stands behind a claim that work is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Files changed.
    Made,
    /// Nothing changed, and nothing had to: the work is to verify or to plan, has no end that could be claimed, or a
    /// person did it.
    NotNeeded,
    /// Nothing changed, and nothing is named that satisfies the work already, or what is named is not so.
    Nothing,
    /// Nothing changed, and files or passing checks are named that satisfy the work already.
    Already,
    /// Not known: without git nothing is compared.
    Unknown,
}

impl Change {
    /// Whether files `changed`, where that is known; whether the work needs a change at all; and whether all is so that
    /// the agent named as satisfying the work, if it named anything.
    #[must_use]
    pub const fn of(changed: Option<bool>, needed: bool, satisfied: bool) -> Self {
        match (changed, needed, satisfied) {
            (Some(true), ..) => Self::Made,
            (_, false, _) => Self::NotNeeded,
            (Some(false), true, true) => Self::Already,
            (Some(false), true, false) => Self::Nothing,
            (None, true, _) => Self::Unknown,
        }
    }
}

/// Something that an agent names as satisfying the work already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Satisfier<'a> {
    /// A check, by its name: `check:NAME`.
    Check(&'a str),
    /// A file, by its path from the project folder.
    File(&'a str),
}

impl<'a> Satisfier<'a> {
    /// What a word names.
    #[must_use]
    pub fn of(word: &'a str) -> Self {
        let word = word.trim();
        match word.strip_prefix("check:") {
            Some(name) => Self::Check(name.trim()),
            None => Self::File(word.strip_prefix("./").unwrap_or(word)),
        }
    }
}

/// What a line of text names as satisfying the work: each of its words that is a file or a check, once, in order. A
/// check is written as `check:NAME`, or by its name alone.
pub fn named_in(line: &str, is_check: impl Fn(&str) -> bool, is_file: impl Fn(&str) -> bool) -> Vec<String> {
    let mut named: Vec<String> = Vec::new();
    let edges: &[char] = &['`', '"', '\'', '(', ')', '[', ']', '<', '>', ',', ';', '*', '.', ':', '!', '?'];
    for word in line.split(|letter: char| letter.is_whitespace() || letter == ',' || letter == ';') {
        // A leading dot may belong to the name of a file.
        let word = word.trim_start_matches(|letter| letter != '.' && edges.contains(&letter));
        let word = word.trim_end_matches(edges);
        let found = match Satisfier::of(word) {
            Satisfier::Check(name) if is_check(name) => format!("check:{name}"),
            Satisfier::Check(_) => continue,
            Satisfier::File("") => continue,
            Satisfier::File(name) if is_check(name) => format!("check:{name}"),
            Satisfier::File(path) if is_file(path) => path.to_owned(),
            Satisfier::File(_) => continue,
        };
        if !named.contains(&found) {
            named.push(found);
        }
    }
    named
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_change_is_made_needed_named_or_unknown() {
        let cases = [
            ((Some(true), true, false), Change::Made),
            ((Some(true), false, false), Change::Made),
            ((Some(false), true, false), Change::Nothing),
            ((Some(false), true, true), Change::Already),
            ((Some(false), false, false), Change::NotNeeded),
            ((None, false, true), Change::NotNeeded),
            ((None, true, true), Change::Unknown),
            ((None, true, false), Change::Unknown),
        ];
        for ((changed, needed, satisfied), change) in cases {
            assert_eq!(Change::of(changed, needed, satisfied), change, "{changed:?} {needed} {satisfied}");
        }
    }

    #[test]
    fn words_name_checks_and_files() {
        assert_eq!(Satisfier::of(" check:unit tests "), Satisfier::Check("unit tests"));
        assert_eq!(Satisfier::of("./src/a.rs"), Satisfier::File("src/a.rs"));
        let named = |line: &str| {
            named_in(line, |name| name == "tests", |path| ["src/a.rs", ".env.example"].contains(&path))
        };
        let cases: &[(&str, &[&str])] = &[
            ("it was there before", &[]),
            ("already in `src/a.rs`, see check:tests.", &["src/a.rs", "check:tests"]),
            ("(./src/a.rs) and src/a.rs; tests pass", &["src/a.rs", "check:tests"]),
            (".env.example names it", &[".env.example"]),
            ("check:lint and src/b.rs", &[]),
            ("", &[]),
            (", ; . : check:", &[]),
        ];
        for (line, expected) in cases {
            assert_eq!(named(line), *expected, "{line}");
        }
    }

    proptest! {
        #[test]
        fn any_line_is_read_without_harm_and_names_nothing_twice(line in ".{0,200}") {
            let named = named_in(&line, |name| name.len() == 3, |path| path.len() == 2);
            let mut once = named.clone();
            once.sort();
            once.dedup();
            prop_assert_eq!(once.len(), named.len());
        }
    }
}
