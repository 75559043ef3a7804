//! What a check may have used and the commit lacks.

use super::flag;
use crate::gate::{RiskFlag, RiskKind};
use crate::word::words;

words! {
    /// Why the commit lacks something.
    LeftOutReason {
        /// It is too large.
        TooLarge = "too_large",
        /// The folder has too many new files.
        TooManyFiles = "too_many_files",
        /// By its name it holds secrets.
        Secret = "secret",
        /// It cannot be read.
        Unreadable = "unreadable",
        /// Git does not have such things: empty folders, pipes.
        Special = "special",
        /// Git ignores it.
        Ignored = "ignored",
        /// It is a repository of its own.
        Nested = "nested",
        /// Git changes its line ends or its `$Id$`.
        Converted = "converted",
    }
}

/// Something that the checks may have used and the commit lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Its path.
    pub path: String,
    /// Why.
    pub why: LeftOutReason,
    /// Its size in bytes, or the number of files of a folder; 0 when it is not known.
    pub size: u64,
}

impl LeftOutReason {
    /// Whether a person can have it in the commit all the same.
    #[must_use]
    pub const fn can_be_included(self) -> bool {
        !matches!(self, Self::Special | Self::Unreadable | Self::Converted)
    }
}

/// What is risky about a commit that lacks these: names of secrets are risks of their own.
#[must_use]
pub fn left_out_flags(left_out: &[LeftOut], kinds: &[RiskKind]) -> Vec<RiskFlag> {
    let found = left_out.iter().map(|left| {
        let kind = match left.why {
            LeftOutReason::Secret => RiskKind::Secret,
            _ => RiskKind::LeftOut,
        };
        flag(kind, &left.path, None, detail(left))
    });
    let found: Vec<RiskFlag> = found.filter(|flag| kinds.contains(&flag.kind)).collect();
    let (secrets, others): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|flag| flag.kind == RiskKind::Secret);
    let mut flags = super::shortened(secrets, RiskKind::Secret);
    flags.extend(super::shortened(others, RiskKind::LeftOut));
    flags
}

fn detail(left: &LeftOut) -> String {
    let why = match left.why {
        LeftOutReason::TooLarge => {
            format!("{} MiB are a lot for a new file", left.size.div_ceil(1024 * 1024))
        }
        LeftOutReason::TooManyFiles if left.size > 0 => format!("a folder with {} new files", left.size),
        LeftOutReason::TooManyFiles => "a folder with very many new files".to_owned(),
        LeftOutReason::Secret => "a file of this name usually holds secrets".to_owned(),
        LeftOutReason::Unreadable => "it cannot be read".to_owned(),
        LeftOutReason::Special => "a check uses it, and git does not keep such things".to_owned(),
        LeftOutReason::Ignored => "a check uses it, and git ignores it".to_owned(),
        LeftOutReason::Nested => "a repository of its own".to_owned(),
        LeftOutReason::Converted => {
            return "git changes its line ends or its $Id$: a clone has other bytes than the checks saw"
                .to_owned();
        }
    };
    format!("{why}: it is not in the commit")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_told_with_its_reason_and_secrets_are_secrets() {
        for why in LeftOutReason::ALL {
            let left = LeftOut { path: "a".into(), why: *why, size: 11_000_000 };
            let flags = left_out_flags(&[left], RiskKind::ALL);
            let kind = if *why == LeftOutReason::Secret { RiskKind::Secret } else { RiskKind::LeftOut };
            assert_eq!((flags.len(), flags[0].kind, flags[0].path.as_deref()), (1, kind, Some("a")));
            assert_ne!(flags[0].detail, "");
        }
    }

    #[test]
    fn a_kind_that_is_switched_off_is_not_told_and_long_lists_are_cut() {
        let left = |n: usize| LeftOut { path: format!("f{n}"), why: LeftOutReason::TooLarge, size: 1 };
        let many: Vec<LeftOut> = (0..60).map(left).collect();
        assert_eq!(left_out_flags(&many, &[RiskKind::Secret]), []);
        assert_eq!(left_out_flags(&many, RiskKind::ALL).len(), 51);
    }
}
