//! A run as several processes see it: one writes, many read, another one asks. The processes are this test program
//! again, running only `one_of_many`.

use std::io::{BufRead, BufReader, Lines};
use std::path::Path;
use std::process::{Child, ChildStdout, Stdio};
use std::time::Duration;

use loopwright_domain::{ControlKind, Event, EventSeq, Iteration, Origin, Outcome, Phase, Run, RunStatus};
use loopwright_store::{Entry, Store};

use crate::samples::{check, new_run, planned};
use crate::support::{NOW, only_test, runtime};

const READERS: usize = 20;
const ITERATIONS: u32 = 15;

#[test]
#[ignore = "a process that the other tests start"]
fn one_of_many() {
    let database = std::env::var_os("STORE_TEST_DATABASE").unwrap();
    let part = std::env::var("STORE_TEST_PART").unwrap();
    runtime().block_on(async {
        let (store, _) = Store::open(Path::new(&database), NOW).await.unwrap();
        println!("\nready");
        match part.as_str() {
            "read" => read_until_over(&store).await,
            "ask" => ask(&store).await,
            other => panic!("there is no part called {other}"),
        }
        store.close().await.unwrap();
    });
}

/// Reads again and again until the run is over. What it sees is never half an entry: an iteration is settled
/// together with its check, its event and the run's progress.
async fn read_until_over(store: &Store) {
    let run = new_run(1).id;
    let mut last = EventSeq(0);
    loop {
        let over = store.run(run).await.unwrap().unwrap().status.is_over();
        let seq = store.last_seq().await.unwrap();
        assert!(seq >= last, "the history grows");
        last = seq;
        let settled =
            settled(&store.iterations(run, 0, 1_000, loopwright_store::Order::OldestFirst).await.unwrap());
        for id in &settled {
            assert_eq!(store.check_results(*id).await.unwrap().len(), 1);
        }
        let told = store.events_since(EventSeq(0), 1_000).await.unwrap().len();
        assert!(told >= settled.len(), "{told} events, {} settled", settled.len());
        assert!(store.run(run).await.unwrap().unwrap().progress.iteration as usize >= settled.len());
        tokio::time::sleep(Duration::from_millis(10)).await;
        if over {
            assert_eq!(settled.len(), ITERATIONS as usize);
            println!("saw the end");
            return;
        }
    }
}

fn settled(iterations: &[Iteration]) -> Vec<loopwright_domain::IterationId> {
    let settled = iterations.iter().filter(|iteration| iteration.phase == Phase::Settled);
    settled.map(|iteration| iteration.id).collect()
}

async fn ask(store: &Store) {
    for kind in [ControlKind::Pause, ControlKind::Resume] {
        store.request(NOW, new_run(1).id, kind, Origin::App).await.unwrap();
    }
}

fn start(part: &str, database: &Path) -> (Child, Lines<BufReader<ChildStdout>>) {
    let mut child = only_test(&std::env::current_exe().unwrap(), "journal_processes::one_of_many", database)
        .env("STORE_TEST_PART", part)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap() == "ready"), "the process is ready");
    (child, lines)
}

/// Takes an iteration through its phases, each one an entry.
async fn iterate(store: &Store, run: &mut Run, number: u32) {
    let mut iteration = planned(run, number, 1);
    for phase in [Phase::Planned, Phase::Running, Phase::AgentDone, Phase::Checking] {
        iteration.phase = phase;
        let entry = Entry { iteration: Some(&iteration), ..Entry::default() };
        store.journal(NOW, entry).await.unwrap();
    }
    iteration.phase = Phase::Settled;
    iteration.outcome = Some(Outcome::Succeeded);
    run.progress.iteration = number + 1;
    let checks = [check("tests", 0, loopwright_domain::CheckStatus::Passed)];
    let events =
        [Event::RunWarning { run: run.id, iteration: Some(iteration.id), message: "settled".into() }];
    let entry = Entry { run: Some(run), iteration: Some(&iteration), checks: &checks, events: &events };
    store.journal(NOW, entry).await.unwrap();
}

#[test]
fn one_process_writes_and_many_read_whole_entries() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("state.db");
    runtime().block_on(async {
        let (store, _) = Store::open(&database, NOW).await.unwrap();
        let mut run = new_run(1);
        store.journal(NOW, Entry { run: Some(&run), ..Entry::default() }).await.unwrap();
        let mut readers: Vec<_> = (0..READERS).map(|_| start("read", &database)).collect();
        for number in 0..ITERATIONS {
            iterate(&store, &mut run, number).await;
        }
        run.status = RunStatus::Completed;
        store.journal(NOW, Entry { run: Some(&run), ..Entry::default() }).await.unwrap();
        for (child, lines) in &mut readers {
            assert!(lines.any(|line| line.unwrap() == "saw the end"));
            assert!(child.wait().unwrap().success());
        }
        assert_eq!(store.verify().await.unwrap(), Vec::<String>::new());
    });
}

#[test]
fn what_another_process_asks_is_seen_by_the_one_that_runs() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("state.db");
    runtime().block_on(async {
        let (store, _) = Store::open(&database, NOW).await.unwrap();
        let run = new_run(1);
        store.journal(NOW, Entry { run: Some(&run), ..Entry::default() }).await.unwrap();
        assert_eq!(store.controls_after(run.id, 0).await.unwrap(), []);
        let before = store.last_seq().await.unwrap();
        let (mut child, _lines) = start("ask", &database);
        assert!(child.wait().unwrap().success());
        assert!(store.last_seq().await.unwrap() > before);
        let asked = store.controls_after(run.id, 0).await.unwrap();
        let kinds: Vec<_> = asked.iter().map(|control| control.kind).collect();
        assert_eq!(kinds, [ControlKind::Pause, ControlKind::Resume]);
        assert_eq!(store.controls_after(run.id, asked[0].id).await.unwrap().len(), 1);
    });
}

/// Each entry adds an iteration and an event, so a consistent copy has as many of the one as of the other.
#[test]
fn a_backup_made_while_others_write_is_of_one_moment() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("state.db");
    runtime().block_on(async {
        let (writer, _) = Store::open(&database, NOW).await.unwrap();
        let (store, _) = Store::open(&database, NOW).await.unwrap();
        let run = new_run(1);
        writer.journal(NOW, Entry { run: Some(&run), ..Entry::default() }).await.unwrap();
        let writing = async {
            for number in 0..120 {
                let events = [Event::RunResumed { run: run.id, iteration: number, origin: Origin::Cli }];
                let iteration = planned(&run, number, 1);
                let entry = Entry { iteration: Some(&iteration), events: &events, ..Entry::default() };
                writer.journal(NOW, entry).await.unwrap();
            }
        };
        let copying = async {
            let mut seen = 0;
            for number in 0..6 {
                let copy = folder.path().join(format!("copies/{number}.db"));
                store.backup(&copy).await.unwrap();
                let (copied, _) = Store::open(&copy, NOW).await.unwrap();
                let iterations = copied.iteration_count(run.id).await.unwrap();
                assert_eq!(copied.last_seq().await.unwrap(), EventSeq(iterations.into()));
                assert!(iterations >= seen, "later copies hold more");
                seen = iterations;
                assert_eq!(copied.verify().await.unwrap(), Vec::<String>::new());
                copied.close().await.unwrap();
            }
        };
        tokio::join!(writing, copying);
        assert_eq!(store.iteration_count(run.id).await.unwrap(), 120);
    });
}
