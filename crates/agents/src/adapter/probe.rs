//! What a CLI answers when it is asked for its version and its login.

use std::fmt;

use loopwright_domain::LoginState;
use serde_json::Value;

/// A version: major, minor, patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(pub u32, pub u32, pub u32);

impl Version {
    /// The first version in what a program printed: two or three numbers with dots between them.
    #[must_use]
    pub fn find(printed: &str) -> Option<Self> {
        printed.split(|c: char| !(c.is_ascii_digit() || c == '.')).find_map(|word| {
            let mut parts = word.trim_matches('.').split('.').map(|part| part.parse::<u32>().ok());
            let (major, minor) = (parts.next()??, parts.next()??);
            Some(Self(major, minor, parts.next().flatten().unwrap_or(0)))
        })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

/// What a program answered when it was asked for its login.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoginReport {
    /// What it says.
    pub state: LoginState,
    /// How it is logged in, when it says so.
    pub detail: Option<String>,
}

/// How to ask a program whether it is logged in.
#[derive(Clone, Copy, Debug)]
pub struct LoginProbe {
    /// The arguments that make it tell.
    pub args: &'static [&'static str],
    /// Keys in variables that it knows nothing of, or may know nothing of: with one of them, being logged out says nothing.
    pub unseen: &'static [&'static str],
    /// Reads exit code and output. What cannot be read is unknown, never a guess.
    pub read: fn(exit_code: Option<i32>, printed: &str) -> LoginReport,
}

impl LoginReport {
    /// A state without more to say.
    pub(super) const fn of(state: LoginState) -> Self {
        Self { state, detail: None }
    }
}

/// The JSON object in what was printed.
pub(super) fn object(printed: &str) -> Option<Value> {
    let object = printed.get(printed.find('{')?..)?;
    let mut values = serde_json::Deserializer::from_str(object).into_iter::<Value>();
    values.next()?.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_as_the_programs_print_them() {
        for (printed, version) in [
            ("2.1.197 (Claude Code)", Some(Version(2, 1, 197))),
            ("codex-cli 0.166.0", Some(Version(0, 166, 0))),
            ("GitHub Copilot CLI 1.0.102.\nRun update to 1.1.0", Some(Version(1, 0, 102))),
            ("aider 0.86", Some(Version(0, 86, 0))),
            ("v20 is not 3.x", None),
            ("", None),
            ("99999999999.1", None),
        ] {
            assert_eq!(Version::find(printed), version, "{printed}");
        }
        assert!(Version(0, 9, 30) < Version(0, 10, 0));
        assert_eq!(Version(2, 1, 7).to_string(), "2.1.7");
    }
}
