//! What `git status --porcelain=v2 -z --branch` prints.

/// The parts of a status that matter here.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Status {
    /// The commit; none before the first one.
    pub(crate) commit: Option<String>,
    /// The branch; none when HEAD names a commit.
    pub(crate) branch: Option<String>,
    /// Changed, new and conflicting files.
    pub(crate) entries: u32,
}

impl Status {
    /// Reads the records. None when the two lines about the branch are not there.
    pub(crate) fn parse(printed: &[u8]) -> Option<Self> {
        let (mut commit, mut branch) = (None, None);
        let mut entries = 0u32;
        let mut records = printed.split(|byte| *byte == 0);
        // What follows the last NUL is empty, or a record that was cut off.
        records.next_back();
        while let Some(record) = records.next() {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            if let Some(oid) = record.strip_prefix(b"# branch.oid ") {
                commit = Some((oid != b"(initial)").then(|| text(oid)));
            } else if let Some(name) = record.strip_prefix(b"# branch.head ") {
                branch = Some((name != b"(detached)").then(|| text(name)));
            } else if matches!(record, [b'1' | b'2' | b'u' | b'?', b' ', ..]) {
                entries = entries.saturating_add(1);
                if record.starts_with(b"2") {
                    // A rename is followed by the path it had before.
                    records.next();
                }
            }
        }
        Some(Self { commit: commit?, branch: branch?, entries })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parse(lines: &[&str]) -> Option<Status> {
        let printed: String = lines.iter().map(|line| format!("{line}\0")).collect();
        Status::parse(printed.as_bytes())
    }

    #[test]
    fn branches_commits_and_entries_are_read() {
        let status = parse(&[
            "# branch.oid 0123456789abcdef",
            "# branch.head feature/tea",
            "# branch.upstream origin/main",
            "1 .M N... 100644 100644 100644 aa bb a file.txt",
            "2 R. N... 100644 100644 100644 aa bb R100 new",
            "? looks like an entry but is the old name",
            "u UU N... 100644 100644 100644 100644 aa bb cc both",
            "? line\nbreak",
            "! ignored",
        ]);
        let expected = Status {
            commit: Some("0123456789abcdef".into()),
            branch: Some("feature/tea".into()),
            entries: 4,
        };
        assert_eq!(status, Some(expected));
        assert_eq!(parse(&["# branch.oid (initial)", "# branch.head (detached)"]), Some(Status::default()));
        assert_eq!(parse(&["# branch.oid 01"]), None);
    }

    #[test]
    fn a_record_that_was_cut_off_does_not_count() {
        let status = Status::parse(b"# branch.oid 01\0# branch.head main\0? a\0? b");
        assert_eq!(status.map(|status| status.entries), Some(1));
    }

    proptest! {
        #[test]
        fn every_path_is_one_entry(paths in proptest::collection::vec("[^\0]{1,20}", 0..30)) {
            let mut printed = b"# branch.oid 01\0# branch.head main\0".to_vec();
            for path in &paths {
                printed.extend(format!("? {path}\0").into_bytes());
            }
            prop_assert_eq!(Status::parse(&printed).unwrap().entries as usize, paths.len());
        }

        #[test]
        fn any_bytes_are_read_without_harm(printed in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = Status::parse(&printed);
        }
    }
}
