//! What the status area says: where the run stands, and what it has used of what it may use.

use std::time::Instant;

use loopwright_domain::figures::money;
use loopwright_domain::{Limits, Phase, Usage};
use loopwright_engine::run::report::elapsed;

use super::agent_stream::cut;
use crate::output::{CARE, HEADING, QUIET, columns, styled};

/// How many tasks there are, and how many of them are done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TaskCounts {
    pub(crate) done: usize,
    pub(crate) total: usize,
}

/// Everything the status area is drawn from. It holds figures and no words, so that it can be drawn at any width.
#[derive(Clone, Debug, Default)]
pub(crate) struct StatusArea {
    /// What is worked on: a task, or the run's title.
    pub(crate) subject: String,
    pub(crate) attempt: u32,
    pub(crate) wave: Option<(u32, Option<u32>)>,
    pub(crate) tasks: Option<TaskCounts>,
    /// The iteration under way, counted from 1, and how many there may be.
    pub(crate) iteration: Option<(u32, u32)>,
    pub(crate) phase: Option<Phase>,
    /// The check that runs.
    pub(crate) check: Option<String>,
    /// What the agent does at the moment.
    pub(crate) activity: Option<String>,
    /// When the iteration under way began.
    pub(crate) since: Option<Instant>,
    /// What the run waits for, in words; the clock of the iteration stands still meanwhile.
    pub(crate) waits: Option<String>,
    pub(crate) limits: Limits,
    /// What earlier iterations used, and the one under way.
    pub(crate) used: Usage,
    pub(crate) used_now: Usage,
    /// Working time of settled iterations, in milliseconds.
    pub(crate) worked_ms: u64,
    /// How long each finished task of this run took, in milliseconds: the basis of the forecast.
    pub(crate) finished_ms: Vec<u64>,
}

impl StatusArea {
    /// The two lines for a terminal of so many columns.
    pub(crate) fn lines(&self, now: Instant, width: usize) -> Vec<String> {
        if self.subject.is_empty() {
            return Vec::new();
        }
        // The spinner and its space stand before both lines.
        let width = width.saturating_sub(2);
        vec![self.work_line(now, width), self.figures_line(now, width)]
    }

    /// What is worked on, and how.
    fn work_line(&self, now: Instant, width: usize) -> String {
        let took = self.since.map(|since| elapsed(milliseconds(since, now))).unwrap_or_default();
        let attempt = if self.attempt > 1 { format!("attempt {}", self.attempt) } else { String::new() };
        let doing = match &self.waits {
            Some(waits) => waits.clone(),
            None => self.doing(),
        };
        let rest = joined(&[&attempt, &doing, &took]);
        let room = width.saturating_sub(columns(&rest) + 2);
        let subject = cut(&self.subject, room.max(width / 3));
        let rest = cut(&rest, width.saturating_sub(columns(&subject) + 2));
        let rest = if self.waits.is_some() { styled(CARE, rest) } else { styled(QUIET, rest) };
        format!("{}  {rest}", styled(HEADING, subject))
    }

    fn doing(&self) -> String {
        match self.phase {
            Some(Phase::Running) => match &self.activity {
                Some(activity) => cut(activity, 48),
                None => "agent working".to_owned(),
            },
            Some(Phase::AgentDone | Phase::Checking) => match &self.check {
                Some(check) => format!("checking: {check}"),
                None => "checking".to_owned(),
            },
            Some(Phase::AwaitingApproval) => "needs review".to_owned(),
            Some(Phase::Committing) => "committing".to_owned(),
            Some(Phase::Planned | Phase::Settled) | None => "preparing".to_owned(),
        }
    }

    /// How far the run is and what it has used. What matters most comes first, because a narrow terminal cuts the end.
    fn figures_line(&self, now: Instant, width: usize) -> String {
        let tasks =
            self.tasks.map(|tasks| format!("{}/{} tasks", tasks.done, tasks.total)).unwrap_or_default();
        let wave = match self.wave {
            Some((wave, Some(waves))) => format!("wave {wave}/{waves}"),
            Some((wave, None)) => format!("wave {wave}"),
            None => String::new(),
        };
        let iteration = match self.iteration {
            Some((number, 0)) if self.tasks.is_none() => format!("iteration {number}"),
            Some((number, max)) if self.tasks.is_none() => format!("iteration {number}/{max}"),
            _ => String::new(),
        };
        let used = self.used.plus(&self.used_now);
        let cost =
            used.cost_micros.map(money).map(|spent| of_cap(&spent, self.limits.max_cost_micros.map(money)));
        let tokens = (used.tokens() > 0)
            .then(|| of_cap(&short(used.tokens()), self.limits.max_tokens.map(short)) + " tokens");
        let worked = self.worked_ms + self.since.map_or(0, |since| milliseconds(since, now));
        let time = of_cap(&elapsed(worked), self.limits.max_runtime_ms.map(elapsed));
        let left = self.forecast().unwrap_or_default();
        let line = joined(&[
            &tasks,
            &iteration,
            &wave,
            &cost.unwrap_or_default(),
            &tokens.unwrap_or_default(),
            &time,
            &left,
        ]);
        styled(QUIET, cut(&line, width))
    }

    /// How long the tasks that are left may take, with what that is based on; none before a task is finished.
    fn forecast(&self) -> Option<String> {
        let tasks = self.tasks?;
        let left = u64::try_from(tasks.total.saturating_sub(tasks.done)).ok().filter(|left| *left > 0)?;
        let count = u64::try_from(self.finished_ms.len()).ok().filter(|count| *count > 0)?;
        let mean = self.finished_ms.iter().sum::<u64>() / count;
        Some(format!("about {} left (mean of {count})", elapsed(mean.saturating_mul(left))))
    }
}

fn milliseconds(since: Instant, now: Instant) -> u64 {
    u64::try_from(now.saturating_duration_since(since).as_millis()).unwrap_or(u64::MAX)
}

fn of_cap(used: &str, cap: Option<String>) -> String {
    match cap {
        Some(cap) => format!("{used} of {cap}"),
        None => used.to_owned(),
    }
}

/// Parts with a dot between them; empty ones are left out.
fn joined(parts: &[&str]) -> String {
    parts.iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join(" · ")
}

/// A large number in three digits or so: `950`, `12.4k`, `3.6M`.
fn short(number: u64) -> String {
    match number {
        0..1_000 => number.to_string(),
        1_000..1_000_000 => tenths(number, 1_000, "k"),
        _ => tenths(number, 1_000_000, "M"),
    }
}

fn tenths(number: u64, unit: u64, sign: &str) -> String {
    let tenths = number.saturating_mul(10) / unit;
    match (tenths / 10, tenths % 10) {
        (whole, 0) => format!("{whole}{sign}"),
        (whole, part) => format!("{whole}.{part}{sign}"),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use anstream::adapter::strip_str;

    use super::*;

    fn area() -> (StatusArea, Instant) {
        let now = Instant::now();
        let area = StatusArea {
            subject: "#10 Booking form with live availability".into(),
            attempt: 2,
            wave: Some((3, Some(5))),
            tasks: Some(TaskCounts { done: 9, total: 20 }),
            phase: Some(Phase::Running),
            activity: Some("Read src/lib/availability.ts".into()),
            since: now.checked_sub(Duration::from_secs(374)),
            used: Usage { input: 3_600_000, cost_micros: Some(5_200_000), ..Usage::default() },
            used_now: Usage { cost_micros: Some(480_000), ..Usage::default() },
            worked_ms: 4_300_000,
            finished_ms: vec![300_000, 360_000],
            ..StatusArea::default()
        };
        (area, now)
    }

    #[test]
    fn it_says_what_is_worked_on_and_what_was_used() {
        let (area, now) = area();
        let lines: Vec<String> =
            area.lines(now, 200).iter().map(|line| strip_str(line).to_string()).collect();
        assert_eq!(
            lines,
            [
                "#10 Booking form with live availability  attempt 2 · Read src/lib/availability.ts · 6m14s",
                "9/20 tasks · wave 3/5 · $5.68 of $25.00 · 3.6M of 20M tokens · 1h17m of 8h00m · about 1h00m left (mean of 2)",
            ]
        );
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        let (mut area, now) = area();
        area.subject = "#10 茶室の予約フォーム、空き状況をその場で確認できる".into();
        for width in 20..=250 {
            for line in area.lines(now, width) {
                let wide = columns(&strip_str(&line).to_string());
                assert!(wide + 2 <= width.max(24), "{wide} + 2 columns at {width}: {line}");
            }
        }
    }

    #[test]
    fn nothing_is_forecast_before_a_task_is_finished() {
        let (mut area, _) = area();
        area.finished_ms.clear();
        assert_eq!(area.forecast(), None);
    }

    #[test]
    fn large_numbers_are_short() {
        let told = [0, 999, 1_000, 12_440, 999_999, 3_600_000, 20_000_000].map(short);
        assert_eq!(told, ["0", "999", "1k", "12.4k", "999.9k", "3.6M", "20M"]);
    }
}
