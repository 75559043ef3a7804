use std::fs;
use std::path::Path;

use loopwright_process::{Command, find_program, run};
use proptest::prelude::*;
use tempfile::tempdir;

use super::*;

fn pairs(text: &str) -> Vec<(String, Option<String>)> {
    let text_of = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let parsed = parse(text.as_bytes());
    assert_eq!(parsed.damaged_at, None, "{text:?}");
    parsed.entries.iter().map(|entry| (text_of(&entry.key), entry.value.as_deref().map(text_of))).collect()
}

fn one(text: &str) -> (String, Option<String>) {
    let mut pairs = pairs(text);
    assert_eq!(pairs.len(), 1, "{text:?}");
    pairs.remove(0)
}

#[test]
fn sections_and_keys_in_all_spellings() {
    for (text, key) in [
        ("[Core]\n\tFsMonitor = x\n", "core.fsmonitor"),
        ("[core]fsmonitor=x", "core.fsmonitor"),
        ("\u{feff}[core] # why\r\nfsmonitor=x\r\n", "core.fsmonitor"),
        ("[filter \"Ev=il.one\"]\nclean = x", "filter.Ev=il.one.clean"),
        ("[filter.UPPER]\nclean = x", "filter.upper.clean"),
        (r#"[filter "a\"b\\c\d"] clean = x"#, r#"filter.a"b\cd.clean"#),
        ("[diff   \t \"x\"]\nTextConv=x", "diff.x.textconv"),
    ] {
        assert_eq!(one(text), (key.to_owned(), Some("x".to_owned())), "{text:?}");
    }
}

#[test]
fn values_in_all_spellings() {
    for (text, value) in [
        ("a = b c ", "b c"),
        ("a = b ; comment", "b"),
        ("a = \"b ; c\" # d", "b ; c"),
        ("a = \"  b  \"", "  b  "),
        ("a = b\\\n  c", "b  c"),
        ("a = x\\t\\n\\\\\\\"y", "x\t\n\\\"y"),
        ("a = !sh -c \\\"touch x\\\"", "!sh -c \"touch x\""),
        ("a =", ""),
        ("a = \"\"", ""),
        ("a = b\"\"   ", "b"),
    ] {
        assert_eq!(one(&format!("[s]\n{text}")).1.as_deref(), Some(value), "{text:?}");
    }
    assert_eq!(one("[s]\na").1, None);
    assert_eq!(one("[s]\na   \n").1, None);
}

#[test]
fn lines_are_counted_and_damage_is_located() {
    let parsed = parse(b"[s]\n# two\na = 1\n\nb = 2\\\n3\n= broken\nc = 4\n");
    let lines: Vec<u32> = parsed.entries.iter().map(|entry| entry.line).collect();
    assert_eq!(lines, [3, 6]);
    assert_eq!(parsed.damaged_at, Some(7));
    for damaged in
        ["[s", "[]\n", "[s \"x]\n", "[s x]\n", "[s]\na b\n", "[s]\na = \"x\n", "[s]\na = \\x\n", "[s]\n1=2"]
    {
        assert!(parse(damaged.as_bytes()).damaged_at.is_some(), "{damaged:?}");
    }
}

#[test]
fn truth_is_read_as_git_reads_it() {
    for (value, truth) in [
        ("", false),
        ("true", true),
        ("Yes", true),
        ("ON", true),
        ("1", true),
        ("0", false),
        ("no", false),
        ("x", false),
    ] {
        assert_eq!(parse(format!("[s]\na = {value}").as_bytes()).entries[0].is_true(), truth, "{value}");
    }
    assert!(parse(b"[s]\na").entries[0].is_true());
}

#[test]
fn keys_split_at_the_outer_dots() {
    assert_eq!(split_key(b"core.pager"), Some((&b"core"[..], None, &b"pager"[..])));
    assert_eq!(split_key(b"filter.a.b=c.clean"), Some((&b"filter"[..], Some(&b"a.b=c"[..]), &b"clean"[..])));
    assert_eq!(split_key(b"filter..clean"), Some((&b"filter"[..], Some(&b""[..]), &b"clean"[..])));
    assert_eq!(split_key(b"plain"), None);
}

type Pair = (Vec<u8>, Option<Vec<u8>>);

/// What git itself reads from a file: `key LF value NUL`, or `key NUL` for a bare name.
fn as_git_reads(text: &[u8], dir: &Path) -> Option<Vec<Pair>> {
    let file = dir.join("config");
    fs::write(&file, text).unwrap();
    let git = find_program("git", std::env::var_os("PATH").unwrap().as_os_str()).unwrap();
    let listing = Command::new(git, dir)
        .args(["config", "--no-includes", "--list", "-z", "--file"])
        .args([file])
        .env("GIT_CONFIG_NOSYSTEM", "1");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let finished = runtime.block_on(run(listing)).unwrap();
    let pair = |record: &[u8]| match record.iter().position(|byte| *byte == b'\n') {
        Some(at) => (record[..at].to_vec(), Some(record[at + 1..].to_vec())),
        None => (record.to_vec(), None),
    };
    let records = finished.output.stdout.split(|byte| *byte == 0).filter(|record| !record.is_empty());
    finished.exit.success().then(|| records.map(pair).collect())
}

/// Text made of the pieces that matter in this format, so that most of it is nearly valid.
fn nearly_valid() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "\\[(core|Filter|diff)\\]\n",
        4 => "\\[(filter|DIFF) \"[a-zA-Z.=\\\\\\\\ ]{0,4}\"\\]\n",
        8 => "[a-zA-Z][a-zA-Z0-9-]{0,4} = [a-z \";#!\\\\\\\\]{0,8}\n",
        2 => "[a-z]{1,3}\n",
        1 => "[#;][ a-z\"]{0,5}\n",
        1 => "[\\[\\]\"\\\\=# \n]",
    ];
    proptest::collection::vec(piece, 0..10).prop_map(|pieces| format!("[a]\n{}", pieces.concat()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// The reader and git agree on what a file says, and on whether it is damaged.
    #[test]
    fn the_reader_agrees_with_git(text in nearly_valid()) {
        let dir = tempdir().unwrap();
        let parsed = parse(text.as_bytes());
        match as_git_reads(text.as_bytes(), dir.path()) {
            None => prop_assert!(parsed.damaged_at.is_some(), "git refuses {:?}", text),
            Some(expected) => {
                prop_assert_eq!(parsed.damaged_at, None, "git accepts {:?}", &text);
                let read: Vec<_> = parsed.entries.into_iter().map(|entry| (entry.key, entry.value)).collect();
                prop_assert_eq!(read, expected, "{:?}", text);
            }
        }
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read_without_harm(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        for entry in parse(&bytes).entries {
            let _ = (split_key(&entry.key), entry.is_true(), entry.path());
        }
    }
}
