//! Reading stays quick in a long history: SQLite goes through an index, and sorts nothing but the few.

use sqlx::AssertSqlSafe;

use crate::test_support::{NOW, filled};
use crate::{Store, checks, controls, runs};

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
        (runs::find::COUNT, "SEARCH iterations USING COVERING INDEX sqlite_autoindex_iterations_2 (run=?)"),
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
        (controls::FIND, "SEARCH controls USING INDEX controls_by_run (run=? AND id>?)"),
    ];
    for (query, expected) in cases {
        assert_eq!(plan(&store, query).await, expected, "{query}");
    }
}
