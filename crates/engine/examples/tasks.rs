//! Measures a project with 10,000 tasks and 50,000 dependencies: bringing them in, laying them out in waves, and what
//! a person or a run then asks for.
//!
//! Prints one line of JSON with milliseconds.

use std::error::Error;
use std::time::Instant;

use loopwright_domain::{Origin, TaskDraft, TaskFilter, TaskGraph, TaskId, TaskMove, TaskStatus};
use loopwright_engine::{Host, NewProject, Project};
use loopwright_store::{ImportedTask, Store, TaskImport};

const TASKS: usize = 10_000;
const DEPENDENCIES: usize = 5;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let host = Host::in_folder(folder.path(), std::env::var_os("PATH").unwrap_or_default());
    let place = folder.path().join("tea-house");
    let project = Project::create(&host, &place, &NewProject::default(), Origin::Cli).await?;
    let tasks = some_tasks();
    let (store, _) = Store::open(&project.layout().database(), &host.timestamp()).await?;

    let mut figures = Vec::new();
    let mut clock = Instant::now();
    let mut lap = |what: &str| {
        figures.push(format!("\"{what}_ms\":{:.2}", clock.elapsed().as_secs_f64() * 1000.0));
        clock = Instant::now();
    };
    let at = host.timestamp();
    let import =
        TaskImport { at: &at, format: "scud", file: Some("tea.json"), tasks: &tasks, origin: Origin::Cli };
    store.import_tasks(import).await?;
    lap("import");
    store.import_tasks(import).await?;
    lap("import_again");
    let read = project.tasks().list().await?;
    lap("read");
    let graph = TaskGraph::new(&read);
    let waves = graph.waves().len();
    lap("waves");
    let next = graph.next(&TaskFilter::default());
    lap("next");
    let held = graph.held(&TaskFilter::default()).len();
    lap("held");
    let path = graph.critical_path().len();
    lap("critical_path");
    graph.dependencies().check(TaskId(1), &[TaskId(2)])?;
    lap("check");
    let board = project.tasks().board().await?;
    lap("board");
    project.tasks().search("cup 7777", 20).await?;
    lap("search");
    project.tasks().change_status(&[next.ok_or("nothing can start")?], &TaskMove::Done, Origin::Cli).await?;
    lap("done");
    assert!(
        waves > 1 && held > 0 && path > 1 && board.tasks.len() == TASKS,
        "the tasks are as they were made"
    );
    println!("{{{}}}", figures.join(","));
    Ok(())
}

/// Tasks that wait for five others each; some of them are done, and one in two hundred is blocked.
fn some_tasks() -> Vec<ImportedTask> {
    let status = |place: usize| match place {
        place if place % 200 == 150 => TaskStatus::Blocked,
        0..2_000 => TaskStatus::Done,
        _ => TaskStatus::Pending,
    };
    let task = |place: usize| {
        let draft = TaskDraft {
            description: format!("Wash cup {place}, dry it, and put it back where the others are."),
            complexity: [1, 2, 3, 5, 8][place % 5],
            priority: u32::try_from(place % 9).unwrap_or_default(),
            ..TaskDraft::titled(format!("Cup {place}"))
        };
        let after = (1..=DEPENDENCIES).filter_map(|step| place.checked_sub(step * 97)).collect();
        let (external, status) = (Some(place.to_string()), status(place));
        ImportedTask { draft, after, status, blocked: None, external, rest: Some("{\"phase\":1}".to_owned()) }
    };
    (0..TASKS).map(task).collect()
}
