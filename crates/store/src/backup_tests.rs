//! Backups that fail, or meet what they must not touch.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use loopwright_domain::{ErrorCode, Event};

use crate::fault_injection::Faults;
use crate::test_support::{NOW, batch, dump, filled, meddle, place};
use crate::{Opened, Store, StoreOptions, StoreProblem};

fn failing_at(step: usize) -> StoreOptions {
    StoreOptions { faults: Faults::failing_at(step), ..StoreOptions::default() }
}

/// A backup of a filled database, in a folder of its own.
async fn backup() -> (tempfile::TempDir, PathBuf) {
    let (_original, database) = filled().await;
    let (folder, copy) = place();
    let (store, _) = Store::open(&database, NOW).await.unwrap();
    store.backup(&copy).await.unwrap();
    store.close().await.unwrap();
    (folder, copy)
}

#[tokio::test]
async fn a_backup_that_fails_at_any_step_leaves_the_earlier_one() {
    let (_folder, database) = filled().await;
    let (_copies, copy) = backup().await;
    let before = dump(&copy).await;
    let mut steps = 0;
    for step in 1.. {
        let (store, _) = Store::open_with(&database, NOW, failing_at(step)).await.unwrap();
        let result = store.backup(&copy).await;
        assert!(!copy.with_file_name("state.db.new").exists(), "{step}");
        if result.is_ok() {
            assert_eq!(dump(&copy).await, dump(&database).await);
            break;
        }
        assert_eq!(dump(&copy).await, before, "{step}");
        steps = step;
    }
    assert_eq!(steps, 2);
}

#[tokio::test]
async fn a_backup_waits_for_its_turn_and_says_where_it_could_not_go() {
    let (folder, database) = filled().await;
    let copy = folder.path().join("copies/state.db");
    let options = StoreOptions::default().busy_timeout(Duration::from_millis(50));
    let (store, _) = Store::open_with(&database, NOW, options).await.unwrap();
    store.backup(&copy).await.unwrap();
    let lock = fs::File::create(folder.path().join("copies/state.db.lock")).unwrap();
    lock.lock().unwrap();
    let error = store.backup(&copy).await.unwrap_err();
    assert_eq!((error.problem.code(), error.database), (ErrorCode::StoreBusy, copy));

    let below_a_file = folder.path().join("state.db/copy");
    let error = store.backup(&below_a_file).await.unwrap_err();
    assert_eq!((error.problem.code(), error.database), (ErrorCode::IoFailed, below_a_file));
    let error = store.backup(&database).await.unwrap_err();
    assert_eq!(error.problem.code(), ErrorCode::IoFailed);
    assert_eq!(store.tasks().await.unwrap().len(), 2);
}

#[tokio::test]
async fn a_log_that_lies_beside_an_earlier_backup_is_not_taken_for_the_new_ones() {
    let (_folder, database) = filled().await;
    let (copies, copy) = backup().await;
    let (opened, _) = Store::open(&copy, NOW).await.unwrap();
    opened.add_tasks(NOW, &batch()).await.unwrap();
    let log = fs::read(copies.path().join("state.db-wal")).unwrap();
    opened.close().await.unwrap();
    fs::write(copies.path().join("state.db-wal"), log).unwrap();
    let (store, _) = Store::open(&database, NOW).await.unwrap();
    store.backup(&copy).await.unwrap();
    let (restored, _) = Store::open(&copy, NOW).await.unwrap();
    assert_eq!(restored.tasks().await.unwrap().len(), 2);
    assert_eq!(restored.verify().await.unwrap(), Vec::<String>::new());
}

async fn assert_works(database: &Path, tasks: usize) -> Vec<Event> {
    let (store, opened) = Store::open(database, NOW).await.unwrap();
    assert_eq!(opened, Opened::Existing);
    assert_eq!(store.tasks().await.unwrap().len(), tasks);
    assert_eq!(store.verify().await.unwrap(), Vec::<String>::new());
    let events = store.recent_events(100).await.unwrap();
    store.close().await.unwrap();
    events.into_iter().map(|envelope| envelope.event).collect()
}

#[tokio::test]
async fn a_backup_takes_the_place_of_a_missing_database() {
    let (_copies, copy) = backup().await;
    let before = fs::read(&copy).unwrap();
    let (folder, _) = place();
    let database = folder.path().join("not/there/state.db");
    assert_eq!(Store::restore_backup(&copy, &database, NOW).await.unwrap(), None);
    assert_eq!(assert_works(&database, 2).await.len(), 2);
    assert_eq!(fs::read(&copy).unwrap(), before);
}

#[tokio::test]
async fn a_damaged_database_is_set_aside_for_a_backup_and_the_history_tells() {
    let (_copies, copy) = backup().await;
    let (folder, database) = place();
    fs::write(&database, "not a database").unwrap();
    fs::write(folder.path().join("state.db-wal"), "its log").unwrap();
    let aside = folder.path().join("state.db.damaged-1");
    let moved = Store::restore_backup(&copy, &database, NOW).await.unwrap();
    assert_eq!(moved.as_deref(), Some(&*aside));
    assert_eq!(fs::read(&aside).unwrap(), b"not a database");
    assert_eq!(fs::read(folder.path().join("state.db.damaged-1-wal")).unwrap(), b"its log");
    let events = assert_works(&database, 2).await;
    assert!(matches!(&events[0], Event::StoreRecovered { moved_to, .. } if moved_to == "state.db.damaged-1"));
}

#[tokio::test]
async fn a_sound_or_newer_database_is_never_replaced() {
    let (_copies, copy) = backup().await;
    let (_folder, database) = filled().await;
    let before = dump(&database).await;
    let error = Store::restore_backup(&copy, &database, NOW).await.unwrap_err();
    assert!(matches!(error.problem, StoreProblem::AlreadyThere), "{error:?}");
    assert_eq!(dump(&database).await, before);

    meddle(&database, "PRAGMA user_version = 99").await;
    let before = fs::read(&database).unwrap();
    let error = Store::restore_backup(&copy, &database, NOW).await.unwrap_err();
    assert_eq!((error.problem.code(), error.database), (ErrorCode::StoreNewerSchema, database.clone()));
    assert_eq!(fs::read(&database).unwrap(), before);
}

#[tokio::test]
async fn what_is_no_sound_backup_is_refused_and_changes_nothing() {
    let (_copies, copy) = backup().await;
    let good = fs::read(&copy).unwrap();
    let mut flipped = good.clone();
    flipped[3 * 4096..4 * 4096].fill(0xa5);
    let mut newer = good.clone();
    newer[60..64].copy_from_slice(&99_u32.to_be_bytes());
    let mut foreign = good.clone();
    foreign[68..72].fill(0);
    let cases: [(&[u8], ErrorCode); 6] = [
        (b"", ErrorCode::StoreCorrupt),
        (b"not a database", ErrorCode::StoreCorrupt),
        (&good[..good.len() / 2], ErrorCode::StoreCorrupt),
        (&flipped, ErrorCode::StoreCorrupt),
        (&foreign, ErrorCode::StoreCorrupt),
        (&newer, ErrorCode::StoreNewerSchema),
    ];
    for (index, (bytes, code)) in cases.into_iter().enumerate() {
        fs::write(&copy, bytes).unwrap();
        let (folder, database) = place();
        fs::write(&database, "damaged").unwrap();
        let error = Store::restore_backup(&copy, &database, NOW).await.unwrap_err();
        assert_eq!((error.problem.code(), &error.database), (code, &copy), "{index}: {error}");
        assert_eq!(fs::read(&database).unwrap(), b"damaged", "{index}");
        assert_eq!(fs::read(&copy).unwrap(), bytes, "{index}");
        assert_eq!(
            fs::read_dir(folder.path()).unwrap().count(),
            2,
            "{index}: only the database and its lock"
        );
    }
    fs::remove_file(&copy).unwrap();
    let (_folder, database) = place();
    let error = Store::restore_backup(&copy, &database, NOW).await.unwrap_err();
    assert_eq!(error.problem.code(), ErrorCode::IoFailed);
}

#[tokio::test]
async fn a_restore_that_failed_at_any_step_is_done_by_the_next() {
    let (_copies, copy) = backup().await;
    let mut steps = 0;
    for step in 1.. {
        let (folder, database) = place();
        fs::write(&database, "not a database").unwrap();
        let failed = Store::restore_backup_with(&copy, &database, NOW, failing_at(step)).await.is_err();
        if failed {
            Store::restore_backup(&copy, &database, NOW).await.unwrap();
        }
        let events = assert_works(&database, 2).await;
        assert!(matches!(events[0], Event::StoreRecovered { .. }), "{step}");
        assert_eq!(events.len(), 3, "{step}");
        assert_eq!(fs::read(folder.path().join("state.db.damaged-1")).unwrap(), b"not a database", "{step}");
        assert!(!folder.path().join("state.db.new").exists(), "{step}");
        if !failed {
            break;
        }
        steps = step;
    }
    assert!(steps >= 8, "{steps}");
}

#[cfg(unix)]
#[tokio::test]
async fn a_database_deleted_while_in_use_can_still_be_copied() {
    let (_folder, database) = filled().await;
    let (_copies, copy) = place();
    let (store, _) = Store::open(&database, NOW).await.unwrap();
    store.append(NOW, &crate::test_support::some_event()).await.unwrap();
    let before = dump(&database).await;
    for path in crate::layout::SUFFIXES.map(|suffix| crate::layout::with_suffix(&database, suffix)) {
        let _ = fs::remove_file(path);
    }
    assert!(!database.exists());
    store.backup(&copy).await.unwrap();
    assert_eq!(dump(&copy).await, before);
    assert!(!database.exists(), "nothing is put back by a copy");
}
