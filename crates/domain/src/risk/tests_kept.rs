//! Whether tests still ask for what they asked for: the older side of a change against the newer one.

use std::collections::{BTreeMap, BTreeSet};

use super::assertion::{Assertion, Strength, assertions};
use super::change::{ChangedFile, FileKind, Line};
use super::declared::{Declared, declared};
use super::flag;
use super::loosened::loosened;
use super::test_files::{is_test_by_name, is_test_file};
use super::tokens::{compact, likeness, words};
use super::view::{Side, TestLines, View, test_lines};
use crate::code::Language;
use crate::gate::{RiskFlag, RiskKind};

/// Two assertions are the same one, edited, when they have so many hundredths of their words in common.
const ALIKE: usize = 30;
/// As many assertions of a file are compared with each other; a change with more is large.
const MOST_COMPARED: usize = 400;

/// A test that is gone from its place.
struct Gone {
    declared: Declared,
    /// The assertions it had, as places in the file's list.
    assertions: Vec<usize>,
    /// The words of the lines that went.
    words: BTreeSet<String>,
    /// Whether another test has taken its place, line by line.
    renamed: bool,
}

/// What the tests of one file were and are.
struct Compared<'a> {
    file: &'a ChangedFile,
    gone: Vec<Gone>,
    /// Tests that stand there unchanged and are tests no more.
    unmarked: Vec<Declared>,
    removed: Vec<Assertion>,
    added: Vec<Assertion>,
    /// Lines that came and are no assertions, without regard to layout.
    statements: BTreeSet<String>,
}

/// What is on the newer side of all tests.
#[derive(Default)]
struct Present {
    /// Tests by name, and how often.
    tests: BTreeMap<String, usize>,
    /// Assertions by shape, and how often.
    assertions: BTreeMap<String, usize>,
    /// Words of lines that came.
    words: BTreeSet<String>,
}

/// Tests that are gone, and tests that ask for less.
pub(crate) fn weaker_tests(files: &[ChangedFile]) -> Vec<RiskFlag> {
    let compared: Vec<Compared<'_>> = files.iter().filter(|file| !file.generated).map(compare).collect();
    let mut present = present(&compared, files);
    let code_changed = files.iter().any(is_other_code);
    let mut flags = Vec::new();
    for file in &compared {
        let fates = fates(file, &mut present);
        flags.extend(judge(file, &fates, &mut present, code_changed));
    }
    flags
}

/// Whether code changed that tests could be about.
pub(crate) fn is_other_code(file: &ChangedFile) -> bool {
    if file.generated || is_test_file(&file.path) || Language::of_path(&file.path).is_none() {
        return false;
    }
    let is_touched = |line: &&Line| line.old.is_none() || line.new.is_none();
    let in_tests: usize = test_lines(file).map(|part| part.lines.iter().filter(is_touched).count()).sum();
    file.hunks.iter().flat_map(|hunk| &hunk.lines).filter(is_touched).count() > in_tests
        || file.hunks.is_empty()
}

fn compare(file: &ChangedFile) -> Compared<'_> {
    let mut compared = Compared {
        file,
        gone: Vec::new(),
        unmarked: Vec::new(),
        removed: Vec::new(),
        added: Vec::new(),
        statements: BTreeSet::new(),
    };
    for part in test_lines(file) {
        let old = View::new(part, Side::Old);
        let new = View::new(part, Side::New);
        let added = assertions(&new);
        let of_assertions: BTreeSet<usize> = added.iter().map(|assertion| assertion.at).collect();
        let other =
            new.lines.iter().enumerate().filter(|(at, line)| line.touched && !of_assertions.contains(at));
        compared.statements.extend(other.map(|(_, line)| compact(line.code.trim_end_matches('{'))));
        compared.added.extend(added.into_iter().filter(|assertion| assertion.touched));
        let first = compared.removed.len();
        compared.removed.extend(assertions(&old).into_iter().filter(|assertion| assertion.touched));
        let (tests, now) = (declared(&old), declared(&new));
        for (place, test) in tests.iter().enumerate() {
            if !test.touched {
                compared.unmarked.extend(is_unmarked(test, &now, part).then(|| test.clone()));
                continue;
            }
            let end = tests.get(place + 1).map_or(old.lines.len(), |next| next.at);
            let lines = old.lines.get(test.at..end).unwrap_or_default();
            let last = lines.last().map_or(test.line, |line| line.number);
            let own = |assertion: &Assertion| (test.line..=last).contains(&assertion.line);
            let assertions = (first..compared.removed.len())
                .filter(|index| compared.removed.get(*index).is_some_and(own))
                .collect();
            let body = lines.iter().skip(1).filter(|line| line.touched);
            let words = body.flat_map(|line| words(line.code)).map(str::to_owned).collect();
            let renamed = is_renamed(test, &now, part);
            compared.gone.push(Gone { declared: test.clone(), assertions, words, renamed });
        }
    }
    compared
}

/// Whether a test's line is as it was, and nothing says any more that it is one.
fn is_unmarked(test: &Declared, now: &[Declared], part: TestLines<'_>) -> bool {
    let line = part.lines.iter().find(|line| line.old == Some(test.line)).and_then(|line| line.new);
    line.is_some_and(|line| !now.iter().any(|other| other.line == line))
}

/// Whether the lines that came in the place of a test's line have a test among them.
fn is_renamed(test: &Declared, now: &[Declared], part: TestLines<'_>) -> bool {
    let is_touched = |line: &Line| line.old.is_none() || line.new.is_none();
    let Some(at) = part.lines.iter().position(|line| line.old == Some(test.line)) else { return false };
    let before = part.lines.get(..at).unwrap_or_default().iter().rev().take_while(|line| is_touched(line));
    let after = part.lines.get(at..).unwrap_or_default().iter().take_while(|line| is_touched(line));
    before.chain(after).any(|line| line.old.is_none() && now.iter().any(|other| Some(other.line) == line.new))
}

fn present(compared: &[Compared<'_>], files: &[ChangedFile]) -> Present {
    let mut present = Present::default();
    for file in compared {
        for assertion in file.added.iter().filter(|one| one.strength != Some(Strength::Nothing)) {
            *present.assertions.entry(assertion.shape.clone()).or_default() += 1;
        }
    }
    for part in files.iter().filter(|file| is_runnable(file)).flat_map(test_lines) {
        let new = View::new(part, Side::New);
        for test in declared(&new).into_iter().filter(|test| test.touched) {
            *present.tests.entry(test.name).or_default() += 1;
        }
        present.words.extend(new.touched().flat_map(|line| words(line.code)).map(str::to_owned));
    }
    present
}

/// Whether the newer side of a file is still found by whoever runs tests.
fn is_runnable(file: &ChangedFile) -> bool {
    file.kind != FileKind::Deleted && (is_test_file(&file.path) || !file.paths().any(is_test_file))
}

/// What became of a removed assertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// It is somewhere else, or says the same in other words.
    Kept,
    /// It became this one of the added ones.
    Edited(usize),
    /// Nothing took its place.
    Lost,
}

fn fates(file: &Compared<'_>, present: &mut Present) -> Vec<Fate> {
    let mut fates = vec![Fate::Lost; file.removed.len()];
    for (fate, assertion) in fates.iter_mut().zip(&file.removed) {
        if take(&mut present.assertions, &assertion.shape) {
            *fate = Fate::Kept;
        }
    }
    let dropped: BTreeSet<usize> = file
        .removed
        .iter()
        .enumerate()
        .filter(|(index, one)| fates.get(*index) == Some(&Fate::Lost) && is_statement(one, &file.statements))
        .map(|(index, _)| index)
        .collect();
    pair(file, &mut fates, &dropped);
    let some_added = file.added.iter().any(|one| one.strength != Some(Strength::Nothing));
    let lost = fates.iter_mut().zip(&file.removed).enumerate();
    for (_, (fate, assertion)) in
        lost.filter(|(index, (fate, _))| **fate == Fate::Lost && !dropped.contains(index))
    {
        let all = words(&assertion.code).filter(|word| !is_assertion_word(word)).collect::<Vec<_>>();
        let kept = !all.is_empty() && all.iter().all(|word| present.words.contains(*word));
        if kept && (some_added || !present.assertions.is_empty()) {
            *fate = Fate::Kept;
        }
    }
    fates
}

/// Whether the condition of an assertion stands there by itself now, and nobody asks whether it holds.
fn is_statement(assertion: &Assertion, statements: &BTreeSet<String>) -> bool {
    let shape = assertion.shape.trim_start_matches("assert").trim_start_matches('!');
    let bare = shape.strip_prefix('(').and_then(|shape| shape.strip_suffix(')')).unwrap_or(shape);
    let debug = format!("debug_{}", assertion.shape);
    ["", "_=", "let_=", "_:=", "bool(", "print("].iter().any(|before| {
        let statement = format!("{before}{bare}{}", if before.ends_with('(') { ")" } else { "" });
        statements.contains(&statement)
    }) || statements.contains(&debug)
}

fn take(counts: &mut BTreeMap<String, usize>, key: &str) -> bool {
    match counts.get_mut(key) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    }
}

/// Finds the added assertion that each removed one became, the most alike first.
fn pair(file: &Compared<'_>, fates: &mut [Fate], dropped: &BTreeSet<usize>) {
    let old: Vec<BTreeSet<&str>> = file.removed.iter().map(|one| words(&one.code).collect()).collect();
    let new: Vec<BTreeSet<&str>> = file.added.iter().map(|one| words(&one.code).collect()).collect();
    let moved: BTreeSet<&str> = fates
        .iter()
        .zip(&file.removed)
        .filter(|(fate, _)| **fate == Fate::Kept)
        .map(|(_, one)| one.shape.as_str())
        .collect();
    let mut likely = Vec::new();
    let is_open = |from: usize| fates.get(from) == Some(&Fate::Lost) && !dropped.contains(&from);
    for (from, before) in old.iter().enumerate().take(MOST_COMPARED).filter(|(from, _)| is_open(*from)) {
        for (to, after) in new.iter().enumerate().take(MOST_COMPARED) {
            let alike = likeness(before, after);
            let is_moved = file.added.get(to).is_some_and(|one| moved.contains(one.shape.as_str()));
            if alike >= ALIKE && !is_moved {
                likely.push((alike, from, to));
            }
        }
    }
    likely.sort_unstable_by_key(|(alike, from, to)| {
        (std::cmp::Reverse(*alike), from.abs_diff(*to), *from, *to)
    });
    let mut taken = BTreeSet::new();
    for (_, from, to) in likely {
        if let Some(fate @ Fate::Lost) = fates.get_mut(from)
            && taken.insert(to)
        {
            *fate = Fate::Edited(to);
        }
    }
}

fn is_assertion_word(word: &str) -> bool {
    word.starts_with("assert")
        || word.starts_with("expect")
        || matches!(word, "self" | "t" | "to" | "be" | "toBe" | "toEqual")
}

fn judge(file: &Compared<'_>, fates: &[Fate], present: &mut Present, code_changed: bool) -> Vec<RiskFlag> {
    let path = file.file.path.as_str();
    let mut of_gone_tests = BTreeSet::new();
    let mut flags = Vec::new();
    let mut deleted = Vec::new();
    for gone in &file.gone {
        let moved = take(&mut present.tests, &gone.declared.name);
        let lives_on = moved || is_rewritten(gone, fates, present);
        if !lives_on {
            of_gone_tests.extend(gone.assertions.iter().copied());
            deleted.push(gone);
        }
    }
    match file.file.kind {
        FileKind::Deleted if !deleted.is_empty() => {
            let count = deleted.len();
            let detail = format!(
                "a test file was deleted, with {count} {}",
                if count == 1 { "test" } else { "tests" }
            );
            flags.push(flag(RiskKind::TestsDeleted, path, None, detail));
            return flags;
        }
        // Its tests are not understood: what it asked for has to be somewhere else.
        FileKind::Deleted if file.gone.is_empty() && is_test_file(path) => {
            let lost = fates.contains(&Fate::Lost);
            if lost || (file.removed.is_empty() && is_test_by_name(path)) {
                flags.push(flag(RiskKind::TestsDeleted, path, None, "a test file was deleted"));
            }
            return flags;
        }
        FileKind::Renamed if !is_runnable(file.file) => {
            let detail = "a test file has a name now by which it is no longer found as one";
            flags.push(flag(RiskKind::TestsDeleted, path, None, detail));
        }
        _ => {}
    }
    for test in &file.unmarked {
        let detail = format!("\"{}\" is no longer run as a test", shortened(&test.name));
        flags.push(flag(RiskKind::TestsDeleted, path, Some(test.line), detail));
    }
    for gone in deleted {
        let detail = format!("the test \"{}\" was deleted", shortened(&gone.declared.name));
        flags.push(flag(RiskKind::TestsDeleted, path, Some(gone.declared.line), detail));
    }
    for (index, fate) in fates.iter().enumerate().filter(|(index, _)| !of_gone_tests.contains(index)) {
        let Some(before) = file.removed.get(index) else { continue };
        match fate {
            Fate::Kept => {}
            Fate::Lost if before.strength == Some(Strength::Nothing) => {}
            Fate::Lost => {
                let detail = if is_commented_out(file.file, before) {
                    "an assertion was commented out"
                } else {
                    "an assertion was removed"
                };
                flags.push(flag(RiskKind::TestsWeakened, path, Some(before.line), detail));
            }
            Fate::Edited(to) => {
                if let Some(after) = file.added.get(*to)
                    && let Some(detail) = loosened(before, after, code_changed)
                {
                    flags.push(flag(RiskKind::TestsWeakened, path, Some(after.line), detail));
                }
            }
        }
    }
    flags
}

/// Whether what a test asked for is asked for by another one now. One without assertions is when its words are there.
fn is_rewritten(gone: &Gone, fates: &[Fate], present: &Present) -> bool {
    if present.tests.is_empty() {
        return false;
    }
    match gone.assertions.as_slice() {
        [] if gone.words.is_empty() => gone.renamed,
        [] => gone.words.iter().all(|word| present.words.contains(word)),
        own => own.iter().all(|index| fates.get(*index) != Some(&Fate::Lost)),
    }
}

fn is_commented_out(file: &ChangedFile, assertion: &Assertion) -> bool {
    file.added_lines().any(|line| {
        let text = line.text.trim();
        let comment =
            text.strip_prefix("//").or_else(|| text.strip_prefix('#')).or_else(|| text.strip_prefix("/*"));
        comment.is_some_and(|text| super::tokens::compact(text).starts_with(&assertion.shape))
    })
}

fn shortened(name: &str) -> String {
    name.chars().take(80).collect()
}
