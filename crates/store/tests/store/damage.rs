//! A file that cannot be used is moved aside with its sidecars, and told of.

use std::fs;
use std::path::{Path, PathBuf};

use loopwright_domain::{Event, TaskDraft, TaskId};
use loopwright_store::{NewTask, Opened, Store, StoreError, StoreProblem};
use tempfile::TempDir;

use crate::support::NOW;

fn task(number: u32) -> NewTask {
    let title = format!("Task {number}");
    let description = "Something to be done".into();
    TaskDraft { description, priority: number, ..TaskDraft::titled(title) }.into()
}

/// A closed database with this many tasks.
async fn database_with(tasks: u32) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("state.db");
    let (store, _) = Store::open(&database, NOW).await.unwrap();
    store.add_tasks(NOW, &(1..=tasks).map(task).collect::<Vec<_>>()).await.unwrap();
    store.close().await.unwrap();
    (folder, database)
}

/// Opens what is there, which must be set aside unchanged under this number, and returns the reason.
async fn assert_set_aside(database: &Path, number: u32) -> String {
    let damaged = fs::read(database).unwrap();
    let (store, opened) = Store::open(database, NOW).await.unwrap();
    let Opened::Recovered { moved_to, reason } = opened else {
        panic!("{opened:?} with {} bytes", damaged.len());
    };
    assert_eq!(moved_to, database.with_file_name(format!("state.db.damaged-{number}")));
    assert_eq!(fs::read(&moved_to).unwrap(), damaged);
    assert!(!reason.is_empty() && !reason.contains(['\n', '*']), "{reason}");

    assert_eq!(store.tasks().await.unwrap(), []);
    let events = store.recent_events(10).await.unwrap();
    let told =
        Event::StoreRecovered { moved_to: format!("state.db.damaged-{number}"), reason: reason.clone() };
    assert_eq!(events.into_iter().map(|envelope| envelope.event).collect::<Vec<_>>(), [told]);
    assert_eq!(store.add_tasks(NOW, &[task(1)]).await.unwrap(), [TaskId(1)]);
    assert_eq!(store.verify().await.unwrap(), Vec::<String>::new());
    store.close().await.unwrap();
    reason
}

#[tokio::test]
async fn a_truncated_database_is_set_aside_at_every_length() {
    let (_folder, database) = database_with(20).await;
    let whole = fs::read(&database).unwrap();
    let lengths =
        [0, 1, 15, 16, 100, 511, 512, 1024, 4095, 4096, 4097, 8192, whole.len() / 2, whole.len() - 1];
    for (number, length) in (1..).zip(lengths) {
        fs::write(&database, &whole[..length]).unwrap();
        assert_set_aside(&database, number).await;
    }
}

#[tokio::test]
async fn a_truncated_large_database_is_set_aside() {
    let (_folder, database) = database_with(2_000).await;
    let whole = fs::read(&database).unwrap();
    assert!(whole.len() > 64 * 4096);
    for (number, length) in (1..).zip([4096, whole.len() / 2, whole.len() - 4096, whole.len() - 1]) {
        fs::write(&database, &whole[..length]).unwrap();
        assert_set_aside(&database, number).await;
    }
}

#[tokio::test]
async fn what_is_no_database_is_set_aside() {
    let (_folder, database) = database_with(20).await;
    let whole = fs::read(&database).unwrap();
    let mut garbage_header = whole.clone();
    garbage_header[..100].fill(0x5a);
    let mut garbage_after_the_magic = whole.clone();
    garbage_after_the_magic[16..100].fill(0xff);
    let mut garbage_schema = whole.clone();
    garbage_schema[100..4096].fill(0x5a);
    let mut unknown_format = whole.clone();
    unknown_format[44..48].copy_from_slice(&77_u32.to_be_bytes());
    let cases: [Vec<u8>; 7] = [
        b"hello".to_vec(),
        vec![0; 8192],
        b"SQLite format 3\0".to_vec(),
        garbage_header,
        garbage_after_the_magic,
        garbage_schema,
        unknown_format,
    ];
    for (number, bytes) in (1..).zip(cases) {
        fs::write(&database, bytes).unwrap();
        assert_set_aside(&database, number).await;
    }
}

#[tokio::test]
async fn another_programs_database_is_set_aside() {
    let (_folder, database) = database_with(1).await;
    // The header's application id, as SQLite's file format places it.
    let mut bytes = fs::read(&database).unwrap();
    bytes[68..72].copy_from_slice(&0x1234_5678_u32.to_be_bytes());
    fs::write(&database, bytes).unwrap();
    assert_eq!(assert_set_aside(&database, 1).await, "it belongs to another program");
}

#[tokio::test]
async fn a_damaged_page_of_a_small_database_is_found_at_opening() {
    let (_folder, database) = database_with(20).await;
    let whole = fs::read(&database).unwrap();
    let mut number = 0;
    for page in 1..whole.len() / 4096 {
        let mut bytes = whole.clone();
        bytes[page * 4096..(page + 1) * 4096].fill(0xa5);
        fs::write(&database, bytes).unwrap();
        number += 1;
        assert_set_aside(&database, number).await;
    }
    assert!(number > 5, "{number}");
}

#[tokio::test]
async fn sidecars_go_with_their_database() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("state.db");
    let file = |name: &str| folder.path().join(name);
    fs::write(&database, "not a database").unwrap();
    for sidecar in ["-wal", "-shm"] {
        fs::write(file(&format!("state.db{sidecar}")), format!("the {sidecar}")).unwrap();
    }
    assert_set_aside(&database, 1).await;
    assert_eq!(fs::read(file("state.db.damaged-1-wal")).unwrap(), b"the -wal");
    assert!(file("state.db.damaged-1-shm").exists());
    for sidecar in ["-wal", "-shm"] {
        assert!(!file(&format!("state.db{sidecar}")).exists(), "{sidecar}");
    }
}

#[tokio::test]
async fn a_log_without_its_database_is_set_aside() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("state.db");
    fs::write(folder.path().join("state.db-wal"), "all that is left").unwrap();
    let (store, opened) = Store::open(&database, NOW).await.unwrap();
    let moved_to = folder.path().join("state.db.damaged-1-wal");
    let reason = "the file is missing, only its log is there".to_owned();
    assert_eq!(opened, Opened::Recovered { moved_to: moved_to.clone(), reason });
    assert_eq!(fs::read(moved_to).unwrap(), b"all that is left");
    assert_eq!(store.recent_events(10).await.unwrap().len(), 1);
}

#[tokio::test]
async fn an_empty_database_keeps_the_log_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("state.db");
    fs::write(&database, "").unwrap();
    fs::write(folder.path().join("state.db-wal"), "all that is left").unwrap();
    assert_set_aside(&database, 1).await;
    assert_eq!(fs::read(folder.path().join("state.db.damaged-1-wal")).unwrap(), b"all that is left");
}

#[tokio::test]
async fn a_log_that_is_garbage_harms_nothing() {
    let (folder, database) = database_with(3).await;
    fs::write(folder.path().join("state.db-wal"), vec![0x5a; 40_000]).unwrap();
    let (store, opened) = Store::open(&database, NOW).await.unwrap();
    assert_eq!(opened, Opened::Existing);
    assert_eq!(store.tasks().await.unwrap().len(), 3);
    assert_eq!(store.add_tasks(NOW, &[task(4)]).await.unwrap(), [TaskId(4)]);
    assert_eq!(store.verify().await.unwrap(), Vec::<String>::new());
}

/// A small generator, so that every seed is the same damage everywhere.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }
}

#[tokio::test]
async fn any_damage_ends_in_a_store_that_works() {
    let (folder, database) = database_with(400).await;
    let whole = fs::read(&database).unwrap();
    for seed in 0..200 {
        for entry in fs::read_dir(folder.path()).unwrap() {
            fs::remove_file(entry.unwrap().path()).unwrap();
        }
        let mut dice = Dice(seed);
        let mut bytes = whole.clone();
        let start = dice.roll(bytes.len() - 4096);
        let length = [1, 16, 512, 4096][dice.roll(4)];
        bytes[start..start + length].fill_with(|| u8::try_from(dice.roll(256)).unwrap());
        fs::write(&database, bytes).unwrap();
        works_within_two_openings(&database, seed).await;
    }
}

/// Damage is met when opening or when reading; the opening after that has set it aside. Letters exchanged within an
/// event's text can only be taken for the words of another version.
async fn works_within_two_openings(database: &Path, seed: u64) {
    for attempt in 1..=2 {
        let (store, _) =
            Store::open(database, NOW).await.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let history = store.recent_events(1_000).await;
        let foreign = |error: &StoreError| matches!(error.problem, StoreProblem::UnreadableEvent { .. });
        let read = (store.tasks().await.is_ok(), history.as_ref().map_or_else(foreign, |_| true));
        let sound = store.verify().await.is_ok_and(|findings| findings.is_empty());
        store.close().await.unwrap();
        if read == (true, true) && sound {
            return;
        }
        assert_eq!(attempt, 1, "seed {seed}: still damaged");
    }
}
