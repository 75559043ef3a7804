//! Many processes at once. The processes are this test program again, running only `one_of_many`.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStdout, Stdio};

use loopwright_domain::{Event, EventSeq, TaskId};
use loopwright_store::{Opened, Store};

use crate::support::{NOW, only_test, runtime};

const MANY: usize = 20;

#[test]
#[ignore = "a process that the other tests start many times"]
fn one_of_many() {
    let database = std::env::var_os("STORE_TEST_DATABASE").unwrap();
    let appends: u32 = std::env::var("STORE_TEST_APPENDS").unwrap().parse().unwrap();
    println!("\nready");
    std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
    runtime().block_on(async {
        let (store, opened) = Store::open(Path::new(&database), NOW).await.unwrap();
        println!(
            "opened {}",
            match opened {
                Opened::Created => "created",
                Opened::Existing => "existing",
                Opened::Recovered { .. } => "recovered",
            }
        );
        for number in 0..appends {
            let event = Event::TaskAdded { task: TaskId(std::process::id()), title: number.to_string() };
            println!("seq {}", store.append(NOW, &event).await.unwrap());
        }
        store.close().await.unwrap();
    });
}

/// Starts the processes, lets them all go at once, and returns what each said.
fn run_many(database: &Path, appends: u32) -> Vec<Vec<String>> {
    let mut waiting: Vec<(Child, BufReader<_>)> = (0..MANY).map(|_| start(database, appends)).collect();
    for (_, output) in &mut waiting {
        while next_line(output).expect("a process says that it is ready") != "ready" {}
    }
    let mut going: Vec<_> = waiting
        .into_iter()
        .map(|(mut child, output)| {
            drop(child.stdin.take());
            (child, output)
        })
        .collect();
    going
        .iter_mut()
        .map(|(child, output)| {
            let mut said = Vec::new();
            while let Some(line) = next_line(output) {
                said.push(line);
            }
            assert!(child.wait().unwrap().success(), "{said:?}");
            said
        })
        .collect()
}

fn start(database: &Path, appends: u32) -> (Child, BufReader<ChildStdout>) {
    let mut child = only_test(&std::env::current_exe().unwrap(), "processes::one_of_many", database)
        .env("STORE_TEST_APPENDS", appends.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    (child, output)
}

fn next_line(output: &mut impl BufRead) -> Option<String> {
    let mut line = String::new();
    (output.read_line(&mut line).unwrap() > 0).then(|| line.trim_end().to_owned())
}

fn how_many(said: &[Vec<String>], line: &str) -> usize {
    said.iter().flatten().filter(|said| *said == line).count()
}

/// Each process got places of its own in the history, and the history is those, without a gap.
fn assert_history(database: &Path, said: &[Vec<String>], before: u64) {
    let seqs: Vec<u64> = said
        .iter()
        .flatten()
        .filter_map(|line| line.strip_prefix("seq "))
        .map(|n| n.parse().unwrap())
        .collect();
    let last = before + u64::try_from(seqs.len()).unwrap();
    assert_eq!(seqs.iter().copied().collect::<BTreeSet<_>>(), (before + 1..=last).collect());
    runtime().block_on(async {
        let (store, opened) = Store::open(database, NOW).await.unwrap();
        assert_eq!(opened, Opened::Existing);
        let stored = store.events_since(EventSeq(before), 10_000).await.unwrap();
        assert_eq!(
            stored.iter().map(|envelope| envelope.seq.0).collect::<Vec<_>>(),
            (before + 1..=last).collect::<Vec<_>>()
        );
        assert_eq!(store.verify().await.unwrap(), Vec::<String>::new());
        store.close().await.unwrap();
    });
}

#[test]
fn many_processes_make_one_database_and_all_succeed() {
    for _ in 0..3 {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("state/state.db");
        let said = run_many(&database, 1);
        assert_eq!(how_many(&said, "opened created"), 1);
        assert_eq!(how_many(&said, "opened existing"), MANY - 1);
        assert_history(&database, &said, 0);
    }
}

#[test]
fn many_processes_recover_one_damaged_database_once() {
    let cases: [&[u8]; 3] = [b"", b"not a database", &[0; 5_000]];
    for damaged in cases {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("state.db");
        fs::write(&database, damaged).unwrap();
        let said = run_many(&database, 1);
        assert_eq!(how_many(&said, "opened recovered"), 1);
        assert_eq!(how_many(&said, "opened existing"), MANY - 1);
        assert_history(&database, &said, 1);
        assert_eq!(fs::read(folder.path().join("state.db.damaged-1")).unwrap(), damaged);
        assert!(!folder.path().join("state.db.damaged-2").exists());
    }
}

#[test]
fn many_processes_write_at_once_and_nothing_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("state.db");
    let said = run_many(&database, 10);
    assert_history(&database, &said, 0);
}
