//! Finished tasks whose sections changed since.

use loopwright_domain::{ErrorCode, Event, Origin, Section, SectionId, TaskDraft, TaskId, TaskMove};
use loopwright_store::{NewTask, PutSection, SpecChange, StaleTask, Store};
use tempfile::TempDir;

use crate::support::NOW;

/// A section with a finished and an open task.
async fn new_store() -> (TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let (store, _) = Store::open(&folder.path().join("state.db"), NOW).await.unwrap();
    write(&store, None, "Boil", &[]).await;
    let draft = TaskDraft { sections: vec![SectionId(1)], ..TaskDraft::titled("Brew") };
    store.add_tasks(NOW, &[NewTask::from(draft.clone()), NewTask::from(draft)]).await.unwrap();
    store.move_tasks(NOW, &[TaskId(1)], &TaskMove::Done, Origin::Cli).await.unwrap();
    (folder, store)
}

async fn write(store: &Store, id: Option<u32>, content: &str, remove: &[SectionId]) {
    let section = Section {
        id: SectionId(0),
        number: "1".into(),
        title: "Brewing".into(),
        level: 1,
        content: content.into(),
        file: None,
        words: 1,
    };
    let put = [PutSection { id: id.map(SectionId), position: 7, section, edited: false, under: None }];
    let put = if remove.is_empty() { &put[..] } else { &[] };
    let change = SpecChange { at: NOW, what: "a test", put, remove, sources: &[], origin: Origin::Cli };
    store.change_spec(change).await.unwrap();
}

async fn stale(store: &Store) -> Vec<(u32, u32)> {
    let pair = |stale: &StaleTask| (stale.task.0, stale.section.0);
    store.stale_tasks().await.unwrap().iter().map(pair).collect()
}

#[tokio::test]
async fn a_changed_section_makes_its_finished_tasks_stale() {
    let (_folder, store) = new_store().await;
    write(&store, Some(1), "Boil", &[]).await;
    assert_eq!(stale(&store).await, []);
    write(&store, Some(1), "Boil longer", &[]).await;
    write(&store, Some(1), "Boil even longer", &[]).await;
    assert_eq!(stale(&store).await, [(1, 1)]);
    assert_eq!(store.verify().await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn a_person_accepts_it_or_takes_it_up_again() {
    let (_folder, store) = new_store().await;
    write(&store, Some(1), "Boil longer", &[]).await;
    let refused = store.accept_tasks(NOW, &[TaskId(1), TaskId(2)], Origin::Cli).await.unwrap_err();
    assert_eq!(refused.problem.code(), ErrorCode::TaskStatus);
    assert_eq!(stale(&store).await, [(1, 1)]);
    store.accept_tasks(NOW, &[TaskId(1)], Origin::Cli).await.unwrap();
    assert_eq!(stale(&store).await, []);
    let last = store.recent_events(1).await.unwrap().remove(0).event;
    let fields = vec!["accepted".to_owned()];
    assert_eq!(last, Event::TaskEdited { task: TaskId(1), fields, origin: Origin::Cli });
    write(&store, Some(1), "Boil again", &[]).await;
    store.move_tasks(NOW, &[TaskId(1)], &TaskMove::Reopen, Origin::Cli).await.unwrap();
    assert_eq!(stale(&store).await, []);
}

#[tokio::test]
async fn a_section_that_is_gone_makes_nothing_stale() {
    let (_folder, store) = new_store().await;
    write(&store, Some(1), "Boil longer", &[]).await;
    write(&store, None, "", &[SectionId(1)]).await;
    assert_eq!(stale(&store).await, []);
    assert_eq!(store.verify().await.unwrap(), Vec::<String>::new());
}
