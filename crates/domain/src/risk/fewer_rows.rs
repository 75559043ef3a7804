//! Tables of tests that lost rows while no code changed: fewer cases are tried than before.

use super::change::ChangedFile;
use super::flag;
use super::tests_kept::is_other_code;
use super::tokens::compact;
use super::view::{Side, View, test_lines};
use crate::gate::{RiskFlag, RiskKind};

const OPENING: &[char] = &['(', '[', '{'];
const CLOSING: &[&str] = &["),", "],", "},"];

/// Rows that went and stand nowhere else.
pub(crate) fn fewer_rows(files: &[ChangedFile]) -> Vec<RiskFlag> {
    if files.iter().any(is_other_code) {
        return Vec::new();
    }
    let added: String =
        files.iter().flat_map(ChangedFile::added_lines).map(|line| compact(&line.text) + ",").collect();
    let mut flags = Vec::new();
    for file in files.iter().filter(|file| !file.generated) {
        let rows = |side: Side| {
            let of_part =
                move |part| View::new(part, side).touched().filter(|line| is_row(line.code)).count();
            test_lines(file).map(of_part).sum::<usize>()
        };
        let has_fewer = rows(Side::New) < rows(Side::Old);
        for part in test_lines(file) {
            let (old, new) = (View::new(part, Side::Old), View::new(part, Side::New));
            let lost = old
                .touched()
                .find(|line| has_fewer && is_row(line.code) && !added.contains(&compact(line.code)));
            let shorter =
                new.touched().find(|line| old.touched().any(|before| lost_groups(before.code, line.code)));
            let line = shorter.map(|line| line.number);
            if lost.is_some() || line.is_some() {
                let detail = "fewer cases are tried than before";
                flags.push(flag(RiskKind::TestsWeakened, &file.path, line, detail));
            }
        }
    }
    flags
}

/// Whether a line is one row of a table.
fn is_row(code: &str) -> bool {
    code.starts_with(OPENING) && CLOSING.iter().any(|end| code.ends_with(end))
}

/// Whether a line is what was left of another one when groups of values in its list were taken out.
fn lost_groups(before: &str, after: &str) -> bool {
    let (before, after) = (compact(before), compact(after));
    let groups = |code: &str| code.matches(OPENING).count();
    let is_table =
        before.contains("[(") || before.contains("[[") || before.contains("{{") || before.contains("[{");
    is_table && groups(&after) < groups(&before) && is_what_is_left(&before, &after)
}

/// Whether a text becomes another one by leaving parts out, none of which is before its first bracket of a list.
fn is_what_is_left(before: &str, after: &str) -> bool {
    let list = |text: &str| text.find(['[', '{']).map(|at| text.split_at(at).0.to_owned());
    let mut rest = before.chars();
    list(before).is_some()
        && list(before) == list(after)
        && after.chars().all(|letter| rest.any(|one| one == letter))
}
