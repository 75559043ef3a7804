//! Finding the cause in what a command printed.

use std::borrow::Cow;
use std::sync::{LazyLock, OnceLock};

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use loopwright_domain::{Diagnosis, FailureCategory, PatternStatus, UNKNOWN_PATTERN, sanitize};
use memchr::{memchr, memchr_iter, memmem, memrchr};
use regex::Regex;

use crate::location;
use crate::own_patterns::OwnPatterns;
use crate::pattern::pattern;
use crate::rules::{self, Rule, Strength};

/// As far as a line is looked at, in bytes: longer ones are data.
const LONGEST_LINE: usize = 2_000;
/// As often as a rule's regex is tried on lines that do not fit it, so that no output takes long.
const MOST_TRIES: u32 = 200;
/// As many lines after the cause as its excerpt has, and as many before it.
const EXCERPT_AFTER: usize = 12;
const EXCERPT_BEFORE: usize = 3;
/// The longest excerpt, in characters.
const LONGEST_EXCERPT: usize = 1_500;
/// The longest cause, in characters.
const LONGEST_CAUSE: usize = 300;

/// Names the cause in what a command printed. Escapes of terminals are passed over. Where no pattern fits, the last line
/// that says something stands for the cause.
#[must_use]
pub fn classify(stdout: &str, stderr: &str) -> Diagnosis {
    classify_with(stdout, stderr, &OwnPatterns::default())
}

/// The same with patterns of a person's own: trusted ones come before the built-in ones, confirmed ones where no
/// built-in one names a cause.
#[must_use]
pub fn classify_with(stdout: &str, stderr: &str, own: &OwnPatterns) -> Diagnosis {
    let streams = [plain(stdout), plain(stderr)];
    if let Some(found) = of_own(&streams, own, PatternStatus::Trusted) {
        return found;
    }
    let mut scan = Scan::new(&streams);
    for stream in &streams {
        scan.read(stream);
    }
    let confirmed = || of_own(&streams, own, PatternStatus::Confirmed);
    match scan.best {
        Some(best) if scan.settled() => best.diagnosis(),
        Some(best) => confirmed().unwrap_or_else(|| best.diagnosis()),
        None => confirmed().unwrap_or_else(|| unknown(&streams)),
    }
}

/// The first line that fits a person's own patterns of a status.
fn of_own(streams: &[Cow<'_, str>; 2], own: &OwnPatterns, status: PatternStatus) -> Option<Diagnosis> {
    let found = |text: &str| {
        let (pattern, at) = own.first(text, status)?;
        let start = line_around(text, at, at).0;
        let (cause, excerpt) = (cause_line(text, start), excerpt(text, start));
        Some(Diagnosis::new(&pattern.name, pattern.category, cause, location::of(text, start), excerpt))
    };
    streams.iter().find_map(|stream| found(stream))
}

/// The text without escapes and without what was overwritten; as it is where there is nothing of the kind.
fn plain(text: &str) -> Cow<'_, str> {
    match memchr(b'\x1b', text.as_bytes()) {
        None => Cow::Borrowed(text),
        Some(_) => Cow::Owned(sanitize::strip(text).into_owned()),
    }
}

/// The texts of all rules in one automaton, and which rule each belongs to.
struct Matcher {
    automaton: AhoCorasick,
    /// By the automaton's number of a text.
    owners: Vec<usize>,
    rules: Vec<CompiledRule>,
}

struct CompiledRule {
    rule: &'static Rule,
    regex: OnceLock<Option<Regex>>,
}

impl CompiledRule {
    fn fits(&self, window: &str) -> bool {
        if self.rule.regex.is_empty() {
            return true;
        }
        let regex = self.regex.get_or_init(|| Regex::new(self.rule.regex).ok());
        regex.as_ref().is_some_and(|regex| regex.is_match(window))
    }
}

static MATCHER: LazyLock<Option<Matcher>> = LazyLock::new(|| {
    let rules: Vec<CompiledRule> =
        rules::all().map(|rule| CompiledRule { rule, regex: OnceLock::new() }).collect();
    let mut owners = Vec::new();
    let mut texts = Vec::new();
    for (place, compiled) in rules.iter().enumerate() {
        for text in compiled.rule.texts {
            owners.push(place);
            texts.push(*text);
        }
    }
    let automaton = AhoCorasick::builder()
        .match_kind(MatchKind::Standard)
        .kind(Some(AhoCorasickKind::DFA))
        .build(texts)
        .ok()?;
    Some(Matcher { automaton, owners, rules })
});

/// A line that fits a rule.
#[derive(Clone, Copy)]
struct PatternMatch<'t> {
    rule: &'static Rule,
    text: &'t str,
    /// Where its line begins.
    start: usize,
}

struct Scan<'t> {
    streams: &'t [Cow<'t, str>; 2],
    tries: Vec<u32>,
    best: Option<PatternMatch<'t>>,
}

impl<'t> Scan<'t> {
    fn new(streams: &'t [Cow<'t, str>; 2]) -> Self {
        Self { streams, tries: Vec::new(), best: None }
    }

    /// Reads one stream, line by line of those that hold a rule's text, until the cause is known.
    fn read(&mut self, text: &'t str) {
        let Some(matcher) = MATCHER.as_ref() else { return };
        self.tries = vec![0; matcher.rules.len()];
        let mut line: Option<(usize, usize)> = None;
        let mut of_line: Vec<usize> = Vec::new();
        for hit in matcher.automaton.find_overlapping_iter(text) {
            if line.is_none_or(|(_, end)| hit.start() >= end) {
                self.judge(matcher, text, line, &mut of_line);
                if self.settled() {
                    return;
                }
                line = Some(line_around(text, hit.start(), hit.end()));
            }
            if let Some(&place) = matcher.owners.get(hit.pattern().as_usize())
                && self.is_wanted(matcher, place)
            {
                of_line.push(place);
            }
        }
        self.judge(matcher, text, line, &mut of_line);
    }

    fn settled(&self) -> bool {
        self.best.is_some_and(|best| best.rule.strength == Strength::Cause)
    }

    /// Whether a rule would say more than what is found already, and was not tried in vain too often.
    fn is_wanted(&self, matcher: &Matcher, place: usize) -> bool {
        let stronger = |found: PatternMatch<'_>| {
            matcher.rules.get(place).is_some_and(|compiled| compiled.rule.strength < found.rule.strength)
        };
        self.best.is_none_or(stronger) && self.tries.get(place).is_some_and(|tries| *tries < MOST_TRIES)
    }

    /// Tries the rules whose texts are in a line, in the order of the table.
    fn judge(
        &mut self,
        matcher: &Matcher,
        text: &'t str,
        line: Option<(usize, usize)>,
        of_line: &mut Vec<usize>,
    ) {
        let Some((start, _)) = line.filter(|_| !of_line.is_empty()) else { return };
        of_line.sort_unstable();
        of_line.dedup();
        let window = window(text, start);
        for place in of_line.drain(..) {
            let Some(compiled) = matcher.rules.get(place).filter(|_| self.is_wanted(matcher, place)) else {
                continue;
            };
            if compiled.fits(window) && self.has_along(compiled.rule) {
                self.best = Some(PatternMatch { rule: compiled.rule, text, start });
            } else if let Some(tries) = self.tries.get_mut(place) {
                *tries += 1;
            }
        }
    }

    fn has_along(&self, rule: &Rule) -> bool {
        let has = |stream: &Cow<'_, str>| memmem::find(stream.as_bytes(), rule.along.as_bytes()).is_some();
        rule.along.is_empty() || self.streams.iter().any(has)
    }
}

/// Where the line around a place begins and ends.
fn line_around(text: &str, from: usize, to: usize) -> (usize, usize) {
    let bytes = text.as_bytes();
    let lowest = text.floor_char_boundary(from.saturating_sub(LONGEST_LINE));
    let before = bytes.get(lowest..from).unwrap_or_default();
    let start = memrchr(b'\n', before).map_or(lowest, |newline| lowest + newline + 1);
    let end = memchr(b'\n', bytes.get(to..).unwrap_or_default()).map_or(text.len(), |newline| to + newline);
    (start, end)
}

/// The line that begins here and the two after it.
fn window(text: &str, start: usize) -> &str {
    let rest = text.get(start..).unwrap_or_default();
    let rest = rest.get(..rest.floor_char_boundary(3 * LONGEST_LINE)).unwrap_or(rest);
    let end = memchr_iter(b'\n', rest.as_bytes()).nth(2).unwrap_or(rest.len());
    rest.get(..end).unwrap_or(rest)
}

impl PatternMatch<'_> {
    fn diagnosis(self) -> Diagnosis {
        let category = pattern(self.rule.pattern).map_or(FailureCategory::Unknown, |known| known.category);
        let place = location::of(self.text, self.start);
        let excerpt = excerpt(self.text, self.start);
        Diagnosis::new(self.rule.pattern, category, cause_line(self.text, self.start), place, excerpt)
    }
}

/// The line that says what went wrong: where a trace or a panic only announces it, the line that follows.
fn cause_line(text: &str, start: usize) -> String {
    let mut lines = text.get(start..).unwrap_or_default().lines();
    let first = lines.next().unwrap_or_default();
    let told = if first.starts_with("Traceback (most recent call last)") {
        lines.find(|line| !line.starts_with([' ', '\t']) && !line.is_empty())
    } else if first.contains("panicked at ") && first.ends_with(':') {
        lines.next().filter(|line| !line.trim().is_empty())
    } else {
        None
    };
    told.unwrap_or(first).trim().chars().take(LONGEST_CAUSE).collect()
}

fn excerpt(text: &str, start: usize) -> String {
    let before = text.get(..start).unwrap_or_default();
    let from = memchr::memrchr_iter(b'\n', before.as_bytes())
        .nth(EXCERPT_BEFORE)
        .map_or(0, |newline| newline + 1)
        .max(text.floor_char_boundary(start.saturating_sub(LONGEST_LINE)));
    let lines = text.get(from..).unwrap_or_default().lines().take(EXCERPT_BEFORE + 1 + EXCERPT_AFTER);
    let mut excerpt = String::new();
    for line in lines {
        excerpt.extend(line.trim_end().chars().take(LONGEST_LINE));
        excerpt.push('\n');
    }
    excerpt.trim_matches('\n').chars().take(LONGEST_EXCERPT).collect()
}

/// What no rule fits.
fn unknown(streams: &[Cow<'_, str>]) -> Diagnosis {
    let says = |line: &&str| line.chars().any(char::is_alphanumeric);
    let last = streams.iter().rev().find_map(|stream| stream.lines().rev().find(says)).unwrap_or_default();
    let tail = streams.iter().rev().find(|stream| !stream.trim().is_empty());
    let tail = tail.map_or("", |stream| stream.trim_end());
    let from = tail.floor_char_boundary(tail.len().saturating_sub(LONGEST_EXCERPT));
    let excerpt = tail.get(from..).unwrap_or_default().to_owned();
    let cause = last.trim().chars().take(LONGEST_CAUSE).collect();
    Diagnosis::new(UNKNOWN_PATTERN, FailureCategory::Unknown, cause, None, excerpt)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::pattern::PATTERNS;

    #[test]
    fn every_rule_compiles_and_belongs_to_a_pattern() {
        let mut without_rule: BTreeSet<&str> = PATTERNS.iter().map(|pattern| pattern.name).collect();
        for rule in rules::all() {
            assert!(Regex::new(rule.regex).is_ok(), "{rule:?}");
            assert!(pattern(rule.pattern).is_some(), "{rule:?}");
            assert!(!rule.texts.is_empty() && rule.texts.iter().all(|text| text.len() > 1), "{rule:?}");
            without_rule.remove(rule.pattern);
        }
        assert_eq!(without_rule.into_iter().collect::<Vec<_>>(), [UNKNOWN_PATTERN]);
    }

    #[test]
    fn the_cause_wins_over_its_symptoms_wherever_they_stand() {
        let symptoms = "test result: FAILED. 0 passed; 1 failed\nmake: *** [test] Error 101\n";
        let cause = "error[E0308]: mismatched types\n  --> src/lib.rs:4:9\n";
        for (stdout, stderr) in [(symptoms, cause), (cause, symptoms)] {
            let found = classify(stdout, stderr);
            assert_eq!(found.pattern, "rust_compile_error");
            assert_eq!(found.cause, "error[E0308]: mismatched types");
            assert_eq!((found.file.as_deref(), found.line), (Some("src/lib.rs"), Some(4)));
        }
    }

    #[test]
    fn the_first_of_several_causes_is_named() {
        let found = classify("a.py:3: KeyError: 'x'\n", "ValueError: bad\nTypeError: not callable\n");
        assert_eq!((found.pattern.as_str(), found.cause.as_str()), ("key_error", "a.py:3: KeyError: 'x'"));
    }

    #[test]
    fn a_panic_and_a_trace_are_told_by_their_message() {
        let panic = "thread 'main' panicked at src/main.rs:2:5:\nno price for tea\nnote: run with\n";
        assert_eq!(classify("", panic).cause, "no price for tea");
        let trace = "Traceback (most recent call last):\n  File \"till.py\", line 5, in <module>\n    raise TillEmpty('no coins')\nTillEmpty: no coins\n";
        let found = classify("", trace);
        assert_eq!(
            (found.pattern.as_str(), found.cause.as_str()),
            ("uncaught_exception", "TillEmpty: no coins")
        );
        assert_eq!((found.file.as_deref(), found.line), (Some("till.py"), Some(5)));
    }

    #[test]
    fn colours_are_passed_over() {
        let found = classify("\u{1b}[91merror\u{1b}[0m\u{1b}[90m TS2322: \u{1b}[0mType\n", "");
        assert_eq!(found.pattern, "typescript_error");
    }

    #[test]
    fn what_no_pattern_fits_is_unknown_with_its_last_words() {
        let found = classify("one\ntwo words\n---\n", "");
        assert_eq!((found.pattern.as_str(), found.cause.as_str()), (UNKNOWN_PATTERN, "two words"));
        assert_eq!(classify("", "").cause, "");
    }

    proptest! {
        #[test]
        fn no_output_is_too_strange(stdout in "(?s).{0,400}", stderr in "[\\x00-\\x7f\u{e9}\n:/.E]{0,400}") {
            let found = classify(&stdout, &stderr);
            prop_assert!(found.excerpt.chars().count() <= LONGEST_EXCERPT);
            prop_assert_eq!(classify(&stdout, &stderr), found);
        }

        #[test]
        fn pieces_of_real_errors_in_any_order_never_break_it(
            pieces in prop::collection::vec(prop::sample::select(rules::all().flat_map(|rule| rule.texts).collect::<Vec<_>>()), 0..12),
            between in "[ \n\u{1f4a5}a:]{0,3}",
        ) {
            let text = pieces.into_iter().copied().collect::<Vec<_>>().join(&between);
            prop_assert!(pattern(&classify(&text, "").pattern).is_some());
        }
    }
}
