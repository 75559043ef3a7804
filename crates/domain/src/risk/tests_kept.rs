//! Whether tests still ask for what they asked for: the older side of a change against the newer one.

use std::collections::{BTreeMap, BTreeSet};

use super::assertion::{Assertion, Strength, assertions};
use super::change::{ChangedFile, FileKind};
use super::declared::{Declared, declared};
use super::flag;
use super::language::{Language, is_test_file};
use super::loosened::loosened;
use super::view::{Side, View, test_hunks};
use super::words::{likeness, words};
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
}

/// What the tests of one file were and are.
struct Compared<'a> {
    file: &'a ChangedFile,
    gone: Vec<Gone>,
    removed: Vec<Assertion>,
    added: Vec<Assertion>,
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

/// Whether a file is code that tests could be about.
fn is_other_code(file: &ChangedFile) -> bool {
    !file.generated && !is_test_file(&file.path) && Language::of(&file.path).is_some()
}

fn compare(file: &ChangedFile) -> Compared<'_> {
    let mut compared = Compared { file, gone: Vec::new(), removed: Vec::new(), added: Vec::new() };
    for (hunk, language) in test_hunks(file) {
        let old = View::new(hunk, language, Side::Old);
        let new = View::new(hunk, language, Side::New);
        compared.added.extend(assertions(&new).into_iter().filter(|assertion| assertion.touched));
        let first = compared.removed.len();
        compared.removed.extend(assertions(&old).into_iter().filter(|assertion| assertion.touched));
        let tests = declared(&old);
        for (place, test) in tests.iter().enumerate().filter(|(_, test)| test.touched) {
            let end = tests.get(place + 1).map_or(old.lines.len(), |next| next.at);
            let lines = &old.lines[test.at..end];
            let last = lines.last().map_or(test.line, |line| line.number);
            let own = |assertion: &Assertion| (test.line..=last).contains(&assertion.line);
            let assertions =
                (first..compared.removed.len()).filter(|index| own(&compared.removed[*index])).collect();
            let body = lines.iter().skip(1).filter(|line| line.touched);
            let words = body.flat_map(|line| words(line.code)).map(str::to_owned).collect();
            compared.gone.push(Gone { declared: test.clone(), assertions, words });
        }
    }
    compared
}

fn present(compared: &[Compared<'_>], files: &[ChangedFile]) -> Present {
    let mut present = Present::default();
    for file in compared {
        for assertion in file.added.iter().filter(|one| one.strength != Some(Strength::Nothing)) {
            *present.assertions.entry(assertion.shape.clone()).or_default() += 1;
        }
    }
    for (hunk, language) in files.iter().filter(|file| is_runnable(file)).flat_map(test_hunks) {
        let new = View::new(hunk, language, Side::New);
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
    pair(file, &mut fates);
    let some_added = file.added.iter().any(|one| one.strength != Some(Strength::Nothing));
    for (fate, assertion) in fates.iter_mut().zip(&file.removed).filter(|(fate, _)| **fate == Fate::Lost) {
        let all = words(&assertion.code).filter(|word| !is_assertion_word(word)).collect::<Vec<_>>();
        let kept = !all.is_empty() && all.iter().all(|word| present.words.contains(*word));
        if kept && (some_added || !present.assertions.is_empty()) {
            *fate = Fate::Kept;
        }
    }
    fates
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
fn pair(file: &Compared<'_>, fates: &mut [Fate]) {
    let old: Vec<BTreeSet<&str>> = file.removed.iter().map(|one| words(&one.code).collect()).collect();
    let new: Vec<BTreeSet<&str>> = file.added.iter().map(|one| words(&one.code).collect()).collect();
    let moved: BTreeSet<&str> = fates
        .iter()
        .zip(&file.removed)
        .filter(|(fate, _)| **fate == Fate::Kept)
        .map(|(_, one)| one.shape.as_str())
        .collect();
    let mut likely = Vec::new();
    for (from, before) in
        old.iter().enumerate().take(MOST_COMPARED).filter(|(from, _)| fates[*from] == Fate::Lost)
    {
        for (to, after) in new.iter().enumerate().take(MOST_COMPARED) {
            let alike = likeness(before, after);
            if alike >= ALIKE && !moved.contains(file.added[to].shape.as_str()) {
                likely.push((alike, from, to));
            }
        }
    }
    likely.sort_unstable_by_key(|(alike, from, to)| {
        (std::cmp::Reverse(*alike), from.abs_diff(*to), *from, *to)
    });
    let mut taken = BTreeSet::new();
    for (_, from, to) in likely {
        if fates[from] == Fate::Lost && taken.insert(to) {
            fates[from] = Fate::Edited(to);
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
        FileKind::Renamed if !is_runnable(file.file) => {
            let detail = "a test file has a name now by which it is no longer found as one";
            flags.push(flag(RiskKind::TestsDeleted, path, None, detail));
        }
        _ => {}
    }
    for gone in deleted {
        let detail = format!("the test \"{}\" was deleted", shortened(&gone.declared.name));
        flags.push(flag(RiskKind::TestsDeleted, path, Some(gone.declared.line), detail));
    }
    for (index, fate) in fates.iter().enumerate().filter(|(index, _)| !of_gone_tests.contains(index)) {
        let before = &file.removed[index];
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
                let after = &file.added[*to];
                if let Some(detail) = loosened(before, after, code_changed) {
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
        [] => gone.words.iter().all(|word| present.words.contains(word)),
        own => own.iter().all(|index| fates[*index] != Fate::Lost),
    }
}

fn is_commented_out(file: &ChangedFile, assertion: &Assertion) -> bool {
    file.added_lines().any(|line| {
        let text = line.text.trim();
        let comment =
            text.strip_prefix("//").or_else(|| text.strip_prefix('#')).or_else(|| text.strip_prefix("/*"));
        comment.is_some_and(|text| super::words::compact(text).starts_with(&assertion.shape))
    })
}

fn shortened(name: &str) -> String {
    name.chars().take(80).collect()
}
