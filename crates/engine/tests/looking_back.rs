//! Looking back at iterations through the library: the list, one of them, its diff, and going back to it.
#![cfg(unix)]
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "in a test a panic is the report; git is called as a person would"
)]

use std::fs;
use std::path::{Path, PathBuf};

use loopwright_domain::{ErrorCode, Event, IterationId, Origin, Phase, Run};
use loopwright_engine::run::{
    Comparison, Earlier, FileStatus, Folded, IterationColumn, IterationPage, IterationSort, LineKind,
    RunRequest, StopHandle, TreeOf, TreeSide, Unobserved,
};
use loopwright_engine::{Host, NewProject, Project};
use tempfile::TempDir;

const BY_NUMBER: IterationSort = IterationSort { column: IterationColumn::Number, descending: false };

struct ProjectFolder {
    _folder: TempDir,
    root: PathBuf,
    project: Project,
}

impl ProjectFolder {
    /// A project, in git or not, after one run of this script.
    async fn after(git: bool, script: &str, iterations: u32) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let host = Host::in_folder(folder.path(), std::env::var_os("PATH").unwrap_or_default());
        let root = folder.path().join("tea-house");
        let new = NewProject { git, ..NewProject::default() };
        let project = Project::create(&host, &root, &new, Origin::Cli).await.unwrap();
        let place = Self { _folder: folder, root, project };
        place.run(script, iterations).await;
        place
    }

    async fn run(&self, script: &str, iterations: u32) -> Run {
        let path = self.root.parent().unwrap().join("agent.sh");
        fs::write(&path, script).unwrap();
        let request = RunRequest::prompt("Brew.\u{1b}[31m")
            .command(format!("sh {}", path.display()))
            .set("loop.max_iterations", iterations.to_string())
            .set("loop.dirty", "include");
        let prepared = self.project.runs().prepare(&request).unwrap();
        self.project
            .runs()
            .start(prepared, Earlier::Leave, Origin::Cli, &mut Unobserved, StopHandle::new())
            .await
            .unwrap()
    }

    async fn page(&self, sort: IterationSort) -> IterationPage {
        self.project.iterations().page(None, sort, 0, 100).await.unwrap()
    }

    async fn ids(&self) -> Vec<IterationId> {
        self.page(BY_NUMBER).await.rows.iter().map(|row| row.id).collect()
    }
}

fn own(iteration: IterationId) -> Comparison {
    Comparison { from: before(iteration), to: after(iteration) }
}

fn before(iteration: IterationId) -> TreeOf {
    TreeOf { iteration, side: TreeSide::Before }
}

fn after(iteration: IterationId) -> TreeOf {
    TreeOf { iteration, side: TreeSide::After }
}

/// Each iteration adds to a file; the second one fails and changes many things.
const WORKS: &str = "cat > /dev/null\necho line >> menu.txt\necho 'The tea is ready.'\n\
    if [ \"$(wc -l < menu.txt)\" = 2 ]; then\n\
    printf 'a\\r\\nb\\r\\n' > windows.txt; printf 'no end' > end.txt; printf 'x\\033[2J\\n' > control.txt\n\
    printf '\\000\\001' > picture.bin; seq 3000 > numbers.txt; echo lock > Cargo.lock; ln -s menu.txt link\n\
    printf 'odd\\n' > \"$(printf 'new\\nline')\"; exit 3\nfi\n";

#[tokio::test]
async fn the_list_and_the_detail_tell_what_happened() {
    let place = ProjectFolder::after(true, WORKS, 3).await;
    let page = place.page(BY_NUMBER).await;
    assert_eq!(page.total, 3);
    let numbers: Vec<u32> = page.rows.iter().map(|row| row.number).collect();
    assert_eq!(numbers, [0, 1, 2]);
    assert_eq!(page.rows[1].exit_code, Some(3));
    assert!(page.rows[0].preview.contains("The tea is ready."), "{:?}", page.rows[0]);
    let by_exit = place.page(IterationSort { column: IterationColumn::Exit, descending: true }).await;
    assert_eq!(by_exit.rows[0].number, 1);
    let too_much = place.project.iterations().page(None, BY_NUMBER, 0, 501).await;
    assert_eq!(too_much.unwrap_err().code, ErrorCode::UsageInvalid);
    assert!(place.project.iterations().page(None, BY_NUMBER, 90, 10).await.unwrap().rows.is_empty());

    let detail = place.project.iterations().detail(page.rows[1].id).await.unwrap();
    assert_eq!((detail.previous, detail.next), (Some(page.rows[0].id), Some(page.rows[2].id)));
    assert!(detail.prompt.text.contains("Brew.") && !detail.prompt.text.contains('\u{1b}'));
    assert!(!detail.prompt.cut && detail.prompt.bytes > 5);
    assert_eq!(detail.no_tree, None);
    assert!(
        detail.journal.iter().any(|told| matches!(told.event, Event::AgentEnded { exit_code: Some(3), .. }))
    );
    let foreign = |told: &loopwright_domain::EventEnvelope| matches!(told.event, Event::IterationPhase { iteration, phase: Phase::Running } if iteration != detail.iteration.id);
    assert!(!detail.journal.iter().any(foreign));
    let nobody = "00000000-0000-7000-8000-000000000001".parse().unwrap();
    assert_eq!(place.project.iterations().detail(nobody).await.unwrap_err().code, ErrorCode::RunNotFound);
}

#[tokio::test]
async fn a_diff_is_told_file_by_file() {
    let place = ProjectFolder::after(true, WORKS, 3).await;
    let ids = place.ids().await;
    let report = place.project.iterations().diff_files(own(ids[1])).await.unwrap();
    let brief: Vec<(&str, FileStatus, u32, Option<Folded>)> =
        report.files.iter().map(|file| (&*file.path, file.status, file.added, file.folded)).collect();
    assert_eq!(
        brief,
        [
            ("Cargo.lock", FileStatus::Added, 1, Some(Folded::Lock)),
            ("control.txt", FileStatus::Added, 1, None),
            ("end.txt", FileStatus::Added, 1, None),
            ("link", FileStatus::Added, 1, None),
            ("menu.txt", FileStatus::Modified, 1, None),
            ("new\nline", FileStatus::Added, 1, None),
            ("numbers.txt", FileStatus::Added, 3_000, Some(Folded::Huge)),
            ("picture.bin", FileStatus::Added, 0, Some(Folded::Binary)),
            ("windows.txt", FileStatus::Added, 2, None),
        ]
    );
    assert_eq!((report.total, report.added, report.removed), (9, 3_008, 0));
    let diff = async |path: &str| place.project.iterations().diff_file(own(ids[1]), path).await.unwrap();
    let texts = |diff: &loopwright_engine::run::FileDiff| -> Vec<String> {
        diff.hunks.iter().flat_map(|hunk| &hunk.lines).map(|line| line.text.clone()).collect()
    };
    let menu = diff("menu.txt").await;
    let lines = &menu.hunks[0].lines;
    assert_eq!((lines[0].kind, lines[0].old, lines[0].new), (LineKind::Context, Some(1), Some(1)));
    assert_eq!((lines[1].kind, lines[1].old, lines[1].new), (LineKind::Added, None, Some(2)));
    assert_eq!(texts(&diff("windows.txt").await), ["a", "b"], "how the whole file is written is no change");
    assert_eq!(texts(&diff("control.txt").await), ["x␛[2J"]);
    assert_eq!(texts(&diff("new\nline").await), ["odd"]);
    assert!(diff("end.txt").await.hunks[0].lines[0].no_line_break);
    assert!(diff("picture.bin").await.hunks.is_empty());
    assert_eq!(texts(&diff("numbers.txt").await).len(), 3_000);
    for wrong in ["nothing.txt", "../agent.sh", "/etc/passwd", ""] {
        let refused = place.project.iterations().diff_file(own(ids[1]), wrong).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::UsageInvalid, "{wrong:?}");
    }
    let bare = place.project.iterations().diff_file_with_context(own(ids[1]), "menu.txt", 0).await.unwrap();
    assert!(bare.hunks.iter().flat_map(|hunk| &hunk.lines).all(|line| line.kind != LineKind::Context));
    let across = Comparison { from: after(ids[0]), to: after(ids[2]) };
    assert_eq!(place.project.iterations().diff_file(across, "menu.txt").await.unwrap().file.added, 2);
}

#[tokio::test]
async fn very_long_changes_are_cut() {
    let script = "cat > /dev/null\nseq 60000 > many.txt\nhead -c 200000 /dev/zero | tr '\\0' x > long.txt\n";
    let place = ProjectFolder::after(true, script, 1).await;
    let id = place.ids().await[0];
    let many = place.project.iterations().diff_file(own(id), "many.txt").await.unwrap();
    let shown: usize = many.hunks.iter().map(|hunk| hunk.lines.len()).sum();
    assert!(many.cut && shown == 20_000 && many.file.added == 60_000);
    let long = place.project.iterations().diff_file(own(id), "long.txt").await.unwrap();
    assert_eq!(long.file.folded, Some(Folded::Generated));
    assert_eq!(long.hunks[0].lines[0].text.len(), 2_000);
}

#[tokio::test]
async fn a_restore_is_bound_to_what_was_shown_and_can_be_undone() {
    let place = ProjectFolder::after(true, WORKS, 3).await;
    let ids = place.ids().await;
    fs::write(place.root.join("mine.txt"), "my own\n").unwrap();
    let shown = place.project.restore().preview(after(ids[0])).await.unwrap();
    assert_eq!(shown.writes, ["menu.txt"]);
    assert!(shown.deletes.contains(&"mine.txt".to_owned()) && shown.deletes_total == 9, "{shown:?}");
    fs::write(place.root.join("mine.txt"), "changed meanwhile\n").unwrap();
    let refused = place.project.restore().apply(after(ids[0]), &shown.now, Origin::App).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::RestoreChanged);
    assert_eq!(read(&place.root, "menu.txt"), "line\nline\nline\n");
    assert_eq!(
        place.project.restore().apply(after(ids[0]), "", Origin::App).await.unwrap_err().code,
        ErrorCode::RestoreChanged
    );

    let shown = place.project.restore().preview(after(ids[0])).await.unwrap();
    let restored = place.project.restore().apply(after(ids[0]), &shown.now, Origin::App).await.unwrap();
    assert_eq!((restored.written, restored.deleted), (1, 9));
    assert_eq!(read(&place.root, "menu.txt"), "line\n");
    assert_eq!(place.project.restore().safety_checkpoint(None).await.unwrap(), restored.safety);
    let told = place.project.events().recent(1).await.unwrap().remove(0).event;
    let expected = Event::TreeRestored {
        to: "the files after iteration 1".to_owned(),
        safety: restored.safety.clone(),
        origin: Origin::App,
    };
    assert_eq!(told, expected);

    fs::write(place.root.join("menu.txt"), "edited since\n").unwrap();
    let refused =
        place.project.restore().undo(&restored.safety, &restored.now, Origin::App).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::RestoreChanged);
    fs::write(place.root.join("menu.txt"), "line\n").unwrap();
    place.project.restore().undo(&restored.safety, &restored.now, Origin::App).await.unwrap();
    assert_eq!(read(&place.root, "menu.txt"), "line\nline\nline\n");
    assert_eq!(read(&place.root, "mine.txt"), "changed meanwhile\n");
    // Only what a restore kept can be named so.
    let head = place.project.iterations().detail(ids[0]).await.unwrap().iteration.checkpoint.unwrap();
    let refused = place.project.restore().undo(&head, &restored.now, Origin::App).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::TreeNotSaved);
}

/// What git throws away when nothing names it any more is still there.
#[tokio::test]
async fn what_the_last_iteration_left_outlives_the_worst_cleaning() {
    let place = ProjectFolder::after(true, WORKS, 2).await;
    let ids = place.ids().await;
    fs::remove_file(place.root.join("menu.txt")).unwrap();
    let git = |args: &[&str]| {
        let done = std::process::Command::new("git").current_dir(&place.root).args(args).status().unwrap();
        assert!(done.success());
    };
    git(&["reflog", "expire", "--expire=now", "--all"]);
    git(&["gc", "--quiet", "--prune=now"]);
    let shown = place.project.restore().preview(after(ids[1])).await.unwrap();
    place.project.restore().apply(after(ids[1]), &shown.now, Origin::Cli).await.unwrap();
    assert_eq!(read(&place.root, "menu.txt"), "line\nline\n");
}

#[tokio::test]
async fn without_git_there_is_nothing_to_compare_or_restore() {
    let place = ProjectFolder::after(false, "cat > /dev/null\necho line >> menu.txt\n", 1).await;
    let id = place.ids().await[0];
    let detail = place.project.iterations().detail(id).await.unwrap();
    assert_eq!(detail.no_tree.unwrap().code, ErrorCode::TreeNotSaved);
    assert_eq!(
        place.project.iterations().diff_files(own(id)).await.unwrap_err().code,
        ErrorCode::TreeNotSaved
    );
    assert_eq!(place.project.restore().preview(before(id)).await.unwrap_err().code, ErrorCode::TreeNotSaved);
    assert_eq!(
        place.project.restore().safety_checkpoint(None).await.unwrap_err().code,
        ErrorCode::TreeNotSaved
    );
}

fn read(root: &Path, name: &str) -> String {
    fs::read_to_string(root.join(name)).unwrap()
}
