//! Repositories of all formats: each is saved, restored and committed to, or refused with a reason.

use std::fs;

use loopwright_vcs::{CommitRequest, discover};

use crate::support::{Lab, named};

/// A whole round in a repository: checkpoint, attempt, restore, attempt, commit, clean.
async fn round(lab: &Lab, name: &str) {
    let workspace = lab.workspace(name).await;
    lab.write(format!("{name}/extra.txt"), "the user's\n");
    let before = workspace.checkpoint(&named(&format!("{name}-1"))).await.unwrap();
    lab.write(format!("{name}/file.txt"), "spoilt\n");
    lab.write(format!("{name}/made.txt"), "junk\n");
    let produced = workspace.snapshot().await.unwrap();
    let plan = workspace.plan_restore(&before, &produced, None).await.unwrap();
    let restored = workspace.restore(&plan, &named(&format!("{name}-safety"))).await.unwrap();
    assert!(restored.left.is_empty() && restored.index_restored, "{restored:?}");
    assert_eq!(lab.read(format!("{name}/file.txt")), "content\n");
    assert!(!lab.path(format!("{name}/made.txt")).exists());
    lab.write(format!("{name}/file.txt"), "better\n");
    let after = workspace.snapshot().await.unwrap();
    let expected = workspace.state().await.unwrap().head;
    let request = CommitRequest::new(before.snapshot.tree, after.tree, "Better", expected)
        .trailer("Loopwright-Iteration", "7");
    let committed = workspace.commit(&request).await.unwrap().unwrap();
    assert!(committed.index_updated);
    assert_eq!(workspace.find_commit("Loopwright-Iteration", "7").await.unwrap(), Some(committed.commit));
    assert_eq!(lab.must(name, &["status", "--porcelain"]).await, "?? extra.txt");
    let refs = workspace.refs("refs/loopwright/checkpoints/run").await.unwrap();
    assert!(refs.len() >= 2, "{refs:?}");
    workspace.delete_refs(&refs).await.unwrap();
    assert!(workspace.refs("refs/loopwright").await.unwrap().is_empty());
}

async fn with_format(option: &str) -> Option<Lab> {
    let lab = Lab::new();
    fs::create_dir_all(lab.path("project")).unwrap();
    // Older versions of git do not know every format.
    if !lab.plain("project", &["init", "--quiet", option]).await.exit.success() {
        return None;
    }
    lab.write("project/file.txt", "content\n");
    lab.must("project", &["add", "--all"]).await;
    lab.must("project", &["commit", "--quiet", "--message", "first"]).await;
    Some(lab)
}

#[tokio::test]
async fn plain_repositories() {
    let lab = Lab::new();
    lab.repository("project").await;
    round(&lab, "project").await;
}

#[tokio::test]
async fn repositories_with_long_names() {
    if let Some(lab) = with_format("--object-format=sha256").await {
        round(&lab, "project").await;
    }
}

#[tokio::test]
async fn repositories_with_a_table_of_references() {
    if let Some(lab) = with_format("--ref-format=reftable").await {
        round(&lab, "project").await;
    }
}

#[tokio::test]
async fn added_work_trees() {
    let lab = Lab::new();
    lab.repository("project").await;
    lab.must("project", &["worktree", "add", "--quiet", "../second"]).await;
    round(&lab, "second").await;
    assert_eq!(lab.read("project/file.txt"), "content\n");
    round(&lab, "project").await;
}

#[tokio::test]
async fn shallow_clones() {
    let lab = Lab::new();
    lab.repository("origin").await;
    lab.must("origin", &["commit", "--quiet", "--allow-empty", "--message", "second"]).await;
    let url = format!("file://{}", lab.path("origin").display());
    lab.must("", &["clone", "--quiet", "--depth=1", &url, "project"]).await;
    round(&lab, "project").await;
}

/// Some objects are only at the other end, and nobody fetches them.
#[tokio::test]
async fn partial_clones() {
    let lab = Lab::new();
    lab.repository("origin").await;
    lab.write("origin/away/far.txt", "far\n");
    lab.must("origin", &["add", "--all"]).await;
    lab.must("origin", &["commit", "--quiet", "--message", "far"]).await;
    lab.must("origin", &["config", "uploadpack.allowFilter", "true"]).await;
    let url = format!("file://{}", lab.path("origin").display());
    lab.must("", &["clone", "--quiet", "--filter=blob:none", "--sparse", &url, "project"]).await;
    assert!(!lab.path("project/away").exists());
    fs::rename(lab.path("origin"), lab.path("elsewhere")).unwrap();
    round(&lab, "project").await;
}

#[tokio::test]
async fn sparse_checkouts_keep_what_is_not_there() {
    let lab = Lab::new();
    lab.repository("project").await;
    lab.write("project/away/far.txt", "far\n");
    lab.must("project", &["add", "--all"]).await;
    lab.must("project", &["commit", "--quiet", "--message", "far"]).await;
    lab.must("project", &["sparse-checkout", "set", "--cone", "near"]).await;
    assert!(!lab.path("project/away").exists());
    round(&lab, "project").await;
    assert_eq!(lab.must("project", &["show", "HEAD:away/far.txt"]).await, "far");
}

#[tokio::test]
async fn indexes_of_every_kind() {
    for settings in [
        &["config", "index.version", "4"][..],
        &["update-index", "--split-index"],
        &["update-index", "--untracked-cache", "--force-untracked-cache"],
    ] {
        let lab = Lab::new();
        lab.repository("project").await;
        lab.must("project", settings).await;
        lab.must("project", &["update-index", "--force-write-index"]).await;
        round(&lab, "project").await;
    }
}

#[tokio::test]
async fn a_bare_repository_is_none() {
    let lab = Lab::new();
    fs::create_dir_all(lab.path("bare")).unwrap();
    lab.must("bare", &["init", "--quiet", "--bare"]).await;
    assert_eq!(discover(&lab.path("bare")), None);
}
