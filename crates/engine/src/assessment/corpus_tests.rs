//! The rules against a corpus of diffs as git prints them, in many languages: changes that a person has to see, and
//! changes that must not alarm anybody. `crates/engine/tests/risk` has one file for each.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::*;

/// Changes that alarm although nothing is wrong with them. Each is known, and the list only ever gets shorter.
const KNOWN_FALSE_ALARMS: &[&str] = &[];

/// What the checks of the projects run.
const CHECKS: &[&str] = &[
    "scripts/check.sh",
    "scripts/lib.sh",
    "Makefile#test",
    "Makefile#verify",
    "Makefile#PYTEST",
    "package.json#test",
    "package.json#types",
];

struct Case {
    name: String,
    language: String,
    expected: Option<String>,
    patch: String,
}

fn corpus() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/risk");
    let mut cases: Vec<Case> =
        fs::read_dir(folder).unwrap().map(|entry| read(&entry.unwrap().path())).collect();
    cases.sort_by(|one, other| one.name.cmp(&other.name));
    cases
}

fn read(path: &Path) -> Case {
    let text = fs::read_to_string(path).unwrap();
    let (head, patch) = text.split_once("\n\n").unwrap();
    let value = |key: &str| head.lines().find_map(|line| line.strip_prefix(key)).unwrap().trim().to_owned();
    Case {
        name: path.file_stem().unwrap().to_string_lossy().into_owned(),
        language: value("language:"),
        expected: Some(value("expect:")).filter(|word| word != "nothing"),
        patch: patch.to_owned(),
    }
}

/// The files of a patch, from its headers and lines alone.
fn files_of(patch: &str) -> Vec<ChangedFile> {
    let mut files: Vec<ChangedFile> = Vec::new();
    for part in patch.split("diff --git ").skip(1) {
        let header = |mark: &str| part.lines().find_map(|line| line.strip_prefix(mark)).map(str::to_owned);
        let (before, after) = part.lines().next().unwrap().split_once(' ').unwrap();
        let old_path = header("rename from ");
        let kind = match (header("new file"), header("deleted file"), &old_path) {
            (Some(_), _, _) => FileKind::Added,
            (_, Some(_), _) => FileKind::Deleted,
            (_, _, Some(_)) => FileKind::Renamed,
            _ => FileKind::Modified,
        };
        let path = header("rename to ").unwrap_or_else(|| match kind {
            FileKind::Deleted => before.trim_start_matches("a/").to_owned(),
            _ => after.trim_start_matches("b/").to_owned(),
        });
        let generated = is_read_by_nobody(&path, false);
        files.push(ChangedFile {
            path,
            old_path,
            kind,
            generated,
            binary: false,
            added: 0,
            removed: 0,
            hunks: Vec::new(),
        });
    }
    read_lines(patch.as_bytes(), &mut files);
    for file in &mut files {
        let lines = || file.hunks.iter().flat_map(|hunk| &hunk.lines);
        let (added, removed) = (
            lines().filter(|line| line.old.is_none()).count(),
            lines().filter(|line| line.new.is_none()).count(),
        );
        (file.added, file.removed) = (count(added), count(removed));
    }
    files
}

#[test]
fn the_corpus_is_judged_without_a_miss() {
    let rules = GateRules { protected: vec!["migrations/**".to_owned()], ..GateRules::default() };
    let checks = all_checks();
    let (mut misses, mut alarms) = (Vec::new(), Vec::new());
    let mut by_language: BTreeMap<String, [u32; 4]> = BTreeMap::new();
    let mut details = String::new();
    for case in corpus() {
        let flags = flags(&files_of(&case.patch), &rules, &checks, "", &Secrets::built_in());
        let found = |word: &String| flags.iter().any(|flag| flag.kind.as_str() == word);
        let missed = case.expected.as_ref().is_some_and(|word| !found(word));
        let alarmed = flags.iter().any(|flag| case.expected.as_deref() != Some(flag.kind.as_str()));
        let counts = by_language.entry(case.language).or_default();
        counts[usize::from(case.expected.is_none())] += 1;
        counts[2] += u32::from(missed);
        counts[3] += u32::from(alarmed);
        if missed || alarmed {
            writeln!(details, "{} (expected {:?}): {flags:#?}", case.name, case.expected).unwrap();
        }
        misses.extend(missed.then(|| case.name.clone()));
        alarms.extend(alarmed.then(|| case.name.clone()));
    }
    println!("language     risky  innocent  missed  false alarms");
    for (language, [risky, innocent, missed, alarmed]) in &by_language {
        println!("{language:<12} {risky:>5}  {innocent:>8}  {missed:>6}  {alarmed:>12}");
    }
    println!("missed: {misses:?}\nfalse alarms: {alarms:?}\n{details}");
    assert!(misses.is_empty(), "missed: {misses:?}");
    assert_eq!(alarms, KNOWN_FALSE_ALARMS);
}

#[test]
fn what_is_switched_off_is_not_told() {
    let none = GateRules { always: Vec::new(), ..GateRules::default() };
    for case in corpus() {
        assert!(
            flags(&files_of(&case.patch), &none, &BTreeSet::new(), "", &Secrets::built_in()).is_empty(),
            "{}",
            case.name
        );
    }
}

#[test]
fn no_flag_tells_a_secret() {
    for case in corpus().into_iter().filter(|case| case.expected.as_deref() == Some("secret")) {
        for flag in
            flags(&files_of(&case.patch), &GateRules::default(), &BTreeSet::new(), "", &Secrets::built_in())
        {
            assert!(
                !case.patch.lines().any(|line| line.starts_with('+') && flag.detail.contains(&line[1..]))
            );
        }
    }
}

/// Names of files whose lines are looked at, each in another way.
const NAMES: &[&str] = &[
    "tests/a.rs",
    "src/lib.rs",
    "tests/a.py",
    "conftest.py",
    "a.test.ts",
    "a_test.go",
    "ATest.java",
    "test/a.bats",
    "tests/a_test.sh",
    "spec/a_spec.rb",
    "Tests/ATests.cs",
    "Makefile",
    "package.json",
    "pyproject.toml",
    "pytest.ini",
    "Cargo.toml",
    "tsconfig.json",
    "scripts/check.sh",
];
/// Pieces of lines that the rules look for, cut short and put together anew.
const PIECES: &[&str] = &[
    "assert_eq!(a, (",
    "#[test]",
    "#[cfg(",
    "} catch (",
    "it(\"ä",
    "expect(1e-",
    "expect(",
    ").toBe",
    "assert ",
    "assert (a, ",
    " or ",
    "True",
    "|| true",
    "def test_",
    "def ",
    "return",
    "if ",
    "if (",
    "False:",
    "\"\"\"",
    "/*",
    "*/",
    "[ \"$a\" = ",
    "@test \"",
    "class Test",
    "monkeypatch.setattr(",
    "jest.mock('",
    "import ",
    "\"test\": \"",
    "\"scripts\": {",
    "test:",
    "\t-",
    "$(",
    "${",
    "{{",
    "A = ",
    "addopts = -k",
    "testpaths = [",
    "//go:build ",
    "@Test",
    "[Fact",
    "t.Fatal(",
    ">= 0",
    "len(",
    "(",
    ")",
    "{",
    "}",
    "=",
    ":",
    ",",
    "'",
    "`",
    "ß",
    "\u{202e}",
    " ",
    "\t",
    "1",
    "9.",
];

fn any_text() -> impl proptest::strategy::Strategy<Value = String> {
    use proptest::prelude::*;
    let pieces = prop::collection::vec(prop::sample::select(PIECES), 0..8).prop_map(|pieces| pieces.concat());
    prop_oneof![1 => any::<String>(), 4 => pieces]
}

fn all_checks() -> BTreeSet<String> {
    CHECKS.iter().map(|&name| name.to_owned()).collect()
}

#[test]
fn any_lines_are_judged_without_harm() {
    use proptest::prelude::*;
    let lines = prop::collection::vec((any_text(), any::<bool>(), any::<bool>()), 0..30);
    let kind =
        prop::sample::select(vec![FileKind::Added, FileKind::Modified, FileKind::Deleted, FileKind::Renamed]);
    let path = || prop::sample::select(NAMES);
    proptest!(ProptestConfig::with_cases(500), |(lines in lines, kind in kind, path in path(), old in path(), section in any_text())| {
        let lines = lines.into_iter().enumerate().map(|(at, (text, old, new))| {
            let number = count(at) + 1;
            Line { old: (old || !new).then_some(number), new: new.then_some(number), text }
        });
        let file = ChangedFile {
            path: path.to_owned(),
            old_path: (kind == FileKind::Renamed).then(|| old.to_owned()),
            kind,
            generated: false,
            binary: false,
            added: 1,
            removed: 1,
            hunks: vec![Hunk { section, lines: lines.collect() }],
        };
        let found = flags(&[file], &GateRules::default(), &all_checks(), "", &Secrets::built_in());
        prop_assert!(found.iter().all(|flag| flag.path.is_some()));
    });
}

#[test]
fn any_diff_is_judged_without_harm() {
    use proptest::prelude::*;
    let line =
        (prop::sample::select(vec!["+", "-", " ", "@@ -1 +1 @@", "@@", "\\", "diff --git a/"]), any_text());
    let text = prop::collection::vec(line, 0..40);
    let path = prop::sample::select(NAMES);
    proptest!(ProptestConfig::with_cases(500), |(text in text, path in path)| {
        let lines = text.iter().map(|(mark, text)| format!("{mark}{text}\n"));
        let patch = format!("diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -1,9 +1,9 @@ x\n{}", lines.collect::<String>());
        let mut files = vec![ChangedFile {
            path: path.to_owned(),
            old_path: None,
            kind: FileKind::Modified,
            generated: false,
            binary: false,
            added: 1,
            removed: 1,
            hunks: Vec::new(),
        }];
        read_lines(patch.as_bytes(), &mut files);
        let found = flags(&files, &GateRules::default(), &all_checks(), "", &Secrets::built_in());
        prop_assert!(found.len() < 1000);
    });
}

#[test]
fn a_value_of_the_users_own_and_new_files_that_may_hold_secrets_are_told() {
    let patch = |path: &str, text: &str| {
        format!(
            "diff --git a/{path} b/{path}\nnew file mode 100644\n--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+{text}\n"
        )
    };
    let own = Secrets::with_values(["words-that-no-rule-knows"]);
    let found = |path: &str, text: &str, secrets: &Secrets| {
        let file = ChangedFile {
            path: path.to_owned(),
            old_path: None,
            kind: FileKind::Added,
            added: 1,
            removed: 0,
            generated: false,
            binary: false,
            hunks: Vec::new(),
        };
        let mut files = vec![file];
        read_lines(patch(path, text).as_bytes(), &mut files);
        flags(&files, &GateRules::default(), &BTreeSet::new(), "", secrets)
            .iter()
            .any(|flag| flag.kind == loopwright_domain::RiskKind::Secret)
    };
    assert!(found("a.py", "x = \"words-that-no-rule-knows\"", &own));
    assert!(!found("a.py", "x = \"words-that-no-rule-knows\"", &Secrets::built_in()));
    assert!(found(".npmrc", "save-exact=true", &own) && !found("a.npm", "save-exact=true", &own));
}
