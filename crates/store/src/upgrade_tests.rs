//! A database of an older version is upgraded, and a copy of it stays.

use std::fs;
use std::path::{Path, PathBuf};

use loopwright_domain::{ErrorCode, Event, EventSeq};
use sqlx::Connection;
use tempfile::TempDir;

use crate::fault_injection::Faults;
use crate::schema::upgrade_to;
use crate::test_support::{NOW, dump, meddle, new_task, place, record_two_checks, stranger};
use crate::{Opened, Store, StoreOptions};

/// A database as the first version made it, with a task and an event.
async fn of_version_1() -> (TempDir, PathBuf) {
    let (folder, database) = place();
    fs::write(&database, "").unwrap();
    let mut connection = stranger(&database).await;
    upgrade_to(1, &mut connection, &Faults::default()).await.unwrap();
    connection.close().await.unwrap();
    meddle(
        &database,
        "INSERT INTO tasks (title, priority, created_at, updated_at) VALUES ('Brew', 1, '', '');
         INSERT INTO events (v, at, body)
         VALUES (1, '', '{\"type\":\"task.added\",\"task\":1,\"title\":\"Brew\"}')",
    )
    .await;
    (folder, database)
}

fn copy_beside(database: &Path) -> PathBuf {
    database.with_file_name("state.db.version-1")
}

#[tokio::test]
async fn an_upgrade_keeps_everything_and_a_copy_of_the_old_database() {
    let (folder, database) = of_version_1().await;
    let before = dump(&database).await;
    let (store, opened) = Store::open(&database, NOW).await.unwrap();
    assert_eq!(opened, Opened::Existing);
    let events = store.events_since(EventSeq(0), 9).await.unwrap();
    assert!(matches!(&events[0].event, Event::TaskAdded { title, .. } if title == "Brew"));
    assert_eq!(store.tasks().await.unwrap().len(), 1);
    assert_eq!(store.search_tasks("brew", 5).await.unwrap().len(), 1);
    assert_eq!(store.add_tasks(NOW, &[new_task("Pour", [])]).await.unwrap()[0].0, 2);
    assert_eq!(store.latest_run().await.unwrap(), None);
    record_two_checks(&store).await.unwrap();
    assert_eq!(store.check_trend("lint", 5).await.unwrap().len(), 1);
    assert_eq!(store.verify().await.unwrap(), Vec::<String>::new());
    store.close().await.unwrap();
    assert_eq!(dump(&copy_beside(&database)).await, before);
    let mut names: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["state.db", "state.db.lock", "state.db.version-1"]);
}

#[tokio::test]
async fn an_upgrade_that_fails_at_any_step_leaves_the_database_as_it_was() {
    for step in 1.. {
        let (_folder, database) = of_version_1().await;
        let before = dump(&database).await;
        let faults = Faults::failing_at(step);
        let options = StoreOptions { faults: faults.clone(), ..StoreOptions::default() };
        match Store::open_with(&database, NOW, options).await {
            Err(_) => assert_eq!(dump(&database).await, before, "{step}"),
            Ok(_) => {
                assert_eq!(faults.steps_seen(), step - 1);
                assert_eq!(step, 4, "the copy is written and placed, the upgrade is made");
                break;
            }
        }
        assert!(!database.with_file_name("state.db.version-1.new").exists(), "{step}");
        let (store, opened) = Store::open(&database, NOW).await.unwrap();
        assert_eq!(opened, Opened::Existing);
        store.close().await.unwrap();
        assert_eq!(dump(&copy_beside(&database)).await, before, "{step}");
    }
}

#[tokio::test]
async fn without_room_for_the_copy_there_is_no_upgrade() {
    let (_folder, database) = of_version_1().await;
    let before = dump(&database).await;
    fs::create_dir(copy_beside(&database)).unwrap();
    let error = Store::open(&database, NOW).await.unwrap_err();
    assert_eq!(error.problem.code(), ErrorCode::IoFailed);
    assert_eq!(dump(&database).await, before);
}

#[tokio::test]
async fn a_suspected_database_of_an_older_version_is_not_damaged_for_being_old() {
    let (folder, database) = of_version_1().await;
    fs::write(folder.path().join("state.db.suspect"), "").unwrap();
    assert_eq!(Store::open(&database, NOW).await.unwrap().1, Opened::Existing);
}
