//! What the journal writes comes back as it was, and what is against its rules changes nothing.

use loopwright_domain::{CheckStatus, ErrorCode, Event, EventSeq, Iteration, Outcome, Phase, Run, RunStatus};
use loopwright_store::{Entry, Order, Store, StoreError};
use proptest::prelude::*;

use crate::samples::{any_check, any_iteration, any_run, check, new_run, planned, run_id};
use crate::support::{NOW, runtime};

async fn empty() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let (store, _) = Store::open(&folder.path().join("state.db"), NOW).await.unwrap();
    (folder, store)
}

/// A store with one run and its first iteration.
async fn begun() -> (tempfile::TempDir, Store, Run, Iteration) {
    let (folder, store) = empty().await;
    let run = new_run(1);
    let iteration = planned(&run, 0, 1);
    write(&store, Some(&run), Some(&iteration)).await.unwrap();
    (folder, store, run, iteration)
}

async fn write(store: &Store, run: Option<&Run>, iteration: Option<&Iteration>) -> Result<(), StoreError> {
    store.journal(NOW, Entry { run, iteration, ..Entry::default() }).await.map(drop)
}

/// Writes with an event, expects a refusal that says so, and that nothing has changed.
async fn assert_refused(store: &Store, entry: Entry<'_>, says: &str) {
    let before = (store.runs(100, None).await.unwrap(), store.unsettled().await.unwrap());
    let seq = store.last_seq().await.unwrap();
    let events = [started(run_id(1))];
    let error = store.journal(NOW, Entry { events: &events, ..entry }).await.unwrap_err();
    assert_eq!(error.problem.code(), ErrorCode::StoreRefused, "{error}");
    assert!(error.to_string().contains(says), "{error}");
    assert_eq!((store.runs(100, None).await.unwrap(), store.unsettled().await.unwrap()), before);
    assert_eq!(store.last_seq().await.unwrap(), seq);
}

fn started(run: loopwright_domain::RunId) -> Event {
    Event::RunWarning { run, iteration: None, message: "large".into() }
}

fn with_status(run: &Run, status: RunStatus) -> Run {
    Run { status, ..run.clone() }
}

fn in_phase(iteration: &Iteration, phase: Phase) -> Iteration {
    Iteration { phase, ..iteration.clone() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_field_comes_back_equal(
        run in any_run(run_id(1)),
        iteration in any_iteration(planned(&new_run(1), 3, 2)),
        checks in (any_check(0), any_check(1), any_check(9)),
    ) {
        let checks = [checks.0, checks.1, checks.2];
        runtime().block_on(async {
            let (_folder, store) = empty().await;
            write(&store, Some(&new_run(1)), Some(&planned(&new_run(1), 3, 2))).await.unwrap();
            let entry = Entry { run: Some(&run), iteration: Some(&iteration), checks: &checks, events: &[] };
            store.journal(NOW, entry).await.unwrap();
            assert_eq!(store.run(run.id).await.unwrap().as_ref(), Some(&run));
            assert_eq!(store.iteration(iteration.id).await.unwrap().as_ref(), Some(&iteration));
            assert_eq!(store.check_results(iteration.id).await.unwrap(), checks);
        });
    }
}

#[tokio::test]
async fn an_entry_returns_the_places_of_its_events() {
    let (_folder, store, run, iteration) = begun().await;
    assert_eq!(store.last_seq().await.unwrap(), EventSeq(0));
    let events = [started(run.id), started(run.id), started(run.id)];
    let entry = Entry { iteration: Some(&iteration), events: &events, ..Entry::default() };
    let written = store.journal(NOW, entry).await.unwrap();
    assert_eq!(written, [1, 2, 3].map(|place| (EventSeq(place), started(run.id))));
    assert_eq!(store.last_seq().await.unwrap(), EventSeq(3));
    assert_eq!(store.journal(NOW, Entry::default()).await.unwrap(), []);
}

#[tokio::test]
async fn an_iteration_moves_forward_through_every_phase_and_never_back() {
    for (index, later) in Phase::ALL.iter().enumerate() {
        let (_folder, store, _, iteration) = begun().await;
        for phase in &Phase::ALL[..=index] {
            write(&store, None, Some(&in_phase(&iteration, *phase))).await.unwrap();
        }
        if *later == Phase::Settled {
            continue;
        }
        write(&store, None, Some(&in_phase(&iteration, *later))).await.unwrap();
        for earlier in &Phase::ALL[..index] {
            let back = in_phase(&iteration, *earlier);
            let entry = Entry { iteration: Some(&back), ..Entry::default() };
            assert_refused(&store, entry, "never goes back to an earlier phase").await;
        }
    }
}

#[tokio::test]
async fn what_a_commit_hook_changed_is_checked_again() {
    let (_folder, store, _, iteration) = begun().await;
    let committing =
        Iteration { tree_after: Some("1".repeat(40)), ..in_phase(&iteration, Phase::Committing) };
    write(&store, None, Some(&committing)).await.unwrap();
    let same = in_phase(&committing, Phase::Checking);
    let entry = Entry { iteration: Some(&same), ..Entry::default() };
    assert_refused(&store, entry, "never goes back to an earlier phase").await;
    for phase in [Phase::AgentDone, Phase::AwaitingApproval] {
        let other = Iteration { tree_after: Some("2".repeat(40)), ..in_phase(&committing, phase) };
        let entry = Entry { iteration: Some(&other), ..Entry::default() };
        assert_refused(&store, entry, "never goes back to an earlier phase").await;
    }
    let edited = Iteration { tree_after: Some("2".repeat(40)), ..in_phase(&committing, Phase::Checking) };
    write(&store, None, Some(&edited)).await.unwrap();
    write(&store, None, Some(&in_phase(&edited, Phase::Committing))).await.unwrap();
}

#[tokio::test]
async fn a_settled_iteration_never_changes() {
    let (_folder, store, _, iteration) = begun().await;
    let settled = Iteration { outcome: Some(Outcome::Succeeded), ..in_phase(&iteration, Phase::Settled) };
    let checks = [check("tests", 0, CheckStatus::Passed)];
    let entry = Entry { iteration: Some(&settled), checks: &checks, ..Entry::default() };
    store.journal(NOW, entry).await.unwrap();
    let other = [check("lint", 0, CheckStatus::Failed)];
    for phase in Phase::ALL {
        let changed = Iteration { outcome: Some(Outcome::Failed), ..in_phase(&settled, *phase) };
        let entry = Entry { iteration: Some(&changed), checks: &other, ..Entry::default() };
        assert_refused(&store, entry, "settled never changes again").await;
    }
    assert_eq!(store.iteration(settled.id).await.unwrap(), Some(settled.clone()));
    assert_eq!(store.check_results(settled.id).await.unwrap(), checks);
}

#[tokio::test]
async fn a_run_that_is_over_never_changes_and_takes_no_more_iterations() {
    for status in RunStatus::ALL {
        let (_folder, store, run, iteration) = begun().await;
        let settled = in_phase(&iteration, Phase::Settled);
        write(&store, Some(&with_status(&run, *status)), Some(&settled)).await.unwrap();
        let next = planned(&run, 1, 1);
        if !status.is_over() {
            write(&store, Some(&run), Some(&next)).await.unwrap();
            continue;
        }
        for later in RunStatus::ALL {
            let changed = with_status(&run, *later);
            let entry = Entry { run: Some(&changed), ..Entry::default() };
            assert_refused(&store, entry, "a run that is over never changes again").await;
        }
        let entry = Entry { iteration: Some(&next), ..Entry::default() };
        assert_refused(&store, entry, "takes no more iterations").await;
    }
}

#[tokio::test]
async fn what_a_crash_left_unsettled_can_be_settled_after_its_run_is_over() {
    let (_folder, store, run, iteration) = begun().await;
    write(&store, Some(&with_status(&run, RunStatus::Cancelled)), None).await.unwrap();
    assert_eq!(store.unsettled().await.unwrap(), std::slice::from_ref(&iteration));
    write(&store, None, Some(&in_phase(&iteration, Phase::Settled))).await.unwrap();
    assert_eq!(store.unsettled().await.unwrap(), []);
}

#[tokio::test]
async fn one_entry_may_begin_or_end_a_run_together_with_its_iteration() {
    let (_folder, store) = empty().await;
    let run = with_status(&new_run(1), RunStatus::Aborted);
    let only = in_phase(&planned(&run, 0, 1), Phase::Settled);
    write(&store, Some(&run), Some(&only)).await.unwrap();
    assert_eq!(store.iterations(run.id, 0, 9, Order::OldestFirst).await.unwrap(), [only]);
}

#[tokio::test]
async fn run_number_and_attempt_name_one_iteration_and_stay_with_it() {
    let (_folder, store, run, iteration) = begun().await;
    let other_run = new_run(2);
    write(&store, Some(&other_run), Some(&planned(&other_run, 0, 1))).await.unwrap();
    let twin = Iteration { id: planned(&run, 5, 5).id, ..iteration.clone() };
    let entry = Entry { iteration: Some(&twin), ..Entry::default() };
    assert_refused(&store, entry, "it is there already").await;
    let moved = [
        Iteration { run: other_run.id, ..iteration.clone() },
        Iteration { number: 7, ..iteration.clone() },
        Iteration { attempt: 7, ..iteration.clone() },
    ];
    for moved in moved {
        let entry = Entry { iteration: Some(&moved), ..Entry::default() };
        assert_refused(&store, entry, "keeps its run, its number and its attempt").await;
    }
}

#[tokio::test]
async fn nothing_is_written_about_what_is_not_there() {
    let (_folder, store, run, _) = begun().await;
    let stray = planned(&new_run(9), 0, 1);
    let entry = Entry { iteration: Some(&stray), ..Entry::default() };
    assert_refused(&store, entry, "names something that is not there").await;
    let mut of_a_task = planned(&run, 1, 1);
    of_a_task.task = Some(loopwright_domain::TaskId(4));
    let entry = Entry { iteration: Some(&of_a_task), ..Entry::default() };
    assert_refused(&store, entry, "names something that is not there").await;
    let checks = [check("tests", 0, CheckStatus::Passed)];
    let entry = Entry { checks: &checks, ..Entry::default() };
    assert_refused(&store, entry, "results of checks belong to an iteration").await;
    write(&store, None, Some(&planned(&run, 1, 1))).await.unwrap();
}

#[tokio::test]
async fn checks_take_the_place_of_those_there_were_and_none_leave_them() {
    let (_folder, store, _, iteration) = begun().await;
    let journal = async |checks: &[_]| {
        let entry = Entry { iteration: Some(&iteration), checks, ..Entry::default() };
        store.journal(NOW, entry).await.unwrap();
        store.check_results(iteration.id).await.unwrap()
    };
    let first = [check("tests", 1, CheckStatus::Failed), check("lint", 0, CheckStatus::Passed)];
    assert_eq!(journal(&first).await, [first[1].clone(), first[0].clone()]);
    assert_eq!(journal(&[]).await.len(), 2);
    let second = [check("tests", 0, CheckStatus::Passed)];
    assert_eq!(journal(&second).await, second);
}

#[tokio::test]
async fn a_count_that_sqlite_cannot_hold_is_the_largest_one_it_can() {
    let (_folder, store, _, mut iteration) = begun().await;
    iteration.elapsed_ms = u64::MAX;
    write(&store, None, Some(&iteration)).await.unwrap();
    let stored = store.iteration(iteration.id).await.unwrap().unwrap();
    assert_eq!(stored.elapsed_ms, u64::try_from(i64::MAX).unwrap());
}
