//! What is risky about a change: rules over the lines that differ. A person looks at what they find, so a miss is worse
//! than a false alarm; but an alarm at every refactoring would soon be clicked away unread.

mod assertion;
mod change;
mod check_scripts;
mod checks;
mod cut_short;
mod declared;
mod fewer_rows;
mod left_out;
mod loosened;
mod operands;
mod recipes;
mod replaced;
mod runners;
mod secret;
mod started;
mod strictness;
mod switched_off;
mod test_files;
mod tests_kept;
mod tokens;
mod view;

pub use change::{ChangedFile, FileKind, Hunk, Line};
pub use check_scripts::{is_among, is_compared, named_by, named_in};
pub use left_out::{LeftOut, LeftOutReason, left_out_flags};

use crate::gate::{RiskFlag, RiskKind};

/// As many flags of a kind are told one by one.
const MOST: usize = 50;

/// What is looked for.
#[derive(Clone, Copy)]
pub struct Rules<'a> {
    /// The kinds of risk.
    pub kinds: &'a [RiskKind],
    /// A change of more lines than this is large; 0 never.
    pub max_lines: u32,
    /// Whether a path is protected.
    pub is_protected: &'a dyn Fn(&str) -> bool,
    /// Whether a check runs a file, or a target or script of one (`Makefile#test`): it is part of the check.
    pub is_check: &'a dyn Fn(&str) -> bool,
    /// Whether a check compares with a file.
    pub is_compared: &'a dyn Fn(&str) -> bool,
    /// Whether a file of this path usually holds secrets.
    pub is_secret_file: &'a dyn Fn(&str) -> bool,
    /// Whether a line holds something with the form of a known kind of key.
    pub has_secret: &'a dyn Fn(&str) -> bool,
}

/// What is risky about a change, kind by kind.
#[must_use]
pub fn flags(files: &[ChangedFile], rules: Rules<'_>) -> Vec<RiskFlag> {
    let mut found = tests_kept::weaker_tests(files);
    found.extend(switched_off::switched_off(files, rules.is_compared));
    found.extend(cut_short::cut_short(files));
    found.extend(fewer_rows::fewer_rows(files));
    found.extend(replaced::replaced(files));
    found.extend(checks::edited_checks(files, rules.is_check));
    found.extend(protected(files, rules.is_protected));
    found.extend(large(files, rules.max_lines));
    found.extend(secret::secrets(files, rules.is_secret_file, rules.has_secret));
    let of_kind = |kind: &RiskKind| {
        let kind = *kind;
        let mut flags: Vec<RiskFlag> = found.iter().filter(|flag| flag.kind == kind).cloned().collect();
        flags.dedup_by(|next, flag| (&next.path, next.line) == (&flag.path, flag.line));
        shortened(flags, kind)
    };
    let mut kinds = RiskKind::ALL.to_vec();
    kinds.retain(|kind| rules.kinds.contains(kind));
    kinds.iter().flat_map(of_kind).collect()
}

/// A list that is too long ends with how many more there are.
fn shortened(mut flags: Vec<RiskFlag>, kind: RiskKind) -> Vec<RiskFlag> {
    if flags.len() > MOST {
        let more = flags.len() - MOST;
        flags.truncate(MOST);
        flags.push(RiskFlag {
            kind,
            path: None,
            line: None,
            detail: format!("and {more} more of this kind"),
        });
    }
    flags
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
