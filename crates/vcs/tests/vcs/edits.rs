//! What checks and hooks do to files: edits are taken, new files are left out.

use std::fs;
use std::path::Path;

use crate::support::{Lab, named};

#[tokio::test]
async fn edits_are_taken_and_new_files_are_left_out_until_somebody_changes_them() {
    let lab = Lab::new();
    let repository = lab.repository("project").await;
    let workspace = lab.git().workspace(&repository).await.unwrap();
    workspace.checkpoint(&named("1")).await.unwrap();
    lab.write("project/own.txt", "the agent's  \n");
    let after = workspace.snapshot().await.unwrap().tree;
    lab.write("project/own.txt", "the agent's\n");
    lab.write("project/file.txt", "edited\n");
    lab.write("project/report.xml", "made\n");
    let (now, edited) = workspace.edited_since(&after).await.unwrap();
    assert_eq!(edited, [Path::new("file.txt"), Path::new("own.txt")]);
    let edits = workspace.take_edits(&after, None).await.unwrap();
    assert_eq!(edits.edited, [Path::new("file.txt"), Path::new("own.txt")]);
    assert_eq!(edits.made, [Path::new("report.xml")]);
    assert_ne!(edits.tree, now);
    let changes = workspace.changes(&after, &edits.tree).await.unwrap();
    assert_eq!(changes.len(), 2);
    assert_eq!(workspace.snapshot().await.unwrap().tree, edits.tree, "left out of every later snapshot");
    let other = lab.git().workspace(&repository).await.unwrap();
    assert_eq!(other.snapshot().await.unwrap().tree, edits.tree, "also by another process");
    let dirty = other.uncommitted(false).await.unwrap();
    assert_eq!(dirty, [Path::new("file.txt"), Path::new("own.txt")]);
    lab.write("project/report.xml", "by the agent\n");
    let later = workspace.snapshot().await.unwrap().tree;
    assert_ne!(later, edits.tree, "somebody else's work is in");
    fs::remove_file(lab.path("project/report.xml")).unwrap();
    assert_eq!(workspace.snapshot().await.unwrap().tree, edits.tree);
}

#[tokio::test]
async fn a_tracked_file_that_comes_back_is_an_edit_and_a_made_file_is_made_again() {
    let lab = Lab::new();
    let repository = lab.repository("project").await;
    let workspace = lab.git().workspace(&repository).await.unwrap();
    let before = workspace.snapshot().await.unwrap().tree;
    fs::remove_file(lab.path("project/file.txt")).unwrap();
    let after = workspace.snapshot().await.unwrap().tree;
    lab.write("project/file.txt", "generated\n");
    let edits = workspace.take_edits(&after, None).await.unwrap();
    assert_eq!((edits.edited.len(), edits.made.len()), (1, 0));
    assert_ne!(edits.tree, before);
    for number in 1..4 {
        lab.write("project/report.xml", format!("{number}\n"));
        let again = workspace.take_edits(&edits.tree, None).await.unwrap();
        assert_eq!(again.made, [Path::new("report.xml")]);
        assert_eq!(again.tree, edits.tree);
    }
}
