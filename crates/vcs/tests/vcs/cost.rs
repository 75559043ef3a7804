//! What an iteration costs: git processes, counted by a git that notes every start.

use std::fs;

use loopwright_vcs::{CommitRequest, Git, Workspace};

use crate::support::{Lab, named, real_git};

/// A git that notes what it was started for.
fn noting(lab: &Lab) -> Git {
    let log = lab.path("starts");
    let body = format!("echo \"$1\" >> {}\nexec {} \"$@\"", log.display(), real_git().display());
    let script = lab.script("bin/git", &body);
    Git::locate(script.parent().unwrap().as_os_str()).unwrap().with_home(&lab.path("home"))
}

/// What git was started for since the last question.
fn started(lab: &Lab) -> Vec<String> {
    let log = lab.path("starts");
    let starts = fs::read_to_string(&log).unwrap_or_default();
    fs::write(&log, "").unwrap();
    starts.lines().map(str::to_owned).collect()
}

async fn attempt(lab: &Lab, workspace: &Workspace, number: u32) {
    let before = workspace.checkpoint(&named(&number.to_string())).await.unwrap();
    lab.write("project/file.txt", format!("{number}\n"));
    let after = workspace.snapshot().await.unwrap();
    let expected = workspace.state().await.unwrap().head;
    let request = CommitRequest::new(before.snapshot.tree, after.tree, "Work", expected);
    assert!(workspace.commit(&request).await.unwrap().unwrap().index_updated);
}

#[tokio::test]
async fn an_iteration_with_checkpoint_and_commit_takes_six_starts() {
    let lab = Lab::new();
    let repository = lab.repository("project").await;
    let workspace = noting(&lab).workspace(&repository).await.unwrap();
    attempt(&lab, &workspace, 1).await;
    started(&lab);
    for number in 2..5 {
        attempt(&lab, &workspace, number).await;
        let expected = ["status", "update-ref", "status", "update-index", "write-tree", "commit"];
        assert_eq!(started(&lab), expected);
    }
    assert_eq!(lab.must("project", &["status", "--porcelain"]).await, "");
}

#[tokio::test]
async fn an_iteration_in_which_nothing_changes_takes_four_starts() {
    let lab = Lab::new();
    let repository = lab.repository("project").await;
    lab.write("project/new.txt", "not committed\n");
    let workspace = noting(&lab).workspace(&repository).await.unwrap();
    workspace.checkpoint(&named("1")).await.unwrap();
    started(&lab);
    workspace.checkpoint(&named("2")).await.unwrap();
    workspace.snapshot().await.unwrap();
    assert_eq!(started(&lab), ["status", "commit-tree", "update-ref", "status"]);
}

#[tokio::test]
async fn looking_for_edits_takes_one_start_and_the_commit_stays_cheap() {
    let lab = Lab::new();
    let repository = lab.repository("project").await;
    let workspace = noting(&lab).workspace(&repository).await.unwrap();
    attempt(&lab, &workspace, 1).await;
    let before = workspace.checkpoint(&named("2")).await.unwrap().snapshot.tree;
    lab.write("project/file.txt", "2\n");
    let after = workspace.snapshot().await.unwrap().tree;
    started(&lab);
    assert!(workspace.take_edits(&after, None).await.unwrap().edited.is_empty());
    assert_eq!(started(&lab), ["status"]);
    lab.write("project/report.xml", "made by a check\n");
    assert_eq!(workspace.take_edits(&after, None).await.unwrap().tree, after);
    started(&lab);
    let expected = workspace.state().await.unwrap().head;
    let request = CommitRequest::new(before, after, "Work", expected);
    workspace.commit(&request).await.unwrap().unwrap();
    assert_eq!(started(&lab), ["commit"]);
    assert_eq!(lab.must("project", &["status", "--porcelain"]).await, "?? report.xml");
}
