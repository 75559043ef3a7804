//! How tasks and waves look on the terminal.

use loopwright_domain::{TaskId, TaskStatus};
use loopwright_engine::task::{HeldTask, TaskRow};

use crate::output::{BAD, CARE, GOOD, QUIET, plain, say, styled};

/// A bar of so many places, filled as far as the work is done.
pub(in crate::commands) fn bar(done: u32, total: u32, places: u32) -> String {
    let filled = u64::from(done) * u64::from(places);
    let filled =
        filled.checked_div(u64::from(total)).map_or(places, |filled| u32::try_from(filled).unwrap_or(places));
    let full = "█".repeat(filled as usize);
    format!("{}{}", styled(GOOD, full), styled(QUIET, "░".repeat((places - filled) as usize)))
}

/// The sign of a status.
pub(in crate::commands) fn mark(status: TaskStatus) -> String {
    match status {
        TaskStatus::Pending => styled(QUIET, "·"),
        TaskStatus::InProgress => styled(CARE, "▸"),
        TaskStatus::AwaitingApproval => styled(CARE, "?"),
        TaskStatus::Done => styled(GOOD, "✓"),
        TaskStatus::Blocked => styled(BAD, "!"),
        TaskStatus::Cancelled => styled(QUIET, "×"),
    }
}

/// Numbers of tasks in a row.
pub(in crate::commands) fn ids(tasks: &[TaskId]) -> String {
    tasks.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// A task in one line, and why it is blocked in another.
pub(super) fn line(row: &TaskRow) {
    let mut notes = Vec::new();
    if !row.depends_on.is_empty() && row.status.is_unfinished() {
        notes.push(format!("after {}", ids(&row.depends_on)));
    }
    notes.extend(row.tag.as_ref().map(|tag| format!("[{}]", plain(tag))));
    notes.extend(row.kind.map(|kind| kind.to_string()));
    notes.extend(row.size.map(|size| size.to_string()));
    if row.failures > 0 {
        notes.push(format!("failed {}×", row.failures));
    }
    if row.status == TaskStatus::Done && row.commit.is_none() {
        notes.push("without a commit".to_owned());
    }
    let title = match row.status {
        TaskStatus::Cancelled => styled(QUIET, plain(&row.title)),
        _ => plain(&row.title),
    };
    let notes =
        if notes.is_empty() { String::new() } else { styled(QUIET, format!("  {}", notes.join("  "))) };
    say!("  {} {:>4} {title}{notes}", mark(row.status), row.id.to_string());
    if let Some(blocked) = &row.blocked {
        say!("         {}", styled(BAD, plain(&blocked.reason)));
    }
}

/// Says which tasks cannot start, and because of whom.
pub(in crate::commands) fn held<'t>(held: &[HeldTask], title: impl Fn(TaskId) -> &'t str) {
    for HeldTask { task, by } in held.iter().take(MOST_HELD) {
        let waits = styled(QUIET, format!("waits for {}", ids(by)));
        say!("  · {:>4} {}  {waits}", task.to_string(), plain(title(*task)));
    }
    if held.len() > MOST_HELD {
        say!("         {}", styled(QUIET, format!("and {} more", held.len() - MOST_HELD)));
    }
}

/// As many held tasks as are shown.
const MOST_HELD: usize = 20;
