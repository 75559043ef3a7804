//! What checks found, in iterations and by hand.

use loopwright_domain::{CheckResult, CheckStatus, Issue, IterationId, Severity};
use loopwright_store::{Entry, MOST_BY_HAND, Store};
use proptest::prelude::*;

use crate::runs::{add, empty};
use crate::samples::{check, new_run, planned};
use crate::support::runtime;

async fn by_hand(store: &Store, at: &str, result: CheckResult) {
    store.record_checks_by_hand(&[(at.to_owned(), result)]).await.unwrap();
}

async fn seen(store: &Store, name: &str, limit: u32) -> Vec<(Option<IterationId>, String, CheckStatus)> {
    let points = store.check_trend(name, limit).await.unwrap();
    let history = store.check_history(name, limit).await.unwrap();
    let of_history: Vec<_> =
        history.into_iter().map(|past| (past.iteration, past.at, past.result.status)).collect();
    let seen: Vec<_> = points.into_iter().map(|point| (point.iteration, point.at, point.status)).collect();
    assert_eq!(seen, of_history, "both tell the same");
    seen
}

#[tokio::test]
async fn a_check_has_a_history_over_all_iterations_and_by_hand() {
    let (_folder, store) = empty().await;
    let run = new_run(1);
    add(&store, &run, &[]).await;
    for number in 0..4 {
        let status = if number % 2 == 0 { CheckStatus::Passed } else { CheckStatus::Failed };
        let iteration = planned(&run, number, 1);
        let checks = [check("lint", 0, CheckStatus::Passed), check("tests", 1, status)];
        let entry = Entry { iteration: Some(&iteration), checks: &checks, ..Entry::default() };
        store.journal(&format!("time {number}"), entry).await.unwrap();
    }
    by_hand(&store, "time 1.5", check("tests", 0, CheckStatus::TimedOut)).await;
    by_hand(&store, "time 9", check("lint", 0, CheckStatus::Broken)).await;
    assert_eq!(
        seen(&store, "tests", 3).await,
        [
            (Some(planned(&run, 3, 1).id), "time 3".to_owned(), CheckStatus::Failed),
            (Some(planned(&run, 2, 1).id), "time 2".to_owned(), CheckStatus::Passed),
            (None, "time 1.5".to_owned(), CheckStatus::TimedOut),
        ]
    );
    assert_eq!(seen(&store, "unknown", 3).await, []);
}

#[tokio::test]
async fn what_was_passed_over_or_stopped_tells_nothing() {
    let (_folder, store) = empty().await;
    let run = new_run(1);
    add(&store, &run, &[]).await;
    for (number, status) in (0..).zip(CheckStatus::ALL) {
        let (iteration, checks) = (planned(&run, number, 1), [check("tests", 0, *status)]);
        let entry = Entry { iteration: Some(&iteration), checks: &checks, ..Entry::default() };
        store.journal("2", entry).await.unwrap();
        by_hand(&store, "1", check("tests", 0, *status)).await;
    }
    let found: Vec<CheckStatus> =
        seen(&store, "tests", 20).await.into_iter().map(|(_, _, status)| status).collect();
    let ran = [CheckStatus::Broken, CheckStatus::TimedOut, CheckStatus::Failed, CheckStatus::Passed];
    assert_eq!(found, [ran, ran].concat());
}

#[tokio::test]
async fn the_last_hundred_by_hand_are_kept_and_the_last_one_whole() {
    let (_folder, store) = empty().await;
    let issue =
        Issue { severity: Severity::Error, file: Some("a.rs".into()), line: Some(3), message: "late".into() };
    let found = |name: &str| CheckResult {
        issues: vec![issue.clone()],
        excerpt: "end".into(),
        problem: Some("slow".into()),
        ..check(name, 7, CheckStatus::Failed)
    };
    by_hand(&store, "0", found("lint")).await;
    for number in 0..MOST_BY_HAND + 20 {
        by_hand(&store, &format!("{number:03}"), found("tests")).await;
    }
    let history = store.check_history("tests", 1000).await.unwrap();
    assert_eq!(u32::try_from(history.len()).unwrap(), MOST_BY_HAND);
    assert_eq!(history[0].result, found("tests"));
    let short = CheckResult { issues: vec![], excerpt: String::new(), ..found("tests") };
    assert!(history[1..].iter().all(|past| past.result == short));
    assert_eq!(history.last().unwrap().at, "020");
    assert_eq!(
        store.check_history("lint", 9).await.unwrap()[0].result,
        found("lint"),
        "others are untouched"
    );
    assert_eq!(store.verify().await.unwrap(), Vec::<String>::new());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    /// Whatever is recorded, in whatever rounds: each check has its newest ones, in their order.
    #[test]
    fn each_check_has_its_newest_results(rounds in prop::collection::vec(
        prop::collection::vec((0usize..3, any::<u32>()), 0..4), 0..30,
    )) {
        runtime().block_on(async {
            let (_folder, store) = empty().await;
            let names = ["a", "it's \"b\"", "ü\n"];
            let mut expected = [vec![], vec![], vec![]];
            for (number, round) in rounds.iter().enumerate() {
                let at = format!("{number:03}");
                let result = |(name, elapsed): &(usize, u32)| {
                    let result = check(names[*name], 0, CheckStatus::Passed);
                    (at.clone(), CheckResult { elapsed_ms: u64::from(*elapsed), ..result })
                };
                let results: Vec<_> = round.iter().map(result).collect();
                store.record_checks_by_hand(&results).await.unwrap();
                for (name, elapsed) in round {
                    expected[*name].insert(0, u64::from(*elapsed));
                }
            }
            for (name, expected) in names.iter().zip(&expected) {
                let found = store.check_trend(name, 30).await.unwrap();
                let found: Vec<u64> = found.iter().map(|point| point.elapsed_ms).collect();
                assert_eq!(found, expected.iter().take(30).copied().collect::<Vec<_>>());
            }
        });
    }
}

#[tokio::test]
async fn a_result_on_an_untouched_tree_is_known_for_its_time_and_no_longer() {
    let (_folder, store) = empty().await;
    let result = CheckResult { red_before: Some(true), ..check("tests", 3, CheckStatus::Passed) };
    let keep = |at: &'static str, expired: &'static str, key: &'static str| {
        let (store, kept) = (&store, vec![(key.to_owned(), result.clone())]);
        async move { store.keep_baseline_results(at, expired, &kept).await.unwrap() }
    };
    keep("2026-01-02T00:00:00Z", "2026-01-01T00:00:00Z", "one").await;
    let find = |key: &'static str, after: &'static str, until: &'static str| {
        let store = &store;
        async move { store.baseline_result(key, after, until).await.unwrap() }
    };
    assert_eq!(find("one", "2026-01-01T12:00:00Z", "2026-01-02T12:00:00Z").await, Some(result.clone()));
    assert_eq!(find("two", "2026-01-01T12:00:00Z", "2026-01-02T12:00:00Z").await, None, "another key");
    assert_eq!(find("one", "2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z").await, None, "a day old");
    assert_eq!(find("one", "2026-01-01T00:00:00Z", "2026-01-01T23:00:00Z").await, None, "from the future");
    keep("2026-01-03T00:00:00Z", "2026-01-02T00:00:00Z", "two").await;
    assert_eq!(find("one", "2026-01-01T00:00:00Z", "2026-01-03T00:00:00Z").await, None, "forgotten");
    store.keep_baseline_results("2026-01-03T00:00:00Z", "2026-01-02T00:00:00Z", &[]).await.unwrap();
    assert!(find("two", "2026-01-02T12:00:00Z", "2026-01-03T00:00:00Z").await.is_some());
}
