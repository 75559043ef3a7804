//! Scenarios whose verdict is known to be wrong, with the reason. They count as wrong and are played only when asked for.

/// What is neither committed nor staged could be anybody's.
const WHOSE: &str =
    "item 6 of issue 13: nothing says who wrote a file; it is named and kept, and put back with the attempt";

/// The name of each, and why it is wrong.
const KNOWN_WRONG: &[(&str, &str)] = &[
    ("a file that the user makes while an attempt fails stays", WHOSE),
    ("a file that the user makes while an attempt fails stays, LinkedWorktree", WHOSE),
    ("a file that the user makes while an attempt fails stays, Subfolder", WHOSE),
    ("a file that the user makes while an attempt fails stays, sandboxed", WHOSE),
    ("an edit of the user's in another file stays while an attempt fails", WHOSE),
];

/// Why a scenario is known to be wrong; none when it has to be right.
pub(crate) fn reason(name: &str) -> Option<&'static str> {
    KNOWN_WRONG.iter().find(|(known, _)| *known == name).map(|(_, why)| *why)
}
