//! What the tests inside this crate share.

use std::path::{Path, PathBuf};

use loopwright_domain::{
    CheckResult, CheckStatus, ControlKind, Event, EventSeq, Iteration, IterationId, Limits, Origin, Outcome,
    Phase, Progress, Run, RunId, RunKind, RunStatus, TaskDraft, TaskId,
};
use sqlx::sqlite::SqliteConnection;
use sqlx::{AssertSqlSafe, Connection};
use tempfile::TempDir;

use crate::connect::{Access, connect};
use crate::{Entry, NewTask, Store, StoreError, StoreOptions};

pub(crate) const NOW: &str = "2026-01-02T03:04:05Z";

/// A folder of its own with a path for a database that is not there yet.
pub(crate) fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("state.db");
    (folder, database)
}

/// A database with two tasks and their history.
pub(crate) async fn filled() -> (TempDir, PathBuf) {
    let (folder, database) = place();
    let (store, _) = Store::open(&database, NOW).await.unwrap();
    store.add_tasks(NOW, &[new_task("Boil water", []), new_task("Brew tea", [0])]).await.unwrap();
    store.close().await.unwrap();
    (folder, database)
}

/// A task that waits for others of its batch.
pub(crate) fn new_task(title: &str, waits_for: impl IntoIterator<Item = usize>) -> NewTask {
    let draft =
        TaskDraft { description: format!("{title} with care"), priority: 1, ..TaskDraft::titled(title) };
    NewTask { draft, after: waits_for.into_iter().collect() }
}

/// Three tasks that wait for each other and for one that was there before: a write of many steps.
pub(crate) fn batch() -> Vec<NewTask> {
    let mut first = new_task("Warm the pot", []);
    first.draft.depends_on.push(TaskId(1));
    vec![first, new_task("Find cups", []), new_task("Pour", [0, 1])]
}

pub(crate) fn some_event() -> Event {
    Event::TaskAdded { task: TaskId(1), title: "Boil water".into() }
}

/// A run with an iteration under way that has the result of one check, and two results by hand.
pub(crate) async fn running() -> (TempDir, PathBuf) {
    let (folder, database) = place();
    let (store, _) = Store::open(&database, NOW).await.unwrap();
    let checks = [a_check("lint")];
    let (run, iteration) = (a_run(), an_iteration());
    let entry =
        Entry { run: Some(&run), iteration: Some(&iteration), checks: &checks, events: &[some_event()] };
    store.journal(NOW, entry).await.unwrap();
    record_two_checks(&store).await.unwrap();
    store.close().await.unwrap();
    (folder, database)
}

/// Settles that iteration and ends its run: an entry with everything in it.
pub(crate) async fn journal_the_end(store: &Store) -> Result<Vec<(EventSeq, Event)>, StoreError> {
    let run = Run { status: RunStatus::Completed, ..a_run() };
    let iteration = Iteration { phase: Phase::Settled, outcome: Some(Outcome::Succeeded), ..an_iteration() };
    let checks = [a_check("lint"), CheckResult { position: 1, ..a_check("tests") }];
    let events = [some_event(), some_event()];
    let entry = Entry { run: Some(&run), iteration: Some(&iteration), checks: &checks, events: &events };
    store.journal(NOW, entry).await
}

/// Asks that run to pause.
pub(crate) async fn request_a_pause(store: &Store) -> Result<(), StoreError> {
    store.request(NOW, a_run().id, ControlKind::Pause, Origin::App).await.map(drop)
}

/// Writes down how two checks went that a person ran.
pub(crate) async fn record_two_checks(store: &Store) -> Result<(), StoreError> {
    let results = ["lint", "tests"].map(|name| (NOW.to_owned(), a_check(name)));
    store.record_checks_by_hand(&results).await
}

fn a_run() -> Run {
    Run {
        id: RunId::from_parts(1, [1; 10]),
        kind: RunKind::Loop,
        title: "Brew".into(),
        procedure: None,
        harness: "rehearsal".into(),
        status: RunStatus::Running,
        waiting: None,
        reason: None,
        code: None,
        message: None,
        limits: Limits::default(),
        progress: Progress::default(),
        goal: true,
        origin: Origin::Cli,
        started_at: NOW.into(),
        last_iteration_at: None,
        ended_at: None,
        head: None,
        tree: None,
        baseline: None,
        start_tree: None,
        approved_tree: None,
        holds: Vec::new(),
        options: "{}".into(),
    }
}

fn an_iteration() -> Iteration {
    Iteration {
        phase: Phase::Checking,
        ..Iteration::planned(IterationId::from_parts(2, [2; 10]), a_run().id, 0, 1, NOW.into())
    }
}

fn a_check(name: &str) -> CheckResult {
    CheckResult {
        name: name.into(),
        position: 0,
        required: true,
        status: CheckStatus::Passed,
        exit_code: Some(0),
        elapsed_ms: 1,
        issues: Vec::new(),
        excerpt: String::new(),
        problem: None,
        code: None,
        red_before: None,
    }
}

/// A connection that the store does not know of.
pub(crate) async fn stranger(database: &Path) -> SqliteConnection {
    connect(database, Access::Write, &StoreOptions::default()).await.unwrap()
}

/// Runs a statement on a connection that the store does not know of.
pub(crate) async fn meddle(database: &Path, statement: &'static str) {
    let mut connection = stranger(database).await;
    sqlx::raw_sql(statement).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

/// Every row of every table, and the schema.
pub(crate) async fn dump(database: &Path) -> Vec<String> {
    let mut connection = stranger(database).await;
    let selects: Vec<String> = sqlx::query_scalar(
        "SELECT 'SELECT ''' || t.name || ' '' || ' || group_concat('quote(\"' || c.name || '\")', ' || '','' || ')
             || ' FROM \"' || t.name || '\" ORDER BY 1'
         FROM sqlite_schema t, pragma_table_info(t.name) c
         WHERE t.type = 'table' AND t.sql NOT LIKE 'CREATE VIRTUAL%' GROUP BY t.name",
    )
    .fetch_all(&mut connection)
    .await
    .unwrap();
    let mut rows: Vec<String> =
        sqlx::query_scalar("SELECT coalesce(sql, name) FROM sqlite_schema ORDER BY name")
            .fetch_all(&mut connection)
            .await
            .unwrap();
    for select in selects {
        let found: Vec<String> =
            sqlx::query_scalar(AssertSqlSafe(select)).fetch_all(&mut connection).await.unwrap();
        rows.extend(found);
    }
    connection.close().await.unwrap();
    rows
}
