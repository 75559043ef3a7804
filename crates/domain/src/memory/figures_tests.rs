//! Figures and health from made-up histories.

use proptest::prelude::*;

use crate::failure::FailureCategory;
use crate::ids::{IterationId, TaskId};
use crate::memory::health::{HealthDirection, HealthFactorKind, HealthReport};
use crate::memory::health_rules::health;
use crate::memory::metric_facts::{
    AttemptFact, DAY, FailureFact, LearningFact, MetricFacts, Seconds, SolutionFact, TaskChangeFact, TaskFact,
};
use crate::memory::metric_rules::{metrics, patterns};
use crate::memory::solution_trust::{SolutionTrust, TrustReason};
use crate::memory::user_pattern::PatternStatus;
use crate::task::TaskStatus;
use crate::usage::Usage;

const NOW: Seconds = 1_800_000_000;

fn id(number: u128) -> IterationId {
    format!("{:032x}", number).parse().expect("an id")
}

/// One attempt each hour, the last of them now: `p` passed, `f` failed.
fn attempts(text: &str) -> Vec<AttemptFact> {
    let last = text.len();
    text.chars()
        .enumerate()
        .map(|(place, letter)| AttemptFact {
            iteration: id(place as u128),
            task: Some(TaskId(1)),
            harness: "claude".into(),
            model: Some("sonnet".into()),
            at: NOW - 3600 * Seconds::try_from(last - 1 - place).expect("few"),
            date: "2027-01-15".into(),
            passed: letter == 'p',
            by_hand: false,
            elapsed_ms: 60_000,
            usage: Usage { cost_micros: Some(10), ..Usage::default() },
        })
        .collect()
}

fn failure(pattern: &str, iteration: u128, at: Seconds, resolved: Option<(u128, Seconds)>) -> FailureFact {
    FailureFact {
        pattern: pattern.into(),
        category: FailureCategory::Test,
        iteration: id(iteration),
        task: Some(TaskId(1)),
        at,
        at_text: at.to_string(),
        resolved_by: resolved.map(|(number, _)| id(number)),
        resolved_at: resolved.map(|(_, at)| at),
        with_solution: resolved.is_some(),
        by_hand: false,
    }
}

fn solution(solution: u32, at: Seconds, trust: u8, reason: TrustReason) -> SolutionFact {
    SolutionFact {
        solution,
        title: format!("fix {solution}"),
        pattern: "network".into(),
        at,
        trust: SolutionTrust::of_hundredths(trust),
        reason,
    }
}

fn of(report: &HealthReport, kind: HealthFactorKind) -> (Option<u32>, u32, String) {
    let found = report.factors.iter().find(|factor| factor.factor == kind).expect("all six");
    (found.score, found.n, found.detail.clone())
}

#[test]
fn nothing_is_not_fifty() {
    let report = health(&MetricFacts::default(), NOW, &[("2027-01-15".into(), NOW)]);
    assert_eq!((report.score, report.week_ago, report.direction, report.best), (None, None, None, None));
    assert!(report.history.is_empty());
    assert!(report.factors.iter().all(|factor| factor.score.is_none() && factor.raise.is_none()));
    assert_eq!(report.factors.iter().map(|factor| factor.weight).sum::<u32>(), 100);
}

#[test]
fn a_factor_needs_enough_cases() {
    use HealthFactorKind::{SuccessRate, SuccessTrend};
    for (history, rate, trend) in [
        ("ppppppppp", None, None),
        ("pppppppppp", Some(100), None),
        ("ppppppfppp", Some(90), None),
        ("ffffffffffpppppppppp", Some(50), Some(100)),
        ("ppppppppppffffffffff", Some(50), Some(0)),
        ("pppppppppppppppppppp", Some(100), Some(50)),
        // Only the last twenty count.
        ("ffffffffffffpppppppppppppppppppp", Some(100), Some(50)),
    ] {
        let facts = MetricFacts { attempts: attempts(history), ..MetricFacts::default() };
        let report = health(&facts, NOW, &[]);
        assert_eq!((of(&report, SuccessRate).0, of(&report, SuccessTrend).0), (rate, trend), "{history}");
    }
    let facts = MetricFacts { attempts: attempts("ppp"), ..MetricFacts::default() };
    assert_eq!(of(&health(&facts, NOW, &[]), SuccessRate).2, "not enough data: 3 of 10");
}

#[test]
fn solutions_tasks_failures_and_learnings_count_as_they_stood() {
    use HealthFactorKind::{FailuresResolved, LearningsUsed, SolutionTrust as Trust, UnblockedTasks};
    let long_ago = NOW - 20 * DAY;
    let task = |id, status| TaskFact { id: TaskId(id), status, created: long_ago };
    let change = |task, at, to| TaskChangeFact { task: TaskId(task), at, at_text: at.to_string(), to };
    let facts = MetricFacts {
        solutions: vec![
            solution(1, long_ago, 30, TrustReason::Made),
            solution(2, long_ago, 30, TrustReason::Made),
            solution(3, long_ago, 30, TrustReason::Made),
            solution(4, long_ago, 90, TrustReason::Made),
            solution(1, NOW - DAY, 60, TrustReason::Helped),
            solution(4, NOW - DAY, 90, TrustReason::Retired),
        ],
        tasks: vec![
            task(1, TaskStatus::Blocked),
            task(2, TaskStatus::Done),
            task(3, TaskStatus::Pending),
            task(4, TaskStatus::Pending),
            task(5, TaskStatus::Cancelled),
        ],
        task_changes: vec![
            change(5, long_ago, TaskStatus::Cancelled),
            change(2, NOW - 9 * DAY, TaskStatus::Done),
            change(1, NOW - DAY, TaskStatus::Blocked),
        ],
        failures: (0..5)
            .map(|place| failure("network", place, long_ago, (place < 4).then_some((9, NOW - DAY))))
            .collect(),
        learnings: vec![
            LearningFact { at: long_ago, first_used: Some(NOW - DAY) },
            LearningFact { at: long_ago, first_used: Some(NOW - 9 * DAY) },
            LearningFact { at: long_ago, first_used: None },
        ],
        ..MetricFacts::default()
    };
    let now = health(&facts, NOW, &[]);
    assert_eq!(of(&now, Trust), (Some(40), 3, "3 solutions, mean trust 0.40".into()));
    assert_eq!(of(&now, UnblockedTasks), (Some(75), 4, "1 of 4 tasks is blocked".into()));
    assert_eq!(of(&now, FailuresResolved), (Some(80), 5, "4 of 5 failures were solved".into()));
    assert_eq!(of(&now, LearningsUsed), (Some(67), 3, "2 of 3 learnings were in a prompt".into()));
    // 15 x 40, 15 x 75, 15 x 80 and 10 x 67, of 55; a week ago 15 x 45, 15 x 100, nothing and 10 x 33.
    assert_eq!((now.score, now.week_ago), (Some(65), Some(46)));
    assert_eq!(now.direction, Some(HealthDirection::Improving));
    assert_eq!(now.best, Some(Trust));
    let raise = |kind| now.factors.iter().find(|it| it.factor == kind).and_then(|it| it.raise.clone());
    assert_eq!(raise(UnblockedTasks).as_deref(), Some("unblock task 1"));
    assert_eq!(raise(Trust).as_deref(), Some("improve or retire \"fix 2\", trust 0.30"));
}

fn plain(name: &str) -> (String, PatternStatus) {
    (format!("about {name}"), PatternStatus::BuiltIn)
}

#[test]
fn patterns_are_counted_in_their_time() {
    let facts = MetricFacts {
        attempts: attempts("ffpfp"),
        failures: vec![
            failure("network", 90, NOW - 40 * DAY, None),
            failure("network", 0, NOW - 9 * DAY, Some((2, NOW))),
            failure("network", 1, NOW, Some((2, NOW))),
            failure("timeout", 3, NOW - DAY, None),
        ],
        ..MetricFacts::default()
    };
    let recent = patterns(&facts, Some(10), NOW, &plain);
    let [network, timeout] = recent.as_slice() else { panic!("two patterns: {recent:?}") };
    assert_eq!((network.pattern.as_str(), network.failures, network.resolved), ("network", 2, 2));
    assert_eq!(
        network.attempts_until_resolved,
        Some(1.5),
        "two attempts after the first, one after the second"
    );
    assert_eq!(network.trend, [0, 1, 0, 0, 0, 0, 0, 0, 0, 1]);
    assert_eq!((network.usage.cost_micros, network.elapsed_ms), (Some(20), 120_000));
    assert_eq!((timeout.failures, timeout.resolved, timeout.attempts_until_resolved), (1, 0, None));
    let ever = patterns(&facts, None, NOW, &plain);
    assert_eq!(ever.first().map(|it| (it.failures, it.trend.first().copied())), Some((3, Some(1))));
}

#[test]
fn an_agent_is_rated_only_from_enough_attempts() {
    let facts = |text| MetricFacts { attempts: attempts(text), ..MetricFacts::default() };
    let few = metrics(&facts("ppppppppp"), None, NOW, &plain);
    let [agent] = few.agents.as_slice() else { panic!("one agent") };
    assert_eq!((agent.pass_rate, agent.attempts_per_task, agent.cost_per_task_micros), (None, None, None));
    assert_eq!(agent.minutes, Some(1.0));
    let many = metrics(&facts("ppppppppff"), None, NOW, &plain);
    let [agent] = many.agents.as_slice() else { panic!("one agent") };
    assert_eq!((agent.pass_rate, agent.finished, agent.attempts_per_task), (Some(80.0), 1, Some(10.0)));
    assert_eq!(agent.cost_per_task_micros, Some(100));
    assert_eq!(many.per_day.first().map(|day| (day.totals.passed, day.cost_by_harness.len())), Some((8, 1)));
}

#[test]
fn the_burndown_follows_every_change() {
    let task = |id, created| TaskFact { id: TaskId(id), status: TaskStatus::Pending, created };
    let change = |task, at, to| TaskChangeFact { task: TaskId(task), at, at_text: at.to_string(), to };
    let facts = MetricFacts {
        tasks: vec![task(1, 0), task(2, 0), task(3, NOW - 50)],
        task_changes: vec![
            change(1, NOW - 9 * DAY, TaskStatus::InProgress),
            change(1, NOW - 9 * DAY, TaskStatus::Done),
            change(2, NOW - 10, TaskStatus::Done),
            change(2, NOW - 5, TaskStatus::Pending),
            change(3, NOW, TaskStatus::Cancelled),
        ],
        ..MetricFacts::default()
    };
    let left = |days| {
        let points = metrics(&facts, days, NOW, &plain).burndown;
        points.iter().map(|point| point.left).collect::<Vec<_>>()
    };
    assert_eq!(left(None), [1, 1, 2, 1]);
    assert_eq!(left(Some(7)), [1, 1, 2, 1], "what was before is the first point");
}

proptest! {
    #[test]
    fn health_is_bounded_and_its_parts_add_up(
        history in "[pf]{0,60}",
        trusts in proptest::collection::vec(0_u8..=100, 0..8),
        resolved in 0_usize..12,
        failures in 0_usize..12,
    ) {
        let facts = MetricFacts {
            attempts: attempts(&history),
            solutions: (1_u32..).zip(trusts).map(|(number, trust)| solution(number, NOW - DAY, trust, TrustReason::Made)).collect(),
            failures: (0..failures)
                .map(|place| failure("network", place as u128, NOW - DAY, (place < resolved).then_some((99, NOW))))
                .collect(),
            ..MetricFacts::default()
        };
        let report = health(&facts, NOW, &[("a day".into(), NOW)]);
        prop_assert!(report.score.is_none_or(|score| score <= 100));
        for factor in &report.factors {
            prop_assert!(factor.score.is_none_or(|score| score <= 100 && factor.n >= factor.needed));
            prop_assert_eq!(factor.score.is_none(), factor.n < factor.needed);
        }
        prop_assert_eq!(report.history.first().map(|point| point.score), report.score);
        let sums = metrics(&facts, None, NOW, &plain);
        prop_assert_eq!(sums.totals.passed + sums.totals.failed, sums.totals.iterations);
        let by_day: u32 = sums.per_day.iter().map(|day| day.totals.iterations).sum();
        prop_assert_eq!(by_day, sums.totals.iterations);
    }
}
