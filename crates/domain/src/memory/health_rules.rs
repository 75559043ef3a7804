//! How health is made from what happened: six factors by weight, each only from enough cases.

use std::collections::BTreeMap;

use crate::failure::UNKNOWN_PATTERN;
use crate::ids::TaskId;
use crate::memory::health::{HealthDirection, HealthFactor, HealthFactorKind, HealthPoint, HealthReport};
use crate::memory::metric_facts::{DAY, FailureFact, MetricFacts, Seconds, solutions_at};
use crate::task::TaskStatus;

/// As many of the newest iterations as the success rate looks at; its trend compares the halves of as many.
const NEWEST: usize = 20;
/// Of these at least so many have to be there.
const ENOUGH_ITERATIONS: u32 = 10;
const ENOUGH_SOLUTIONS: u32 = 3;
const ENOUGH_FAILURES: u32 = 5;
const ENOUGH_LEARNINGS: u32 = 3;
/// A smaller change is none.
const NOTICEABLE: u32 = 5;
/// Health is told only where factors of at least this weight, in percent, are known.
const ENOUGH_WEIGHT: u32 = 50;
/// The score is compared with that of so many days ago.
const COMPARED_DAYS: Seconds = 7;

/// Health now, what it was a week ago, and at the end of each of these days.
///
/// `days` names each day with its end, the oldest first.
#[must_use]
pub fn health(facts: &MetricFacts, now: Seconds, days: &[(String, Seconds)]) -> HealthReport {
    let factors = factors(facts, now);
    let score = score(&factors);
    let week_ago = score_at(facts, now.saturating_sub(COMPARED_DAYS * DAY));
    let history = days
        .iter()
        .filter_map(|(date, end)| Some(HealthPoint { date: date.clone(), score: score_at(facts, *end)? }))
        .collect();
    let best = factors
        .iter()
        .filter(|factor| factor.factor != HealthFactorKind::SuccessTrend && factor.raise.is_some())
        .filter(|factor| factor.gain > 0)
        .max_by(|one, other| one.gain.cmp(&other.gain).then_with(|| one.weight.cmp(&other.weight)))
        .map(|factor| factor.factor);
    HealthReport {
        score,
        week_ago,
        direction: score.zip(week_ago).map(|(now, before)| direction(now, before)),
        factors,
        best,
        history,
    }
}

fn direction(now: u32, before: u32) -> HealthDirection {
    if now > before + NOTICEABLE {
        HealthDirection::Improving
    } else if before > now + NOTICEABLE {
        HealthDirection::Declining
    } else {
        HealthDirection::Stable
    }
}

/// The score as it was at a time.
fn score_at(facts: &MetricFacts, at: Seconds) -> Option<u32> {
    score(&factors(facts, at))
}

/// The mean of the factors that are known, by weight; none where these are too few.
fn score(factors: &[HealthFactor]) -> Option<u32> {
    let known = factors.iter().filter_map(|factor| Some((factor.weight, factor.score?)));
    let (weight, sum) =
        known.fold((0, 0), |(weights, sum), (weight, score)| (weights + weight, sum + weight * score));
    (weight >= ENOUGH_WEIGHT).then(|| rounded(sum, weight))
}

/// A quotient, rounded; nothing divided by nothing is nothing.
fn rounded(part: u32, whole: u32) -> u32 {
    (part + whole / 2).checked_div(whole).unwrap_or(0)
}

fn share(part: u32, whole: u32) -> u32 {
    rounded(part.saturating_mul(100), whole)
}

fn count<T>(items: impl Iterator<Item = T>) -> u32 {
    u32::try_from(items.count()).unwrap_or(u32::MAX)
}

/// A factor before it is known whether it has enough cases.
struct Measured {
    factor: HealthFactorKind,
    weight: u32,
    score: u32,
    n: u32,
    needed: u32,
    detail: String,
    raise: Option<String>,
}

fn factors(facts: &MetricFacts, at: Seconds) -> Vec<HealthFactor> {
    let open: Vec<&FailureFact> = facts
        .failures
        .iter()
        .filter(|failure| failure.at <= at && failure.resolved_at.is_none_or(|resolved| resolved > at))
        .collect();
    let measured = [
        success_rate(facts, at, &open),
        success_trend(facts, at),
        solution_trust(facts, at),
        unblocked_tasks(facts, at),
        failures_resolved(facts, at, &open),
        learnings_used(facts, at),
    ];
    let known: u32 = measured.iter().filter(|it| it.n >= it.needed).map(|it| it.weight).sum();
    measured.into_iter().map(|it| told(it, known)).collect()
}

/// The factor as it is told: without a score where there are too few cases.
fn told(measured: Measured, known: u32) -> HealthFactor {
    let Measured { factor, weight, score, n, needed, detail, raise } = measured;
    let enough = n >= needed;
    HealthFactor {
        factor,
        weight,
        score: enough.then_some(score),
        n,
        needed,
        detail: if enough { detail } else { format!("not enough data: {n} of {needed}") },
        gain: if enough { rounded((100 - score.min(100)) * weight, known) } else { 0 },
        raise: raise.filter(|_| enough && score < 100),
    }
}

/// Whether each of the newest iterations passed, the newest first.
fn newest(facts: &MetricFacts, at: Seconds) -> Vec<bool> {
    facts.attempts.iter().rev().filter(|attempt| attempt.at <= at).take(NEWEST).map(|it| it.passed).collect()
}

fn success_rate(facts: &MetricFacts, at: Seconds, open: &[&FailureFact]) -> Measured {
    let newest = newest(facts, at);
    let (n, passed) = (count(newest.iter()), count(newest.iter().filter(|passed| **passed)));
    Measured {
        factor: HealthFactorKind::SuccessRate,
        weight: 30,
        score: share(passed, n),
        n,
        needed: ENOUGH_ITERATIONS,
        detail: format!("{passed} of the last {n} iterations passed"),
        raise: most_frequent(open).map(|(pattern, failures)| {
            format!(
                "solve {}: {} open",
                pattern.replace('_', " "),
                plural(failures, "failure is", "failures are")
            )
        }),
    }
}

fn success_trend(facts: &MetricFacts, at: Seconds) -> Measured {
    let newest = newest(facts, at);
    let (last, before) = newest.split_at_checked(NEWEST / 2).unwrap_or((&newest, &[]));
    let rate = |part: &[bool]| share(count(part.iter().filter(|passed| **passed)), count(part.iter()));
    let (last, before) = (rate(last), rate(before));
    Measured {
        factor: HealthFactorKind::SuccessTrend,
        weight: 15,
        // From 0, all the worse, by 50, the same, to 100.
        score: (100 + last).saturating_sub(before) / 2,
        n: count(newest.iter()),
        needed: u32::try_from(NEWEST).unwrap_or(u32::MAX),
        detail: format!("the last ten {last} %, the ten before {before} %"),
        raise: Some("rises by itself while iterations pass".to_owned()),
    }
}

fn solution_trust(facts: &MetricFacts, at: Seconds) -> Measured {
    let records = solutions_at(&facts.solutions, at);
    let n = count(records.iter());
    let sum: u32 = records.iter().map(|record| u32::from(record.trust.hundredths())).sum();
    let mean = rounded(sum, n);
    let lowest = records.iter().min_by_key(|record| (record.trust, record.solution));
    Measured {
        factor: HealthFactorKind::SolutionTrust,
        weight: 15,
        score: mean,
        n,
        needed: ENOUGH_SOLUTIONS,
        detail: format!(
            "{}, mean trust {}.{:02}",
            plural(n, "solution", "solutions"),
            mean / 100,
            mean % 100
        ),
        raise: lowest.map(|record| format!("improve or retire \"{}\", trust {}", record.title, record.trust)),
    }
}

/// Where each task stood at a time.
fn tasks_at(facts: &MetricFacts, at: Seconds) -> BTreeMap<TaskId, TaskStatus> {
    let there = facts.tasks.iter().filter(|task| task.created <= at);
    let mut standing: BTreeMap<TaskId, TaskStatus> =
        there.map(|task| (task.id, TaskStatus::Pending)).collect();
    for change in facts.task_changes.iter().filter(|change| change.at <= at) {
        if let Some(status) = standing.get_mut(&change.task) {
            *status = change.to;
        }
    }
    standing
}

fn unblocked_tasks(facts: &MetricFacts, at: Seconds) -> Measured {
    let mut standing = tasks_at(facts, at);
    standing.retain(|_, status| *status != TaskStatus::Cancelled);
    let n = count(standing.iter());
    let blocked: Vec<u32> = standing
        .iter()
        .filter(|(_, status)| **status == TaskStatus::Blocked)
        .map(|(task, _)| task.0)
        .collect();
    let stuck = count(blocked.iter());
    Measured {
        factor: HealthFactorKind::UnblockedTasks,
        weight: 15,
        score: share(n - stuck, n),
        n,
        needed: 1,
        detail: format!(
            "{stuck} of {} {} blocked",
            plural(n, "task", "tasks"),
            if stuck == 1 { "is" } else { "are" }
        ),
        raise: blocked.first().map(|first| match blocked.len() {
            1 => format!("unblock task {first}"),
            more => format!("unblock task {first} and {} more", more - 1),
        }),
    }
}

fn failures_resolved(facts: &MetricFacts, at: Seconds, open: &[&FailureFact]) -> Measured {
    let n = count(facts.failures.iter().filter(|failure| failure.at <= at));
    let left = count(open.iter());
    let nameless = count(open.iter().filter(|failure| failure.pattern == UNKNOWN_PATTERN));
    let raise = match (nameless, open.iter().rev().find_map(|failure| failure.task)) {
        (0, Some(task)) => Some(format!("finish task {}, which failed last", task.0)),
        (0, None) => None,
        (count, _) => Some(format!("name {} without a pattern", plural(count, "failure", "failures"))),
    };
    Measured {
        factor: HealthFactorKind::FailuresResolved,
        weight: 15,
        score: share(n - left, n),
        n,
        needed: ENOUGH_FAILURES,
        detail: format!("{} of {} solved", n - left, plural(n, "failure was", "failures were")),
        raise,
    }
}

fn learnings_used(facts: &MetricFacts, at: Seconds) -> Measured {
    let there = || facts.learnings.iter().filter(|learning| learning.at <= at);
    let n = count(there());
    let used = count(there().filter(|learning| learning.first_used.is_some_and(|first| first <= at)));
    let unused = n - used;
    Measured {
        factor: HealthFactorKind::LearningsUsed,
        weight: 10,
        score: share(used, n),
        n,
        needed: ENOUGH_LEARNINGS,
        detail: format!("{used} of {} in a prompt", plural(n, "learning was", "learnings were")),
        raise: (unused > 0).then(|| {
            format!("edit or remove {} that no prompt carried", plural(unused, "learning", "learnings"))
        }),
    }
}

/// The pattern with the most failures among these, the first by name of equals.
fn most_frequent<'a>(failures: &[&'a FailureFact]) -> Option<(&'a str, u32)> {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for failure in failures {
        *counts.entry(&failure.pattern).or_default() += 1;
    }
    let named = counts.into_iter().filter(|(pattern, _)| *pattern != UNKNOWN_PATTERN);
    named.max_by(|one, other| one.1.cmp(&other.1).then_with(|| other.0.cmp(one.0)))
}

fn plural(count: u32, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
