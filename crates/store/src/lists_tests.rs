//! Lists stay quick in a run of 100,000 iterations and a history of as many events.

use loopwright_domain::{IterationId, RunId};
use tempfile::TempDir;

use crate::test_support::{NOW, meddle, running};
use crate::{IterationKey, Store};

const KEYS: [IterationKey; 7] = [
    IterationKey::Number,
    IterationKey::Started,
    IterationKey::Duration,
    IterationKey::Exit,
    IterationKey::Outcome,
    IterationKey::Tokens,
    IterationKey::Cost,
];

/// A run that already has an iteration gets 99,999 more, each with an event.
async fn long_run() -> (TempDir, Store) {
    let (folder, database) = running().await;
    meddle(
        &database,
        "BEGIN;
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99999)
         INSERT INTO iterations (id, run, number, attempt, phase, outcome, started_at, agent_ms, elapsed_ms,
             exit_code, claim, promise_checked, preview, usage, prompt_tokens, failing)
         SELECT printf('00000000-0000-7000-8000-%012d', i), (SELECT id FROM runs), i, 1, 'settled',
             iif(i % 5, 'succeeded', 'failed'), printf('2026-01-02T03:%02d:%02dZ', i / 60 % 60, i % 60), 1,
             i * 7919 % 100003, iif(i % 7, i % 3, NULL), 'none', 0, printf('%.200c', 'x'),
             json_object('input', i * 31 % 4001, 'output', 1, 'cache_read', 0, 'cache_write', 0,
                 'cost_micros', iif(i % 4, i % 1000, NULL)), 1, '[]'
         FROM n;
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99999)
         INSERT INTO events (v, at, body)
         SELECT 1, '2026-01-02T03:04:05Z', json_object('type', 'iteration.phase',
             'iteration', printf('00000000-0000-7000-8000-%012d', i), 'phase', 'running')
         FROM n;
         COMMIT;",
    )
    .await;
    let (store, _) = Store::open(&database, NOW).await.unwrap();
    (folder, store)
}

#[tokio::test]
async fn any_page_of_a_very_long_run_opens() {
    let (_folder, store) = long_run().await;
    let run: RunId = store.latest_run().await.unwrap().unwrap().id;
    assert_eq!(store.iteration_count(run).await.unwrap(), 100_000);
    for key in KEYS {
        for (descending, offset) in [(false, 0), (true, 0), (false, 99_900), (true, 50_000)] {
            let page = store.sorted_iterations(run, key, descending, offset, 100).await.unwrap();
            assert_eq!(page.len(), 100, "{key:?} {descending} {offset}");
        }
    }
    let id: IterationId = "00000000-0000-7000-8000-000000077777".parse().unwrap();
    let iteration = store.iteration(id).await.unwrap().unwrap();
    let [before, after] = store.iterations_beside(&iteration).await.unwrap();
    assert_eq!(before.unwrap().to_string(), "00000000-0000-7000-8000-000000077776");
    assert_eq!(after.unwrap().to_string(), "00000000-0000-7000-8000-000000077778");
    let events = store.events_of(id, 100).await.unwrap();
    assert_eq!(events.len(), 1);
}
