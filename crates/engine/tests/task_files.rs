//! Tasks that came from files: imported once, brought up to date, and their statuses written back.
#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::fs;

use loopwright_domain::{Origin, TaskDraft, TaskId, TaskMove, TaskStatus};
use loopwright_engine::import::{ExportRequest, Format, ImportReport, ImportRequest, Synced};
use loopwright_engine::{Host, NewProject, Project};
use tempfile::TempDir;

const SCUD: &str = "{\n \"tag\": \"tea\", \"tasks\": [\n  {\"title\":\"Boil\",\"id\":1,  \"status\" : \"pending\", \"x\":[1, 2]},\n  \
                    {\"id\": 2, \"title\": \"Brew\", \"depends_on\": [1]}\n ], \"summary\": null }";
const GRAPH: &str = "# SCUD Graph v1\n# Phase: tea\n\n@meta {\n  name tea\n}\n\n@nodes\n1 | Boil |  P  | 3 | H\n2 | Brew \\| pour | P | 5 | M\n\n\
                     ---\n# SCUD Graph v1\n# Phase: cups\n@nodes\n1 | Find cups | P | 1 | L\n";

async fn project(files: &[(&str, &str)]) -> (TempDir, Project) {
    let folder = tempfile::tempdir().unwrap();
    let host = Host::in_folder(folder.path(), std::env::var_os("PATH").unwrap_or_default());
    let place = folder.path().join("tea-house");
    let project = Project::create(&host, &place, &NewProject::default(), Origin::Cli).await.unwrap();
    for (name, text) in files {
        write(&project, name, text);
    }
    (folder, project)
}

fn write(project: &Project, name: &str, text: &str) {
    let path = project.layout().root.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn text(project: &Project, name: &str) -> String {
    fs::read_to_string(project.layout().root.join(name)).unwrap()
}

async fn import(project: &Project, name: &str) -> ImportReport {
    let request = ImportRequest { file: name.into(), format: None, tag: None, dry_run: false };
    project.tasks().import(&request, Origin::Cli).await.unwrap()
}

async fn move_to(project: &Project, id: u32, to: TaskMove) {
    project.tasks().change_status(&[TaskId(id)], &to, Origin::Cli).await.unwrap();
    let synced = project.tasks().sync_external(&[TaskId(id)]).await;
    assert!(synced.faults.is_empty(), "{synced:?}");
}

async fn status(project: &Project, id: u32) -> TaskStatus {
    project.tasks().find(TaskId(id)).await.unwrap().status
}

#[tokio::test]
async fn only_statuses_are_written_and_every_other_byte_stays() {
    let name = ".scud/tasks/tea.json";
    let (_folder, project) = project(&[(name, SCUD), (".scud/tasks/tasks.scg", GRAPH)]).await;
    assert!(project.tasks().ensure_imported("tea", Origin::Cli).await.unwrap());
    move_to(&project, 1, TaskMove::Done).await;
    move_to(&project, 2, TaskMove::Block { reason: "no leaves".into() }).await;
    let expected =
        SCUD.replace("\"pending\"", "\"done\"").replace("{\"id\": 2", "{\"status\": \"blocked\", \"id\": 2");
    assert_eq!(text(&project, name), expected);
    let graph = GRAPH.replace("Boil |  P ", "Boil |  D ").replace("pour | P", "pour | B");
    assert_eq!(text(&project, ".scud/tasks/tasks.scg"), graph, "its companion follows");
    move_to(&project, 1, TaskMove::Reopen).await;
    assert!(text(&project, name).contains("\"status\" : \"pending\""));
    let again = import(&project, name).await;
    assert_eq!((again.added, again.updated, again.unchanged), (0, 0, 2), "{again:?}");
    assert_eq!(
        (status(&project, 1).await, status(&project, 2).await),
        (TaskStatus::Pending, TaskStatus::Blocked)
    );
}

#[tokio::test]
async fn a_run_takes_new_tasks_from_the_file_but_nobodys_word_that_they_are_done() {
    let (_folder, project) = project(&[(".scud/tasks/tasks.scg", GRAPH)]).await;
    assert!(!project.tasks().ensure_imported("coffee", Origin::Cli).await.unwrap());
    assert!(!project.tasks().ensure_imported("../tea", Origin::Cli).await.unwrap());
    assert!(project.tasks().ensure_imported("tea", Origin::Cli).await.unwrap());
    assert_eq!(project.tasks().list().await.unwrap().len(), 2, "only those of the tag");
    let forged =
        GRAPH.replace("Boil |  P ", "Boil |  D ").replace("\n\n---", "\n3 | Drink | P | 1 | M\n\n---");
    write(&project, ".scud/tasks/tasks.scg", &forged);
    assert!(project.tasks().ensure_imported("tea", Origin::Cli).await.unwrap());
    assert_eq!(
        (project.tasks().list().await.unwrap().len(), status(&project, 1).await),
        (3, TaskStatus::Pending)
    );
    import(&project, ".scud/tasks/tasks.scg").await;
    assert_eq!(status(&project, 1).await, TaskStatus::Done, "a person's import does");
    assert_eq!(project.tasks().list().await.unwrap().len(), 4);
}

#[tokio::test]
async fn tasks_of_a_tag_that_are_not_of_the_file_are_left_alone() {
    let (_folder, project) = project(&[(".scud/tasks/tea.json", SCUD)]).await;
    project.tasks().add(TaskDraft { tag: Some("tea".into()), ..TaskDraft::titled("Own") }).await.unwrap();
    assert!(!project.tasks().ensure_imported("tea", Origin::Cli).await.unwrap());
    assert_eq!(project.tasks().list().await.unwrap().len(), 1);
}

#[tokio::test]
async fn what_others_write_meanwhile_stays_and_a_broken_file_is_only_told() {
    let (_folder, project) = project(&[("PLAN.md", "- [ ] Boil\n- [ ] Brew\n")]).await;
    import(&project, "PLAN.md").await;
    write(
        &project,
        "PLAN.md",
        "# New heading\n\n- [ ] Brew\n- [ ] Boil <!-- mine -->\n  - [ ] more\n- [ ] Boil\n",
    );
    move_to(&project, 1, TaskMove::Done).await;
    assert!(text(&project, "PLAN.md").ends_with("- [x] Boil\n"), "{}", text(&project, "PLAN.md"));
    assert!(text(&project, "PLAN.md").starts_with("# New heading\n\n- [ ] Brew\n- [ ] Boil <!-- mine -->\n"));
    write(&project, "PLAN.md", "nothing");
    project.tasks().change_status(&[TaskId(2)], &TaskMove::Done, Origin::Cli).await.unwrap();
    let faults = project.tasks().sync_external(&[TaskId(2)]).await.faults;
    assert!(faults[0].message.starts_with("PLAN.md does not say yet"), "{faults:?}");
    assert_eq!(text(&project, "PLAN.md"), "nothing");
    fs::remove_file(project.layout().root.join("PLAN.md")).unwrap();
    assert_eq!(project.tasks().sync_external(&[TaskId(2)]).await, Synced::default());
}

#[tokio::test]
async fn links_to_sections_reach_another_project_by_name() {
    const SPEC: &str = "# Tea\n\n## Menu\n\nx\n\n## Refunds\n\ny\n";
    let (_one, from) = project(&[("SPEC.md", SPEC)]).await;
    from.spec().import(&["SPEC.md".into()], false, Origin::Cli).await.unwrap();
    let refunds = from.spec().rows().await.unwrap().into_iter().find(|it| it.title == "Refunds").unwrap().id;
    from.tasks().add(TaskDraft { sections: vec![refunds], ..TaskDraft::titled("Pay back") }).await.unwrap();
    let export = ExportRequest { file: None, format: Some(Format::Loopwright), tag: None };
    let exported = from.tasks().export(&export).await.unwrap().text;
    assert!(exported.contains("\"title\": \"Refunds\""), "{exported}");

    // Where the spec is not there yet, the link is kept and told; it is made when the spec has come.
    let (_two, to) = project(&[("tasks.json", &exported)]).await;
    let first = import(&to, "tasks.json").await;
    assert_eq!((first.added, first.notes.len()), (1, 1), "{first:?}");
    let again = to.tasks().export(&export).await.unwrap().text;
    assert!(again.contains("\"title\": \"Refunds\""), "{again}");
    write(&to, "docs/other.md", "# Other\n\n## Opening\n\n## Refunds\n\nz\n");
    to.spec().import(&["docs/other.md".into()], false, Origin::Cli).await.unwrap();
    let second = import(&to, "tasks.json").await;
    assert_eq!((second.updated, second.notes.len()), (1, 0), "{second:?}");
    let linked = to.tasks().detail(TaskId(1)).await.unwrap().sections;
    assert_eq!(linked.iter().map(|section| section.title.as_str()).collect::<Vec<_>>(), ["Refunds"]);
    // A person's own link stays: the file did not change.
    let task = to.tasks().find(TaskId(1)).await.unwrap();
    let bare = TaskDraft { sections: Vec::new(), ..task.draft.clone() };
    to.tasks().edit(TaskId(1), &task.updated_at, bare, Origin::Cli).await.unwrap();
    import(&to, "tasks.json").await;
    assert_eq!(to.tasks().find(TaskId(1)).await.unwrap().draft.sections, []);

    let broken = exported.replace("\"title\": \"Refunds\"", "\"title\": \"\"");
    write(&to, "broken.json", &broken);
    let request = ImportRequest { file: "broken.json".into(), format: None, tag: None, dry_run: false };
    let fault = to.tasks().import(&request, Origin::Cli).await.unwrap_err();
    assert!(fault.message.contains("sections") && fault.location.is_some(), "{fault:?}");
}

#[tokio::test]
async fn many_tasks_are_imported_and_written_back() {
    let nodes: String = (1..=1_000).map(|n| format!("{n} | Task {n} | P | 3 | M\n")).collect();
    let edge = |n: u32| {
        (1..=5)
            .map(move |back| n.saturating_sub(back * 7))
            .filter(|on| *on > 0)
            .map(move |on| format!("{n} -> {on}\n"))
    };
    let edges: String = (1..=1_000).flat_map(edge).collect();
    let graph = format!("# SCUD Graph v1\n# Phase: big\n@nodes\n{nodes}\n@edges\n{edges}");
    let (_folder, project) = project(&[("big.scg", &graph)]).await;
    assert_eq!(import(&project, "big.scg").await.added, 1_000);
    assert_eq!(import(&project, "big.scg").await.unchanged, 1_000);
    let request = ExportRequest { file: None, format: Some(Format::Scg), tag: None };
    let exported = project.tasks().export(&request).await.unwrap();
    assert_eq!(exported.text.matches(" -> ").count(), edges.lines().count() + 1);
}

/// A link in the place of a SCUD file, or of its folder, which an agent can make, leads nowhere.
#[cfg(unix)]
#[tokio::test]
async fn statuses_are_not_written_through_a_link_out_of_the_project() {
    let name = ".scud/tasks/tea.json";
    for linked in [name, ".scud/tasks", ".scud"] {
        let (folder, project) = project(&[(name, SCUD)]).await;
        assert!(project.tasks().ensure_imported("tea", Origin::Cli).await.unwrap());
        let (place, outside) = (project.layout().root.join(linked), folder.path().join("outside"));
        fs::rename(&place, &outside).unwrap();
        std::os::unix::fs::symlink(&outside, &place).unwrap();
        let before = text(&project, name);
        project.tasks().change_status(&[TaskId(1)], &TaskMove::Done, Origin::Cli).await.unwrap();
        let synced = project.tasks().sync_external(&[TaskId(1)]).await;
        assert_eq!(text(&project, name), before, "{linked}");
        assert!(synced.faults[0].message.contains("leads out of the project"), "{synced:?}");
        let refused = project.tasks().ensure_imported("tea", Origin::Cli).await.unwrap_err();
        assert!(refused.message.contains("leads out of the project"), "{refused:?}");
    }
}
