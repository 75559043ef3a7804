//! An agent that destroys what it can: nothing that was recorded is lost.

use std::fs;
use std::path::Path;

use loopwright_domain::{ErrorCode, Fault};
use loopwright_vcs::{Backup, Checkpoint, VcsError, Workspace};

use crate::support::{Lab, named};

/// A repository with staged, changed and new files, a stash, a checkpoint of it all, and a backup.
async fn recorded(lab: &Lab) -> (Workspace, Checkpoint) {
    lab.repository("project").await;
    lab.write("project/file.txt", "stashed\n");
    lab.must("project", &["stash", "push", "--quiet"]).await;
    lab.write("project/file.txt", "work under way\n");
    lab.write("project/new.txt", "new\n");
    lab.must("project", &["remote", "add", "origin", "https://example.invalid/x.git"]).await;
    let workspace = lab.workspace("project").await;
    let checkpoint = workspace.checkpoint(&named("1")).await.unwrap();
    assert_eq!(workspace.backup(&lab.path("backup")).await.unwrap(), Backup::Written);
    (workspace, checkpoint)
}

async fn restores(lab: &Lab, workspace: &Workspace, checkpoint: &Checkpoint) {
    let produced = workspace.snapshot().await.unwrap();
    let plan = workspace.plan_restore(checkpoint, &produced, None).await.unwrap();
    let restored = workspace.restore(&plan, &named("safety")).await.unwrap();
    assert!(restored.left.is_empty(), "{restored:?}");
    assert_eq!(lab.read("project/file.txt"), "work under way\n");
    assert_eq!(lab.read("project/new.txt"), "new\n");
}

#[tokio::test]
async fn resets_cleanings_and_a_cleared_stash_are_undone() {
    let lab = Lab::new();
    let (workspace, checkpoint) = recorded(&lab).await;
    let script = "git reset -q --hard && git clean -fdxq && git stash clear && git reflog expire --expire=now --all && git gc -q --prune=now";
    assert!(lab.shell("project", script).await.exit.success());
    assert!(!lab.path("project/new.txt").exists());
    restores(&lab, &workspace, &checkpoint).await;
}

/// What is remembered between two checkpoints does not outlive the objects it rests on.
#[tokio::test]
async fn a_checkpoint_after_references_were_deleted_is_whole() {
    let lab = Lab::new();
    let (workspace, _) = recorded(&lab).await;
    lab.must("project", &["add", "file.txt"]).await;
    workspace.checkpoint(&named("2")).await.unwrap();
    let script = "git for-each-ref --format='delete %(refname)' refs/loopwright | git update-ref --stdin && git gc -q --prune=now";
    assert!(lab.shell("project", script).await.exit.success());
    let checkpoint = workspace.checkpoint(&named("3")).await.unwrap();
    for (path, content) in [("file.txt", "work under way"), ("new.txt", "new")] {
        let saved = lab.must("project", &["show", &format!("{}:{path}", checkpoint.commit)]).await;
        assert_eq!(saved, content);
    }
    assert_eq!(lab.must("project", &["fsck", "--strict", "--no-dangling"]).await, "");
}

#[tokio::test]
async fn deleted_references_come_back_from_the_backup() {
    let lab = Lab::new();
    let (workspace, checkpoint) = recorded(&lab).await;
    let script = "git for-each-ref --format='delete %(refname)' refs/loopwright | git update-ref --stdin && git reset -q --hard && git clean -fdxq && git gc -q --prune=now";
    assert!(lab.shell("project", script).await.exit.success());
    let gone = workspace.load_checkpoint(&checkpoint.commit).await.unwrap_err();
    assert!(matches!(gone, VcsError::Missing { .. }), "{gone}");
    let recovered = lab.git().recover(&lab.path("backup"), &lab.path("project")).await.unwrap();
    assert!(!recovered.rebuilt);
    assert_eq!(recovered.refs, ["refs/loopwright/checkpoints/run/1"]);
    let checkpoint = workspace.find_checkpoint(&named("1")).await.unwrap().unwrap();
    restores(&lab, &workspace, &checkpoint).await;
    let again = lab.git().recover(&lab.path("backup"), &lab.path("project")).await.unwrap();
    assert!(again.refs.is_empty());
}

#[tokio::test]
async fn a_deleted_git_folder_comes_back_and_files_stay() {
    let lab = Lab::new();
    let (workspace, checkpoint) = recorded(&lab).await;
    let head = lab.must("project", &["rev-parse", "HEAD"]).await;
    fs::remove_dir_all(lab.path("project/.git")).unwrap();
    lab.write("project/file.txt", "what the agent left\n");
    let gone = Fault::from(workspace.checkpoint(&named("2")).await.unwrap_err());
    assert_eq!(gone.code, ErrorCode::GitGone);
    assert!(!lab.path("project/.git").exists(), "no empty repository appears by itself");
    drop(workspace);

    let recovered = lab.git().recover(&lab.path("backup"), &lab.path("project")).await.unwrap();
    assert!(recovered.rebuilt && recovered.moved_aside.is_none());
    assert_eq!(lab.read("project/file.txt"), "what the agent left\n");
    assert_eq!(lab.must("project", &["rev-parse", "HEAD"]).await, head);
    assert_eq!(lab.must("project", &["symbolic-ref", "HEAD"]).await, "refs/heads/main");
    assert_eq!(lab.must("project", &["status", "--porcelain"]).await, "M file.txt\n?? new.txt");
    assert_eq!(lab.must("project", &["show", "refs/stash:file.txt"]).await, "stashed");
    assert_eq!(lab.must("project", &["remote"]).await, "origin");
    assert_eq!(lab.must("project", &["fsck", "--strict"]).await, "");
    let workspace = lab.workspace("project").await;
    let found = workspace.find_checkpoint(&named("1")).await.unwrap().unwrap();
    assert_eq!(found.commit, checkpoint.commit);
    restores(&lab, &workspace, &found).await;
}

#[tokio::test]
async fn a_damaged_git_folder_is_moved_aside() {
    let lab = Lab::new();
    let (workspace, _) = recorded(&lab).await;
    drop(workspace);
    fs::remove_file(lab.path("project/.git/HEAD")).unwrap();
    fs::remove_dir_all(lab.path("project/.git/objects")).unwrap();
    let recovered = lab.git().recover(&lab.path("backup"), &lab.path("project")).await.unwrap();
    let aside = recovered.moved_aside.unwrap();
    assert!(recovered.rebuilt && aside.join("config").exists());
    assert_eq!(lab.must("project", &["rev-parse", "--abbrev-ref", "HEAD"]).await, "main");
}

#[tokio::test]
async fn backups_hold_only_what_is_new_and_are_skipped_when_nothing_is() {
    let lab = Lab::new();
    let (workspace, _) = recorded(&lab).await;
    let backup = lab.path("backup");
    let bundles =
        || fs::read_dir(&backup).unwrap().filter(|entry| is_bundle(&entry.as_ref().unwrap().path())).count();
    assert_eq!(workspace.backup(&backup).await.unwrap(), Backup::Unchanged);
    assert_eq!(bundles(), 1);
    for number in 2..40 {
        lab.write("project/file.txt", format!("{number}\n"));
        workspace.checkpoint(&named(&number.to_string())).await.unwrap();
        assert_eq!(workspace.backup(&backup).await.unwrap(), Backup::Written);
    }
    assert!(bundles() <= 24, "{}", bundles());
    fs::remove_dir_all(lab.path("project/.git")).unwrap();
    drop(workspace);
    let recovered = lab.git().recover(&backup, &lab.path("project")).await.unwrap();
    assert_eq!(recovered.refs.iter().filter(|name| name.starts_with("refs/loopwright/")).count(), 39);
    let workspace = lab.workspace("project").await;
    for number in 2..40 {
        let checkpoint = workspace.find_checkpoint(&named(&number.to_string())).await.unwrap().unwrap();
        let saved = lab.must("project", &["show", &format!("{}:file.txt", checkpoint.commit)]).await;
        assert_eq!(saved, number.to_string());
    }
}

fn is_bundle(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "bundle")
}

#[tokio::test]
async fn an_added_work_tree_that_lost_its_way_finds_it_again() {
    let lab = Lab::new();
    lab.repository("project").await;
    lab.must("project", &["worktree", "add", "--quiet", "../second"]).await;
    let workspace = lab.workspace("second").await;
    workspace.checkpoint(&named("1")).await.unwrap();
    workspace.backup(&lab.path("backup")).await.unwrap();
    fs::remove_file(lab.path("second/.git")).unwrap();
    let recovered = lab.git().recover(&lab.path("backup"), &lab.path("second")).await.unwrap();
    assert!(!recovered.rebuilt);
    assert_eq!(lab.must("second", &["rev-parse", "--abbrev-ref", "HEAD"]).await, "second");
    assert_eq!(lab.must("second", &["status", "--porcelain"]).await, "");
}

#[tokio::test]
async fn without_a_backup_nothing_is_made() {
    let lab = Lab::new();
    fs::create_dir_all(lab.path("project")).unwrap();
    fs::create_dir_all(lab.path("backup")).unwrap();
    for content in [
        "",
        "{}",
        r#"{"sha256":false,"branch":"../x","commit":null,"refs":[],"bundles":[],"files":[],"elsewhere":null}"#,
    ] {
        lab.write("backup/backup.json", content);
        let refused = lab.git().recover(&lab.path("backup"), &lab.path("project")).await.unwrap_err();
        assert!(matches!(refused, VcsError::Missing { .. }), "{refused}");
    }
    assert!(!lab.path("project/.git").exists());
}
