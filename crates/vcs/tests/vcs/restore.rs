//! A restore puts back what the run changed, and nothing else.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::time::{Duration, SystemTime};

use loopwright_vcs::{Checkpoint, Produced, Restored, Snapshot, Staged, Unsaved, Workspace};

use crate::support::{Lab, named};

async fn begin(lab: &Lab) -> (Workspace, Checkpoint) {
    lab.repository("project").await;
    lab.write("project/.gitignore", "*.log\n");
    lab.write("project/untracked.txt", "mine\n");
    let workspace = lab.workspace("project").await;
    let checkpoint = workspace.checkpoint(&named("1")).await.unwrap();
    (workspace, checkpoint)
}

async fn restore(workspace: &Workspace, checkpoint: &Checkpoint, produced: &Snapshot) -> Restored {
    let plan = workspace.plan_restore(checkpoint, produced, None).await.unwrap();
    workspace.restore(&plan, &named("safety-1")).await.unwrap()
}

fn left(restored: &Restored) -> Vec<(&Path, Unsaved)> {
    restored.left.iter().map(|left| (&*left.path, left.why)).collect()
}

#[tokio::test]
async fn what_the_user_changed_meanwhile_is_left() {
    let lab = Lab::new();
    let (workspace, checkpoint) = begin(&lab).await;
    lab.write("project/file.txt", "the agent's\n");
    lab.write("project/made.txt", "the agent's\n");
    lab.write("project/edited.txt", "the agent's\n");
    fs::remove_file(lab.path("project/untracked.txt")).unwrap();
    let produced = workspace.snapshot().await.unwrap();
    lab.write("project/edited.txt", "the agent's, and the user's\n");
    lab.write("project/users.txt", "the user's\n");
    lab.write("project/users.log", "the user's\n");
    let plan = workspace.plan_restore(&checkpoint, &produced, None).await.unwrap();
    assert_eq!(plan.write, [Path::new("file.txt"), Path::new("untracked.txt")]);
    assert_eq!(plan.delete, [Path::new("made.txt")]);
    // Between the plan and the act, too.
    lab.write("project/file.txt", "the user was quick\n");
    let restored = workspace.restore(&plan, &named("safety-1")).await.unwrap();
    assert_eq!(
        left(&restored),
        [(Path::new("edited.txt"), Unsaved::Edited), (Path::new("file.txt"), Unsaved::Edited)]
    );
    assert_eq!(lab.read("project/file.txt"), "the user was quick\n");
    assert_eq!(lab.read("project/edited.txt"), "the agent's, and the user's\n");
    assert_eq!(lab.read("project/untracked.txt"), "mine\n");
    assert_eq!(lab.read("project/users.txt") + &lab.read("project/users.log"), "the user's\nthe user's\n");
    assert!(!lab.path("project/made.txt").exists());
    let saved = lab.must("project", &["show", &format!("{}:made.txt", restored.safety.commit)]).await;
    assert_eq!(saved, "the agent's");
}

#[tokio::test]
async fn a_commit_of_the_users_is_told_before_anything_is_overwritten() {
    let lab = Lab::new();
    let (workspace, checkpoint) = begin(&lab).await;
    lab.write("project/file.txt", "the agent's\n");
    let produced = workspace.snapshot().await.unwrap();
    assert!(!workspace.plan_restore(&checkpoint, &produced, None).await.unwrap().head_moved);
    lab.write("project/users.txt", "the user's\n");
    lab.must("project", &["add", "users.txt"]).await;
    lab.must("project", &["commit", "--quiet", "--message", "theirs"]).await;
    let plan = workspace.plan_restore(&checkpoint, &produced, None).await.unwrap();
    assert!(plan.head_moved);
    let restored = workspace.restore(&plan, &named("safety-1")).await.unwrap();
    assert_eq!(left(&restored), []);
    assert_eq!(lab.read("project/file.txt") + &lab.read("project/users.txt"), "content\nthe user's\n");
    assert_eq!(lab.must("project", &["log", "-1", "--format=%s"]).await, "theirs");
    assert_eq!(lab.must("project", &["diff", "--cached", "--name-only"]).await, "");
}

#[tokio::test]
async fn files_that_an_edited_gitignore_uncovers_are_not_deleted() {
    let lab = Lab::new();
    lab.repository("project").await;
    lab.write("project/.gitignore", "*.log\n/data/\n");
    lab.write("project/.git/info/exclude", "private.db\n");
    lab.write("project/data/precious.db", "years of work\n");
    lab.write("project/app.log", "old\n");
    lab.write("project/private.db", "precious too\n");
    let workspace = lab.workspace("project").await;
    let checkpoint = workspace.checkpoint(&named("1")).await.unwrap();
    lab.write("project/.gitignore", "");
    lab.write("project/.git/info/exclude", "");
    lab.write("project/made.txt", "x");
    let produced = workspace.snapshot().await.unwrap();
    let restored = restore(&workspace, &checkpoint, &produced).await;
    // What was ignored before is no part of the work.
    assert_eq!(left(&restored), []);
    let names = workspace.changes(&checkpoint.snapshot.tree, &produced.tree).await.unwrap();
    let names: Vec<&Path> = names.iter().map(|change| &*change.path).collect();
    assert_eq!(names, [Path::new(".gitignore"), Path::new("made.txt")]);
    assert_eq!(restored.deleted, [Path::new("made.txt")]);
    assert_eq!(lab.read("project/data/precious.db"), "years of work\n");
    assert_eq!(lab.read("project/private.db"), "precious too\n");
    assert_eq!(lab.read("project/.gitignore"), "*.log\n/data/\n");
}

#[tokio::test]
async fn bytes_modes_and_links_come_back_as_they_were() {
    let lab = Lab::new();
    lab.repository("project").await;
    lab.write("project/.gitattributes", "*.txt text=auto eol=crlf ident\n*.bin filter=upper\n");
    lab.append("home/.gitconfig", "[core]\n\tautocrlf = true\n");
    lab.append("project/.git/config", "[filter \"upper\"]\n\tclean = tr a-z A-Z\n\tsmudge = tr A-Z a-z\n");
    lab.must("project", &["add", "--all"]).await;
    let mixed = "one\r\ntwo\nthree $Id: x$\r\n";
    lab.write("project/mixed.txt", mixed);
    lab.write("project/Filtered.bin", "MiXeD");
    lab.script("project/run.sh", "true");
    fs::set_permissions(lab.path("project/run.sh"), fs::Permissions::from_mode(0o750)).unwrap();
    symlink("file.txt", lab.path("project/link")).unwrap();
    lab.must("project", &["add", "mixed.txt", "Filtered.bin"]).await;
    let workspace = lab.workspace("project").await;
    let checkpoint = workspace.checkpoint(&named("1")).await.unwrap();
    for name in ["mixed.txt", "Filtered.bin", "run.sh"] {
        lab.write(format!("project/{name}"), "changed\n");
    }
    fs::set_permissions(lab.path("project/run.sh"), fs::Permissions::from_mode(0o640)).unwrap();
    fs::remove_file(lab.path("project/link")).unwrap();
    lab.write("project/link", "a file now\n");
    let produced = workspace.snapshot().await.unwrap();
    let restored = restore(&workspace, &checkpoint, &produced).await;
    assert_eq!(left(&restored), []);
    assert_eq!(lab.read("project/mixed.txt"), mixed);
    assert_eq!(lab.read("project/Filtered.bin"), "MiXeD");
    let mode = fs::metadata(lab.path("project/run.sh")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o750);
    assert_eq!(fs::read_link(lab.path("project/link")).unwrap(), Path::new("file.txt"));
}

#[tokio::test]
async fn what_is_in_the_way_is_left() {
    let lab = Lab::new();
    let (workspace, checkpoint) = begin(&lab).await;
    fs::remove_file(lab.path("project/file.txt")).unwrap();
    lab.write("project/file.txt/made.txt", "x");
    lab.write("project/file.txt/ignored.log", "not the run's to delete");
    let produced = workspace.snapshot().await.unwrap();
    let restored = restore(&workspace, &checkpoint, &produced).await;
    assert_eq!(left(&restored), [(Path::new("file.txt"), Unsaved::InTheWay)]);
    assert_eq!(lab.read("project/file.txt/ignored.log"), "not the run's to delete");
    fs::remove_file(lab.path("project/file.txt/ignored.log")).unwrap();
    let produced = workspace.snapshot().await.unwrap();
    assert_eq!(left(&restore(&workspace, &checkpoint, &produced).await), []);
    assert_eq!(lab.read("project/file.txt"), "content\n");
}

#[tokio::test]
async fn nothing_is_written_through_a_link() {
    let lab = Lab::new();
    lab.repository("project").await;
    lab.write("project/src/lib.rs", "mine\n");
    lab.write("outside/lib.rs", "somebody else's\n");
    let workspace = lab.workspace("project").await;
    let checkpoint = workspace.checkpoint(&named("1")).await.unwrap();
    fs::remove_dir_all(lab.path("project/src")).unwrap();
    let produced = workspace.snapshot().await.unwrap();
    symlink(lab.path("outside"), lab.path("project/src")).unwrap();
    let restored = restore(&workspace, &checkpoint, &produced).await;
    assert_eq!(left(&restored), [(Path::new("src/lib.rs"), Unsaved::InTheWay)]);
    assert_eq!(lab.read("outside/lib.rs"), "somebody else's\n");
}

#[tokio::test]
async fn staging_is_taken_back_with_the_files() {
    let lab = Lab::new();
    let (workspace, checkpoint) = begin(&lab).await;
    let before = lab.must("project", &["status", "--porcelain", "-z"]).await;
    lab.write("project/file.txt", "the agent's\n");
    lab.write("project/made.txt", "the agent's\n");
    lab.must("project", &["add", "--all"]).await;
    let produced = workspace.snapshot().await.unwrap();
    let restored = restore(&workspace, &checkpoint, &produced).await;
    assert!(restored.index_restored);
    assert_eq!(lab.must("project", &["status", "--porcelain", "-z"]).await, before);
}

#[tokio::test]
async fn a_locked_index_is_told_and_files_come_back_all_the_same() {
    let lab = Lab::new();
    let (workspace, checkpoint) = begin(&lab).await;
    lab.write("project/file.txt", "the agent's\n");
    lab.must("project", &["add", "file.txt"]).await;
    let produced = workspace.snapshot().await.unwrap();
    lab.write("project/.git/index.lock", "");
    let restored = restore(&workspace, &checkpoint, &produced).await;
    assert!(!restored.index_restored);
    assert_eq!(lab.read("project/file.txt"), "content\n");
}

#[tokio::test]
async fn folders_of_the_run_go_and_those_of_the_user_stay() {
    let lab = Lab::new();
    let (workspace, checkpoint) = begin(&lab).await;
    fs::create_dir(lab.path("project/users-empty")).unwrap();
    std::thread::sleep(Duration::from_millis(50));
    let since = SystemTime::now();
    std::thread::sleep(Duration::from_millis(50));
    lab.write("project/made/deep/file", "x");
    lab.write("project/users-empty/file", "x");
    let produced = workspace.snapshot().await.unwrap();
    let plan = workspace.plan_restore(&checkpoint, &produced, Some(since)).await.unwrap();
    workspace.restore(&plan, &named("safety-1")).await.unwrap();
    assert!(lab.path("project/users-empty").is_dir());
    if fs::metadata(lab.path("project")).unwrap().created().is_ok() {
        assert!(!lab.path("project/made").exists());
    }
}

#[tokio::test]
async fn what_the_user_committed_meanwhile_stays_in_tree_index_and_history() {
    let lab = Lab::new();
    let (workspace, checkpoint) = begin(&lab).await;
    lab.write("project/bad.txt", "the agent's\n");
    lab.write("project/mine.txt", "mine\n");
    lab.write("project/file.txt", "mine, too\n");
    lab.must("project", &["add", "mine.txt", "file.txt"]).await;
    lab.must("project", &["commit", "--quiet", "-m", "mine", "--", "mine.txt", "file.txt"]).await;
    lab.write("project/file.txt", "the agent's\n");
    let produced = workspace.snapshot().await.unwrap();
    let plan = workspace.plan_restore(&checkpoint, &produced, None).await.unwrap();
    assert_eq!(plan.owned, [Path::new("file.txt"), Path::new("mine.txt")]);
    workspace.restore(&plan, &named("safety-1")).await.unwrap();
    assert_eq!(lab.read("project/mine.txt"), "mine\n");
    assert_eq!(lab.read("project/file.txt"), "mine, too\n", "what is committed, not what was before");
    assert!(!lab.path("project/bad.txt").exists());
    assert_eq!(
        lab.must("project", &["status", "--porcelain"]).await,
        "?? .gitignore\n?? untracked.txt",
        "the index has what is committed"
    );
}

#[tokio::test]
async fn what_only_the_user_can_have_staged_is_the_users() {
    let lab = Lab::new();
    let (workspace, checkpoint) = begin(&lab).await;
    lab.write("project/bad.txt", "the agent's\n");
    lab.write("project/mine.txt", "mine\n");
    lab.must("project", &["add", "mine.txt"]).await;
    let now = workspace.snapshot().await.unwrap();
    let produced = Produced { tree: now.tree.clone(), staged: Staged::ByUser(now.index_tree.clone()) };
    let plan = workspace.plan_restore(&checkpoint, produced, None).await.unwrap();
    assert_eq!(plan.delete, [Path::new("bad.txt")]);
    workspace.restore(&plan, &named("safety-1")).await.unwrap();
    assert_eq!(lab.read("project/mine.txt"), "mine\n");
    assert_eq!(lab.must("project", &["diff", "--cached", "--name-only"]).await, "mine.txt");
    // Where the run could stage, too, it is taken back like any other work.
    let plan = workspace.plan_restore(&checkpoint, &now, None).await.unwrap();
    workspace.restore(&plan, &named("safety-2")).await.unwrap();
    assert_eq!(lab.must("project", &["diff", "--cached", "--name-only"]).await, "");
}

#[tokio::test]
async fn a_rewritten_object_does_not_reach_the_files() {
    let lab = Lab::new();
    let (workspace, checkpoint) = begin(&lab).await;
    lab.write("project/evil.txt", "the agent's\n");
    let object = |oid: &str| lab.path(format!("project/.git/objects/{}/{}", &oid[..2], &oid[2..]));
    let own = lab.must("project", &["rev-parse", "HEAD:file.txt"]).await;
    let evil = lab.must("project", &["hash-object", "-w", "evil.txt"]).await;
    fs::remove_file(object(&own)).unwrap();
    fs::copy(object(&evil), object(&own)).unwrap();
    fs::remove_file(lab.path("project/file.txt")).unwrap();
    let produced = workspace.snapshot().await.unwrap();
    let restored = restore(&workspace, &checkpoint, &produced).await;
    assert!(!lab.path("project/file.txt").exists());
    assert_eq!(left(&restored), [(Path::new("file.txt"), Unsaved::Damaged)]);
}
