//! How figures are made from what happened.

use std::collections::{BTreeMap, BTreeSet};

use crate::ids::{IterationId, TaskId};
use crate::memory::metric_facts::{AttemptFact, DAY, FailureFact, MetricFacts, Seconds, solutions_at};
use crate::memory::metrics::{
    AgentMetrics, BurndownPoint, DayMetrics, ENOUGH_ATTEMPTS, HarnessCost, MetricTotals, Metrics,
    PatternMetrics,
};
use crate::memory::user_pattern::PatternStatus;
use crate::task::TaskStatus;
use crate::usage::Usage;

/// Into how many parts the time of a trend is divided.
const TREND_PARTS: usize = 10;
/// As many points of a burndown as can be told apart.
const MOST_POINTS: usize = 500;

/// What a pattern means, and whether it is built in.
pub type DescribePattern<'a> = &'a dyn Fn(&str) -> (String, PatternStatus);

/// All figures over so many days, counted back from now, or over all time.
#[must_use]
pub fn metrics(
    facts: &MetricFacts,
    days: Option<u32>,
    now: Seconds,
    describe: DescribePattern<'_>,
) -> Metrics {
    let from = start(days, now);
    let attempts: Vec<&AttemptFact> = facts.attempts.iter().filter(|attempt| attempt.at >= from).collect();
    let failures = facts.failures.iter().filter(|failure| failure.at >= from);
    let mut patterns = patterns(facts, days, now, describe);
    patterns.sort_by(|one, other| {
        let cost = |it: &PatternMetrics| (it.usage.cost_micros.unwrap_or(0), it.elapsed_ms, it.failures);
        cost(other).cmp(&cost(one)).then_with(|| one.pattern.cmp(&other.pattern))
    });
    let standing = |status: TaskStatus| count(facts.tasks.iter().filter(|task| task.status == status));
    Metrics {
        days,
        runs: count(facts.runs.iter().filter(|began| **began >= from)),
        totals: totals(attempts.iter().copied()),
        tasks: count(facts.tasks.iter()) - standing(TaskStatus::Cancelled),
        tasks_done: standing(TaskStatus::Done),
        tasks_blocked: standing(TaskStatus::Blocked),
        failures: count(failures.clone()),
        failures_resolved: count(failures.filter(|failure| failure.resolved_by.is_some())),
        solutions: count(solutions_at(&facts.solutions, now).iter()),
        learnings: count(facts.learnings.iter()),
        per_day: per_day(&attempts),
        agents: agents(&attempts),
        patterns,
        burndown: burndown(facts, from),
    }
}

/// Every pattern that was met in that time, the most frequent first.
#[must_use]
pub fn patterns(
    facts: &MetricFacts,
    days: Option<u32>,
    now: Seconds,
    describe: DescribePattern<'_>,
) -> Vec<PatternMetrics> {
    let from = start(days, now);
    let mut by_name: BTreeMap<&str, Vec<&FailureFact>> = BTreeMap::new();
    for failure in facts.failures.iter().filter(|failure| failure.at >= from) {
        by_name.entry(&failure.pattern).or_default().push(failure);
    }
    let first = facts.failures.iter().map(|failure| failure.at).min().unwrap_or(now);
    let began = if days.is_some() { from } else { first };
    let attempts: BTreeMap<IterationId, &AttemptFact> =
        facts.attempts.iter().map(|attempt| (attempt.iteration, attempt)).collect();
    let steps = attempts_by_task(facts);
    let in_use = solutions_at(&facts.solutions, now);
    let mut patterns: Vec<PatternMetrics> = by_name
        .into_iter()
        .filter_map(|(name, failures)| {
            let (about, status) = describe(name);
            let own: Vec<&AttemptFact> =
                failures.iter().filter_map(|it| attempts.get(&it.iteration).copied()).collect();
            let sums = totals(own.into_iter());
            let resolved = || failures.iter().filter(|it| it.resolved_by.is_some());
            let (earliest, latest) =
                (failures.iter().min_by_key(|it| it.at)?, failures.iter().max_by_key(|it| it.at)?);
            Some(PatternMetrics {
                pattern: name.to_owned(),
                category: latest.category,
                about,
                status,
                failures: count(failures.iter()),
                resolved: count(resolved()),
                resolved_by_solution: count(resolved().filter(|it| it.with_solution)),
                resolved_by_hand: count(resolved().filter(|it| it.by_hand)),
                first_at: earliest.at_text.clone(),
                last_at: latest.at_text.clone(),
                attempts_until_resolved: mean(resolved().filter_map(|it| attempts_until(it, &steps))),
                usage: sums.usage,
                elapsed_ms: sums.elapsed_ms,
                trend: trend(failures.iter().map(|it| it.at), began, now),
                solutions: count(in_use.iter().filter(|it| it.pattern == name)),
            })
        })
        .collect();
    patterns.sort_by(|one, other| {
        other.failures.cmp(&one.failures).then_with(|| one.pattern.cmp(&other.pattern))
    });
    patterns
}

/// From when on something counts.
fn start(days: Option<u32>, now: Seconds) -> Seconds {
    days.map_or(Seconds::MIN, |days| now.saturating_sub(Seconds::from(days).saturating_mul(DAY)))
}

fn count<T>(items: impl Iterator<Item = T>) -> u32 {
    u32::try_from(items.count()).unwrap_or(u32::MAX)
}

fn mean(values: impl Iterator<Item = u32>) -> Option<f64> {
    let (sum, n) = values.fold((0_u32, 0_u32), |(sum, n), value| (sum.saturating_add(value), n + 1));
    (n > 0).then(|| f64::from(sum) / f64::from(n))
}

fn totals<'a>(attempts: impl Iterator<Item = &'a AttemptFact>) -> MetricTotals {
    attempts.fold(MetricTotals::default(), |sum, attempt| MetricTotals {
        iterations: sum.iterations + 1,
        passed: sum.passed + u32::from(attempt.passed),
        failed: sum.failed + u32::from(!attempt.passed),
        usage: sum.usage.plus(&attempt.usage),
        elapsed_ms: sum.elapsed_ms.saturating_add(attempt.elapsed_ms),
    })
}

fn per_day(attempts: &[&AttemptFact]) -> Vec<DayMetrics> {
    let mut days: BTreeMap<&str, Vec<&AttemptFact>> = BTreeMap::new();
    for attempt in attempts {
        days.entry(&attempt.date).or_default().push(attempt);
    }
    let day = |(date, attempts): (&str, Vec<&AttemptFact>)| {
        let mut costs: BTreeMap<&str, u64> = BTreeMap::new();
        for attempt in &attempts {
            if let Some(cost) = attempt.usage.cost_micros {
                let sum = costs.entry(&attempt.harness).or_default();
                *sum = sum.saturating_add(cost);
            }
        }
        let cost_by_harness = costs
            .into_iter()
            .map(|(harness, cost_micros)| HarnessCost { harness: harness.to_owned(), cost_micros })
            .collect();
        DayMetrics { date: date.to_owned(), totals: totals(attempts.into_iter()), cost_by_harness }
    };
    days.into_iter().map(day).collect()
}

fn agents(attempts: &[&AttemptFact]) -> Vec<AgentMetrics> {
    let mut by_agent: BTreeMap<(&str, Option<&str>), Vec<&AttemptFact>> = BTreeMap::new();
    for attempt in attempts.iter().filter(|attempt| !attempt.by_hand) {
        by_agent.entry((&attempt.harness, attempt.model.as_deref())).or_default().push(attempt);
    }
    let mut agents: Vec<AgentMetrics> =
        by_agent.into_iter().map(|((harness, model), attempts)| agent(harness, model, &attempts)).collect();
    agents.sort_by(|one, other| {
        let name = |it: &AgentMetrics| (it.harness.clone(), it.model.clone());
        other.totals.iterations.cmp(&one.totals.iterations).then_with(|| name(one).cmp(&name(other)))
    });
    agents
}

fn agent(harness: &str, model: Option<&str>, attempts: &[&AttemptFact]) -> AgentMetrics {
    let totals = totals(attempts.iter().copied());
    let passed: BTreeSet<TaskId> =
        attempts.iter().filter(|attempt| attempt.passed).filter_map(|attempt| attempt.task).collect();
    let finished = count(passed.iter());
    let at_tasks = count(attempts.iter().filter(|attempt| attempt.task.is_some()));
    let enough = totals.iterations >= ENOUGH_ATTEMPTS;
    let seconds = u32::try_from(totals.elapsed_ms / 1000).unwrap_or(u32::MAX);
    AgentMetrics {
        harness: harness.to_owned(),
        model: model.map(ToOwned::to_owned),
        finished,
        pass_rate: totals.pass_rate().filter(|_| enough),
        attempts_per_task: (enough && finished > 0).then(|| f64::from(at_tasks) / f64::from(finished)),
        minutes: (totals.iterations > 0).then(|| f64::from(seconds) / 60.0 / f64::from(totals.iterations)),
        cost_per_task_micros: cost_per_task(&totals.usage, finished).filter(|_| enough),
        totals,
    }
}

fn cost_per_task(usage: &Usage, finished: u32) -> Option<u64> {
    usage.cost_micros?.checked_div(u64::from(finished))
}

/// The judged attempts at each task, in order.
fn attempts_by_task(facts: &MetricFacts) -> BTreeMap<TaskId, Vec<IterationId>> {
    let mut steps: BTreeMap<TaskId, Vec<IterationId>> = BTreeMap::new();
    for attempt in &facts.attempts {
        if let Some(task) = attempt.task {
            steps.entry(task).or_default().push(attempt.iteration);
        }
    }
    steps
}

/// How many attempts came after a failure until the task passed, that one included.
fn attempts_until(failure: &FailureFact, steps: &BTreeMap<TaskId, Vec<IterationId>>) -> Option<u32> {
    let attempts = steps.get(&failure.task?)?;
    let place = |iteration: IterationId| attempts.iter().position(|it| *it == iteration);
    let (failed, passed) = (place(failure.iteration)?, place(failure.resolved_by?)?);
    u32::try_from(passed.checked_sub(failed)?).ok()
}

/// How many moments lie in each part of a time, the oldest part first.
fn trend(moments: impl Iterator<Item = Seconds>, from: Seconds, to: Seconds) -> Vec<u32> {
    let mut parts = vec![0_u32; TREND_PARTS];
    let length = to.saturating_sub(from).max(1);
    for moment in moments {
        let share = moment.saturating_sub(from).max(0).saturating_mul(TREND_PARTS as Seconds) / length;
        let place = usize::try_from(share).unwrap_or(0).min(TREND_PARTS - 1);
        if let Some(part) = parts.get_mut(place) {
            *part += 1;
        }
    }
    parts
}

/// How many tasks were left after each change. What was there before the time begins is in its first point.
fn burndown(facts: &MetricFacts, from: Seconds) -> Vec<BurndownPoint> {
    let mut added: Vec<(Seconds, TaskId)> = facts.tasks.iter().map(|task| (task.created, task.id)).collect();
    added.sort_unstable();
    let mut added = added.into_iter().peekable();
    let mut open: BTreeSet<TaskId> = BTreeSet::new();
    let mut points: Vec<BurndownPoint> = Vec::new();
    for change in &facts.task_changes {
        while let Some((_, task)) = added.next_if(|(created, _)| *created <= change.at) {
            open.insert(task);
        }
        let known =
            if change.to.is_unfinished() { open.insert(change.task) } else { open.remove(&change.task) };
        if !known {
            continue;
        }
        let point = BurndownPoint { at: change.at_text.clone(), left: count(open.iter()) };
        if change.at < from {
            points.clear();
        }
        points.push(point);
    }
    if points.len() <= MOST_POINTS {
        return points;
    }
    let step = points.len().div_ceil(MOST_POINTS);
    let last = points.last().cloned();
    let mut fewer: Vec<BurndownPoint> = points.into_iter().step_by(step).collect();
    if fewer.last() != last.as_ref() {
        fewer.extend(last);
    }
    fewer
}
