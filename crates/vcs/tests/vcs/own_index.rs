//! Snapshots are taken with an index of our own: nothing that an agent does to the user's index, to lists of ignored files
//! or to attributes hides its work, and nothing of the user's gets into it.

use std::fs;
use std::path::Path;

use loopwright_vcs::{Oid, SkipReason, Snapshot, Workspace};

use crate::support::{Lab, named};

async fn changed(workspace: &Workspace, from: &Oid, to: &Oid) -> Vec<String> {
    let changes = workspace.changes(from, to).await.unwrap();
    changes.iter().map(|change| change.path.to_str().unwrap().to_owned()).collect()
}

fn told(snapshot: &Snapshot) -> Vec<(&str, SkipReason)> {
    let told = snapshot.skipped.iter().filter(|skipped| skipped.changed);
    told.map(|skipped| (skipped.path.to_str().unwrap(), skipped.why)).collect()
}

async fn begun(lab: &Lab) -> (Workspace, Snapshot) {
    let workspace = lab.workspace("project").await;
    let before = workspace.checkpoint(&named("1")).await.unwrap().snapshot;
    (workspace, before)
}

#[tokio::test]
async fn flags_of_the_index_hide_nothing() {
    let lab = Lab::new();
    lab.repository("project").await;
    for name in ["assumed.txt", "skipped.txt", "untracked.txt", "gone.txt"] {
        lab.write(format!("project/{name}"), "old\n");
    }
    lab.must("project", &["add", "--all"]).await;
    lab.must("project", &["commit", "--quiet", "--message", "more"]).await;
    let (workspace, before) = begun(&lab).await;
    lab.must("project", &["update-index", "--assume-unchanged", "assumed.txt"]).await;
    lab.must("project", &["update-index", "--skip-worktree", "skipped.txt", "gone.txt"]).await;
    lab.must("project", &["rm", "--quiet", "--cached", "untracked.txt"]).await;
    lab.write("project/.git/info/exclude", "untracked.txt\n");
    for name in ["assumed.txt", "skipped.txt", "untracked.txt"] {
        lab.write(format!("project/{name}"), "new and longer\n");
    }
    fs::remove_file(lab.path("project/gone.txt")).unwrap();
    let expected = ["assumed.txt", "gone.txt", "skipped.txt", "untracked.txt"];
    let after = workspace.snapshot().await.unwrap();
    assert_eq!(changed(&workspace, &before.tree, &after.tree).await, expected);
    // Nor from a process that takes the run up again.
    drop(workspace);
    let workspace = lab.workspace("project").await;
    assert_eq!(workspace.snapshot().await.unwrap().tree, after.tree);
}

#[tokio::test]
async fn a_changed_file_that_looks_as_old_as_before_is_seen() {
    let lab = Lab::new();
    lab.repository("project").await;
    lab.age("project/file.txt");
    lab.must("project", &["config", "core.trustctime", "false"]).await;
    let (workspace, before) = begun(&lab).await;
    // The same size, and the time put back; only the time of the change tells.
    let deadline = std::time::Instant::now() + std::time::Duration::from_millis(1_100);
    while std::time::Instant::now() < deadline {
        tokio::task::yield_now().await;
    }
    let time = lab.path("project/file.txt").metadata().unwrap().modified().unwrap();
    lab.write("project/file.txt", "hidden!\n");
    let file = fs::File::options().write(true).open(lab.path("project/file.txt")).unwrap();
    file.set_modified(time).unwrap();
    let after = workspace.snapshot().await.unwrap();
    assert_eq!(changed(&workspace, &before.tree, &after.tree).await, ["file.txt"]);
}

#[tokio::test]
async fn what_was_ignored_stays_ignored_and_is_told_when_it_changes() {
    let lab = Lab::new();
    lab.repository("project").await;
    lab.write("project/.gitignore", "notes.txt\nsettings.json\ntarget/\n");
    lab.must("project", &["add", "--all"]).await;
    lab.must("project", &["commit", "--quiet", "--message", "rules"]).await;
    for name in ["notes.txt", "settings.json", "target/out"] {
        lab.write(format!("project/{name}"), "the user's\n");
    }
    let (workspace, before) = begun(&lab).await;
    assert_eq!(told(&workspace.snapshot().await.unwrap()), []);
    lab.write("project/.gitignore", "");
    lab.write("project/settings.json", "the agent's\n");
    lab.write("project/target/out", "built\n");
    let after = workspace.snapshot().await.unwrap();
    assert_eq!(changed(&workspace, &before.tree, &after.tree).await, [".gitignore"]);
    assert_eq!(told(&after), [("settings.json", SkipReason::Ignored)]);
    // The next attempt of the same run, by another process, when the emptied list is committed.
    lab.must("project", &["commit", "--quiet", "--message", "no rules", ".gitignore"]).await;
    drop(workspace);
    let workspace = lab.workspace("project").await;
    let next = workspace.checkpoint(&named("2")).await.unwrap().snapshot;
    assert_eq!(next.tree, after.tree);
    // Seen once, it is told again only when it changes again.
    workspace.accept_left_out(&[Path::new("settings.json")]).await.unwrap();
    assert_eq!(told(&workspace.snapshot().await.unwrap()), []);
    lab.write("project/settings.json", "again\n");
    assert_eq!(told(&workspace.snapshot().await.unwrap()), [("settings.json", SkipReason::Ignored)]);
}

#[tokio::test]
async fn rules_that_an_agent_adds_hide_nothing_silently() {
    let lab = Lab::new();
    lab.repository("project").await;
    lab.write("project/known.txt", "new, and seen before\n");
    let (workspace, before) = begun(&lab).await;
    lab.write("project/.gitignore", "*.txt\n/made/\n");
    lab.write("project/hidden/.gitignore", "*\n");
    for name in ["hidden/code.py", "made/code.py", "known.txt", "other.txt", "file.txt", "node_modules/a.js"]
    {
        lab.write(format!("project/{name}"), "work\n");
    }
    lab.append("project/.gitignore", "node_modules/\n");
    let after = workspace.snapshot().await.unwrap();
    assert_eq!(changed(&workspace, &before.tree, &after.tree).await, [".gitignore", "file.txt", "known.txt"]);
    let ignored = SkipReason::Ignored;
    assert_eq!(
        told(&after),
        [
            ("hidden/.gitignore", ignored),
            ("hidden/code.py", ignored),
            ("made", ignored),
            ("other.txt", ignored)
        ]
    );
}

#[tokio::test]
async fn a_person_can_have_in_what_is_left_out() {
    let lab = Lab::new();
    lab.repository("project").await;
    lab.write("project/.gitignore", "local/\n");
    lab.must("project", &["add", "--all"]).await;
    lab.must("project", &["commit", "--quiet", "--message", "rules"]).await;
    let (workspace, before) = begun(&lab).await;
    lab.write("project/tests/cert.pem", "certificate\n");
    lab.write("project/big.bin", vec![7; 11 << 20]);
    lab.write("project/local/a/data.csv", "1\n");
    let after = workspace.snapshot().await.unwrap();
    assert_eq!(after.tree, before.tree);
    let expected = [
        ("big.bin", SkipReason::TooLarge),
        ("local", SkipReason::Ignored),
        ("tests/cert.pem", SkipReason::Secret),
    ];
    assert_eq!(told(&after), expected);
    // Decided by another process than the one that works.
    let person = lab.workspace("project").await;
    assert!(person.include(&[Path::new("../outside")]).await.is_err());
    person.include(&["tests/cert.pem", "big.bin", "local/a"].map(Path::new)).await.unwrap();
    let after = workspace.snapshot().await.unwrap();
    let names = ["big.bin", "local/a/data.csv", "tests/cert.pem"];
    assert_eq!(changed(&workspace, &before.tree, &after.tree).await, names);
    let expected = workspace.state().await.unwrap().head;
    let request = loopwright_vcs::CommitRequest::new(before.tree, after.tree.clone(), "With all", expected);
    let committed = workspace.commit(&request).await.unwrap().unwrap();
    assert_eq!((committed.tree, committed.excluded), (after.tree, Vec::new()));
    assert_eq!(lab.must("project", &["status", "--porcelain"]).await, "");
}

#[tokio::test]
async fn the_index_is_kept_from_one_process_to_the_next_and_not_trusted_when_it_does_not_fit() {
    let lab = Lab::new();
    lab.repository("project").await;
    let (workspace, before) = begun(&lab).await;
    drop(workspace);
    let kept = fs::read_dir(lab.path("project/.git/loopwright/vcs")).unwrap().next().unwrap().unwrap().path();
    assert!(kept.join("index").exists());
    for damage in ["index", "index.json", "run-start"] {
        fs::write(kept.join(damage), "damaged").unwrap();
        lab.write("project/new.txt", damage);
        let workspace = lab.workspace("project").await;
        let after = workspace.snapshot().await.unwrap();
        assert_eq!(changed(&workspace, &before.tree, &after.tree).await, ["new.txt"], "{damage}");
        fs::remove_file(lab.path("project/new.txt")).unwrap();
    }
    // Objects that only the kept index names can be removed by anybody.
    lab.write("project/new.txt", "only in the index\n");
    lab.workspace("project").await.snapshot().await.unwrap();
    lab.must("project", &["gc", "--quiet", "--prune=now"]).await;
    let workspace = lab.workspace("project").await;
    let after = workspace.snapshot().await.unwrap();
    assert_eq!(changed(&workspace, &before.tree, &after.tree).await, ["new.txt"]);
}

#[tokio::test]
async fn what_the_user_ignores_before_a_run_is_no_part_of_it() {
    let lab = Lab::new();
    lab.repository("project").await;
    lab.write("project/data.db", "seen by an earlier run\n");
    let (workspace, _) = begun(&lab).await;
    lab.write("project/.gitignore", "data.db\n");
    let next = loopwright_vcs::CheckpointName::new("next", 1).unwrap();
    let begun = workspace.checkpoint(&next).await.unwrap().snapshot;
    let names = lab.must("project", &["ls-tree", "-r", "--name-only", begun.tree.as_str()]).await;
    assert_eq!(names, ".gitignore\nfile.txt");
}

#[tokio::test]
async fn replaced_objects_are_not_looked_at() {
    let lab = Lab::new();
    lab.repository("project").await;
    let (workspace, before) = begun(&lab).await;
    lab.write("project/file.txt", "secretly other\n");
    let after = workspace.snapshot().await.unwrap();
    let [old, new] = [&before.tree, &after.tree].map(|tree| tree.as_str().to_owned());
    lab.must("project", &["replace", &new, &old]).await;
    assert_eq!(changed(&workspace, &before.tree, &after.tree).await, ["file.txt"]);
}

/// A `git commit` may outlive the process that started it, and takes a missing index for an empty one.
#[tokio::test]
async fn what_a_commit_is_made_from_stays_until_nobody_makes_it() {
    let lab = Lab::new();
    lab.repository("project").await;
    let left = |name: &str, files: &[&str]| {
        let folder = lab.path("project/.git/loopwright/vcs").join(name);
        fs::create_dir_all(&folder).unwrap();
        for file in files {
            fs::write(folder.join(file), "").unwrap();
        }
        folder
    };
    let idle = left("999999998-0", &["lock", "index"]);
    let committing = left("999999999-0", &["lock", "commit-index"]);
    let workspace = lab.workspace("project").await;
    assert!(!idle.exists() && committing.join("commit-index").exists());
    workspace.sweep_commits();
    assert!(!committing.exists());
    assert!(workspace.snapshot().await.is_ok(), "our own is left");
}
