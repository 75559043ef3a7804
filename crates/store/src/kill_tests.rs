//! A process killed at any step of a write leaves the database as it was.
//!
//! The process is this test program again, running only `the_process_to_kill`.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use loopwright_domain::Event;

use crate::fault_injection::Faults;
use crate::test_support::{NOW, batch, dump, filled, journal_the_end, place, running, some_event};
use crate::{Opened, Store, StoreOptions};

#[test]
#[ignore = "a process that the other tests start and kill"]
fn the_process_to_kill() {
    let database = std::env::var_os("STORE_TEST_DATABASE").unwrap();
    let step = std::env::var("STORE_TEST_STEP").unwrap().parse().unwrap();
    let options = StoreOptions { faults: Faults::stopping_at(step), ..StoreOptions::default() };
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
        let (store, _) = Store::open_with(Path::new(&database), NOW, options).await.unwrap();
        match std::env::var("STORE_TEST_WRITE").unwrap().as_str() {
            "add_tasks" => drop(store.add_tasks(NOW, &batch()).await.unwrap()),
            "append" => drop(store.append(NOW, &some_event()).await.unwrap()),
            "journal" => drop(journal_the_end(&store).await.unwrap()),
            "open" => {}
            other => panic!("there is no write called {other}"),
        }
        store.close().await.unwrap();
    });
}

/// Starts the process and kills it when it has reached the step. Whether it had so many.
#[expect(clippy::disallowed_methods, reason = "tests start programs themselves")]
fn killed_at(step: usize, write: &str, database: &Path) -> bool {
    let mut process = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "kill_tests::the_process_to_kill", "--ignored", "--nocapture"])
        .env("STORE_TEST_DATABASE", database)
        .env("STORE_TEST_STEP", step.to_string())
        .env("STORE_TEST_WRITE", write)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let reached = BufReader::new(process.stdout.take().unwrap())
        .lines()
        .any(|line| line.unwrap() == format!("stopped at step {step}"));
    if reached {
        process.kill().unwrap();
        process.wait().unwrap();
    } else {
        assert!(process.wait().unwrap().success());
    }
    reached
}

async fn kill_at_every_step(write: &str, database: &Path) -> usize {
    let before = dump(database).await;
    for step in 1.. {
        if !killed_at(step, write, database) {
            assert_ne!(dump(database).await, before);
            return step - 1;
        }
        let (store, opened) = Store::open(database, NOW).await.unwrap();
        assert_eq!(opened, Opened::Existing);
        assert_eq!(store.verify().await.unwrap(), Vec::<String>::new());
        store.close().await.unwrap();
        assert_eq!(dump(database).await, before, "killed at step {step}");
    }
    unreachable!("a write has an end")
}

#[tokio::test]
async fn a_kill_at_any_step_of_adding_tasks_changes_nothing() {
    let (_folder, database) = filled().await;
    assert_eq!(kill_at_every_step("add_tasks", &database).await, 7);
}

#[tokio::test]
async fn a_kill_at_any_step_of_appending_changes_nothing() {
    let (_folder, database) = filled().await;
    assert_eq!(kill_at_every_step("append", &database).await, 2);
}

#[tokio::test]
async fn a_kill_at_any_step_of_the_journal_changes_nothing() {
    let (_folder, database) = running().await;
    assert_eq!(kill_at_every_step("journal", &database).await, 8);
}

#[tokio::test]
async fn a_kill_while_a_database_is_made_leaves_none() {
    for step in 1.. {
        let (_folder, database) = place();
        if !killed_at(step, "open", &database) {
            assert_eq!(step - 1, 3);
            break;
        }
        assert!(!database.exists(), "killed at step {step}");
        let (store, opened) = Store::open(&database, NOW).await.unwrap();
        assert_eq!(opened, Opened::Created);
        assert_eq!(store.verify().await.unwrap(), Vec::<String>::new());
    }
}

#[tokio::test]
async fn a_recovery_killed_at_any_step_is_finished_and_reported_by_the_next() {
    for step in 1.. {
        let (folder, database) = place();
        fs::write(&database, "not a database").unwrap();
        fs::write(folder.path().join("state.db-wal"), "its log").unwrap();
        let killed = killed_at(step, "open", &database);
        let (store, _) = Store::open(&database, NOW).await.unwrap();
        let events = store.recent_events(10).await.unwrap();
        assert!(
            matches!(&events[..], [only] if matches!(only.event, Event::StoreRecovered { .. })),
            "{step}"
        );
        assert_eq!(fs::read(folder.path().join("state.db.damaged-1")).unwrap(), b"not a database", "{step}");
        assert_eq!(fs::read(folder.path().join("state.db.damaged-1-wal")).unwrap(), b"its log", "{step}");
        if !killed {
            assert!(step > 9, "{step}");
            break;
        }
    }
}
