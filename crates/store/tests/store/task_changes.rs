//! Tasks are edited, moved and imported whole or not at all, and every change is in the history.

use loopwright_domain::{
    ErrorCode, Event, EventSeq, Iteration, Origin, Outcome, Phase, SectionId, Task, TaskDraft, TaskId,
    TaskMove, TaskStatus,
};
use loopwright_store::{Edit, Entry, Imported, ImportedTask, NewTask, Store, StoreError, TaskImport};
use tempfile::TempDir;

use crate::samples::{new_run, planned};
use crate::support::NOW;

const LATER: &str = "2026-01-02T04:00:00Z";

/// Three tasks, each waiting for the one before it.
async fn chain() -> (TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let (store, _) = Store::open(&folder.path().join("state.db"), NOW).await.unwrap();
    let tasks = ["Boil water", "Brew tea", "Pour"].map(TaskDraft::titled).map(NewTask::from);
    let chained = tasks
        .into_iter()
        .enumerate()
        .map(|(place, task)| NewTask { after: place.checked_sub(1).into_iter().collect(), ..task });
    store.add_tasks(NOW, &chained.collect::<Vec<_>>()).await.unwrap();
    (folder, store)
}

fn ids(numbers: &[u32]) -> Vec<TaskId> {
    numbers.iter().copied().map(TaskId).collect()
}

async fn edit(
    store: &Store,
    tasks: &[u32],
    seen: Option<&str>,
    change: impl Fn(TaskId, &mut TaskDraft),
) -> Result<Vec<TaskId>, StoreError> {
    store.edit_tasks(Edit { at: LATER, tasks: &ids(tasks), seen, origin: Origin::App }, change).await
}

async fn events_after(store: &Store, seq: u64) -> Vec<Event> {
    store.events_since(EventSeq(seq), 100).await.unwrap().into_iter().map(|envelope| envelope.event).collect()
}

#[tokio::test]
async fn tasks_added_together_may_wait_for_later_ones_but_not_in_a_circle() {
    let (_folder, store) = chain().await;
    let waiting =
        |title: &str, after: &[usize]| NewTask { after: after.to_vec(), ..TaskDraft::titled(title).into() };
    let added = store.add_tasks(NOW, &[waiting("Drink", &[1]), waiting("Cool down", &[])]).await.unwrap();
    assert_eq!(added, ids(&[4, 5]));
    assert_eq!(store.task(TaskId(4)).await.unwrap().unwrap().draft.depends_on, ids(&[5]));
    let circle = [waiting("A", &[1]), waiting("B", &[2]), waiting("C", &[1])];
    let error = store.add_tasks(NOW, &circle).await.unwrap_err();
    let told = "new task 2 cannot be added: new tasks depend on each other in a circle: #2 → #3 → #2";
    assert_eq!(error.to_string(), told);
    assert_eq!(store.tasks().await.unwrap().len(), 5);
    assert_eq!(store.task(TaskId(9)).await.unwrap(), None);
}

#[tokio::test]
async fn an_edit_changes_what_differs_and_says_what() {
    let (_folder, store) = chain().await;
    let wanted = TaskDraft {
        priority: 1,
        tag: Some("tea".into()),
        acceptance: vec!["it is hot".into()],
        depends_on: ids(&[1, 2]),
        ..TaskDraft::titled("Pour it")
    };
    let changed = edit(&store, &[3], Some(NOW), |_, draft| *draft = wanted.clone()).await.unwrap();
    assert_eq!(changed, ids(&[3]));
    let expected = Task { updated_at: LATER.into(), ..Task::new(TaskId(3), wanted.clone(), NOW) };
    assert_eq!(store.task(TaskId(3)).await.unwrap(), Some(expected));
    let fields = ["title", "acceptance", "priority", "tag", "depends_on"].map(str::to_owned).to_vec();
    assert_eq!(
        events_after(&store, 3).await,
        [Event::TaskEdited { task: TaskId(3), fields, origin: Origin::App }]
    );
    assert_eq!(store.search_tasks("hot", 5).await.unwrap(), ids(&[3]), "what is new is found");
    assert_eq!(store.events_about(TaskId(3), 10).await.unwrap().len(), 2);
    assert_eq!(store.events_about(TaskId(3), 1).await.unwrap()[0].event.name(), "task.edited");

    assert_eq!(edit(&store, &[3], None, |_, draft| *draft = wanted.clone()).await.unwrap(), []);
    assert_eq!(events_after(&store, 4).await, [], "nothing differs, nothing is written");
}

#[tokio::test]
async fn a_refused_edit_changes_nothing() {
    let (_folder, store) = chain().await;
    let before = store.tasks().await.unwrap();
    type Change = fn(&mut TaskDraft);
    type Refused<'a> = (&'a [u32], Option<&'a str>, Change, ErrorCode, &'a str);
    let cases: [Refused<'_>; 7] = [
        (&[1, 9], None, |draft| draft.priority = 0, ErrorCode::TaskNotFound, "there is no task #9"),
        (
            &[2],
            Some("2026-01-01T00:00:00Z"),
            |draft| draft.priority = 0,
            ErrorCode::TaskChanged,
            "task #2 was changed by somebody else since you looked at it",
        ),
        (
            &[1, 2],
            None,
            |draft| draft.title.clear(),
            ErrorCode::TaskInvalid,
            "task #1 cannot be changed so: it has no title",
        ),
        (
            &[1],
            None,
            |draft| draft.depends_on = vec![TaskId(3)],
            ErrorCode::TaskCycle,
            "tasks depend on each other in a circle: #1 → #3 → #2 → #1",
        ),
        (
            &[2],
            None,
            |draft| draft.depends_on.push(TaskId(2)),
            ErrorCode::TaskInvalid,
            "task #2 cannot wait for itself",
        ),
        (
            &[2],
            None,
            |draft| draft.depends_on.push(TaskId(7)),
            ErrorCode::TaskInvalid,
            "task #2 cannot wait for task #7, which does not exist",
        ),
        (
            &[2],
            None,
            |draft| draft.sections = vec![SectionId(4)],
            ErrorCode::SectionNotFound,
            "there is no section §4",
        ),
    ];
    for (tasks, seen, change, code, message) in cases {
        let error = edit(&store, tasks, seen, |_, draft| change(draft)).await.unwrap_err();
        assert_eq!((error.problem.code(), error.to_string().as_str()), (code, message));
        assert_eq!(store.tasks().await.unwrap(), before, "{message}");
        assert_eq!(events_after(&store, 3).await, [], "{message}");
    }
}

#[tokio::test]
async fn of_two_writers_that_would_close_a_circle_one_is_refused() {
    let (folder, store) = chain().await;
    let (other, _) = Store::open(&folder.path().join("state.db"), NOW).await.unwrap();
    edit(&store, &[2], None, |_, draft| draft.depends_on.clear()).await.unwrap();
    let (first, second) = tokio::join!(
        edit(&store, &[1], None, |_, draft| draft.depends_on = vec![TaskId(2)]),
        edit(&other, &[2], None, |_, draft| draft.depends_on = vec![TaskId(1)]),
    );
    let refused = [first, second].into_iter().filter_map(Result::err).collect::<Vec<_>>();
    assert_eq!(refused.iter().map(|error| error.problem.code()).collect::<Vec<_>>(), [ErrorCode::TaskCycle]);
}

#[tokio::test]
async fn tasks_move_together_with_their_events_or_not_at_all() {
    let (_folder, store) = chain().await;
    let moved =
        async |tasks: &[u32], to: TaskMove| store.move_tasks(LATER, &ids(tasks), &to, Origin::Cli).await;
    let block = || TaskMove::Block { reason: "no key".into() };
    assert_eq!(moved(&[2, 1], block()).await.unwrap(), ids(&[1, 2]));
    let task = store.task(TaskId(2)).await.unwrap().unwrap();
    let blocked = task.blocked.unwrap();
    assert_eq!(
        (task.status, blocked.reason.as_str(), blocked.at.as_str()),
        (TaskStatus::Blocked, "no key", LATER)
    );
    assert_eq!(moved(&[1, 2], block()).await.unwrap(), [], "they are there already");
    assert_eq!(events_after(&store, 3).await.len(), 2);

    assert_eq!(moved(&[1], TaskMove::Unblock).await.unwrap(), ids(&[1]));
    assert_eq!(moved(&[1], TaskMove::Done).await.unwrap(), ids(&[1]));
    let error = moved(&[3, 1], TaskMove::Cancel).await.unwrap_err();
    assert_eq!(
        (error.problem.code(), error.to_string().as_str()),
        (ErrorCode::TaskStatus, "task #1 is done")
    );
    assert_eq!(moved(&[7], TaskMove::Done).await.unwrap_err().problem.code(), ErrorCode::TaskNotFound);
    let statuses: Vec<TaskStatus> = store.tasks().await.unwrap().iter().map(|task| task.status).collect();
    assert_eq!(statuses, [TaskStatus::Done, TaskStatus::Blocked, TaskStatus::Pending]);
    assert_eq!(store.task(TaskId(1)).await.unwrap().unwrap().blocked, None);
}

#[tokio::test]
async fn taking_a_task_up_again_forgives_what_failed_before() {
    let (_folder, store) = chain().await;
    let run = new_run(1);
    for number in 0..3 {
        let failed = Iteration {
            task: Some(TaskId(1)),
            phase: Phase::Settled,
            outcome: Some(Outcome::Failed),
            ..planned(&run, number, 1)
        };
        let entry = Entry { run: Some(&run), iteration: Some(&failed), ..Entry::default() };
        store.journal(NOW, entry).await.unwrap();
    }
    assert_eq!(store.task(TaskId(1)).await.unwrap().unwrap().failures, 3);
    assert_eq!(store.chronic_tasks(3).await.unwrap(), ids(&[1]));
    assert_eq!(store.chronic_tasks(4).await.unwrap(), []);
    store
        .move_tasks(NOW, &ids(&[1]), &TaskMove::Block { reason: "3 failures".into() }, Origin::Cli)
        .await
        .unwrap();
    assert_eq!(store.task(TaskId(1)).await.unwrap().unwrap().blocked.unwrap().attempts, 3);
    store.move_tasks(NOW, &ids(&[1]), &TaskMove::Unblock, Origin::Cli).await.unwrap();
    assert_eq!(store.chronic_tasks(1).await.unwrap(), []);
    assert_eq!(store.task(TaskId(1)).await.unwrap().unwrap().failures, 3, "they are still counted");
}

fn imported(name: &str, title: &str, after: &[usize]) -> ImportedTask {
    ImportedTask {
        draft: TaskDraft::titled(title),
        after: after.to_vec(),
        status: TaskStatus::Pending,
        blocked: None,
        external: Some(name.into()),
        rest: None,
    }
}

async fn import(store: &Store, tasks: &[ImportedTask]) -> Result<Imported, StoreError> {
    let import = TaskImport { at: LATER, format: "scud", file: Some("tea.json"), tasks, origin: Origin::Cli };
    store.import_tasks(import).await
}

#[tokio::test]
async fn a_file_is_imported_in_any_order_and_brought_up_to_date_the_next_time() {
    let (_folder, store) = chain().await;
    let blocked = ImportedTask {
        status: TaskStatus::Blocked,
        blocked: Some("no cups".into()),
        rest: Some(r#"{"phase":1}"#.into()),
        ..imported("2", "Find cups", &[])
    };
    let first = [imported("1", "Serve", &[1]), blocked.clone()];
    let done = import(&store, &first).await.unwrap();
    assert_eq!(done, Imported { tasks: ids(&[4, 5]), added: 2, updated: 0 });
    let serve = store.task(TaskId(4)).await.unwrap().unwrap();
    assert_eq!((serve.draft.depends_on, serve.external.as_deref()), (ids(&[5]), Some("1")));
    let cups = store.task(TaskId(5)).await.unwrap().unwrap();
    assert_eq!(cups.blocked.unwrap().reason, "no cups");
    let external = &store.externals().await.unwrap()[1];
    assert_eq!(
        (external.task, external.file.as_deref(), external.rest.as_deref()),
        (TaskId(5), Some("tea.json"), Some(r#"{"phase":1}"#))
    );
    let names: Vec<&str> = events_after(&store, 3).await.iter().map(Event::name).collect();
    assert_eq!(names, ["task.added", "task.added", "task.imported"]);

    assert_eq!(import(&store, &first).await.unwrap(), Imported { tasks: ids(&[4, 5]), added: 0, updated: 0 });
    let second = [
        ImportedTask { status: TaskStatus::InProgress, blocked: None, ..blocked },
        imported("1", "Serve at the table", &[2]),
        imported("3", "Lay the table", &[]),
    ];
    assert_eq!(
        import(&store, &second).await.unwrap(),
        Imported { tasks: ids(&[5, 4, 6]), added: 1, updated: 2 }
    );
    let tasks = store.tasks().await.unwrap();
    assert_eq!(
        (tasks[3].draft.title.as_str(), &tasks[3].draft.depends_on),
        ("Serve at the table", &ids(&[6]))
    );
    assert_eq!(tasks[4].status, TaskStatus::Pending, "nobody works on it here");
}

#[tokio::test]
async fn a_bad_import_changes_nothing() {
    let (_folder, store) = chain().await;
    let before = store.tasks().await.unwrap();
    let through_ours = |on: u32, task: ImportedTask| ImportedTask {
        draft: TaskDraft { depends_on: ids(&[on]), ..task.draft },
        ..task
    };
    let cases = [
        (
            vec![imported("1", "A", &[]), imported("1", "B", &[])],
            "new task 2 cannot be added: another task of the file is called the same",
        ),
        (
            vec![imported("1", "A", &[]), imported("2", " ", &[])],
            "new task 2 cannot be added: it has no title",
        ),
        (
            vec![imported("1", "A", &[5])],
            "new task 1 cannot be added: it waits for a task that is not among the new ones",
        ),
        (
            vec![through_ours(8, imported("1", "A", &[]))],
            "new task 1 waits for task #8, which does not exist",
        ),
    ];
    for (tasks, message) in cases {
        let error = import(&store, &tasks).await.unwrap_err();
        assert_eq!((error.problem.code(), error.to_string().as_str()), (ErrorCode::TaskInvalid, message));
        assert_eq!(store.tasks().await.unwrap(), before, "{message}");
        assert_eq!(events_after(&store, 3).await, [], "{message}");
    }
    import(&store, &[imported("1", "A", &[])]).await.unwrap();
    edit(&store, &[1], None, |_, draft| draft.depends_on = vec![TaskId(4)]).await.unwrap();
    let error = import(&store, &[through_ours(3, imported("1", "A", &[]))]).await.unwrap_err();
    assert_eq!(error.problem.code(), ErrorCode::TaskCycle);
    assert_eq!(store.task(TaskId(4)).await.unwrap().unwrap().draft.depends_on, []);
}

#[tokio::test]
async fn ten_thousand_tasks_with_fifty_thousand_dependencies_are_imported_at_once() {
    let (_folder, store) = chain().await;
    let tasks: Vec<ImportedTask> = (0..10_000usize)
        .map(|place| {
            let after: Vec<usize> = (1..=5).map(|step| place + step * 3).filter(|on| *on < 10_000).collect();
            imported(&place.to_string(), &format!("Cup {place}"), &after)
        })
        .collect();
    assert_eq!(import(&store, &tasks).await.unwrap().added, 10_000);
    let read = store.tasks().await.unwrap();
    assert_eq!(read.iter().map(|task| task.draft.depends_on.len()).sum::<usize>(), 49_955 + 2);
}

/// What is asked about some tasks is what all tasks say about them.
#[tokio::test]
async fn some_tasks_are_as_they_are_among_all() {
    let folder = tempfile::tempdir().unwrap();
    let (store, _) = Store::open(&folder.path().join("state.db"), NOW).await.unwrap();
    let kept = |status: &str| Some(format!(r#"{{"item":{{"status":"{status}"}}}}"#));
    let tasks = [
        ImportedTask { rest: kept("pending"), ..imported("1", "Serve", &[]) },
        ImportedTask { rest: kept("done"), ..imported("2", "Find cups", &[0]) },
        ImportedTask { rest: kept("in_progress"), ..imported("3", "Lay the table", &[]) },
        ImportedTask { rest: None, ..imported("4", "Sweep", &[]) },
    ];
    assert!(!store.has_externals().await.unwrap());
    let all = import(&store, &tasks).await.unwrap().tasks;
    assert!(store.has_externals().await.unwrap());
    let some = [all[2], TaskId(99), all[0]];
    let expected: Vec<_> =
        store.tasks().await.unwrap().into_iter().filter(|task| some.contains(&task.id)).collect();
    assert_eq!((store.some_tasks(&some).await.unwrap(), expected.len()), (expected.clone(), 2));
    let externals = store.externals().await.unwrap();
    let expected: Vec<_> = externals.into_iter().filter(|external| some.contains(&external.task)).collect();
    assert_eq!(store.externals_of(&some).await.unwrap(), expected);
    let moved = store.moved_externals().await.unwrap();
    let moved: Vec<_> = moved.iter().map(|(external, status)| (external.task, *status)).collect();
    assert_eq!(moved, [(all[1], TaskStatus::Pending), (all[2], TaskStatus::Pending)]);
}

#[tokio::test]
async fn removed_tasks_are_gone_with_what_belongs_to_them() {
    let (_folder, store) = chain().await;
    let needed = store.remove_tasks(LATER, &ids(&[2]), Origin::Cli).await.unwrap_err();
    assert_eq!((needed.problem.code(), store.tasks().await.unwrap().len()), (ErrorCode::TaskStatus, 3));
    let seq = store.last_seq().await.unwrap();
    store.remove_tasks(LATER, &ids(&[3, 2]), Origin::Cli).await.unwrap();
    let left: Vec<TaskId> = store.tasks().await.unwrap().into_iter().map(|task| task.id).collect();
    assert_eq!(left, ids(&[1]));
    let told = events_after(&store, seq.0).await;
    assert!(
        matches!(told[..], [Event::TaskRemoved { task: TaskId(2), .. }, Event::TaskRemoved { .. }]),
        "{told:?}"
    );
}
