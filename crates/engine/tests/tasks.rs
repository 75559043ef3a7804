//! Tasks through an open project: the board, one task, and everything a person does to them.
#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use loopwright_domain::{
    ErrorCode, Event, Origin, TaskDraft, TaskFilter, TaskId, TaskKind, TaskMove, TaskStatus,
};
use loopwright_engine::task::{BulkEdit, HeldTask};
use loopwright_engine::{Host, NewProject, Project};
use tempfile::TempDir;

/// Water, then tea and milk, then serving; and a task by itself.
async fn tea_house() -> (TempDir, Project) {
    let folder = tempfile::tempdir().unwrap();
    let host = Host::in_folder(folder.path(), std::env::var_os("PATH").unwrap_or_default());
    let place = folder.path().join("tea-house");
    let project = Project::create(&host, &place, &NewProject::default(), Origin::Cli).await.unwrap();
    for (title, after, tag) in [
        (" Boil water ", &[][..], Some("tea")),
        ("Brew tea", &[1], Some("tea")),
        ("Warm milk", &[1], Some("  ")),
        ("Serve", &[2, 3], None),
        ("Sweep", &[], None),
    ] {
        let depends_on = ids(after);
        let draft = TaskDraft { depends_on, tag: tag.map(str::to_owned), ..TaskDraft::titled(title) };
        project.tasks().add(draft).await.unwrap();
    }
    (folder, project)
}

fn ids(numbers: &[u32]) -> Vec<TaskId> {
    numbers.iter().copied().map(TaskId).collect()
}

#[tokio::test]
async fn the_board_shows_how_tasks_hang_together() {
    let (_folder, project) = tea_house().await;
    project.tasks().change_status(&ids(&[1]), &TaskMove::Done, Origin::App).await.unwrap();
    let blocked = TaskMove::Block { reason: " no cow ".into() };
    assert_eq!(
        project.tasks().change_status(&ids(&[3]), &blocked, Origin::App).await.unwrap().held,
        [HeldTask { task: TaskId(4), by: ids(&[3]) }]
    );
    let board = project.tasks().board().await.unwrap();
    assert_eq!(
        board.tasks.iter().map(|row| (row.id.0, row.wave)).collect::<Vec<_>>(),
        [(1, Some(1)), (5, Some(1)), (2, Some(2)), (3, Some(2)), (4, Some(3)),]
    );
    assert_eq!(
        board.waves.iter().map(|wave| (wave.done, wave.blocked, wave.total)).collect::<Vec<_>>(),
        [(1, 0, 2), (0, 1, 2), (0, 0, 1),]
    );
    assert_eq!((board.next, board.current, board.cycle), (Some(TaskId(5)), None, Vec::new()));
    assert_eq!(board.critical_path, ids(&[2, 4]));
    assert_eq!((board.tags, board.by_hand), (vec!["tea".to_owned()], None), "a tag of blanks is none");
    assert_eq!(board.tasks[3].blocked.as_ref().unwrap().reason, "no cow");
    let tea = TaskFilter { tag: Some("tea".into()), ..TaskFilter::default() };
    assert_eq!(project.tasks().next(&tea).await.unwrap().unwrap().draft.title, "Brew tea");

    let detail = project.tasks().detail(TaskId(3)).await.unwrap();
    assert_eq!((detail.wave, detail.dependants.as_slice()), (Some(2), ids(&[4]).as_slice()));
    assert_eq!(
        detail.journal.iter().map(|envelope| envelope.event.name()).collect::<Vec<_>>(),
        ["task.added", "task.status"]
    );
    assert_eq!(project.tasks().detail(TaskId(8)).await.unwrap_err().code, ErrorCode::TaskNotFound);
}

#[tokio::test]
async fn an_edit_of_something_older_is_refused() {
    let (_folder, project) = tea_house().await;
    let seen = project.tasks().find(TaskId(2)).await.unwrap();
    let draft = TaskDraft { notes: "ask the cook".into(), ..seen.draft.clone() };
    let edited = project.tasks().edit(TaskId(2), &seen.updated_at, draft.clone(), Origin::App).await.unwrap();
    assert_eq!(edited.task.draft, draft);
    let late = TaskDraft { notes: "ask the boss".into(), ..seen.draft };
    let fault = project.tasks().edit(TaskId(2), &seen.updated_at, late, Origin::App).await.unwrap_err();
    assert_eq!(fault.code, ErrorCode::TaskChanged);
    assert_eq!(fault.location, None, "it is not about a file");
    assert_eq!(project.tasks().find(TaskId(2)).await.unwrap().draft.notes, "ask the cook");
}

#[tokio::test]
async fn many_tasks_change_at_once() {
    let (_folder, project) = tea_house().await;
    let edit =
        BulkEdit { priority: Some(2), tag: Some(String::new()), kind: Some(TaskKind::Docs), size: None };
    let moved = project.tasks().edit_many(&ids(&[1, 2, 5]), &edit, Origin::App).await.unwrap();
    assert_eq!(moved.changed, ids(&[1, 2, 5]));
    let tasks = project.tasks().list().await.unwrap();
    let task = &tasks[1].draft;
    assert_eq!((task.priority, &task.tag, task.kind, task.size), (2, &None, Some(TaskKind::Docs), None));
    let again = project.tasks().edit_many(&ids(&[1, 2, 5]), &edit, Origin::App).await.unwrap();
    assert_eq!(again.changed, []);
}

#[tokio::test]
async fn a_task_is_placed_by_as_few_priorities_as_can_be() {
    let (_folder, project) = tea_house().await;
    let order = async || -> Vec<u32> {
        project.tasks().board().await.unwrap().tasks.iter().map(|row| row.id.0).collect()
    };
    assert_eq!(order().await, [1, 5, 2, 3, 4]);
    let moved = project.tasks().place(TaskId(5), Some(TaskId(1)), Origin::App).await.unwrap();
    assert_eq!((moved.changed, order().await), (ids(&[5]), vec![5, 1, 2, 3, 4]));
    project.tasks().place(TaskId(5), None, Origin::App).await.unwrap();
    assert_eq!(order().await, [1, 5, 2, 3, 4]);
    let apart = project.tasks().place(TaskId(5), Some(TaskId(4)), Origin::App).await.unwrap_err();
    assert_eq!(
        (apart.code, apart.message.as_str()),
        (ErrorCode::TaskInvalid, "these tasks are in different waves")
    );
    assert_eq!(
        project.tasks().place(TaskId(9), None, Origin::App).await.unwrap_err().code,
        ErrorCode::TaskNotFound
    );
}

#[tokio::test]
async fn cancelling_and_removing_a_dependency_are_told_apart() {
    let (_folder, project) = tea_house().await;
    let moved = project.tasks().change_status(&ids(&[3]), &TaskMove::Cancel, Origin::Cli).await.unwrap();
    assert_eq!(moved.held, [HeldTask { task: TaskId(4), by: ids(&[3]) }]);
    assert_eq!(
        project.tasks().undepend(TaskId(4), &ids(&[3]), Origin::Cli).await.unwrap().changed,
        ids(&[4])
    );
    assert_eq!(project.tasks().board().await.unwrap().held, []);
    assert_eq!(project.tasks().undepend(TaskId(4), &ids(&[3]), Origin::Cli).await.unwrap().changed, []);
    let circle = project.tasks().depend(TaskId(1), &ids(&[5, 4]), Origin::Cli).await.unwrap_err();
    assert_eq!(circle.code, ErrorCode::TaskCycle);
    assert!(circle.message.ends_with("#1 → #4 → #2 → #1"), "{}", circle.message);
    let reopened = project.tasks().change_status(&ids(&[3]), &TaskMove::Reopen, Origin::Cli).await.unwrap();
    assert_eq!(reopened.changed, ids(&[3]));
    let last = project.events().recent(1).await.unwrap().remove(0).event;
    let expected = Event::TaskStatusChanged {
        task: TaskId(3),
        from: TaskStatus::Cancelled,
        to: TaskStatus::Pending,
        reason: None,
        iteration: None,
        origin: Some(Origin::Cli),
    };
    assert_eq!(last, expected);
    assert_eq!(project.tasks().chronic(None).await.unwrap(), []);
}
