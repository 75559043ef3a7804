//! Finding runs, iterations, checks and requests again.

use loopwright_domain::{ControlKind, ErrorCode, Event, Iteration, Origin, Phase, Run, RunStatus};
use loopwright_store::{Entry, Order, Store};

use crate::samples::{new_run, planned, run_id};
use crate::support::NOW;

pub(crate) async fn empty() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let (store, _) = Store::open(&folder.path().join("state.db"), NOW).await.unwrap();
    (folder, store)
}

pub(crate) async fn add(store: &Store, run: &Run, iterations: &[Iteration]) {
    store.journal(NOW, Entry { run: Some(run), ..Entry::default() }).await.unwrap();
    for iteration in iterations {
        store.journal(NOW, Entry { iteration: Some(iteration), ..Entry::default() }).await.unwrap();
    }
}

#[tokio::test]
async fn runs_are_found_in_the_order_in_which_they_were_begun_whatever_their_clock_said() {
    let (_folder, store) = empty().await;
    assert_eq!(store.latest_run().await.unwrap(), None);
    assert_eq!(store.run(run_id(1)).await.unwrap(), None);
    let begun = [5, 9, 2, 7].map(new_run);
    for run in &begun {
        add(&store, run, &[]).await;
    }
    let changed = Run { status: RunStatus::Paused, ..begun[1].clone() };
    add(&store, &changed, &[]).await;
    assert_eq!(store.latest_run().await.unwrap(), Some(begun[3].clone()));
    assert_eq!(store.run(changed.id).await.unwrap(), Some(changed.clone()));
    let ids = async |limit, before: Option<u64>| -> Vec<_> {
        let runs = store.runs(limit, before.map(run_id)).await.unwrap();
        runs.into_iter().map(|run| run.id).collect()
    };
    assert_eq!(ids(10, None).await, [7, 2, 9, 5].map(run_id));
    assert_eq!(ids(2, None).await, [7, 2].map(run_id));
    assert_eq!(ids(2, Some(2)).await, [9, 5].map(run_id));
    assert_eq!(ids(2, Some(5)).await, []);
    assert_eq!(ids(2, Some(404)).await, []);
}

#[tokio::test]
async fn iterations_are_found_by_number_and_attempt_in_pages_from_both_ends() {
    let (_folder, store) = empty().await;
    let (run, other) = (new_run(1), new_run(2));
    let keys = [(0, 1), (1, 1), (1, 2), (1, 3), (2, 1)];
    // Written in another order than they count.
    let shuffled: Vec<Iteration> =
        [4, 1, 3, 0, 2].map(|index: usize| keys[index]).map(|(n, a)| planned(&run, n, a)).into();
    add(&store, &run, &shuffled).await;
    add(&store, &other, &[planned(&other, 0, 1)]).await;
    let page = async |offset, limit, order| -> Vec<(u32, u32)> {
        let page = store.iterations(run.id, offset, limit, order).await.unwrap();
        page.into_iter().map(|iteration| (iteration.number, iteration.attempt)).collect()
    };
    assert_eq!(page(0, 10, Order::OldestFirst).await, keys);
    assert_eq!(page(1, 2, Order::OldestFirst).await, keys[1..3]);
    assert_eq!(page(1, 2, Order::NewestFirst).await, [(1, 3), (1, 2)]);
    assert_eq!(page(5, 10, Order::NewestFirst).await, []);
    assert_eq!(page(u32::MAX, u32::MAX, Order::NewestFirst).await, []);
    assert_eq!(store.iteration_count(run.id).await.unwrap(), 5);
    assert_eq!(store.iteration_count(run_id(404)).await.unwrap(), 0);
    assert_eq!(store.last_iterations(run.id, 1).await.unwrap(), [planned(&run, 2, 1)]);
    assert_eq!(store.iteration_by_number(run.id, 1).await.unwrap(), Some(planned(&run, 1, 3)));
    assert_eq!(store.iteration_by_number(run.id, 3).await.unwrap(), None);
    assert_eq!(store.iteration(planned(&run, 1, 2).id).await.unwrap(), Some(planned(&run, 1, 2)));
}

#[tokio::test]
async fn what_is_not_settled_is_found_over_all_runs() {
    let (_folder, store) = empty().await;
    let runs = [new_run(1), new_run(2)];
    for run in &runs {
        for (number, phase) in (0..).zip(Phase::ALL) {
            let iteration = Iteration { phase: *phase, ..planned(run, number, 1) };
            add(&store, run, &[iteration]).await;
        }
    }
    let unsettled = store.unsettled().await.unwrap();
    assert_eq!(unsettled.len(), 2 * (Phase::ALL.len() - 1));
    assert!(unsettled.iter().all(|iteration| iteration.phase != Phase::Settled));
    assert_eq!(unsettled[0].run, runs[0].id);
}

#[tokio::test]
async fn requests_are_found_in_order_and_told_in_the_history() {
    let (_folder, store) = empty().await;
    let (run, other) = (new_run(1), new_run(2));
    add(&store, &run, &[]).await;
    add(&store, &other, &[]).await;
    let mut asked = Vec::new();
    for kind in ControlKind::ALL {
        asked.push(store.request(NOW, run.id, *kind, Origin::App).await.unwrap());
        store.request(NOW, other.id, *kind, Origin::Cli).await.unwrap();
    }
    assert_eq!(store.controls_after(run.id, 0).await.unwrap(), asked);
    assert_eq!(store.controls_after(run.id, asked[1].id).await.unwrap(), asked[2..]);
    assert_eq!(store.controls_after(run.id, u32::MAX).await.unwrap(), []);
    let newest = &store.recent_events(2).await.unwrap()[1].event;
    let expected = Event::ControlRequested { run: run.id, control: ControlKind::Cancel, origin: Origin::App };
    assert_eq!(newest, &expected);

    let seq = store.last_seq().await.unwrap();
    let error = store.request(NOW, run_id(404), ControlKind::Pause, Origin::Cli).await.unwrap_err();
    assert_eq!(error.problem.code(), ErrorCode::StoreRefused);
    assert_eq!(store.last_seq().await.unwrap(), seq);
}
