//! Trouble that comes from outside: other processes, full disks, files that vanish, damage, newer versions.

use std::fs;
use std::path::Path;
use std::time::Duration;

use loopwright_domain::ErrorCode;
use sqlx::Connection;

use crate::test_support::{NOW, batch, dump, filled, meddle, new_task, place, running, some_event, stranger};
use crate::{Opened, Store, StoreOptions};

#[tokio::test]
async fn a_write_gives_up_when_another_process_holds_the_lock_and_reads_go_on() {
    let (_folder, database) = filled().await;
    let options = StoreOptions::default().busy_timeout(Duration::from_millis(50));
    let (store, _) = Store::open_with(&database, NOW, options).await.unwrap();
    let mut other = stranger(&database).await;
    let held = other.begin_with("BEGIN IMMEDIATE").await.unwrap();

    let error = store.append(NOW, &some_event()).await.unwrap_err();
    assert_eq!(error.problem.code(), ErrorCode::StoreBusy);
    assert_eq!(store.tasks().await.unwrap().len(), 2);

    held.rollback().await.unwrap();
    store.append(NOW, &some_event()).await.unwrap();
}

#[tokio::test]
async fn a_write_holds_the_lock_before_its_first_statement() {
    let (_folder, database) = filled().await;
    let (store, _) = Store::open(&database, NOW).await.unwrap();
    let mut writer = store.writer().await.unwrap();
    let write = store.begin(&mut writer).await.unwrap();
    let options = StoreOptions::default().busy_timeout(Duration::from_millis(50));
    let (other, _) = Store::open_with(&database, NOW, options).await.unwrap();
    let error = other.append(NOW, &some_event()).await.unwrap_err();
    assert_eq!(error.problem.code(), ErrorCode::StoreBusy);
    drop(write);
    other.append(NOW, &some_event()).await.unwrap();
}

#[tokio::test]
async fn a_write_waits_for_another_process_that_finishes_in_time() {
    let (_folder, database) = filled().await;
    let (store, _) = Store::open(&database, NOW).await.unwrap();
    let mut other = stranger(&database).await;
    let held = other.begin_with("BEGIN IMMEDIATE").await.unwrap();
    let finishes = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        held.rollback().await.unwrap();
    };
    let event = some_event();
    let (appended, ()) = tokio::join!(store.append(NOW, &event), finishes);
    appended.unwrap();
}

#[tokio::test]
async fn opening_gives_up_when_another_process_is_making_the_database_for_too_long() {
    let (folder, database) = place();
    let lock = fs::File::create(folder.path().join("state.db.lock")).unwrap();
    lock.lock().unwrap();
    let options = StoreOptions::default().busy_timeout(Duration::from_millis(50));
    let error = Store::open_with(&database, NOW, options).await.unwrap_err();
    assert_eq!(error.problem.code(), ErrorCode::StoreBusy);
    assert!(!database.exists());
}

#[tokio::test]
async fn a_full_disk_is_told_and_changes_nothing_and_with_room_again_the_store_goes_on() {
    let (_folder, database) = filled().await;
    let before = dump(&database).await;
    let (store, _) = Store::open(&database, NOW).await.unwrap();
    let limit = "PRAGMA max_page_count = 1";
    sqlx::query(limit).execute(&mut *store.writer().await.unwrap()).await.unwrap();

    let mut tasks = batch();
    tasks.extend((0..500).map(|number| new_task(&format!("Cup {number}"), [])));
    let error = store.add_tasks(NOW, &tasks).await.unwrap_err();
    assert_eq!(error.problem.code(), ErrorCode::StoreFull);
    assert_eq!(dump(&database).await, before);
    // The limit was the old connection's own; a new one is made because SQLite gave up in the middle of a write.
    store.append(NOW, &some_event()).await.unwrap();
    store.close().await.unwrap();
}

#[cfg(unix)]
#[tokio::test]
async fn a_database_that_is_moved_or_replaced_while_open_is_noticed() {
    let (folder, database) = filled().await;
    let (store, _) = Store::open(&database, NOW).await.unwrap();
    store.append(NOW, &some_event()).await.unwrap();
    fs::rename(&database, folder.path().join("elsewhere")).unwrap();
    let gone = store.append(NOW, &some_event()).await.unwrap_err();
    assert_eq!(gone.problem.code(), ErrorCode::StoreGone);

    fs::copy(folder.path().join("elsewhere"), &database).unwrap();
    let replaced = store.tasks().await.unwrap_err();
    assert_eq!(replaced.problem.code(), ErrorCode::StoreGone);
}

/// A database too large to be read through at every opening, with the last page of its history overwritten.
async fn large_and_damaged() -> (tempfile::TempDir, std::path::PathBuf) {
    let (folder, database) = filled().await;
    let (store, _) = Store::open(&database, NOW).await.unwrap();
    let tasks: Vec<_> = (0..1_000).map(|number| new_task(&format!("Cup number {number}"), [])).collect();
    store.add_tasks(NOW, &tasks).await.unwrap();
    let page: i64 =
        sqlx::query_scalar("SELECT max(pageno) FROM dbstat WHERE name = 'events' AND pagetype = 'leaf'")
            .fetch_one(&mut *store.reader().await)
            .await
            .unwrap();
    store.close().await.unwrap();
    let mut bytes = fs::read(&database).unwrap();
    let end = usize::try_from(page).unwrap() * 4096;
    bytes[end - 4096..end].fill(0xa5);
    fs::write(&database, bytes).unwrap();
    (folder, database)
}

#[tokio::test]
async fn damage_met_while_reading_is_told_and_set_aside_at_the_next_opening() {
    let (folder, database) = large_and_damaged().await;
    let damaged = fs::read(&database).unwrap();
    let (store, opened) = Store::open(&database, NOW).await.unwrap();
    assert_eq!(opened, Opened::Existing);
    let error = store.recent_events(5).await.unwrap_err();
    assert_eq!(error.problem.code(), ErrorCode::StoreCorrupt);
    store.close().await.unwrap();

    let (store, opened) = Store::open(&database, NOW).await.unwrap();
    assert!(matches!(opened, Opened::Recovered { .. }), "{opened:?}");
    assert_eq!(store.tasks().await.unwrap(), []);
    assert_eq!(fs::read(folder.path().join("state.db.damaged-1")).unwrap(), damaged);
    store.close().await.unwrap();
    assert_eq!(Store::open(&database, NOW).await.unwrap().1, Opened::Existing);
}

#[tokio::test]
async fn verifying_finds_damage_that_opening_did_not_meet() {
    let (_folder, database) = large_and_damaged().await;
    let (store, opened) = Store::open(&database, NOW).await.unwrap();
    assert_eq!(opened, Opened::Existing);
    assert_ne!(store.verify().await.unwrap(), Vec::<String>::new());
    store.close().await.unwrap();
    assert!(matches!(Store::open(&database, NOW).await.unwrap().1, Opened::Recovered { .. }));
}

#[tokio::test]
async fn verifying_finds_missing_events_and_tasks() {
    let (_folder, database) = filled().await;
    meddle(
        &database,
        "DROP TRIGGER events_never_vanish; DELETE FROM events WHERE seq = 1;
         PRAGMA foreign_keys = OFF; DELETE FROM tasks WHERE id = 1;",
    )
    .await;
    let (store, _) = Store::open(&database, NOW).await.unwrap();
    assert_eq!(
        store.verify().await.unwrap(),
        [
            "1 of task_dependencies name something that does not exist",
            "1 events are missing from the history"
        ]
    );
}

#[tokio::test]
async fn verifying_finds_bytes_that_are_no_text_in_the_journal() {
    for statement in [
        "UPDATE runs SET title = CAST(X'6cff' AS TEXT)",
        "UPDATE iterations SET preview = CAST(X'6cff' AS TEXT)",
        "UPDATE check_results SET excerpt = CAST(X'6cff' AS TEXT)",
        "UPDATE checks_by_hand SET excerpt = CAST(X'6cff' AS TEXT)",
    ] {
        let (_folder, database) = running().await;
        meddle(&database, statement).await;
        let (store, _) = Store::open(&database, NOW).await.unwrap();
        assert_ne!(store.verify().await.unwrap(), Vec::<String>::new(), "{statement}");
    }
}

#[tokio::test]
async fn the_words_of_another_version_are_told_and_are_no_damage() {
    let (folder, database) = running().await;
    meddle(
        &database,
        "UPDATE runs SET reason = 'boredom'; UPDATE iterations SET usage = '7';
         UPDATE check_results SET status = 'maybe'",
    )
    .await;
    let (store, _) = Store::open(&database, NOW).await.unwrap();
    let errors = [
        store.latest_run().await.unwrap_err(),
        store.unsettled().await.unwrap_err(),
        store.check_history("lint", 1).await.unwrap_err(),
    ];
    for (error, says) in
        errors.iter().zip(["\"boredom\" is unknown", "iterations.usage", "check_results.status"])
    {
        assert_eq!(error.problem.code(), ErrorCode::StoreNewerSchema);
        assert!(error.to_string().contains(says), "{error}");
    }
    assert!(!folder.path().join("state.db.suspect").exists());
}

#[tokio::test]
async fn an_unfounded_suspicion_is_dropped() {
    let (folder, database) = filled().await;
    let mark = folder.path().join("state.db.suspect");
    fs::write(&mark, "").unwrap();
    assert_eq!(Store::open(&database, NOW).await.unwrap().1, Opened::Existing);
    assert!(!mark.exists());
}

#[tokio::test]
async fn history_cannot_be_changed_even_by_statement() {
    let (_folder, database) = filled().await;
    let mut connection = stranger(&database).await;
    for statement in ["UPDATE events SET at = ''", "DELETE FROM events"] {
        let error = sqlx::query(statement).execute(&mut connection).await.unwrap_err();
        assert!(error.to_string().contains("history is only added to"), "{error}");
    }
}

#[tokio::test]
async fn the_search_index_follows_changed_and_deleted_tasks() {
    let (_folder, database) = filled().await;
    meddle(&database, "UPDATE tasks SET title = 'Steep leaves', description = '' WHERE id = 2").await;
    let (store, _) = Store::open(&database, NOW).await.unwrap();
    assert_eq!(store.search_tasks("brew", 5).await.unwrap(), []);
    assert_eq!(store.search_tasks("steep", 5).await.unwrap().len(), 1);
    meddle(&database, "DELETE FROM task_dependencies; DELETE FROM tasks WHERE id = 2").await;
    assert_eq!(store.search_tasks("steep", 5).await.unwrap(), []);
    assert_eq!(store.verify().await.unwrap(), Vec::<String>::new());
    assert_eq!(store.add_tasks(NOW, &[new_task("Next", [])]).await.unwrap()[0].0, 3, "ids are not reused");
}

#[tokio::test]
async fn a_database_without_the_write_ahead_log_gets_it_back() {
    let (_folder, database) = filled().await;
    meddle(&database, "PRAGMA journal_mode = DELETE").await;
    let (store, opened) = Store::open(&database, NOW).await.unwrap();
    assert_eq!(opened, Opened::Existing);
    let mode: String =
        sqlx::query_scalar("PRAGMA journal_mode").fetch_one(&mut *store.reader().await).await.unwrap();
    assert_eq!(mode, "wal");
    assert_eq!(store.tasks().await.unwrap().len(), 2);
}

#[tokio::test]
async fn both_connections_are_set_up_as_documented() {
    let (_folder, database) = filled().await;
    let (store, _) = Store::open(&database, NOW).await.unwrap();
    for connection in [&mut *store.reader().await, &mut *store.writer().await.unwrap()] {
        for (pragma, expected) in [
            ("SELECT journal_mode FROM pragma_journal_mode", "wal"),
            ("SELECT synchronous FROM pragma_synchronous", "2"),
            ("SELECT foreign_keys FROM pragma_foreign_keys", "1"),
            ("SELECT timeout FROM pragma_busy_timeout", "5000"),
            ("SELECT trusted_schema FROM pragma_trusted_schema", "0"),
        ] {
            let query = sqlx::query_scalar::<_, String>(sqlx::AssertSqlSafe(format!(
                "SELECT CAST(({pragma}) AS TEXT)"
            )));
            assert_eq!(query.fetch_one(&mut *connection).await.unwrap(), expected, "{pragma}");
        }
    }
}

/// A newer database that a crash left with everything still in its log.
async fn newer_with_a_log(folder: &Path) -> std::path::PathBuf {
    let (_original_folder, original) = filled().await;
    let mut connection = stranger(&original).await;
    sqlx::raw_sql("PRAGMA user_version = 99; DELETE FROM task_dependencies")
        .execute(&mut connection)
        .await
        .unwrap();
    let database = folder.join("state.db");
    for suffix in ["", "-wal"] {
        let name = |path: &Path| crate::layout::with_suffix(path, suffix);
        fs::copy(name(&original), name(&database)).unwrap();
    }
    database
}

#[tokio::test]
async fn a_newer_database_keeps_even_its_log_untouched() {
    let folder = tempfile::tempdir().unwrap();
    let database = newer_with_a_log(folder.path()).await;
    let log = folder.path().join("state.db-wal");
    let before = (fs::read(&database).unwrap(), fs::read(&log).unwrap());
    assert!(!before.1.is_empty());
    let error = Store::open(&database, NOW).await.unwrap_err();
    assert_eq!(error.problem.code(), ErrorCode::StoreNewerSchema);
    assert_eq!((fs::read(&database).unwrap(), fs::read(&log).unwrap()), before);
}
