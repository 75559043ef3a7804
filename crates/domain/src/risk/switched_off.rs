//! Tests that still stand there and no longer say anything: skipped, their failures swallowed, their time stretched,
//! what they compare with written anew.

use std::collections::BTreeSet;

use super::assertion::head;
use super::change::{ChangedFile, FileKind, Hunk};
use super::flag;
use super::language::{Language, is_snapshot};
use super::view::{Side, View, test_hunks};
use super::words::{compact, numbers, without_literals};
use crate::gate::{RiskFlag, RiskKind};

/// A snapshot with so many removed lines was written anew.
const REWRITTEN: u32 = 20;
/// How far after a `catch` something may follow that shows that the failure is not swallowed.
const LOOK_AHEAD: usize = 3;

/// Marks that keep tests from running, or all but one of them.
const SKIPS: &[(Language, &[&str])] = &[
    (Language::Rust, &["#[ignore", ", ignore)]", ", ignore =", "#[cfg(any())]", "#[cfg(FALSE)]"]),
    (
        Language::Python,
        &[
            "mark.skip",
            "mark.xfail",
            "pytest.skip(",
            "pytest.xfail(",
            "unittest.skip",
            "expectedFailure",
            ".skipTest(",
            "SkipTest",
            "collect_ignore",
            "__test__ = False",
        ],
    ),
    (
        Language::Script,
        &[
            ".skip(",
            ".skip.",
            ".only(",
            ".only.",
            ".todo(",
            ".fixme(",
            ".failing(",
            ".fails(",
            "this.skip()",
            ".skipIf(",
        ],
    ),
    (Language::Go, &[".Skip(", ".Skipf(", ".SkipNow(", "//go:build ignore"]),
    (
        Language::Java,
        &[
            "@Disabled",
            "@Ignore",
            "assumeTrue(",
            "assumeFalse(",
            "Assumptions.",
            "Assume.",
            "enabled = false",
        ],
    ),
    (Language::Other, &["@skip", "skip(", "pending(", "[Ignore", "Skip ="]),
];
/// The same where the whole word is the mark.
const SKIPPING_NAMES: &[&str] = &["xit(", "xtest(", "xdescribe(", "fit(", "fdescribe(", "xcontext("];
/// Marks that depend on where the test runs: in a new test they take nothing away.
const CONDITIONAL: &[&str] = &[
    "skipif",
    "skipIf",
    "skipUnless",
    "testing.Short",
    "assume",
    "Assum",
    "DisabledOnOs",
    "DisabledIf",
    "importorskip",
];

/// Tests that were switched off, in whatever way.
pub(crate) fn switched_off(files: &[ChangedFile]) -> Vec<RiskFlag> {
    let removed: BTreeSet<String> =
        files.iter().flat_map(ChangedFile::removed_lines).map(|line| compact(&line.text)).collect();
    let mut flags: Vec<RiskFlag> = files.iter().filter_map(rewritten_snapshot).collect();
    for file in files.iter().filter(|file| !file.generated) {
        for (hunk, language) in test_hunks(file) {
            let new = View::new(hunk, language, Side::New);
            flags.extend(skips(file, &new, &removed));
            flags.extend(swallowed(file, &new));
            flags.extend(stretched(file, hunk, language));
        }
    }
    flags
}

fn skips(file: &ChangedFile, view: &View<'_>, removed: &BTreeSet<String>) -> Vec<RiskFlag> {
    let marks =
        SKIPS.iter().find(|(language, _)| *language == view.language).map_or(&[][..], |(_, marks)| marks);
    let is_new = file.kind == FileKind::Added;
    view.lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.touched && !removed.contains(&compact(line.code)))
        .filter_map(|(at, line)| {
            let skips = marks.iter().any(|mark| line.code.contains(mark))
                || SKIPPING_NAMES.iter().any(|name| line.code.starts_with(name));
            let depends = || {
                let before = at.checked_sub(1).and_then(|at| view.lines.get(at)).map_or("", |line| line.code);
                CONDITIONAL.iter().any(|word| line.code.contains(word) || before.contains(word))
            };
            (skips && !is_import(line.code) && !(is_new && depends())).then(|| {
                let only = line.code.contains(".only") || line.code.starts_with("fit(");
                let detail = if only { "all tests but one are left out" } else { "a test is skipped" };
                flag(RiskKind::TestsWeakened, &file.path, Some(line.number), detail)
            })
        })
        .collect()
}

fn is_import(code: &str) -> bool {
    ["import ", "from ", "use "].iter().any(|word| code.starts_with(word))
}

/// A failure that is caught and not looked at.
fn swallowed(file: &ChangedFile, view: &View<'_>) -> Vec<RiskFlag> {
    let has_try = |at: usize| view.lines[..at].iter().any(|line| head(line.code, view.language).is_some());
    let swallows = |at: usize| {
        let code = view.lines[at].code;
        shields(code, view.language)
            || (catches_all(code, view.language) && has_try(at) && !is_looked_at(view, at))
    };
    (0..view.lines.len())
        .filter(|at| view.lines[*at].touched && swallows(*at))
        .map(|at| {
            let detail = "a failure of the test is caught and passed over";
            flag(RiskKind::TestsWeakened, &file.path, Some(view.lines[at].number), detail)
        })
        .collect()
}

fn catches_all(code: &str, language: Language) -> bool {
    match language {
        Language::Python => {
            code.starts_with("except:")
                || ["Exception", "AssertionError", "BaseException"]
                    .iter()
                    .any(|name| code.starts_with("except") && code.contains(name))
        }
        Language::Script => {
            code.contains("catch {") || code.contains("catch (") || code.contains(".catch(() =>")
        }
        Language::Java => ["Throwable", "Exception ", "AssertionError", "Error "]
            .iter()
            .any(|name| code.contains("catch (") && code.contains(name)),
        Language::Rust | Language::Go | Language::Other => false,
    }
}

/// Whether a line takes the failures of all that follows it, and nobody asks for the result.
fn shields(code: &str, language: Language) -> bool {
    match language {
        Language::Python => code.contains("suppress(") && code.starts_with("with "),
        Language::Rust => {
            code.contains("catch_unwind(") && (code.starts_with("let _ ") || !code.contains('='))
        }
        Language::Go => code.contains("recover()") && !code.contains("if "),
        Language::Script | Language::Java | Language::Other => false,
    }
}

/// Whether what follows a `catch` shows that the failure counts after all.
fn is_looked_at(view: &View<'_>, at: usize) -> bool {
    let counts = |code: &str| {
        head(code, view.language).is_some()
            || [
                "throw",
                "raise",
                "fail(",
                "panic!(",
                "reject(",
                "t.Fatal",
                "t.Error",
                "resume_unwind",
                "panic(",
            ]
            .iter()
            .any(|word| code.contains(word))
    };
    let own = view.lines[at].code;
    let own = own.split_once("catch").map_or(own, |(_, rest)| rest);
    counts(own) || view.lines[at + 1..].iter().take(LOOK_AHEAD).any(|line| counts(line.code))
}

/// A time limit or a number of retries that was raised.
fn stretched(file: &ChangedFile, hunk: &Hunk, language: Language) -> Vec<RiskFlag> {
    let is_time = |code: &str| {
        let code = code.to_ascii_lowercase();
        ["timeout", "retries", "retry", "deadline", "max_attempts"].iter().any(|word| code.contains(word))
    };
    let old = View::new(hunk, language, Side::Old);
    let new = View::new(hunk, language, Side::New);
    new.touched()
        .filter(|line| is_time(line.code))
        .filter(|line| {
            old.touched().any(|before| {
                let sum = |code: &str| numbers(code).iter().sum::<f64>();
                without_literals(before.code) == without_literals(line.code)
                    && sum(line.code) > sum(before.code)
            })
        })
        .map(|line| {
            flag(
                RiskKind::TestsWeakened,
                &file.path,
                Some(line.number),
                "a time limit or a number of tries was raised",
            )
        })
        .collect()
}

fn rewritten_snapshot(file: &ChangedFile) -> Option<RiskFlag> {
    let gone = file.kind == FileKind::Deleted || file.removed >= REWRITTEN;
    (is_snapshot(&file.path) && gone).then(|| {
        let detail = "what tests compare with was written anew";
        flag(RiskKind::TestsWeakened, &file.path, None, detail)
    })
}
