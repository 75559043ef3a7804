//! What is risky about a change: rules over the lines that differ. A person looks at what they find, so a miss is worse
//! than a false alarm; but an alarm at every refactoring would soon be clicked away unread.

mod change;

pub use change::{ChangedFile, FileKind, Hunk, Line};

use crate::gate::{RiskFlag, RiskKind};

/// What is looked for.
#[derive(Clone, Copy)]
pub struct Rules<'a> {
    /// The kinds of risk.
    pub kinds: &'a [RiskKind],
    /// A change of more lines than this is large; 0 never.
    pub max_lines: u32,
    /// Whether a path is protected.
    pub is_protected: &'a dyn Fn(&str) -> bool,
    /// Whether a file of this path holds secrets.
    pub is_secret: &'a dyn Fn(&str) -> bool,
}

/// What is risky about a change, by kind and path.
#[must_use]
pub fn flags(files: &[ChangedFile], rules: Rules<'_>) -> Vec<RiskFlag> {
    let mut found = Vec::new();
    for kind in rules.kinds {
        match kind {
            RiskKind::ProtectedPath => found.extend(protected(files, rules.is_protected)),
            RiskKind::LargeDiff => found.extend(large(files, rules.max_lines)),
            _ => {}
        }
    }
    found
}

fn protected(files: &[ChangedFile], is_protected: &dyn Fn(&str) -> bool) -> Vec<RiskFlag> {
    let touched = files.iter().filter_map(|file| file.paths().find(|path| is_protected(path)));
    touched.map(|path| flag(RiskKind::ProtectedPath, path, None, "a protected file was changed")).collect()
}

/// Files that programs write do not count: nobody could read them anyway.
fn large(files: &[ChangedFile], most: u32) -> Option<RiskFlag> {
    let lines = files
        .iter()
        .filter(|file| !file.generated)
        .fold(0u32, |sum, file| sum.saturating_add(file.added).saturating_add(file.removed));
    (most > 0 && lines > most).then(|| RiskFlag {
        kind: RiskKind::LargeDiff,
        path: None,
        line: None,
        detail: format!("{lines} changed lines; more than {most} are a lot to take on trust"),
    })
}

fn flag(kind: RiskKind, path: &str, line: Option<u32>, detail: impl Into<String>) -> RiskFlag {
    RiskFlag { kind, path: Some(path.to_owned()), line, detail: detail.into() }
}
