//! Checkpoints leave everything as it is, wherever the repository stands.

use std::fs;
use std::time::{Duration, SystemTime};

use loopwright_domain::{ErrorCode, Fault};
use loopwright_vcs::{VcsError, Workspace};

use crate::support::{Lab, named};

/// The user's side of a repository: status, references and the bytes of git's own files.
async fn users_side(lab: &Lab) -> (String, String, Vec<Option<Vec<u8>>>) {
    let status =
        ["--no-optional-locks", "status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all"];
    let refs = ["for-each-ref", "refs/heads", "refs/tags", "refs/stash"];
    let files = ["index", "HEAD", "index.lock", "logs/HEAD", "logs/refs/stash", "ORIG_HEAD"];
    let bytes = files.iter().map(|file| fs::read(lab.path("project/.git").join(file)).ok()).collect();
    (lab.must("project", &status).await, lab.must("project", &refs).await, bytes)
}

/// Takes a checkpoint and makes sure that nothing else happened. Returns the names in its tree.
async fn checkpoint_changes_nothing(lab: &Lab, workspace: &Workspace, label: &str) -> Vec<String> {
    let before = users_side(lab).await;
    let checkpoint = workspace.checkpoint(&named(label)).await.unwrap();
    assert_eq!(before, users_side(lab).await);
    let again = workspace.checkpoint(&named(label)).await.unwrap();
    assert_eq!(checkpoint, again, "the same checkpoint is not made twice");
    let loaded = workspace.find_checkpoint(&named(label)).await.unwrap().unwrap();
    assert_eq!(
        (&loaded.snapshot.tree, &loaded.snapshot.index_tree, &loaded.snapshot.head),
        (&checkpoint.snapshot.tree, &checkpoint.snapshot.index_tree, &checkpoint.snapshot.head)
    );
    let tree = checkpoint.snapshot.tree.as_str();
    let names = lab.must("project", &["ls-tree", "-r", "--name-only", "-z", tree]).await;
    names.split_terminator('\0').map(str::to_owned).collect()
}

fn code(error: VcsError) -> ErrorCode {
    Fault::from(error).code
}

#[tokio::test]
async fn new_changed_and_staged_files_are_saved_apart() {
    let lab = Lab::new();
    lab.repository("project").await;
    lab.write("project/file.txt", "staged\n");
    lab.must("project", &["add", "file.txt"]).await;
    lab.write("project/file.txt", "and changed\n");
    lab.write("project/new.txt", "new\n");
    let workspace = lab.workspace("project").await;
    assert_eq!(checkpoint_changes_nothing(&lab, &workspace, "1").await, ["file.txt", "new.txt"]);
    let saved = |path: &str| format!("refs/loopwright/checkpoints/run/1{path}");
    assert_eq!(lab.must("project", &["show", &saved(":file.txt")]).await, "and changed");
    assert_eq!(lab.must("project", &["show", &saved("^2:file.txt")]).await, "staged");
    assert_eq!(lab.must("project", &["show", &saved("^1:file.txt")]).await, "content");
}

#[tokio::test]
async fn a_clean_tree_is_kept_by_its_own_commit() {
    let lab = Lab::new();
    lab.repository("project").await;
    let workspace = lab.workspace("project").await;
    checkpoint_changes_nothing(&lab, &workspace, "1").await;
    let head = lab.must("project", &["rev-parse", "HEAD"]).await;
    let kept = lab.must("project", &["rev-parse", "refs/loopwright/checkpoints/run/1"]).await;
    assert_eq!(head, kept);
}

#[tokio::test]
async fn a_name_is_given_once() {
    let lab = Lab::new();
    lab.repository("project").await;
    let workspace = lab.workspace("project").await;
    let first = workspace.checkpoint(&named("1")).await.unwrap();
    lab.write("project/file.txt", "other\n");
    assert!(matches!(workspace.checkpoint(&named("1")).await, Err(VcsError::Exists { .. })));
    assert_eq!(workspace.find_checkpoint(&named("1")).await.unwrap().unwrap().commit, first.commit);
    assert_eq!(workspace.find_checkpoint(&named("2")).await.unwrap(), None);
}

#[tokio::test]
async fn locked_unborn_and_detached_repositories_are_saved() {
    let lab = Lab::new();
    fs::create_dir_all(lab.path("project")).unwrap();
    lab.must("project", &["init", "--quiet"]).await;
    lab.write("project/a", "1\n");
    let workspace = lab.workspace("project").await;
    assert_eq!(checkpoint_changes_nothing(&lab, &workspace, "unborn").await, ["a"]);
    lab.must("project", &["add", "a"]).await;
    lab.write("project/b", "2\n");
    assert_eq!(checkpoint_changes_nothing(&lab, &workspace, "staged").await, ["a", "b"]);
    lab.must("project", &["commit", "--quiet", "--message", "first"]).await;
    lab.must("project", &["checkout", "--quiet", "--detach"]).await;
    assert_eq!(checkpoint_changes_nothing(&lab, &workspace, "detached").await, ["a", "b"]);
    lab.write("project/.git/index.lock", "");
    lab.write("project/c", "3\n");
    assert_eq!(checkpoint_changes_nothing(&lab, &workspace, "locked").await, ["a", "b", "c"]);
    assert!(lab.path("project/.git/index.lock").exists(), "a lock is never removed");
}

#[tokio::test]
async fn unfinished_operations_and_conflicts_are_refused() {
    let lab = Lab::new();
    lab.repository("project").await;
    let workspace = lab.workspace("project").await;
    lab.must("project", &["checkout", "--quiet", "-b", "side"]).await;
    lab.write("project/file.txt", "side\n");
    lab.must("project", &["commit", "--quiet", "--all", "--message", "side"]).await;
    lab.must("project", &["checkout", "--quiet", "main"]).await;
    lab.write("project/file.txt", "main\n");
    lab.must("project", &["commit", "--quiet", "--all", "--message", "main"]).await;
    for operation in [&["merge", "side"][..], &["rebase", "side"], &["cherry-pick", "side"]] {
        assert!(!lab.plain("project", operation).await.exit.success());
        let refused = workspace.checkpoint(&named("1")).await.unwrap_err();
        assert!(refused.to_string().contains(operation[0]), "{refused}");
        assert_eq!(code(refused), ErrorCode::GitBusy);
        lab.must("project", &[operation[0], "--abort"]).await;
    }
    lab.must("project", &["bisect", "start"]).await;
    assert_eq!(code(workspace.snapshot().await.unwrap_err()), ErrorCode::GitBusy);
    lab.must("project", &["bisect", "reset"]).await;

    lab.write("project/file.txt", "mine\n");
    lab.must("project", &["stash", "push", "--quiet"]).await;
    lab.must("project", &["reset", "--hard", "--quiet", "side"]).await;
    assert!(!lab.plain("project", &["stash", "pop"]).await.exit.success());
    assert!(matches!(workspace.checkpoint(&named("1")).await, Err(VcsError::Conflicts)));
}

#[tokio::test]
async fn a_checkpoint_outlives_the_worst_cleaning() {
    let lab = Lab::new();
    lab.repository("project").await;
    lab.write("project/new.txt", "precious\n");
    let workspace = lab.workspace("project").await;
    let checkpoint = workspace.checkpoint(&named("1")).await.unwrap();
    lab.must("project", &["clean", "-fdxq"]).await;
    lab.must("project", &["reflog", "expire", "--expire=now", "--all"]).await;
    lab.must("project", &["gc", "--quiet", "--prune=now"]).await;
    let saved = lab.must("project", &["show", &format!("{}:new.txt", checkpoint.commit)]).await;
    assert_eq!(saved, "precious");
    assert!(!lab.must("project", &["branch", "--all"]).await.contains("loopwright"));
}

#[tokio::test]
async fn a_kept_attempt_and_its_changes_can_be_read() {
    let lab = Lab::new();
    lab.repository("project").await;
    let workspace = lab.workspace("project").await;
    let before = workspace.checkpoint(&named("1")).await.unwrap().snapshot;
    lab.write("project/file.txt", "content\nmore\n");
    lab.write("project/odd\nname", "x");
    let after = workspace.snapshot().await.unwrap();
    let kept = workspace.keep_attempt("0192-ab", &after).await.unwrap();
    assert_eq!(lab.must("project", &["rev-parse", "refs/loopwright/attempts/0192-ab"]).await, kept.as_str());
    let changes = workspace.changes(&before.tree, &after.tree).await.unwrap();
    let brief: Vec<_> = changes.iter().map(|c| (c.path.to_str().unwrap(), c.added, c.deleted)).collect();
    assert_eq!(brief, [("file.txt", 1, 0), ("odd\nname", 1, 0)]);
    let patch = workspace.diff(&before.tree, &after.tree, 1 << 20).await.unwrap();
    assert!(!patch.truncated && String::from_utf8_lossy(&patch.text).contains("\n+more\n"));
    let short = workspace.diff(&before.tree, &after.tree, 20).await.unwrap();
    assert!(short.truncated && short.text.len() == 20);
    assert!(workspace.changes(&before.tree, &before.tree).await.unwrap().is_empty());
}

#[tokio::test]
async fn the_private_folder_goes_with_its_owner() {
    let lab = Lab::new();
    lab.repository("project").await;
    let (first, second) = (lab.workspace("project").await, lab.workspace("project").await);
    let folders = || {
        let entries = fs::read_dir(lab.path("project/.git/loopwright/vcs")).unwrap();
        entries
            .filter(|entry| !entry.as_ref().unwrap().file_name().to_str().unwrap().starts_with("kept-"))
            .count()
    };
    assert_eq!(folders(), 2, "each has its own");
    first.snapshot().await.unwrap();
    drop(first);
    assert_eq!(folders(), 1);
    // One that was left by a crash: nobody holds its lock.
    lab.write("project/.git/loopwright/vcs/1-0/lock", "");
    lab.workspace("project").await;
    assert_eq!(folders(), 1);
    fs::remove_dir_all(lab.path("project/.git/loopwright")).unwrap();
    second.snapshot().await.unwrap();
}

/// Git tells changed files by size and by time in whole seconds, and looks closer at files as young as its index. A copy
/// of the index that looked younger than the index would hide the change.
#[tokio::test]
async fn a_change_of_the_same_size_within_the_second_of_git_add_is_saved() {
    let second = || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
    let lab = Lab::new();
    lab.repository("project").await;
    for attempt in 0..20 {
        let begun = second();
        lab.write("project/file.txt", "one\n");
        lab.must("project", &["add", "file.txt"]).await;
        lab.write("project/file.txt", "two\n");
        if second() != begun {
            continue;
        }
        while second() == begun {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let workspace = lab.workspace("project").await;
        let snapshot = workspace.snapshot().await.unwrap();
        let saved = format!("{}:file.txt", snapshot.tree.as_str());
        assert_eq!(lab.must("project", &["show", &saved]).await, "two", "attempt {attempt}");
        return;
    }
    panic!("git add never took less than a second");
}
