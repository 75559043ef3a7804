//! What belongs to an attempt, in lines: its beginning, its checks, its files.

use loopwright_domain::{BaselineCheck, CheckStatus, TaskId};
use loopwright_engine::run::report::{RED_BEFORE, elapsed};

use super::{Printer, github};
use crate::output::{self, BAD, GOOD, QUIET, plain, styled};

/// As many files are named on a line.
const NAMED: usize = 20;

impl Printer {
    /// Where a task's attempt is told from its event: whoever runs it is told by itself.
    pub(super) fn attempt_begins(&mut self, at: &str, number: u32, task: TaskId, attempt: u32) {
        self.number = number;
        if !self.watching {
            return;
        }
        let name = self.named(task);
        self.task = Some(name.clone());
        self.tell_attempt(at, &name, attempt);
        self.live.task(name, attempt, None);
    }

    pub(super) fn tell_attempt(&self, at: &str, name: &str, attempt: u32) {
        let again = if attempt > 1 { format!(", attempt {attempt}") } else { String::new() };
        self.command_github(&github::group(&format!("{name}{again}")));
        self.line(at, &format!("{name}{again}..."));
    }

    pub(super) fn tell_check(
        &self,
        name: &str,
        status: CheckStatus,
        required: bool,
        red_before: Option<bool>,
        elapsed_ms: u64,
    ) {
        let mark = match status {
            CheckStatus::Passed => styled(GOOD, "passed"),
            CheckStatus::Skipped | CheckStatus::Stopped => styled(QUIET, status),
            _ => styled(BAD, status),
        };
        let optional = if required { "" } else { " (optional)" };
        let red = if red_before == Some(true) { format!(", {RED_BEFORE}") } else { String::new() };
        self.write(&format!(
            "           check {}{optional}: {mark} in {}{red}",
            plain(name),
            elapsed(elapsed_ms)
        ));
    }

    /// Which files were put back, and how to get one of them again: a person's own may be among them.
    pub(super) fn files_put_back(&self, removed: &[String], restored: &[String], more: u32, kept: &str) {
        for (what, files) in [("removed", removed), ("as before", restored)] {
            if !files.is_empty() {
                let more = if what == "removed" && !restored.is_empty() { 0 } else { more };
                self.write(&styled(QUIET, format!("           {what}: {}", names(files, more))));
            }
        }
        let back = format!("           to get one again: git restore --source={kept} -- :/PATH");
        self.write(&styled(QUIET, back));
    }

    /// How the checks stand before the first agent.
    pub(super) fn baseline(&self, at: &str, checks: &[BaselineCheck]) {
        let red: Vec<&BaselineCheck> = checks.iter().filter(|check| check.is_red()).collect();
        for check in &red {
            let why = check.summary.as_deref().map(|why| format!(": {}", plain(why))).unwrap_or_default();
            let optional = if check.required { "" } else { " (optional)" };
            self.warning(at, &format!("{RED_BEFORE}: {}{optional}{why}", plain(&check.name)));
        }
        if red.is_empty() {
            let known =
                if checks.iter().all(|check| check.cached) { ", known from an earlier run" } else { "" };
            let pass = output::count(checks.len(), "check passes", "checks pass");
            self.line(at, &styled(QUIET, format!("Before the first agent {pass}{known}")));
        }
    }
}

/// Files by their names, as many as fit a few lines.
pub(super) fn names(files: &[String], more: u32) -> String {
    let shown: Vec<String> = files.iter().take(NAMED).map(|name| plain(name)).collect();
    match files.len() - shown.len() + usize::try_from(more).unwrap_or(usize::MAX) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
