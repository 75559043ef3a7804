//! A commit holds what the attempt changed, and nothing else.

use std::fs;
use std::path::Path;

use loopwright_domain::{ErrorCode, Fault};
use loopwright_vcs::{CommitRequest, Committed, Position, Snapshot, VcsError, Workspace};

use crate::support::{Lab, named};

async fn request(workspace: &Workspace, from: &Snapshot, to: &Snapshot) -> CommitRequest {
    let expected = workspace.state().await.unwrap().head;
    CommitRequest::new(from.tree.clone(), to.tree.clone(), "Do the work", expected)
        .trailer("Loopwright-Run", "r1")
        .trailer("Loopwright-Iteration", "i1")
}

async fn commit(workspace: &Workspace, from: &Snapshot, to: &Snapshot) -> Option<Committed> {
    let request = request(workspace, from, to).await;
    workspace.commit(&request).await.unwrap()
}

async fn status(lab: &Lab) -> String {
    lab.must("project", &["status", "--porcelain", "-z", "--untracked-files=all"]).await
}

async fn files_in(lab: &Lab, commit: &str) -> String {
    lab.must("project", &["diff-tree", "-r", "--root", "--no-commit-id", "--name-status", commit]).await
}

#[tokio::test]
async fn an_attempt_on_a_clean_tree_leaves_a_clean_tree() {
    let lab = Lab::new();
    lab.repository("project").await;
    let workspace = lab.workspace("project").await;
    for round in ["1", "2"] {
        let before = workspace.checkpoint(&named(round)).await.unwrap().snapshot;
        lab.write("project/file.txt", format!("changed {round}\n"));
        lab.write(format!("project/new {round}"), "new\n");
        let after = workspace.snapshot().await.unwrap();
        let committed = commit(&workspace, &before, &after).await.unwrap();
        assert!(committed.index_updated && committed.excluded.is_empty());
        assert_eq!(committed.tree, after.tree);
        assert_eq!(lab.must("project", &["rev-parse", "HEAD"]).await, committed.commit.as_str());
        assert_eq!(status(&lab).await, "");
        assert_eq!(files_in(&lab, "HEAD").await, format!("M\tfile.txt\nA\tnew {round}"));
    }
    let message = lab.must("project", &["log", "-1", "--format=%an <%ae>%n%B"]).await;
    assert_eq!(
        message,
        "Ada <ada@example.invalid>\nDo the work\n\nLoopwright-Run: r1\nLoopwright-Iteration: i1"
    );
    assert_eq!(lab.must("project", &["fsck", "--strict"]).await, "");
}

#[tokio::test]
async fn other_work_and_what_is_staged_stay_out() {
    let lab = Lab::new();
    lab.repository("project").await;
    lab.write("project/staged.txt", "staged\n");
    lab.must("project", &["add", "staged.txt"]).await;
    lab.write("project/users.txt", "the user's\n");
    let workspace = lab.workspace("project").await;
    let before = workspace.checkpoint(&named("1")).await.unwrap().snapshot;
    lab.write("project/file.txt", "the agent's\n");
    lab.write("project/made.txt", "the agent's\n");
    let after = workspace.snapshot().await.unwrap();
    let committed = commit(&workspace, &before, &after).await.unwrap();
    assert!(committed.index_updated);
    assert_eq!(files_in(&lab, "HEAD").await, "M\tfile.txt\nA\tmade.txt");
    assert_eq!(status(&lab).await, "A  staged.txt\0?? users.txt\0");
}

#[tokio::test]
async fn secrets_and_our_own_state_stay_out() {
    let lab = Lab::new();
    lab.repository("project").await;
    let workspace = lab.workspace("project").await;
    let before = workspace.snapshot().await.unwrap();
    // A tree that does not come from a snapshot, where secrets are left out already.
    lab.write("project/.env", "KEY=hunter2\n");
    lab.write("project/ok.txt", "x\n");
    lab.write("project/.loopwright/run/signal.json", "{}");
    lab.must("project", &["add", "--all", "--force"]).await;
    let mut after = before.clone();
    after.tree = lab.must("project", &["write-tree"]).await.parse().unwrap();
    lab.must("project", &["reset", "--quiet"]).await;
    let committed = commit(&workspace, &before, &after).await.unwrap();
    assert_eq!(committed.excluded, [Path::new(".env")]);
    assert_eq!(files_in(&lab, "HEAD").await, "A\tok.txt");
}

#[tokio::test]
async fn nothing_to_commit_is_none() {
    let lab = Lab::new();
    lab.repository("project").await;
    let workspace = lab.workspace("project").await;
    let before = workspace.snapshot().await.unwrap();
    assert_eq!(commit(&workspace, &before, &before).await, None);
    lab.write("project/file.txt", "changed\n");
    let after = workspace.snapshot().await.unwrap();
    lab.must("project", &["commit", "--quiet", "--all", "--message", "by the user"]).await;
    assert_eq!(commit(&workspace, &before, &after).await, None);
}

#[tokio::test]
async fn a_branch_that_moved_is_told_and_left() {
    let lab = Lab::new();
    lab.repository("project").await;
    let workspace = lab.workspace("project").await;
    let before = workspace.snapshot().await.unwrap();
    lab.write("project/file.txt", "changed\n");
    let after = workspace.snapshot().await.unwrap();
    let request = request(&workspace, &before, &after).await;
    for script in [
        "git commit --quiet --allow-empty --message theirs",
        "git checkout --quiet -b elsewhere HEAD~1",
        "git checkout --quiet --detach",
    ] {
        assert!(lab.shell("project", script).await.exit.success());
        let head = lab.must("project", &["rev-parse", "HEAD"]).await;
        let refused = workspace.commit(&request).await.unwrap_err();
        assert!(matches!(refused, VcsError::HeadMoved { .. }), "{refused}");
        assert_eq!(Fault::from(refused).code, ErrorCode::GitMoved);
        assert_eq!(lab.must("project", &["rev-parse", "HEAD"]).await, head);
    }
}

#[tokio::test]
async fn the_first_commit_and_detached_ones_are_made() {
    let lab = Lab::new();
    fs::create_dir_all(lab.path("project")).unwrap();
    lab.must("project", &["init", "--quiet"]).await;
    let workspace = lab.workspace("project").await;
    let nothing = workspace.snapshot().await.unwrap();
    lab.write("project/a", "1\n");
    let first = workspace.snapshot().await.unwrap();
    assert!(commit(&workspace, &nothing, &first).await.unwrap().index_updated);
    assert_eq!(status(&lab).await, "");
    lab.must("project", &["checkout", "--quiet", "--detach"]).await;
    fs::remove_file(lab.path("project/a")).unwrap();
    lab.write("project/a/b", "2\n");
    let second = workspace.snapshot().await.unwrap();
    commit(&workspace, &first, &second).await.unwrap();
    assert_eq!(files_in(&lab, "HEAD").await, "D\ta\nA\ta/b");
    assert_eq!(status(&lab).await, "");
    assert_eq!(lab.must("project", &["rev-list", "--count", "main"]).await, "1");
}

#[tokio::test]
async fn an_unknown_user_gets_a_neutral_name() {
    let lab = Lab::new();
    lab.repository("project").await;
    lab.write("home/.gitconfig", "");
    let workspace = lab.workspace("project").await;
    let before = workspace.snapshot().await.unwrap();
    lab.write("project/file.txt", "changed\n");
    let after = workspace.snapshot().await.unwrap();
    commit(&workspace, &before, &after).await.unwrap();
    let author = lab.must("project", &["log", "-1", "--format=%an %cn"]).await;
    assert_eq!(author, "Loopwright Loopwright");
}

#[tokio::test]
async fn filters_of_the_user_run_for_the_commit_and_for_nothing_else() {
    let lab = Lab::new();
    lab.repository("project").await;
    lab.write("project/.gitattributes", "*.big filter=pointer\n");
    let canary = lab.canary("cleaned");
    lab.append(
        "project/.git/config",
        &format!("[filter \"pointer\"]\n\tclean = \"{canary}; printf pointer:; cksum\"\n\tsmudge = cat\n"),
    );
    lab.write("project/old.big", "an old large file\n");
    lab.must("project", &["add", "--all"]).await;
    lab.must("project", &["commit", "--quiet", "--message", "with a filter"]).await;
    lab.forget();
    let workspace = lab.workspace("project").await;
    let before = workspace.checkpoint(&named("1")).await.unwrap().snapshot;
    lab.write("project/new.big", "a new large file\n");
    lab.write("project/file.txt", "changed\n");
    let after = workspace.snapshot().await.unwrap();
    assert!(lab.fired().is_empty(), "checkpoints run no filters");
    commit(&workspace, &before, &after).await.unwrap();
    assert!(!lab.fired().is_empty());
    assert_eq!(files_in(&lab, "HEAD").await, "M\tfile.txt\nA\tnew.big");
    assert!(lab.must("project", &["show", "HEAD:new.big"]).await.starts_with("pointer:"));
    assert_eq!(status(&lab).await, "");
    // What was approved is what is committed.
    let before = workspace.snapshot().await.unwrap();
    lab.write("project/new.big", "approved\n");
    let after = workspace.snapshot().await.unwrap();
    lab.write("project/new.big", "changed after it was approved\n");
    let request = request(&workspace, &before, &after).await;
    assert!(matches!(workspace.commit(&request).await, Err(VcsError::FileMoved { .. })));
}

#[tokio::test]
async fn a_commit_is_found_by_its_trailer() {
    let lab = Lab::new();
    lab.repository("project").await;
    let workspace = lab.workspace("project").await;
    assert_eq!(workspace.find_commit("Loopwright-Iteration", "i1").await.unwrap(), None);
    let before = workspace.snapshot().await.unwrap();
    lab.write("project/file.txt", "changed\n");
    let after = workspace.snapshot().await.unwrap();
    let committed = commit(&workspace, &before, &after).await.unwrap();
    lab.must("project", &["commit", "--quiet", "--allow-empty", "--message", "later\n\nsays i1"]).await;
    assert_eq!(workspace.find_commit("Loopwright-Iteration", "i1").await.unwrap(), Some(committed.commit));
    for value in ["i", "i11", "", "says i1"] {
        assert_eq!(workspace.find_commit("Loopwright-Iteration", value).await.unwrap(), None, "{value}");
    }
}

#[tokio::test]
async fn a_branch_is_made_without_touching_files() {
    let lab = Lab::new();
    lab.repository("project").await;
    lab.write("project/file.txt", "work under way\n");
    lab.must("project", &["add", "--all"]).await;
    lab.write("project/file.txt", "more of it\n");
    let workspace = lab.workspace("project").await;
    let before = status(&lab).await;
    workspace.create_branch("loop/one").await.unwrap();
    assert_eq!(workspace.state().await.unwrap().head.branch.as_deref(), Some("loop/one"));
    assert_eq!(status(&lab).await, before);
    assert!(matches!(workspace.create_branch("main").await, Err(VcsError::Exists { .. })));
    for bad in ["", "-x", "a b", "a..b", "HEAD", "x.lock"] {
        assert!(matches!(workspace.create_branch(bad).await, Err(VcsError::BadName { .. })), "{bad}");
    }
    let Position { branch, .. } = workspace.state().await.unwrap().head;
    assert_eq!(branch.as_deref(), Some("loop/one"));
}

#[tokio::test]
async fn work_that_is_not_committed_is_listed() {
    let lab = Lab::new();
    lab.repository("project").await;
    let workspace = lab.workspace("project").await;
    let clean = workspace.snapshot().await.unwrap().tree;
    lab.write("project/.loopwright/config.toml", "");
    lab.write("project/.env", "KEY=1");
    assert!(workspace.uncommitted(false).await.unwrap().is_empty());
    lab.write("project/file.txt", "changed\n");
    lab.write("project/new\nname", "x");
    let expected = [Path::new("file.txt"), Path::new("new\nname")];
    assert_eq!(workspace.uncommitted(false).await.unwrap(), expected);
    assert_eq!(workspace.changed_since(&clean).await.unwrap(), expected);
    let recorded = workspace.snapshot().await.unwrap().tree;
    assert!(workspace.changed_since(&recorded).await.unwrap().is_empty());
}

/// As `git status` says: a file is what was committed when the user's filter makes it so.
#[tokio::test]
async fn a_file_under_a_filter_is_not_called_changed() {
    let lab = Lab::new();
    lab.repository("project").await;
    lab.write("project/.gitattributes", "*.up filter=upper\n");
    lab.append("project/.git/config", "[filter \"upper\"]\n\tclean = tr a-z A-Z\n\tsmudge = tr A-Z a-z\n");
    lab.write("project/a.up", "small letters\n");
    lab.must("project", &["add", "--all"]).await;
    lab.must("project", &["commit", "--quiet", "--message", "with a filter"]).await;
    // Its time tells nothing any more.
    lab.age("project/a.up");
    let workspace = lab.workspace("project").await;
    assert_eq!(
        workspace.uncommitted(false).await.unwrap(),
        [Path::new("a.up")],
        "without filters bytes count"
    );
    assert!(workspace.uncommitted(true).await.unwrap().is_empty());
    lab.write("project/a.up", "other letters\n");
    assert_eq!(workspace.uncommitted(true).await.unwrap(), [Path::new("a.up")]);
}

#[tokio::test]
async fn the_base_of_a_commit_shows_all_that_it_brings() {
    let lab = Lab::new();
    lab.repository("project").await;
    let workspace = lab.workspace("project").await;
    let head = workspace.snapshot().await.unwrap().tree;
    lab.write("project/rejected.txt", "left over\n");
    lab.write("project/other.txt", "the user's\n");
    let from = workspace.snapshot().await.unwrap().tree;
    lab.write("project/rejected.txt", "left over\nand more\n");
    let to = workspace.snapshot().await.unwrap().tree;
    let base = workspace.commit_base(&from, &to, &[]).await.unwrap();
    let shown = workspace.changes(&base, &to).await.unwrap();
    assert_eq!(
        shown.iter().map(|change| (&*change.path, change.added)).collect::<Vec<_>>(),
        [(Path::new("rejected.txt"), 2)]
    );
    // What an earlier task of the same wave left was seen at its own gate.
    assert_eq!(workspace.commit_base(&from, &to, &[(head.clone(), from.clone())]).await.unwrap(), from);
    assert_eq!(workspace.commit_base(&head, &to, &[]).await.unwrap(), head);
}
