//! A person returns to any tree: all of it comes, nothing is lost, and it can be taken back.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use loopwright_vcs::{Checkpoint, Oid, Restored, Unsaved, VcsError, Workspace};

use crate::random::{Dice, IGNORED, NAMES, is_ignored, put, users_git, world};
use crate::support::{Lab, named};

async fn return_to(workspace: &Workspace, tree: &Oid, safety: Checkpoint) -> Restored {
    let plan = workspace.plan_return(tree, &safety.snapshot.tree).await.unwrap();
    workspace.carry_out(&plan, safety).await.unwrap()
}

#[tokio::test]
async fn what_anybody_made_since_goes_and_can_be_brought_back() {
    let lab = Lab::new();
    lab.repository("project").await;
    lab.write("project/.gitignore", "*.log\n");
    let workspace = lab.workspace("project").await;
    let then = workspace.checkpoint(&named("1")).await.unwrap();
    lab.write("project/file.txt", "another\n");
    lab.write("project/new/deep/one.txt", "made since\n");
    lab.write("project/new.log", "ignored\n");
    lab.must("project", &["add", "file.txt"]).await;
    let between = world(&lab.path("project"));
    let users = users_git(&lab.path("project"));
    let safety = workspace.checkpoint(&named("safety")).await.unwrap();
    let (kept, commit) = (safety.snapshot.tree.clone(), safety.commit.clone());
    let restored = return_to(&workspace, &then.snapshot.tree, safety).await;
    assert_eq!(restored.written, [Path::new("file.txt")]);
    assert_eq!(restored.deleted, [Path::new("new/deep/one.txt")]);
    assert_eq!(lab.read("project/file.txt"), "content\n");
    assert_eq!(lab.read("project/new.log"), "ignored\n");
    assert!(!lab.path("project/new").exists(), "folders that became empty go");
    assert_eq!(users, users_git(&lab.path("project")), "index, HEAD and stash stay");
    assert_eq!(lab.must("project", &["show", &format!("{commit}:new/deep/one.txt")]).await, "made since");
    let again = workspace.checkpoint(&named("safety-2")).await.unwrap();
    return_to(&workspace, &kept, again).await;
    assert_eq!(between, world(&lab.path("project")));
    assert_eq!(users, users_git(&lab.path("project")));
}

#[tokio::test]
async fn what_no_checkpoint_could_bring_back_is_left() {
    let lab = Lab::new();
    lab.repository("project").await;
    lab.write("project/data.db", "small\n");
    let workspace = lab.workspace("project").await;
    let then = workspace.checkpoint(&named("1")).await.unwrap();
    // Since then it is ignored, and so in no checkpoint of whoever looks anew.
    lab.write("project/.gitignore", "data.db\n");
    lab.write("project/data.db", "precious, and nowhere else\n");
    drop(workspace);
    std::fs::remove_dir_all(lab.path("project/.git/loopwright")).unwrap();
    let workspace = lab.workspace("project").await;
    let safety = workspace.checkpoint(&named("safety")).await.unwrap();
    let restored = return_to(&workspace, &then.snapshot.tree, safety).await;
    let left: Vec<(&Path, Unsaved)> = restored.left.iter().map(|left| (&*left.path, left.why)).collect();
    assert_eq!(left, [(Path::new("data.db"), Unsaved::Edited)]);
    assert_eq!(lab.read("project/data.db"), "precious, and nowhere else\n");
    assert!(!lab.path("project/.gitignore").exists());
}

#[tokio::test]
async fn a_tree_whose_files_are_gone_touches_nothing() {
    let lab = Lab::new();
    lab.repository("project").await;
    lab.write("project/big.txt", "only in this tree\n");
    let workspace = lab.workspace("project").await;
    let tree = workspace.snapshot().await.unwrap().tree;
    let blob = lab.must("project", &["rev-parse", &format!("{tree}:big.txt")]).await;
    fs::remove_file(lab.path("project/big.txt")).unwrap();
    lab.write("project/new.txt", "new\n");
    let now = workspace.snapshot().await.unwrap().tree;
    fs::remove_file(lab.path(format!("project/.git/objects/{}/{}", &blob[..2], &blob[2..]))).unwrap();
    let refused = workspace.plan_return(&tree, &now).await;
    assert!(matches!(refused, Err(VcsError::Missing { .. })), "{refused:?}");
    let nowhere = Oid::parse(&"12".repeat(20)).unwrap();
    let refused = workspace.plan_return(&nowhere, &now).await;
    assert!(matches!(refused, Err(VcsError::Missing { .. })), "{refused:?}");
    let refused = workspace.changes(&nowhere, &now).await;
    assert!(matches!(refused, Err(VcsError::Missing { .. })), "{refused:?}");
}

/// Random trees and random changes: the tree comes whole, what is ignored stays, and the way back brings everything.
#[tokio::test]
async fn any_tree_comes_back_and_so_does_what_was_there() {
    for batch in 0..2 {
        let lab = Lab::new();
        lab.repository("project").await;
        lab.write("project/.gitignore", "*.log\n/build/\n");
        let root = lab.path("project");
        let workspace = lab.workspace("project").await;
        for seed in batch * 1_000..batch * 1_000 + 40 {
            let mut dice = Dice(seed);
            change(&root, &mut dice);
            let then = workspace.checkpoint(&named(&format!("then-{seed}"))).await.unwrap();
            let before = world(&root);
            change(&root, &mut dice);
            let between = world(&root);
            let users = users_git(&root);
            let safety = workspace.checkpoint(&named(&format!("safety-{seed}"))).await.unwrap();
            let kept = safety.snapshot.tree.clone();
            let restored = return_to(&workspace, &then.snapshot.tree, safety).await;
            let after = world(&root);
            let left: BTreeSet<&PathBuf> = restored.left.iter().map(|left| &left.path).collect();
            for path in before.keys().chain(between.keys()).chain(after.keys()) {
                let stays = is_ignored(path) || left.contains(path);
                let expected = if stays { between.get(path) } else { before.get(path) };
                assert_eq!(expected, after.get(path), "seed {seed}: {path:?} {restored:?}");
            }
            let again = workspace.checkpoint(&named(&format!("again-{seed}"))).await.unwrap();
            return_to(&workspace, &kept, again).await;
            assert_eq!(between, world(&root), "seed {seed}: the way back");
            assert_eq!(users, users_git(&root), "seed {seed}: index, HEAD and stash");
        }
    }
}

fn change(root: &Path, dice: &mut Dice) {
    for _ in 0..1 + dice.roll(6) {
        let name = dice.pick(NAMES);
        put(root, name, dice);
    }
    let name = dice.pick(IGNORED);
    put(root, name, dice);
}
