//! Git's version, and the oldest one that can be made safe.

use std::fmt;

/// The oldest git that Loopwright works with. Settings in the environment (`GIT_CONFIG_COUNT`), on which the inspect
/// profile rests, are older than this.
pub const MINIMUM_VERSION: Version = Version { major: 2, minor: 34, patch: 0 };

/// Git's version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// The first number.
    pub major: u32,
    /// The second number.
    pub minor: u32,
    /// The third number; 0 when there is none.
    pub patch: u32,
}

impl Version {
    /// Reads what `git --version` prints; systems add words of their own at the end.
    pub(crate) fn parse(printed: &str) -> Option<Self> {
        let mut numbers = printed.trim().strip_prefix("git version ")?.split_whitespace().next()?.split('.');
        let major = numbers.next()?.parse().ok()?;
        let minor = numbers.next()?.parse().ok()?;
        let patch = numbers.next().and_then(|number| number.parse().ok()).unwrap_or(0);
        Some(Self { major, minor, patch })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parse(printed: &str) -> Option<(u32, u32, u32)> {
        Version::parse(printed).map(|version| (version.major, version.minor, version.patch))
    }

    #[test]
    fn the_spellings_of_all_systems_are_read() {
        assert_eq!(parse("git version 2.47.3\n"), Some((2, 47, 3)));
        assert_eq!(parse("git version 2.39.5 (Apple Git-154)\n"), Some((2, 39, 5)));
        assert_eq!(parse("git version 2.45.1.windows.1\r\n"), Some((2, 45, 1)));
        assert_eq!(parse("git version 2.50.GIT"), Some((2, 50, 0)));
        assert_eq!(parse("git version 3.0"), Some((3, 0, 0)));
        for strange in ["", "git version", "git version x.y", "hub version 2.1.0", "git version 2"] {
            assert_eq!(parse(strange), None, "{strange:?}");
        }
    }

    proptest! {
        #[test]
        fn a_version_reads_back_and_sorts_by_its_numbers(a: (u16, u16, u16), b: (u16, u16, u16)) {
            let version = |(major, minor, patch): (u16, u16, u16)| Version {
                major: major.into(), minor: minor.into(), patch: patch.into(),
            };
            prop_assert_eq!(Version::parse(&format!("git version {}", version(a))), Some(version(a)));
            prop_assert_eq!(version(a).cmp(&version(b)), a.cmp(&b));
        }

        #[test]
        fn any_text_is_read_without_harm(text in ".{0,80}") {
            let _ = Version::parse(&text);
        }
    }
}
