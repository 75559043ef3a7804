//! The end of a run: what came of it, and what to do next.

use loopwright_domain::TaskId;
use loopwright_engine::run::RunView;
use loopwright_engine::run::report::{cost, elapsed, grouped};

use crate::output::{BAD, CARE, HEADING, QUIET, count, styled};

/// As many failed attempts are named.
const NAMED: usize = 5;

/// What happened in this process, as far as the end tells it.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) done: Vec<String>,
    pub(super) commits: usize,
    pub(super) failed: Vec<FailedAttempt>,
    pub(super) blocked: Vec<BlockedTask>,
    pub(super) learned: usize,
}

#[derive(Debug)]
pub(super) struct FailedAttempt {
    /// The iteration, counted from 1.
    pub(super) iteration: u32,
    pub(super) what: String,
    pub(super) why: String,
}

#[derive(Debug)]
pub(super) struct BlockedTask {
    pub(super) task: TaskId,
    pub(super) name: String,
    pub(super) why: String,
}

impl Tally {
    /// The closing lines; none for a run that did nothing worth summing up.
    pub(super) fn lines(&self, view: &RunView, over_tasks: bool) -> Vec<String> {
        let mut lines = Vec::new();
        let mut facts = Vec::new();
        if over_tasks {
            facts.push(format!("{} done", count(self.done.len(), "task", "tasks")));
        }
        if over_tasks || self.commits > 0 {
            facts.push(count(self.commits, "commit", "commits"));
        }
        facts.push(elapsed(view.worked_ms));
        if view.usage.tokens() > 0 {
            facts.push(format!("{} tokens", grouped(view.usage.tokens())));
        }
        facts.extend(cost(&view.usage));
        if self.learned > 0 {
            facts.push(count(self.learned, "learning", "learnings"));
        }
        if facts.len() > 1 {
            lines.push(format!("{} {}", styled(HEADING, "In all:"), facts.join(", ")));
        }
        if let Some(times) = view.times.filter(|times| times.count > 1) {
            lines.push(styled(
                QUIET,
                format!(
                    "{} iterations: mean {}, min {}, max {}",
                    times.count,
                    elapsed(times.mean_ms),
                    elapsed(times.min_ms),
                    elapsed(times.max_ms)
                ),
            ));
        }
        for failed in self.failed.iter().rev().take(NAMED).rev() {
            let text = format!("{}: {} (loopwright show {})", failed.what, failed.why, failed.iteration);
            lines.push(format!("  {} {text}", styled(CARE, "failed")));
        }
        if self.failed.len() > NAMED {
            let more = count(self.failed.len() - NAMED, "earlier failed attempt", "earlier failed attempts");
            lines.push(styled(QUIET, format!("  and {more}")));
        }
        for blocked in &self.blocked {
            let text =
                format!("{}: {} (loopwright task unblock {})", blocked.name, blocked.why, blocked.task.0);
            lines.push(format!("  {} {text}", styled(BAD, "blocked")));
        }
        lines
    }
}
