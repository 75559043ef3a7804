//! Counts tests from what the test runners print.

use std::ops::AddAssign;

/// Passed, failed and skipped tests. A skipped one said that it cannot be run here; the runner counts it as passed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: u32,
    pub(crate) failed: u32,
    pub(crate) skipped: u32,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl Tally {
    /// Reads one line of output; lines that are no summary count nothing. Knows `cargo test`, vitest and Node's
    /// own runner.
    pub(crate) fn of_line(line: &str) -> Self {
        let plain = without_colours(line);
        let line = plain.trim();
        cargo_summary(line)
            .or_else(|| vitest_summary(line))
            .or_else(|| node_summary(line))
            .or_else(|| skipped_test(line))
            .unwrap_or_default()
    }
}

/// `test result: ok. 12 passed; 0 failed; 1 ignored; …`
fn cargo_summary(line: &str) -> Option<Tally> {
    let rest = line.strip_prefix("test result: ")?;
    let (_, counts) = rest.split_once(". ")?;
    Some(counted(counts.split(';')))
}

/// `Tests  1 failed | 11 passed (12)`, but not `Test Files  3 passed (3)`, which counts files.
fn vitest_summary(line: &str) -> Option<Tally> {
    let rest = line.strip_prefix("Tests ")?;
    let counts = rest.split('(').next()?;
    Some(counted(counts.split('|')))
}

/// `# pass 3` and `# fail 0`, or the same with `ℹ`.
fn node_summary(line: &str) -> Option<Tally> {
    let rest = line.strip_prefix("# ").or_else(|| line.strip_prefix("ℹ "))?;
    let (kind, number) = rest.split_once(' ')?;
    let number = number.parse().ok()?;
    match kind {
        "pass" => Some(Tally { passed: number, ..Tally::default() }),
        "fail" => Some(Tally { failed: number, ..Tally::default() }),
        _ => None,
    }
}

/// `test skipped: REASON`, as testkit's `skipped` writes it.
fn skipped_test(line: &str) -> Option<Tally> {
    line.strip_prefix("test skipped: ").map(|_| Tally { skipped: 1, ..Tally::default() })
}

fn counted<'line>(parts: impl Iterator<Item = &'line str>) -> Tally {
    let mut tally = Tally::default();
    for part in parts {
        let mut words = part.split_whitespace();
        let number = words.next().and_then(|word| word.parse().ok()).unwrap_or(0);
        match words.next() {
            Some("passed") => tally.passed += number,
            Some("failed") => tally.failed += number,
            _ => {}
        }
    }
    tally
}

/// Drops terminal colour sequences (`ESC [ … letter`).
fn without_colours(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        if character == '\u{1b}' {
            characters.by_ref().find(char::is_ascii_alphabetic);
        } else {
            plain.push(character);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(passed: u32, failed: u32) -> Tally {
        Tally { passed, failed, skipped: 0 }
    }

    #[test]
    fn cargo_summaries_count() {
        let ok =
            "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s";
        let bad = "test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.2s";
        assert_eq!(Tally::of_line(ok), tally(12, 0));
        assert_eq!(Tally::of_line(bad), tally(3, 2));
    }

    #[test]
    fn vitest_summaries_count_tests_and_not_files() {
        assert_eq!(Tally::of_line("      Tests  1 failed | 11 passed (12)"), tally(11, 1));
        assert_eq!(Tally::of_line("      Tests  11 passed | 2 skipped (13)"), tally(11, 0));
        assert_eq!(Tally::of_line(" Test Files  3 passed (3)"), tally(0, 0));
        assert_eq!(
            Tally::of_line("\u{1b}[2m      Tests \u{1b}[22m \u{1b}[1m\u{1b}[32m4 passed\u{1b}[39m (4)"),
            tally(4, 0)
        );
    }

    #[test]
    fn node_summaries_count() {
        assert_eq!(Tally::of_line("# pass 3"), tally(3, 0));
        assert_eq!(Tally::of_line("ℹ fail 2"), tally(0, 2));
        assert_eq!(Tally::of_line("# tests 5"), tally(0, 0));
    }

    #[test]
    fn tests_that_cannot_run_here_count_as_skipped() {
        let line = "test skipped: this user may not mount a small disk";
        assert_eq!(Tally::of_line(line), Tally { skipped: 1, ..Tally::default() });
    }

    #[test]
    fn ordinary_lines_count_nothing() {
        for line in ["test parses ... ok", "Tests are fun", "12 passed", "running 3 tests", ""] {
            assert_eq!(Tally::of_line(line), tally(0, 0), "{line}");
        }
    }
}
