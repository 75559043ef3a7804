//! Files outside of snapshots: what an attempt does to them is told, and put back where that is possible.

use std::fs;
use std::path::Path;

use loopwright_vcs::{OutsideKind, OutsideOutcome, SkipReason, Snapshot, Workspace};

use crate::support::{Lab, named};

async fn begun(lab: &Lab) -> Workspace {
    lab.repository("project").await;
    lab.write("project/.gitignore", "*.local\nbuild/\ndata/\n");
    lab.must("project", &["add", "--all"]).await;
    lab.must("project", &["commit", "--quiet", "--message", "rules"]).await;
    for name in ["mine.local", "gone.local", "same.local", "data/a.csv", "build/out", ".env"] {
        lab.write(format!("project/{name}"), "the user's\n");
    }
    let workspace = lab.workspace("project").await;
    workspace.checkpoint(&named("1")).await.unwrap();
    workspace
}

fn told(snapshot: &Snapshot) -> Vec<(&str, SkipReason, OutsideKind, bool)> {
    let mut told: Vec<_> = snapshot
        .outside
        .iter()
        .map(|change| (change.path.to_str().unwrap(), change.why, change.kind, change.saved))
        .collect();
    told.sort_by_key(|one| one.0);
    told
}

#[tokio::test]
async fn what_an_attempt_does_outside_of_snapshots_is_told_and_put_back() {
    let lab = Lab::new();
    let workspace = begun(&lab).await;
    assert_eq!(told(&workspace.snapshot().await.unwrap()), []);
    lab.write("project/mine.local", "the agent's\n");
    lab.write("project/same.local", "the user's\n");
    lab.write("project/.env", "A=agent\n");
    lab.write("project/build/out", "built\n");
    lab.write("project/data/b.csv", "2\n");
    lab.write("project/tests/key.pem", "key\n");
    lab.write("project/big.bin", vec![1; 11 << 20]);
    fs::remove_file(lab.path("project/gone.local")).unwrap();
    // Told by another process than the one that began.
    let workspace = lab.workspace("project").await;
    let after = workspace.snapshot().await.unwrap();
    let (ignored, secret) = (SkipReason::Ignored, SkipReason::Secret);
    let expected = [
        (".env", secret, OutsideKind::Changed, true),
        ("big.bin", SkipReason::TooLarge, OutsideKind::Made, false),
        ("data/b.csv", ignored, OutsideKind::Made, false),
        ("gone.local", ignored, OutsideKind::Deleted, true),
        ("mine.local", ignored, OutsideKind::Changed, true),
        ("tests/key.pem", secret, OutsideKind::Made, false),
    ];
    assert_eq!(told(&after), expected);
    let saved = workspace.saved_outside(Path::new("mine.local")).await.unwrap().unwrap();
    assert_eq!(fs::read_to_string(saved).unwrap(), "the user's\n");

    let keep = lab.path("keep");
    let since = Some(std::time::SystemTime::UNIX_EPOCH);
    let done = workspace.put_back_outside(&after.outside, &keep, since).await.unwrap();
    for name in ["mine.local", "gone.local", ".env"] {
        assert!(done.contains(&OutsideOutcome::Restored(name.into())), "{name}");
        assert_eq!(fs::read_to_string(lab.path(format!("project/{name}"))).unwrap(), "the user's\n");
    }
    for name in ["big.bin", "tests/key.pem"] {
        assert!(done.contains(&OutsideOutcome::Moved(name.into())), "{name}");
        assert!(!lab.path(format!("project/{name}")).exists() && keep.join(name).exists(), "{name}");
    }
    assert!(!lab.path("project/tests").exists(), "a folder of the attempt's own goes with its files");
    assert!(done.contains(&OutsideOutcome::Left("data/b.csv".into())), "a new ignored file may be anybody's");
    assert_eq!(fs::read_to_string(keep.join("mine.local")).unwrap(), "the agent's\n");
    assert_eq!(fs::read_to_string(lab.path("project/build/out")).unwrap(), "built\n");
    // Once more changes nothing.
    let again = workspace.put_back_outside(&after.outside, &keep, since).await.unwrap();
    assert_eq!(again, [OutsideOutcome::Left("data/b.csv".into())]);
}

#[tokio::test]
async fn a_file_that_somebody_changed_since_the_attempt_is_left() {
    let lab = Lab::new();
    let workspace = begun(&lab).await;
    lab.write("project/mine.local", "the agent's\n");
    lab.write("project/key.pem", "the agent's\n");
    let after = workspace.snapshot().await.unwrap();
    lab.write("project/mine.local", "a person's, and longer\n");
    lab.write("project/key.pem", "a person's, and longer\n");
    let done = workspace.put_back_outside(&after.outside, &lab.path("keep"), None).await.unwrap();
    assert_eq!(done.len(), 2);
    for name in ["mine.local", "key.pem"] {
        assert!(done.contains(&OutsideOutcome::Left(name.into())), "{name}");
        let text = fs::read_to_string(lab.path(format!("project/{name}"))).unwrap();
        assert_eq!(text, "a person's, and longer\n", "{name}");
    }
}

#[tokio::test]
async fn a_new_repository_inside_is_left_out_and_can_be_included() {
    let lab = Lab::new();
    let workspace = begun(&lab).await;
    let before = workspace.snapshot().await.unwrap();
    lab.repository("project/sub").await;
    let after = workspace.snapshot().await.unwrap();
    let left: Vec<_> =
        after.left_out().map(|left| (left.path.to_str().unwrap(), left.why, left.new)).collect();
    assert_eq!(left, [("sub", SkipReason::Nested, true)]);
    workspace.include(&[Path::new("sub")]).await.unwrap();
    let included = workspace.snapshot().await.unwrap();
    let changes = workspace.changes(&before.tree, &included.tree).await.unwrap();
    let names: Vec<_> = changes.iter().map(|change| change.path.to_str().unwrap()).collect();
    assert_eq!(names, ["sub/file.txt"]);
    assert_eq!(included.left_out().count(), 0);
}

#[tokio::test]
async fn line_ends_that_a_clone_would_not_have_are_told() {
    let lab = Lab::new();
    lab.repository("project").await;
    lab.write("project/.gitattributes", "*.txt text eol=lf\n*.id ident\n*.bat text eol=crlf\n");
    lab.must("project", &["add", "--all"]).await;
    lab.must("project", &["commit", "--quiet", "--message", "attributes"]).await;
    let workspace = lab.workspace("project").await;
    let before = workspace.checkpoint(&named("1")).await.unwrap().snapshot;
    for (name, text) in [
        ("dos.txt", "a\r\n"),
        ("unix.txt", "a\n"),
        ("run.bat", "a\r\n"),
        ("plain.md", "a\r\n"),
        ("v.id", "$Id: abc $\n"),
        ("unexpanded.id", "$Id$\n"),
    ] {
        lab.write(format!("project/{name}"), text);
    }
    let after = workspace.snapshot().await.unwrap();
    let converted = workspace.converted(&before.tree, &after.tree).await.unwrap();
    assert_eq!(converted, [Path::new("dos.txt"), Path::new("v.id")]);
}

#[tokio::test]
async fn more_than_a_snapshot_may_hold_is_not_included() {
    let lab = Lab::new();
    let workspace = begun(&lab).await;
    lab.write("project/big.bin", vec![1; 11 << 20]);
    let limits = loopwright_vcs::Limits { total_bytes: 10 << 20, ..loopwright_vcs::Limits::default() };
    let workspace = workspace.with_limits(limits);
    assert!(workspace.include(&[Path::new("big.bin")]).await.is_err());
    assert_eq!(workspace.snapshot().await.unwrap().left_out().count(), 1);
}
