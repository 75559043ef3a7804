//! Opening a database that is missing, there, or newer, and what it leaves behind.

use std::fs;
use std::path::Path;

use loopwright_domain::{ErrorCode, Event, EventSeq, Fault, Origin};
use loopwright_store::{Entry, Opened, Store, StoreProblem};

use crate::support::{NOW, contents};

fn created(name: &str) -> Event {
    Event::ProjectCreated { name: name.into(), origin: Origin::Cli, sample: false }
}

#[tokio::test]
async fn a_missing_database_is_made_with_its_folder_and_is_there_the_next_time() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("not/yet/there/state.db");
    let (store, opened) = Store::open(&database, NOW).await.unwrap();
    assert_eq!(opened, Opened::Created);
    assert_eq!(store.append(NOW, &created("tea")).await.unwrap(), EventSeq(1));
    store.close().await.unwrap();

    let (store, opened) = Store::open(&database, NOW).await.unwrap();
    assert_eq!(opened, Opened::Existing);
    let events = store.recent_events(10).await.unwrap();
    assert_eq!(events.len(), 1);
    assert_eq!((&events[0].event, events[0].at.as_str()), (&created("tea"), NOW));
    assert_eq!(store.verify().await.unwrap(), Vec::<String>::new());
    store.close().await.unwrap();
    let files = contents(database.parent().unwrap());
    assert_eq!(files.keys().collect::<Vec<_>>(), ["state.db", "state.db.lock"]);
}

#[tokio::test]
async fn a_store_that_is_only_dropped_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("state.db");
    let (store, _) = Store::open(&database, NOW).await.unwrap();
    store.append(NOW, &created("tea")).await.unwrap();
    drop(store);
    let (store, opened) = Store::open(&database, NOW).await.unwrap();
    assert_eq!(opened, Opened::Existing);
    assert_eq!(store.recent_events(10).await.unwrap().len(), 1);
}

#[tokio::test]
async fn several_stores_of_one_process_share_a_database() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("state.db");
    let (first, _) = Store::open(&database, NOW).await.unwrap();
    first.append(NOW, &created("first")).await.unwrap();
    let (second, opened) = Store::open(&database, NOW).await.unwrap();
    assert_eq!(opened, Opened::Existing);
    assert_eq!(second.append(NOW, &created("second")).await.unwrap(), EventSeq(2));
    second.close().await.unwrap();
    assert_eq!(first.append(NOW, &created("third")).await.unwrap(), EventSeq(3));
    assert_eq!(first.events_since(EventSeq(0), 10).await.unwrap().len(), 3);
}

#[tokio::test]
async fn a_path_with_spaces_and_signs_is_taken_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["with space", "percent%20", "question?mode=ro", "hash#1", "file:", "tee-☕-茶"] {
        let database = folder.path().join(name).join("state.db");
        let (store, opened) = Store::open(&database, NOW).await.unwrap();
        assert_eq!(opened, Opened::Created, "{name}");
        store.append(NOW, &created(name)).await.unwrap();
        assert!(database.is_file(), "{name}");
    }
}

#[tokio::test]
async fn a_newer_database_is_refused_and_nothing_changes() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("state.db");
    let (store, _) = Store::open(&database, NOW).await.unwrap();
    store.append(NOW, &created("tea")).await.unwrap();
    store.close().await.unwrap();
    // The header's user_version, as SQLite's file format places it.
    let mut bytes = fs::read(&database).unwrap();
    bytes[60..64].copy_from_slice(&99_u32.to_be_bytes());
    fs::write(&database, bytes).unwrap();

    let before = contents(folder.path());
    for _ in 0..2 {
        let error = Store::open(&database, NOW).await.unwrap_err();
        assert!(matches!(error.problem, StoreProblem::NewerSchema { found: 99, .. }), "{error:?}");
        let fault = Fault::from(error);
        assert_eq!(fault.code, ErrorCode::StoreNewerSchema);
        assert!(fault.hint.unwrap().contains("Update Loopwright"));
        assert_eq!(contents(folder.path()), before);
    }
}

#[tokio::test]
async fn something_else_of_that_name_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("state.db");
    fs::create_dir(&database).unwrap();
    let error = Store::open(&database, NOW).await.unwrap_err();
    assert!(matches!(error.problem, StoreProblem::NotAFile), "{error:?}");
    assert!(database.is_dir());

    let below_a_file = folder.path().join("file/state.db");
    fs::write(folder.path().join("file"), "").unwrap();
    let error = Store::open(&below_a_file, NOW).await.unwrap_err();
    assert_eq!(error.problem.code(), ErrorCode::IoFailed);
}

#[test]
fn operations_can_move_between_threads() {
    fn assert_send(_: impl Send) {}
    async fn uses_everything(store: Store) {
        let _ = store.append(NOW, &created("tea")).await;
        let _ = store.events_since(EventSeq(0), 1).await;
        let _ = store.recent_events(1).await;
        let _ = store.add_tasks(NOW, &[]).await;
        let _ = store.tasks().await;
        let _ = store.search_tasks("tea", 1).await;
        let _ = store.journal(NOW, Entry::default()).await;
        let _ = store.latest_run().await;
        let _ = store.unsettled().await;
        let _ = store.backup(Path::new("copy")).await;
        let _ = store.verify().await;
        let _ = store.close().await;
    }
    fn check(store: Store, path: &'static Path) {
        assert_send(Store::open(path, NOW));
        assert_send(Store::restore_backup(path, path, NOW));
        assert_send(uses_everything(store));
    }
    let _ = check;
}

#[cfg(unix)]
#[tokio::test]
async fn only_the_owner_may_read_the_files() {
    use std::os::unix::fs::PermissionsExt;

    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("loopwright");
    let (store, _) = Store::open(&state.join("state.db"), NOW).await.unwrap();
    store.append(NOW, &created("tea")).await.unwrap();
    store.backup(&state.join("copy.db")).await.unwrap();
    assert_eq!(mode(&state), 0o700);
    for name in contents(&state).keys() {
        assert_eq!(mode(&state.join(name)), 0o600, "{name}");
    }
    assert!(state.join("state.db-wal").exists());
}
