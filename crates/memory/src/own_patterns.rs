//! Patterns of failures of a person's own, compiled.

use loopwright_domain::{PatternStatus, UserPattern};
use regex::{Regex, RegexBuilder};

use crate::pattern::pattern;

/// As large as a compiled expression may be, in bytes.
const LARGEST_REGEX: usize = 1 << 20;

/// The patterns of a person's own that name failures: trusted and confirmed ones.
#[derive(Clone, Debug, Default)]
pub struct OwnPatterns {
    patterns: Vec<(UserPattern, Regex)>,
}

impl OwnPatterns {
    /// Compiles them. Suggested ones, and those whose expression cannot be compiled, name nothing. One with the name of
    /// a built-in pattern is another way to find that one, and has its category.
    #[must_use]
    pub fn compile<'a>(patterns: impl IntoIterator<Item = &'a UserPattern>) -> Self {
        let used = |status| matches!(status, PatternStatus::Trusted | PatternStatus::Confirmed);
        let compiled = |own: &UserPattern| {
            let regex =
                RegexBuilder::new(&own.regex).multi_line(true).size_limit(LARGEST_REGEX).build().ok()?;
            let category = pattern(&own.name).map_or(own.category, |known| known.category);
            Some((UserPattern { category, ..own.clone() }, regex))
        };
        let patterns = patterns.into_iter().filter(|own| used(own.status)).filter_map(compiled);
        Self { patterns: patterns.collect() }
    }

    /// The pattern of this status that fits first in a text, and where; of two at the same place the first by order.
    pub(crate) fn first(&self, text: &str, status: PatternStatus) -> Option<(&UserPattern, usize)> {
        let of_status = self.patterns.iter().filter(|(own, _)| own.status == status);
        let found = of_status.filter_map(|(own, regex)| Some((own, regex.find(text)?.start())));
        found.min_by_key(|(_, start)| *start)
    }
}

#[cfg(test)]
mod tests {
    use loopwright_domain::FailureCategory;

    use super::*;
    use crate::classify_with;

    fn own(status: PatternStatus) -> OwnPatterns {
        OwnPatterns::compile([&UserPattern {
            name: "time_zone".to_owned(),
            category: FailureCategory::Test,
            regex: r"expected .* \(UTC".to_owned(),
            about: String::new(),
            status,
        }])
    }

    #[test]
    fn a_status_decides_what_a_pattern_overrules() {
        let named = "src/a.test.ts:3\nAssertionError: expected '02:30' to equal '02:30 (UTC+1)'\n";
        let nameless = "ok 1\nexpected 2 (UTC\n";
        for (status, output, expected) in [
            (PatternStatus::Trusted, named, "time_zone"),
            (PatternStatus::Trusted, nameless, "time_zone"),
            // A built-in pattern names the cause.
            (PatternStatus::Confirmed, named, "assertion_failed"),
            (PatternStatus::Confirmed, nameless, "time_zone"),
            (PatternStatus::Suggested, named, "assertion_failed"),
            (PatternStatus::Suggested, nameless, "unknown"),
        ] {
            assert_eq!(classify_with(output, "", &own(status)).pattern, expected, "{status} {output}");
            assert_eq!(classify_with("", output, &own(status)).pattern, expected, "{status} {output}");
        }
    }

    #[test]
    fn the_line_that_fits_is_the_cause() {
        let found = classify_with("one\n  expected 2 (UTC here\ntwo\n", "", &own(PatternStatus::Trusted));
        assert_eq!((found.cause.as_str(), found.category), ("expected 2 (UTC here", FailureCategory::Test));
        assert!(found.excerpt.contains("one\n"), "{}", found.excerpt);
    }

    #[test]
    fn a_built_in_name_keeps_its_category() {
        let pattern = UserPattern {
            name: "timeout".to_owned(),
            category: FailureCategory::Test,
            regex: "gave up waiting".to_owned(),
            about: String::new(),
            status: PatternStatus::Confirmed,
        };
        let found = classify_with("gave up waiting\n", "", &OwnPatterns::compile([&pattern]));
        assert_eq!((found.pattern.as_str(), found.category), ("timeout", FailureCategory::Environment));
    }
}
