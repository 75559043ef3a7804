//! Events that are more than history: what they say is done in the same write.

use loopwright_domain::{
    Event, GateStatus, Iteration, LearningCategory, Outcome, Phase, TaskDraft, TaskId, TaskStatus,
};
use loopwright_store::{Entry, Store};

use crate::samples::{new_run, planned};
use crate::support::NOW;

const TASK: TaskId = TaskId(1);

/// A store with a task and an iteration that works on it.
async fn begun() -> (tempfile::TempDir, Store, Iteration) {
    let folder = tempfile::tempdir().unwrap();
    let (store, _) = Store::open(&folder.path().join("state.db"), NOW).await.unwrap();
    store.add_tasks(NOW, &[TaskDraft::titled("Brew").into()]).await.unwrap();
    let run = new_run(1);
    let iteration = Iteration { task: Some(TASK), ..planned(&run, 0, 1) };
    let events = [moved(TaskStatus::Pending, TaskStatus::InProgress, &iteration)];
    let entry = Entry { run: Some(&run), iteration: Some(&iteration), events: &events, ..Entry::default() };
    assert_eq!(store.journal(NOW, entry).await.unwrap().len(), 1);
    (folder, store, iteration)
}

fn moved(from: TaskStatus, to: TaskStatus, iteration: &Iteration) -> Event {
    let reason = Some("failed".to_owned());
    Event::TaskStatusChanged { task: TASK, from, to, reason, iteration: Some(iteration.id), origin: None }
}

#[tokio::test]
async fn a_task_moves_with_its_event_and_a_blocked_one_keeps_why() {
    let (_folder, store, iteration) = begun().await;
    assert_eq!(store.tasks().await.unwrap()[0].status, TaskStatus::InProgress);
    let failed = Iteration { phase: Phase::Settled, outcome: Some(Outcome::Failed), ..iteration };
    let events = [moved(TaskStatus::InProgress, TaskStatus::Blocked, &failed)];
    let entry = Entry { iteration: Some(&failed), events: &events, ..Entry::default() };
    store.journal(NOW, entry).await.unwrap();
    let task = store.tasks().await.unwrap().remove(0);
    let blocked = task.blocked.unwrap();
    assert_eq!((task.status, blocked.reason.as_str(), blocked.attempts), (TaskStatus::Blocked, "failed", 1));
    let failures = store.failures_of(TASK, failed.run).await.unwrap();
    assert_eq!((failures.in_run, failures.in_all), (1, 1));
    assert_eq!(store.attempts_at(TASK, 10).await.unwrap(), [failed]);
}

#[tokio::test]
async fn a_person_who_was_quicker_is_not_overruled() {
    let (_folder, store, iteration) = begun().await;
    let events = [moved(TaskStatus::AwaitingApproval, TaskStatus::Done, &iteration)];
    let before = store.last_seq().await.unwrap();
    let written = store.journal(NOW, Entry { events: &events, ..Entry::default() }).await.unwrap();
    assert_eq!((written, store.last_seq().await.unwrap()), (Vec::new(), before));
    assert_eq!(store.tasks().await.unwrap()[0].status, TaskStatus::InProgress);
    let gate = loopwright_domain::GateId(9);
    let none = [Event::GateDecided { gate, status: GateStatus::Replaced, reason: None, origin: None }];
    let written = store.journal(NOW, Entry { events: &none, ..Entry::default() }).await.unwrap();
    assert_eq!(written, [], "there is no such gate");
}

#[tokio::test]
async fn learnings_get_numbers_and_waves_are_recorded_once() {
    let (_folder, store, iteration) = begun().await;
    let learned = |text: &str| Event::LearningRecorded {
        learning: 0,
        category: LearningCategory::Build,
        text: text.to_owned(),
        task: Some(TASK),
        iteration: Some(iteration.id),
    };
    let commit = Some("ab".to_owned());
    let wave = Event::WaveFinished { run: iteration.run, wave: 1, commit, tasks: vec![TASK] };
    let events = [learned("one"), learned("two"), wave.clone(), wave];
    let written = store.journal(NOW, Entry { events: &events, ..Entry::default() }).await.unwrap();
    assert!(matches!(written[1].1, Event::LearningRecorded { learning: 2, .. }), "{written:?}");
    let learnings = store.learnings(10).await.unwrap();
    assert_eq!(learnings.iter().map(|it| it.text.as_str()).collect::<Vec<_>>(), ["two", "one"]);
    assert_eq!(learnings[0].iteration, Some(iteration.id));
    let waves = store.wave_commits(10).await.unwrap();
    assert_eq!(waves.len(), 1);
    assert_eq!((waves[0].commit.as_str(), waves[0].tasks.as_slice()), ("ab", &[TASK][..]));
}
