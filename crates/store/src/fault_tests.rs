//! A write that fails at any of its steps changes nothing.

use std::fs;
use std::path::Path;
use std::time::Duration;

use loopwright_domain::{ErrorCode, Event, EventSeq, Origin, TaskDraft, TaskId, TaskMove, TaskStatus};

use crate::fault_injection::Faults;
use crate::test_support::{
    NOW, batch, dump, filled, journal_the_end, meddle, place, record_two_checks, request_a_pause, running,
    some_event,
};
use crate::{Edit, ImportedTask, Opened, Store, StoreError, StoreOptions, TaskImport};

fn failing_at(step: usize) -> (StoreOptions, Faults) {
    let faults = Faults::failing_at(step);
    (StoreOptions { faults: faults.clone(), ..StoreOptions::default() }, faults)
}

/// Fails a write at each of its steps in turn, until it has no more, and returns how many it had.
async fn fail_every_step(database: &Path, write: impl AsyncFn(&Store) -> Result<(), StoreError>) -> usize {
    let before = dump(database).await;
    for step in 1.. {
        let (options, faults) = failing_at(step);
        let (store, _) = Store::open_with(database, NOW, options).await.unwrap();
        let result = write(&store).await;
        store.close().await.unwrap();
        let Err(error) = result else {
            assert_ne!(dump(database).await, before);
            assert_eq!(faults.steps_seen(), step - 1);
            return step - 1;
        };
        assert_eq!(error.problem.code(), ErrorCode::StoreFailed);
        assert_eq!(dump(database).await, before, "after a failure at step {step}");
    }
    unreachable!("a write has an end")
}

#[tokio::test]
async fn a_failure_at_any_step_of_adding_tasks_changes_nothing() {
    let (_folder, database) = filled().await;
    let steps =
        fail_every_step(&database, async |store| store.add_tasks(NOW, &batch()).await.map(drop)).await;
    // What they wait for is looked up; three tasks, all dependencies, all events, one commit.
    assert_eq!(steps, 1 + 3 + 1 + 1 + 1);
}

#[tokio::test]
async fn a_failure_at_any_step_of_changing_tasks_changes_nothing() {
    let tasks = [TaskId(1), TaskId(2)];
    let (_folder, database) = filled().await;
    let edit = Edit { at: NOW, tasks: &tasks, seen: None, origin: Origin::App };
    let steps = fail_every_step(&database, async |store| {
        let rewrite = |_, draft: &mut TaskDraft| {
            draft.notes = "soon".into();
            draft.depends_on.clear();
        };
        store.edit_tasks(edit, rewrite).await.map(drop)
    });
    // Facts and texts of two tasks, the links of one taken away, all events, one commit.
    assert_eq!(steps.await, 2 * 2 + 2 + 1 + 1);
    let steps = fail_every_step(&database, async |store| {
        let blocked = TaskMove::Block { reason: "no gas".into() };
        store.move_tasks(NOW, &tasks, &blocked, Origin::App).await.map(drop)
    });
    // For each task its failures counted and its status moved; all events, one commit.
    assert_eq!(steps.await, 2 * 2 + 1 + 1);
    let reopen =
        async |store: &Store| store.move_tasks(NOW, &tasks, &TaskMove::Reopen, Origin::App).await.map(drop);
    // For each task its status; failures forgiven, all events, one commit.
    assert_eq!(fail_every_step(&database, reopen).await, 2 + 1 + 1 + 1);
}

#[tokio::test]
async fn a_failure_at_any_step_of_an_import_changes_nothing() {
    let (_folder, database) = filled().await;
    let task = |name: &str, after: &[usize]| ImportedTask {
        draft: TaskDraft::titled(name),
        after: after.to_vec(),
        status: TaskStatus::Pending,
        blocked: None,
        external: Some(name.into()),
        rest: None,
    };
    let import = async |store: &Store, tasks: &[ImportedTask]| {
        let import =
            TaskImport { at: NOW, format: "scud", file: Some("tea.json"), tasks, origin: Origin::Cli };
        store.import_tasks(import).await.map(drop)
    };
    let first = [task("a", &[1]), task("b", &[])];
    // Two tasks, their dependencies, all events, one commit.
    assert_eq!(fail_every_step(&database, async |store| import(store, &first).await).await, 2 + 1 + 1 + 1);
    let mut second = [task("a", &[]), task("b", &[0])];
    (second[0].status, second[1].rest) = (TaskStatus::Done, Some("{}".into()));
    let steps = fail_every_step(&database, async |store| import(store, &second).await).await;
    // A status, a rest, the facts of both, their links exchanged, all events, one commit.
    assert_eq!(steps, 1 + 1 + 2 + 2 + 1 + 1 + 1);
}

#[tokio::test]
async fn a_failure_at_any_step_of_appending_changes_nothing() {
    let (_folder, database) = filled().await;
    let steps =
        fail_every_step(&database, async |store| store.append(NOW, &some_event()).await.map(drop)).await;
    assert_eq!(steps, 2);
}

#[tokio::test]
async fn a_failure_at_any_step_of_the_journal_changes_nothing() {
    let (_folder, database) = running().await;
    let steps = fail_every_step(&database, async |store| journal_the_end(store).await.map(drop)).await;
    // The iteration, its old checks, two new ones, the run, two events, one commit.
    assert_eq!(steps, 1 + 1 + 2 + 1 + 2 + 1);
}

#[tokio::test]
async fn a_failure_at_any_step_of_a_request_changes_nothing() {
    let (_folder, database) = running().await;
    assert_eq!(fail_every_step(&database, request_a_pause).await, 3);
}

#[tokio::test]
async fn a_failure_at_any_step_of_recording_checks_changes_nothing() {
    let (_folder, database) = running().await;
    let steps = fail_every_step(&database, record_two_checks).await;
    // For each check: the oldest go, the last is shortened, the new one is written; one commit.
    assert_eq!(steps, 2 * 3 + 1);
}

#[tokio::test]
async fn a_store_goes_on_after_a_failed_write_and_leaves_no_gap() {
    let (_folder, database) = filled().await;
    let (options, _) = failing_at(5);
    let (store, _) = Store::open_with(&database, NOW, options).await.unwrap();
    store.add_tasks(NOW, &batch()).await.unwrap_err();
    assert_eq!(store.append(NOW, &some_event()).await.unwrap(), EventSeq(3));
    let ids = store.add_tasks(NOW, &batch()).await.unwrap();
    assert_eq!(ids.iter().map(|id| id.0).collect::<Vec<_>>(), [3, 4, 5]);
    assert_eq!(store.verify().await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn a_failure_while_a_database_is_made_leaves_none() {
    let mut steps = 0;
    for step in 1.. {
        let (folder, database) = place();
        let (options, _) = failing_at(step);
        if Store::open_with(&database, NOW, options).await.is_ok() {
            break;
        }
        steps = step;
        assert!(!database.exists(), "after a failure at step {step}");
        let (store, opened) = Store::open(&database, NOW).await.unwrap();
        assert_eq!(opened, Opened::Created);
        assert_eq!(store.verify().await.unwrap(), Vec::<String>::new());
        store.close().await.unwrap();
        let left = ["state.db", "state.db.lock"];
        assert_eq!(files_left(folder.path(), &left).await, left);
    }
    assert_eq!(steps, 3);
}

#[tokio::test]
async fn a_recovery_that_failed_at_any_step_is_finished_and_reported_by_the_next() {
    let mut steps = 0;
    for step in 1.. {
        let (folder, database) = place();
        fs::write(&database, "not a database").unwrap();
        fs::write(folder.path().join("state.db-wal"), "its log").unwrap();
        let (options, _) = failing_at(step);
        let failed = Store::open_with(&database, NOW, options).await.is_err();

        let (store, opened) = Store::open(&database, NOW).await.unwrap();
        let events = store.recent_events(10).await.unwrap();
        store.close().await.unwrap();
        assert!(
            matches!(&events[..], [only] if matches!(only.event, Event::StoreRecovered { .. })),
            "{step}"
        );
        assert_eq!(fs::read(folder.path().join("state.db.damaged-1")).unwrap(), b"not a database", "{step}");
        assert_eq!(fs::read(folder.path().join("state.db.damaged-1-wal")).unwrap(), b"its log", "{step}");
        let left = ["state.db", "state.db.damaged-1", "state.db.damaged-1-wal", "state.db.lock"];
        assert_eq!(files_left(folder.path(), &left).await, left, "{step}");
        if !failed {
            break;
        }
        steps = step;
        assert!(matches!(opened, Opened::Recovered { .. } | Opened::Existing), "{step}");
    }
    assert!(steps >= 9, "{steps}");
}

#[tokio::test]
async fn a_failed_upgrade_leaves_the_database_as_it_was() {
    for step in 1..=4 {
        let (_folder, database) = empty_of_ours().await;
        let before = dump(&database).await;
        let (options, _) = failing_at(step);
        match Store::open_with(&database, NOW, options).await {
            Err(_) => assert_eq!(dump(&database).await, before, "{step}"),
            Ok((store, opened)) => {
                assert_eq!((step, opened), (4, Opened::Existing));
                assert_eq!(store.verify().await.unwrap(), Vec::<String>::new());
            }
        }
    }
}

#[tokio::test]
async fn an_upgrade_that_sqlite_refuses_half_way_leaves_the_database_as_it_was() {
    let (_folder, database) = empty_of_ours().await;
    meddle(&database, "CREATE TABLE tasks (in_the_way)").await;
    let before = dump(&database).await;
    let error = Store::open(&database, NOW).await.unwrap_err();
    assert_eq!(error.problem.code(), ErrorCode::StoreFailed);
    assert_eq!(dump(&database).await, before);
}

#[tokio::test]
async fn a_note_of_something_that_is_not_there_any_more_is_dropped() {
    let (folder, database) = place();
    fs::write(folder.path().join("state.db.suspect"), "state.db.damaged-1\nit was damaged\n").unwrap();
    let (store, opened) = Store::open(&database, NOW).await.unwrap();
    assert_eq!(opened, Opened::Created);
    store.close().await.unwrap();
    assert_eq!(file_names(folder.path()), ["state.db", "state.db.lock"]);
}

/// A database that says it is Loopwright's, from before the first migration.
async fn empty_of_ours() -> (tempfile::TempDir, std::path::PathBuf) {
    let (folder, database) = place();
    fs::write(&database, "").unwrap();
    meddle(
        &database,
        "PRAGMA application_id = 0x4c707772; CREATE TABLE old (value); INSERT INTO old VALUES (1)",
    )
    .await;
    (folder, database)
}

/// What is in the folder once all connections are closed: those that a failed opening gave up close in threads of their
/// own, and the last one takes the log with it.
async fn files_left(folder: &Path, expected: &[&str]) -> Vec<String> {
    for _ in 0..500 {
        let names = file_names(folder);
        if names == expected {
            return names;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    file_names(folder)
}

/// What is in the folder, but for SQLite's shared memory, which holds nothing of its own.
fn file_names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.ends_with("-shm"))
        .collect();
    names.sort();
    names
}
