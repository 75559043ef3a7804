//! Following a project while another process works in it. The other process is this test program again, running only
//! `the_other_process`.
#![cfg(unix)]
#![expect(clippy::unwrap_used, clippy::panic, reason = "in a test a panic is the report")]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use loopwright_domain::{ControlKind, Event, EventSeq, ExitReason, NextAction, Origin, RunStatus, TaskId};
use loopwright_engine::output::{Entry, EntryKind, OutputFilter, OutputSource, OutputTarget};
use loopwright_engine::run::{
    ControlOutcome, Earlier, Follower, RunRequest, RunState, RunUpdate, StopHandle, Unobserved,
};
use loopwright_engine::{Host, NewProject, Project};
use loopwright_store::{Entry as JournalEntry, Store};

const PATIENCE: Duration = Duration::from_secs(60);
const AT: &str = "2026-01-02T03:04:05Z";

fn host(folder: &Path) -> Host {
    Host::in_folder(folder, std::env::var_os("PATH").unwrap_or_default())
}

/// A new project below a folder, without git.
async fn project(folder: &Path) -> Project {
    Project::create(&host(folder), &folder.join("tea-house"), &NewProject::default(), Origin::Cli)
        .await
        .unwrap()
}

#[test]
#[ignore = "a process that the other tests start"]
fn the_other_process() {
    let folder = PathBuf::from(std::env::var_os("FOLLOW_TEST_FOLDER").unwrap());
    let command = std::env::var("FOLLOW_TEST_COMMAND").unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let project = Project::open(&host(&folder), &folder.join("tea-house")).await.unwrap();
        let request = RunRequest::prompt("Brew.").command(&command).set("loop.max_iterations", "2");
        let prepared = project.runs().prepare(&request).unwrap();
        project
            .runs()
            .start(prepared, Earlier::Leave, Origin::Cli, &mut Unobserved, StopHandle::new())
            .await
            .unwrap();
    });
}

#[expect(clippy::disallowed_methods, reason = "tests start programs themselves")]
fn start_elsewhere(folder: &Path, command: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "the_other_process"])
        .env("FOLLOW_TEST_FOLDER", folder)
        .env("FOLLOW_TEST_COMMAND", command)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

/// What was told so far.
#[derive(Default)]
struct Told {
    events: Vec<loopwright_domain::EventEnvelope>,
    states: Vec<Option<RunState>>,
    entries: Vec<Entry>,
    finished: bool,
}

impl Told {
    /// Takes batches until something holds.
    async fn until(&mut self, follower: &mut Follower, what: &str, mut holds: impl FnMut(&Self) -> bool) {
        let started = Instant::now();
        while !holds(self) {
            let left = PATIENCE.saturating_sub(started.elapsed());
            let batch = tokio::time::timeout(left, follower.next()).await;
            self.take(batch.unwrap_or_else(|_| panic!("waited too long: {what}")).unwrap());
        }
    }

    fn take(&mut self, batch: Vec<RunUpdate>) {
        assert!(!batch.is_empty());
        for update in batch {
            match update {
                RunUpdate::Events { events } => self.events.extend(events),
                RunUpdate::State { state } => {
                    let told = self.events.last().map_or(0, |event| event.seq.0);
                    assert!(
                        state.as_ref().is_none_or(|state| state.seq.0 <= told),
                        "no event comes after its state"
                    );
                    self.states.push(state.map(|state| *state));
                }
                RunUpdate::Output { first, total, counts, entries, finished, .. } => {
                    assert_eq!(first as usize + entries.len(), total as usize);
                    assert!(EntryKind::ALL.iter().map(|kind| counts.get(*kind)).sum::<u32>() == total);
                    if first as usize <= self.entries.len() {
                        self.entries.truncate(first as usize);
                    }
                    self.entries.extend(entries);
                    self.finished = finished;
                }
            }
        }
    }

    fn state(&self) -> Option<&RunState> {
        self.states.last()?.as_ref()
    }

    fn seqs(&self) -> Vec<u64> {
        self.events.iter().map(|event| event.seq.0).collect()
    }
}

#[tokio::test]
async fn a_run_of_another_process_is_followed_from_its_start_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let project = project(folder.path()).await;
    let mut follower = project.events().follow(EventSeq(0));
    let mut told = Told::default();
    told.until(&mut follower, "that there is no run", |told| told.states.len() == 1).await;
    assert_eq!((told.states[0].as_ref(), follower.live()), (None, None));

    let go = folder.path().join("go");
    let agent = format!(
        "sh -c 'echo boiling; until [ -e {} ]; do sleep 0.01; done; echo \"<promise>COMPLETE</promise>\"'",
        go.display()
    );
    let mut other = start_elsewhere(folder.path(), &agent);
    let begins = |event: &Event| matches!(event, Event::RunStarted { .. });
    told.until(&mut follower, "that a run began", |told| told.events.iter().any(|told| begins(&told.event)))
        .await;
    told.until(&mut follower, "what the agent says while it works", |told| !told.entries.is_empty()).await;
    let state = told.state().unwrap();
    assert_eq!((state.run.status, state.live.as_ref().unwrap().pid), (RunStatus::Running, other.id()));
    assert!(state.current.is_some() && state.ending.is_none() && state.asked.is_none());
    assert_eq!((told.entries[0].kind, told.entries[0].text.trim()), (EntryKind::Message, "boiling"));

    project.runs().ask(ControlKind::PauseAfterIteration, Origin::App).await.unwrap();
    told.until(&mut follower, "that a pause is asked for", |told| {
        told.state().is_some_and(|state| state.asked == Some(ControlKind::PauseAfterIteration))
    })
    .await;
    project.runs().ask(ControlKind::Resume, Origin::App).await.unwrap();
    told.until(&mut follower, "that it is not any more", |told| told.state().unwrap().asked.is_none()).await;

    std::fs::write(&go, "").unwrap();
    told.until(&mut follower, "the end", |told| {
        told.finished && told.state().is_some_and(|state| state.live.is_none())
    })
    .await;
    let state = told.state().unwrap();
    assert_eq!((state.run.status, state.run.reason), (RunStatus::Completed, Some(ExitReason::Promise)));
    assert!(state.current.is_none() && state.last.is_some() && state.ending.is_some());
    assert_eq!(state, &project.runs().state(None).await.unwrap().unwrap());
    assert_eq!(told.seqs(), (1..=project.events().last().await.unwrap().0).collect::<Vec<_>>());
    assert!(other.wait().unwrap().success());

    let target =
        OutputTarget { iteration: state.last.as_ref().unwrap().id, source: OutputSource::Transcript };
    let page = project.output().page(target, &OutputFilter::default(), 0, 500).await.unwrap();
    assert_eq!(page.entries, told.entries, "what was told live is what is there");
    let info = project.output().info(target).await.unwrap();
    assert!(info.exists && info.finished && info.total == page.total);
}

#[tokio::test]
async fn a_hundred_thousand_events_are_caught_up_without_a_gap() {
    let folder = tempfile::tempdir().unwrap();
    let project = project(folder.path()).await;
    let before = project.events().last().await.unwrap();
    let mut follower = project.events().follow(before);
    let database = project.layout().database();
    let writer = tokio::spawn(async move {
        let (store, _) = Store::open(&database, AT).await.unwrap();
        let event = |number| Event::TaskAdded { task: TaskId(number), title: "Brew".to_owned() };
        for thousand in 0..100 {
            let events: Vec<Event> = (0..1000).map(|number| event(thousand * 1000 + number)).collect();
            store.journal(AT, JournalEntry { events: &events, ..JournalEntry::default() }).await.unwrap();
        }
        store.close().await.unwrap();
    });
    let mut told = Told::default();
    told.until(&mut follower, "all events", |told| told.events.len() == 100_000).await;
    writer.await.unwrap();
    assert!(follower.is_up_to_date());
    assert_eq!(told.seqs(), (before.0 + 1..=before.0 + 100_000).collect::<Vec<_>>());

    let mut late = project.events().follow(EventSeq(before.0 + 99_990));
    let mut told = Told::default();
    told.until(&mut late, "the last events", |told| told.events.len() == 10).await;
}

#[tokio::test]
async fn a_poke_is_heeded_and_state_that_is_gone_is_told_and_survived() {
    let folder = tempfile::tempdir().unwrap();
    let project = project(folder.path()).await;
    let state_dir = project.layout().state_dir.clone();
    let mut follower = project.events().follow(EventSeq(0));
    let waker = follower.waker();
    let mut told = Told::default();
    told.until(&mut follower, "the first state", |told| told.states.len() == 1).await;
    drop(project);

    let aside = folder.path().join("aside");
    std::fs::rename(&state_dir, &aside).unwrap();
    waker.wake();
    let fault = tokio::time::timeout(PATIENCE, follower.next()).await.unwrap().unwrap_err();
    assert_eq!(fault.code, loopwright_domain::ErrorCode::StoreGone);
    assert!(!state_dir.exists(), "whoever only looks makes nothing");

    std::fs::rename(&aside, &state_dir).unwrap();
    let host = host(folder.path());
    let again = Project::open(&host, &folder.path().join("tea-house")).await.unwrap();
    let before = again.events().last().await.unwrap().0;
    let mut told_again = Told { events: told.events.clone(), ..Told::default() };
    loop {
        match tokio::time::timeout(PATIENCE, follower.next()).await.unwrap() {
            Ok(batch) => break told_again.take(batch),
            Err(_) => continue,
        }
    }
    assert_eq!(told_again.seqs(), (1..=before).collect::<Vec<_>>(), "nothing twice");
}

#[tokio::test]
async fn a_run_whose_process_was_killed_is_interrupted_and_can_be_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let project = project(folder.path()).await;
    let mut follower = project.events().follow(EventSeq(0));
    let mut other = start_elsewhere(folder.path(), "sh -c 'echo boiling; sleep 60'");
    let mut told = Told::default();
    told.until(&mut follower, "the agent at work", |told| !told.entries.is_empty()).await;
    other.kill().unwrap();
    other.wait().unwrap();
    told.until(&mut follower, "that it is interrupted", |told| {
        told.state().is_some_and(|state| state.live.is_none()) && told.finished
    })
    .await;
    let state = told.state().unwrap();
    assert_eq!((state.run.status, state.current.as_ref()), (RunStatus::Interrupted, None));
    assert_eq!(state.ending.as_ref().unwrap().steps[0].action, NextAction::Resume);
    assert_eq!(
        project.runs().ask(ControlKind::Cancel, Origin::App).await.unwrap(),
        ControlOutcome::Done,
        "ends what was left"
    );
    told.until(&mut follower, "that it is cancelled", |told| {
        told.state().is_some_and(|state| state.run.status == RunStatus::Cancelled)
    })
    .await;
    let steps = &told.state().unwrap().ending.as_ref().unwrap().steps;
    assert!(steps.iter().all(|step| step.action != NextAction::Resume));
}
