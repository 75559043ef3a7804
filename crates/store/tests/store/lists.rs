//! Iterations come in the order that was asked for, whatever is in them.

use std::cmp::Ordering;

use loopwright_domain::{Event, EventSeq, Iteration, Phase};
use loopwright_store::{Entry, IterationKey, Store};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::samples::{any_iteration, new_run, planned};
use crate::support::{NOW, runtime};

/// What is compared: values that are not known are told apart, and come last.
fn value(iteration: &Iteration, key: IterationKey) -> Option<Vec<u8>> {
    let number = |number: i128| {
        let shifted = u128::try_from(number + i128::from(u64::MAX)).unwrap();
        shifted.to_be_bytes().to_vec()
    };
    match key {
        IterationKey::Number => Some(Vec::new()),
        IterationKey::Started => Some(iteration.started_at.clone().into_bytes()),
        IterationKey::Duration => Some(number(iteration.elapsed_ms.into())),
        IterationKey::Exit => iteration.exit_code.map(|code| number(code.into())),
        IterationKey::Outcome => iteration.outcome.map(|outcome| outcome.as_str().into()),
        IterationKey::Tokens => Some(number(iteration.usage.tokens().into())),
        IterationKey::Cost => iteration.usage.cost_micros.map(|cost| number(cost.into())),
    }
}

fn compare(a: &Iteration, b: &Iteration, key: IterationKey, descending: bool) -> Ordering {
    let (one, two) = (value(a, key), value(b, key));
    let known = one.is_none().cmp(&two.is_none());
    let by_value = one.cmp(&two).then((a.number, a.attempt).cmp(&(b.number, b.attempt)));
    known.then(if descending { by_value.reverse() } else { by_value })
}

/// Numbers as agents have them, with many that are equal.
fn tame(mut iteration: Iteration, dice: u64) -> Iteration {
    iteration.usage.input = dice % 3;
    iteration.usage.output = dice % 5;
    iteration.usage.cache_read %= 1_000_000;
    iteration.usage.cache_write = 0;
    iteration.usage.cost_micros = iteration.usage.cost_micros.map(|cost| cost % 4);
    iteration.exit_code = iteration.exit_code.map(|code| code % 3);
    iteration.elapsed_ms %= 7;
    iteration.started_at = NOW.replace("05Z", &format!("{:02}Z", dice % 10));
    iteration
}

#[test]
fn every_order_is_the_one_asked_for() {
    let keys = [
        IterationKey::Number,
        IterationKey::Started,
        IterationKey::Duration,
        IterationKey::Exit,
        IterationKey::Outcome,
        IterationKey::Tokens,
        IterationKey::Cost,
    ];
    let run = new_run(1);
    let some = |place: u32| {
        let like = planned(&run, place / 2, place % 2 + 1);
        (any_iteration(like), any::<u64>()).prop_map(|(iteration, dice)| tame(iteration, dice))
    };
    let strategy = (0..30).map(some).collect::<Vec<_>>();
    let mut runner = TestRunner::new(Config { failure_persistence: None, cases: 6, ..Config::default() });
    runner
        .run(&strategy, |iterations| {
            let folder = tempfile::tempdir().unwrap();
            runtime().block_on(async {
                let (store, _) = Store::open(&folder.path().join("state.db"), NOW).await.unwrap();
                store.journal(NOW, Entry { run: Some(&run), ..Entry::default() }).await.unwrap();
                for iteration in &iterations {
                    let entry = Entry { iteration: Some(iteration), ..Entry::default() };
                    store.journal(NOW, entry).await.unwrap();
                }
                for (key, descending) in keys.into_iter().flat_map(|key| [(key, false), (key, true)]) {
                    let mut expected: Vec<&Iteration> = iterations.iter().collect();
                    expected.sort_by(|a, b| compare(a, b, key, descending));
                    let mut found = Vec::new();
                    for offset in [0, 20, 40] {
                        found.extend(
                            store.sorted_iterations(run.id, key, descending, offset, 20).await.unwrap(),
                        );
                    }
                    prop_assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{:?} {}", key, descending);
                }
                Ok(())
            })
        })
        .unwrap();
}

#[tokio::test]
async fn an_iteration_knows_its_neighbours_and_its_events() {
    let folder = tempfile::tempdir().unwrap();
    let (store, _) = Store::open(&folder.path().join("state.db"), NOW).await.unwrap();
    let (run, other) = (new_run(1), new_run(2));
    let [first, again, last] =
        [(0, 1), (0, 2), (1, 1)].map(|(number, attempt)| planned(&run, number, attempt));
    let foreign = planned(&other, 0, 1);
    for (run, iteration) in [(&run, &first), (&run, &again), (&run, &last), (&other, &foreign)] {
        let events = [Phase::Running, Phase::Checking]
            .map(|phase| Event::IterationPhase { iteration: iteration.id, phase });
        let entry = Entry { run: Some(run), iteration: Some(iteration), events: &events, ..Entry::default() };
        store.journal(NOW, entry).await.unwrap();
    }
    assert_eq!(store.iterations_beside(&first).await.unwrap(), [None, Some(again.id)]);
    assert_eq!(store.iterations_beside(&again).await.unwrap(), [Some(first.id), Some(last.id)]);
    assert_eq!(store.iterations_beside(&last).await.unwrap(), [Some(again.id), None]);
    assert_eq!(store.iterations_beside(&foreign).await.unwrap(), [None, None]);
    let seqs = |events: Vec<loopwright_domain::EventEnvelope>| {
        events.into_iter().map(|event| event.seq).collect::<Vec<_>>()
    };
    assert_eq!(seqs(store.events_of(again.id, 10).await.unwrap()), [EventSeq(3), EventSeq(4)]);
    assert_eq!(seqs(store.events_of(again.id, 1).await.unwrap()), [EventSeq(3)]);
}
