//! Reading stays quick in a long history: SQLite goes through an index, and sorts nothing but the few.

use sqlx::AssertSqlSafe;

use crate::test_support::{NOW, filled};
use crate::{Store, baseline, checks, controls, failures, gates, lists, runs, tasks};

async fn plan(store: &Store, query: &str) -> String {
    let rows: Vec<(i64, i64, i64, String)> =
        sqlx::query_as(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {query}")))
            .fetch_all(&mut *store.reader().await)
            .await
            .unwrap();
    rows.into_iter().map(|(_, _, _, step)| step).collect::<Vec<_>>().join("; ")
}

#[tokio::test]
async fn every_way_to_find_rows_goes_through_an_index() {
    let (_folder, database) = filled().await;
    let (store, _) = Store::open(&database, NOW).await.unwrap();
    let by_key = "SEARCH iterations USING INDEX sqlite_autoindex_iterations_2 (run=?)";
    let by_check = "SEARCH check_results USING INDEX check_results_by_name (name=?)";
    let by_hand = "SEARCH checks_by_hand USING INDEX checks_by_hand_by_name (name=?)";
    let cases = [
        (runs::find::RUN, "SEARCH runs USING INDEX sqlite_autoindex_runs_1 (id=?)"),
        (runs::find::LAST_RUN, "SCAN runs"),
        (runs::find::RUNS, "SCAN runs"),
        (
            runs::find::RUNS_BEFORE,
            "SEARCH runs USING INTEGER PRIMARY KEY (rowid<?); SCALAR SUBQUERY 1; \
             SEARCH runs USING COVERING INDEX sqlite_autoindex_runs_1 (id=?)",
        ),
        (runs::find::ITERATION, "SEARCH iterations USING INDEX sqlite_autoindex_iterations_1 (id=?)"),
        (
            runs::find::BY_NUMBER,
            "SEARCH iterations USING INDEX sqlite_autoindex_iterations_2 (run=? AND number=?)",
        ),
        (runs::find::OLDEST_FIRST, by_key),
        (runs::find::NEWEST_FIRST, by_key),
        (runs::find::COUNT, "SEARCH iterations USING COVERING INDEX iterations_by_cost (run=?)"),
        (
            runs::find::UNSETTLED,
            "SCAN iterations USING INDEX iterations_unsettled; USE TEMP B-TREE FOR ORDER BY",
        ),
        (
            checks::find::RESULTS,
            "SEARCH check_results USING INDEX sqlite_autoindex_check_results_1 (iteration=?)",
        ),
        (checks::find::HISTORY, by_check),
        (checks::find::TREND, by_check),
        (checks::find::HISTORY_BY_HAND, by_hand),
        (checks::find::TREND_BY_HAND, by_hand),
        (
            lists::find::BEFORE,
            "SEARCH iterations USING INDEX sqlite_autoindex_iterations_2 (run=? AND (number,attempt)<(?,?))",
        ),
        (
            lists::find::AFTER,
            "SEARCH iterations USING INDEX sqlite_autoindex_iterations_2 (run=? AND (number,attempt)>(?,?))",
        ),
        (lists::find::EVENTS, "SEARCH events USING INDEX events_by_iteration (<expr>=?)"),
        (tasks::find::EVENTS, "SEARCH events USING INDEX events_by_task (<expr>=?)"),
        (gates::find::REVERTED, "SEARCH events USING INDEX events_by_iteration (<expr>=?)"),
        (
            gates::find::BY_COMMIT,
            "SEARCH iterations USING INDEX iterations_by_commit (commit_id>? AND commit_id<?); USE TEMP B-TREE FOR ORDER BY",
        ),
        (failures::find::ALL, "SCAN failures"),
        (failures::find::BY_PATTERN, "SEARCH failures USING INDEX failures_by_pattern (pattern=?)"),
        (failures::find::BY_TASK, "SEARCH failures USING INDEX failures_by_task (task=?)"),
        (failures::find::ONE, "SEARCH failures USING INTEGER PRIMARY KEY (rowid=?)"),
        (baseline::FIND, "SEARCH baseline_results USING PRIMARY KEY (key=?)"),
        (controls::FIND, "SEARCH controls USING INDEX controls_by_run (run=? AND id>?)"),
    ];
    for (query, expected) in cases {
        assert_eq!(plan(&store, query).await, expected, "{query}");
    }
}

#[tokio::test]
async fn every_list_of_gates_has_an_index() {
    let (_folder, database) = filled().await;
    let (store, _) = Store::open(&database, NOW).await.unwrap();
    let cases = [
        (gates::find::GATE, "SEARCH gates USING INTEGER PRIMARY KEY (rowid=?)"),
        (gates::find::OPEN, "SEARCH gates USING INDEX gates_open (status=?)"),
        (gates::find::OF_ITERATION, "SEARCH gates USING INDEX gates_by_iteration (iteration=?)"),
        (gates::find::WORK_OF_ITERATION, "SEARCH gates USING INDEX gates_by_iteration (iteration=?)"),
        (gates::find::OF_TASK, "SEARCH gates USING INDEX gates_by_task (task=?)"),
        (gates::find::REVIEW_BEFORE, "SEARCH gates USING INDEX gates_by_run (run=? AND kind=? AND rowid<?)"),
        (gates::find::DECIDED, "SEARCH gates USING INDEX gates_decided (decided_at>?)"),
    ];
    for (query, expected) in cases {
        let found = plan(&store, query).await;
        assert!(found.starts_with(&format!("{expected}; CORRELATED")), "{query}: {found}");
        assert!(found.contains("SEARCH gate_comments USING INDEX gate_comments_by_gate (gate=?)"), "{found}");
    }
}

#[tokio::test]
async fn every_order_of_iterations_has_an_index() {
    let (_folder, database) = filled().await;
    let (store, _) = Store::open(&database, NOW).await.unwrap();
    let cases = [
        (lists::find::BY_NUMBER, "sqlite_autoindex_iterations_2"),
        (lists::find::BY_START, "iterations_by_start"),
        (lists::find::BY_DURATION, "iterations_by_duration"),
        (lists::find::BY_EXIT, "iterations_by_exit"),
        (lists::find::BY_OUTCOME, "iterations_by_outcome"),
        (lists::find::BY_TOKENS, "iterations_by_tokens"),
        (lists::find::BY_COST, "iterations_by_cost"),
    ];
    for (queries, index) in cases {
        for query in queries {
            let expected = format!("SEARCH iterations USING INDEX {index} (run=?)");
            assert_eq!(plan(&store, query).await, expected, "{query}");
        }
    }
}
