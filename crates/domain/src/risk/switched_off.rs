//! Tests that still stand there and no longer say anything: skipped, their failures swallowed, their time stretched,
//! what they compare with written anew.

use std::collections::BTreeSet;

use super::assertion::head;
use super::change::{ChangedFile, FileKind};
use super::declared::is_attribute;
use super::flag;
use super::test_files::{is_golden, is_snapshot, is_test_file};
use super::tests_kept::is_other_code;
use super::tokens::{compact, numbers, without_literals};
use super::view::{Side, TestLines, View, test_lines};
use crate::code::Language;
use crate::gate::{RiskFlag, RiskKind};

/// A snapshot with so many removed lines was written anew.
const REWRITTEN: u32 = 20;
/// How far after a `catch` something may follow that shows that the failure is not swallowed.
const LOOK_AHEAD: usize = 3;

/// Marks that keep tests from running, or all but one of them. Without blanks, as the code is compared.
const SKIPS: &[(Language, &[&str])] = &[
    (
        Language::Rust,
        &[
            "#[ignore",
            ",ignore)]",
            ",ignore=",
            "#[cfg(any())]",
            "#[cfg(FALSE)]",
            "#![cfg(any())]",
            "#[cfg(false)]",
        ],
    ),
    (
        Language::Python,
        &[
            "mark.skip",
            "mark.xfail",
            "mark.flaky",
            "pytest.skip(",
            "pytest.xfail(",
            "importorskip(",
            "unittest.skip",
            "expectedFailure",
            ".skipTest(",
            "SkipTest",
            "collect_ignore",
            "__test__=False",
            "doctest:+SKIP",
        ],
    ),
    (
        Language::Script,
        &[
            ".skip(",
            ".skip.",
            ".skip`",
            ".only(",
            ".only.",
            ".todo(",
            ".fixme(",
            ".failing(",
            ".fails(",
            "this.skip()",
            ".skipIf(",
            ".runIf(",
            "retryTimes(",
            "this.retries(",
            "skip:true",
            "todo:true",
        ],
    ),
    (Language::Go, &[".Skip(", ".Skipf(", ".SkipNow(", "//go:buildignore", "//+buildignore"]),
    (
        Language::Java,
        &[
            "@Disabled",
            "@Ignore",
            "@EnabledIf",
            "assumeTrue(",
            "assumeFalse(",
            "Assumptions.",
            "Assume.",
            "enabled=false",
        ],
    ),
    (
        Language::Other,
        &[
            "[Ignore",
            "[Explicit",
            "Skip=",
            "Assert.Ignore(",
            "Assert.Inconclusive(",
            "Skip.If(",
            "markTestSkipped(",
            "markTestIncomplete(",
            "->skip(",
            "->todo(",
            "XCTSkip",
            "XCTExpectFailure",
            ".disabled(",
            "@tag:skip",
            "@tagskip:",
            "@moduletag:skip",
            "@moduletagskip:",
            ":skip=>",
            "skip:true",
            ",:skip",
            "@Skip(",
            "DISABLED_",
            "GTEST_SKIP(",
            "[.]",
            "WILL_FAIL",
        ],
    ),
];
/// The same where a line begins with the mark.
const SKIPPING_NAMES: &[(Language, &[&str])] = &[
    (Language::Script, &["xit(", "xtest(", "xdescribe(", "fit(", "fdescribe(", "xcontext("]),
    (Language::Shell, &["skip"]),
    (
        Language::Other,
        &[
            "skip(",
            "skip \"",
            "skip '",
            "pending",
            "xit ",
            "xit(",
            "xdescribe",
            "xcontext",
            "xspecify",
            "fit ",
            "fdescribe",
            "@skip",
        ],
    ),
];
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
pub(crate) fn switched_off(files: &[ChangedFile], is_compared: &dyn Fn(&str) -> bool) -> Vec<RiskFlag> {
    let removed: BTreeSet<String> =
        files.iter().flat_map(ChangedFile::removed_lines).map(|line| compact(&line.text)).collect();
    let mut flags: Vec<RiskFlag> = files.iter().filter_map(rewritten_snapshot).collect();
    let code_changed = files.iter().any(is_other_code);
    flags.extend(files.iter().filter(|_| !code_changed).filter_map(|file| changed_golden(file, is_compared)));
    flags.extend(files.iter().filter_map(unreadable));
    for file in files.iter().filter(|file| !file.generated) {
        flags.extend(doc_tests(file));
        for part in test_lines(file) {
            let new = View::new(part, Side::New);
            flags.extend(skips(file, &new, &removed));
            flags.extend(conditions(file, &new, &removed));
            flags.extend(swallowed(file, &new));
            flags.extend(resized(file, part));
        }
    }
    flags
}

fn skips(file: &ChangedFile, view: &View<'_>, removed: &BTreeSet<String>) -> Vec<RiskFlag> {
    let of_language = |table: &'static [(Language, &'static [&'static str])]| {
        table
            .iter()
            .find(|(language, _)| *language == view.language)
            .map_or(&[] as &[&str], |(_, marks)| marks)
    };
    let (marks, names) = (of_language(SKIPS), of_language(SKIPPING_NAMES));
    let is_new = file.kind == FileKind::Added;
    view.lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.touched && !removed.contains(&compact(line.code)))
        .filter_map(|(at, line)| {
            let shape: String = line.code.chars().filter(|letter| !letter.is_whitespace()).collect();
            let skips = marks.iter().any(|mark| shape.contains(mark))
                || names.iter().any(|name| line.code.starts_with(name) && is_whole(line.code, name));
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

/// Whether a name is not only the beginning of a longer one.
fn is_whole(code: &str, name: &str) -> bool {
    let next = code.get(name.len()..).and_then(|rest| rest.chars().next());
    !next.is_some_and(|next| next.is_alphanumeric() || next == '_' || next == '=')
        || name.ends_with(|last: char| !last.is_alphanumeric())
}

/// Conditions on tests that were there before: a panic that is expected now, a feature or a tag without which they are
/// not built.
fn conditions(file: &ChangedFile, view: &View<'_>, removed: &BTreeSet<String>) -> Vec<RiskFlag> {
    let is_known = |at: usize| {
        let rest = view.lines.get(at + 1..).unwrap_or_default();
        let marked = rest.iter().find(|line| !is_attribute(line.code));
        marked.is_some_and(|line| !line.touched || removed.contains(&compact(line.code)))
    };
    let found = view.lines.iter().enumerate().filter(|(_, line)| line.touched).filter_map(|(at, line)| {
        let shape = compact(line.code);
        let before = |mark: &str| removed.iter().any(|line| line.contains(mark));
        let detail = match view.language {
            Language::Rust
                if shape.starts_with("#[should_panic") && !before("#[should_panic") && is_known(at) =>
            {
                "a test is expected to fail"
            }
            Language::Rust if is_condition_of_build(&shape) && !removed.contains(&shape) => {
                let whole = shape.starts_with("#![") && file.kind != FileKind::Added;
                (whole || is_known(at)).then_some("tests are built only under a condition")?
            }
            Language::Go
                if is_build_tag(line.code) && file.kind != FileKind::Added && !removed.contains(&shape) =>
            {
                "tests are built only under a condition"
            }
            Language::Java
                if shape.starts_with("@Test(expected") && !before("@Test(expected") && is_known(at) =>
            {
                "a test is expected to fail"
            }
            Language::Java
                if shape.contains("abstractclass")
                    && !before("abstractclass")
                    && file.kind != FileKind::Added =>
            {
                "the tests of a class are no longer run"
            }
            Language::Other
                if shape.starts_with("#if")
                    && has_preprocessor(&file.path)
                    && !removed.contains(&shape)
                    && is_known(at) =>
            {
                "tests are built only under a condition"
            }
            Language::Python if is_class_without_tests(&shape, removed) => {
                "the tests of a class are no longer run"
            }
            _ => return None,
        };
        Some(flag(RiskKind::TestsWeakened, &file.path, Some(line.number), detail))
    });
    let mut flags: Vec<RiskFlag> = found.collect();
    let stops = |line: &&str| line.starts_with("set -e") || line.starts_with("set -o errexit");
    if view.language == Language::Shell && file.kind == FileKind::Modified {
        let gone = file.removed_lines().find(|line| stops(&line.text.trim()));
        let came = file.added_lines().any(|line| stops(&line.text.trim()));
        flags.extend(gone.filter(|_| !came).map(|line| {
            flag(RiskKind::TestsWeakened, &file.path, line.old, "a script no longer stops at a failure")
        }));
    }
    flags
}

fn is_condition_of_build(shape: &str) -> bool {
    let is_cfg = ["#[cfg(", "#![cfg(", "#[cfg_attr("].iter().any(|mark| shape.starts_with(mark));
    is_cfg
        && !matches!(shape, "#[cfg(test)]" | "#![cfg(test)]")
        && !shape.contains("rustfmt")
        && !shape.contains("allow(")
}

/// Whether a file is in a language in which `#if` is no comment.
fn has_preprocessor(path: &str) -> bool {
    [".cs", ".swift", ".m", ".c", ".cc", ".cpp", ".cxx"].iter().any(|ending| path.ends_with(ending))
}

fn is_build_tag(code: &str) -> bool {
    code.starts_with("//go:build") || code.starts_with("// +build")
}

/// `class TestCart` that is called otherwise now, `TestCase` that is no longer what a class extends.
fn is_class_without_tests(shape: &str, removed: &BTreeSet<String>) -> bool {
    let Some(name) = shape.strip_prefix("class").map(|rest| rest.trim_end_matches(':')) else { return false };
    let bare = name.split('(').next().unwrap_or(name);
    removed.iter().any(|before| {
        let Some(before) = before.strip_prefix("class").map(|rest| rest.trim_end_matches(':')) else {
            return false;
        };
        let was = before.split('(').next().unwrap_or(before);
        let unnamed = was.starts_with("Test")
            && !bare.starts_with("Test")
            && bare.contains(was.trim_start_matches("Test"));
        (unnamed && !name.contains("TestCase"))
            || (was == bare
                && before.contains("TestCase")
                && !name.contains("TestCase")
                && !bare.starts_with("Test"))
    })
}

/// Examples in the documentation of Rust code that are no longer run.
fn doc_tests(file: &ChangedFile) -> Vec<RiskFlag> {
    let example = |text: &str| {
        let text = text.trim();
        let comment = text.strip_prefix("///").or_else(|| text.strip_prefix("//!"))?;
        comment.trim().strip_prefix("```").map(str::to_owned)
    };
    if Language::of_path(&file.path) != Some(Language::Rust) {
        return Vec::new();
    }
    let was_run = file
        .removed_lines()
        .filter_map(|line| example(&line.text))
        .any(|kind| matches!(kind.as_str(), "" | "rust" | "should_panic"));
    let is_off =
        |kind: &str| ["ignore", "no_run", "text", "compile_fail"].iter().any(|word| kind.contains(word));
    file.added_lines()
        .filter(|line| was_run && example(&line.text).is_some_and(|kind| is_off(&kind)))
        .map(|line| {
            flag(RiskKind::TestsWeakened, &file.path, line.new, "an example is no longer run as a test")
        })
        .collect()
}

/// A failure that is caught and not looked at.
fn swallowed(file: &ChangedFile, view: &View<'_>) -> Vec<RiskFlag> {
    let has_try = |at: usize| {
        let before = view.lines.get(..at).unwrap_or_default();
        let own = view.code(at).split_once("catch").map_or("", |(tried, _)| tried);
        let own = own.trim_start_matches(['}', ' ']).trim_start_matches("try").trim_start_matches([' ', '{']);
        before.iter().map(|line| line.code).chain([own]).any(|code| head(code, view.language).is_some())
    };
    let swallows = |at: usize| {
        let code = view.code(at);
        shields(code, view.language)
            || (catches_all(code, view.language) && has_try(at) && !is_looked_at(view, at))
    };
    view.lines
        .iter()
        .enumerate()
        .filter(|(at, line)| line.touched && swallows(*at))
        .map(|(_, line)| {
            let detail = "a failure of the test is caught and passed over";
            flag(RiskKind::TestsWeakened, &file.path, Some(line.number), detail)
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
        Language::CSharp | Language::Other => {
            ["catch (", "catch {", "rescue", "catch("].iter().any(|word| code.contains(word))
                && !code.contains("def ")
        }
        Language::Rust | Language::Go | Language::Shell => false,
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
        Language::Shell => code.starts_with("trap ") && code.contains("exit 0"),
        Language::Script | Language::Java | Language::CSharp | Language::Other => false,
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
    let own = view.code(at);
    let own = own.split_once("catch").map_or(own, |(_, rest)| rest);
    let is_closed = own.contains('{') && own.matches('{').count() <= own.matches('}').count();
    let after = view.lines.get(at + 1..).filter(|_| !is_closed).unwrap_or_default();
    counts(own) || after.iter().take(LOOK_AHEAD).any(|line| counts(line.code))
}

/// A time limit or a number of tries that was raised, a number of generated cases that was lowered.
fn resized(file: &ChangedFile, part: TestLines<'_>) -> Vec<RiskFlag> {
    let has = |code: &str, words: &[&str]| {
        let code = code.to_ascii_lowercase();
        words.iter().any(|word| code.contains(word))
    };
    let is_time = |code: &str| has(code, &["timeout", "retries", "retry", "deadline", "max_attempts"]);
    let is_count =
        |code: &str| has(code, &["with_cases", "max_examples", "numruns", "cases:", "cases =", "max_shrink"]);
    let old = View::new(part, Side::Old);
    let new = View::new(part, Side::New);
    let sum = |code: &str| numbers(code).iter().sum::<f64>();
    let found = new.touched().filter_map(|line| {
        let before =
            old.touched().find(|before| without_literals(before.code) == without_literals(line.code))?;
        let (was, is) = (sum(before.code), sum(line.code));
        let detail = if is_time(line.code) && is > was {
            "a time limit or a number of tries was raised"
        } else if is_count(line.code) && is < was {
            "fewer cases are tried than before"
        } else {
            return None;
        };
        Some(flag(RiskKind::TestsWeakened, &file.path, Some(line.number), detail))
    });
    found.collect()
}

/// Expected output that was changed although no code was: it only agrees with what the code does anyway.
fn changed_golden(file: &ChangedFile, is_compared: &dyn Fn(&str) -> bool) -> Option<RiskFlag> {
    let is_changed = file.kind == FileKind::Modified && file.removed > 0;
    let expects = is_snapshot(&file.path) || is_golden(&file.path) || is_compared(&file.path);
    (expects && is_changed && file.removed < REWRITTEN).then(|| {
        let detail = "what tests compare with was changed, and no code was";
        flag(RiskKind::TestsWeakened, &file.path, None, detail)
    })
}

/// A test file whose lines cannot be looked at: it has become something that is no text, or the change is too long.
fn unreadable(file: &ChangedFile) -> Option<RiskFlag> {
    let has_changed = file.binary || (file.hunks.is_empty() && file.added.saturating_add(file.removed) > 0);
    let is_seen = file.kind == FileKind::Deleted
        || file.paths().all(|path| !is_test_file(path))
        || is_snapshot(&file.path);
    (has_changed && !is_seen).then(|| {
        let detail = "a test file was changed, and its lines cannot be looked at";
        flag(RiskKind::TestsWeakened, &file.path, None, detail)
    })
}

fn rewritten_snapshot(file: &ChangedFile) -> Option<RiskFlag> {
    let gone = file.kind == FileKind::Deleted || file.removed >= REWRITTEN;
    (is_snapshot(&file.path) && gone).then(|| {
        let detail = "what tests compare with was written anew";
        flag(RiskKind::TestsWeakened, &file.path, None, detail)
    })
}
