//! What is left out of a checkpoint, and what is refused.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use loopwright_domain::{ErrorCode, Fault};
use loopwright_vcs::{Limits, SkipReason, Snapshot, Workspace, discover};

use crate::support::{Lab, named, search_path};

async fn names(lab: &Lab, snapshot: &Snapshot) -> Vec<String> {
    let names = lab.must("project", &["ls-tree", "-r", "--name-only", "-z", snapshot.tree.as_str()]).await;
    names.split_terminator('\0').map(str::to_owned).collect()
}

fn skipped(snapshot: &Snapshot) -> Vec<(&str, SkipReason)> {
    snapshot.skipped.iter().map(|skipped| (skipped.path.to_str().unwrap(), skipped.why)).collect()
}

async fn limited(lab: &Lab, limits: Limits) -> Workspace {
    lab.repository("project").await;
    lab.workspace("project").await.with_limits(limits)
}

#[tokio::test]
async fn large_files_and_full_folders_are_left_out_and_named() {
    let lab = Lab::new();
    let limits = Limits { file_bytes: 100, folder_files: 5, ..Limits::default() };
    let workspace = limited(&lab, limits).await;
    lab.write("project/tracked.bin", vec![1; 500]);
    lab.must("project", &["add", "tracked.bin"]).await;
    lab.write("project/tracked.bin", vec![2; 500]);
    lab.write("project/small.txt", "x");
    lab.write("project/large.bin", vec![0; 101]);
    for number in 0..6 {
        lab.write(format!("project/app/modules/m{number}/f"), "x");
    }
    lab.write("project/app/new.rs", "x");
    let snapshot = workspace.snapshot().await.unwrap();
    assert_eq!(names(&lab, &snapshot).await, ["app/new.rs", "file.txt", "small.txt", "tracked.bin"]);
    assert_eq!(
        skipped(&snapshot),
        [("app/modules", SkipReason::TooManyFiles), ("large.bin", SkipReason::TooLarge)]
    );
    // A file that grows beyond the limit afterwards keeps what was saved of it.
    lab.write("project/small.txt", vec![0; 200]);
    let grown = workspace.snapshot().await.unwrap();
    assert_eq!(grown.tree, snapshot.tree);
    assert!(skipped(&grown).contains(&("small.txt", SkipReason::TooLarge)));
    let listed = Limits { listed: 1, ..limits };
    let short = lab.workspace("project").await.with_limits(listed).snapshot().await.unwrap();
    assert_eq!((short.skipped.len(), short.skipped_count), (1, 3));
}

#[tokio::test]
async fn a_listing_that_is_too_long_is_made_again_without_full_folders() {
    let lab = Lab::new();
    let limits = Limits { folder_files: 10, listing_bytes: 600, ..Limits::default() };
    let workspace = limited(&lab, limits).await;
    for number in 0..100 {
        lab.write(format!("project/a [odd] \\name/file{number}"), "x");
        lab.write(format!("project/b/deep/file{number}"), "x");
    }
    lab.write("project/b/new.txt", "x");
    let snapshot = workspace.snapshot().await.unwrap();
    assert_eq!(names(&lab, &snapshot).await, ["b/new.txt", "file.txt"]);
    let full = SkipReason::TooManyFiles;
    assert_eq!(skipped(&snapshot), [("a [odd] \\name", full), ("b/deep", full)]);
    let narrow = Limits { folder_files: 1_000, ..limits };
    let refused = lab.workspace("project").await.with_limits(narrow).snapshot().await.unwrap_err();
    assert_eq!(Fault::from(refused).code, ErrorCode::GitTooLarge);
}

#[tokio::test]
async fn too_much_and_too_little_room_are_refused() {
    let lab = Lab::new();
    let workspace = limited(&lab, Limits { total_bytes: 10, ..Limits::default() }).await;
    workspace.snapshot().await.unwrap();
    lab.write("project/a", "more than ten bytes");
    let refused = Fault::from(workspace.checkpoint(&named("1")).await.unwrap_err());
    assert_eq!(refused.code, ErrorCode::GitTooLarge);
    let full =
        lab.workspace("project").await.with_limits(Limits { free_bytes: u64::MAX, ..Limits::default() });
    let refused = Fault::from(full.snapshot().await.unwrap_err());
    assert_eq!(refused.code, ErrorCode::StoreFull, "waiting can help here, unlike with too much work");
    let said = &refused.message;
    assert!(said.contains("MiB are free") && said.contains("MiB are needed"), "{said}");
}

#[tokio::test]
async fn secrets_and_our_own_state_are_never_saved() {
    let lab = Lab::new();
    let workspace = limited(&lab, Limits::default()).await;
    lab.write("project/.env.example", "KEY=\n");
    lab.write("project/.env", "KEY=old\n");
    lab.must("project", &["add", "--force", ".env", ".env.example"]).await;
    lab.must("project", &["commit", "--quiet", "--message", "unwise"]).await;
    lab.write("project/.env", "KEY=hunter2\n");
    lab.write("project/deploy/server.key", "hunter2\n");
    lab.write("project/.loopwright/run/signal.json", "hunter2\n");
    lab.write("project/.loopwright/config.toml", "\n");
    let snapshot = workspace.checkpoint(&named("1")).await.unwrap().snapshot;
    assert_eq!(names(&lab, &snapshot).await, [".env", ".env.example", ".loopwright/config.toml", "file.txt"]);
    assert_eq!(skipped(&snapshot), [(".env", SkipReason::Secret), ("deploy/server.key", SkipReason::Secret)]);
    let script = "git cat-file --batch-all-objects --batch | grep -c hunter2";
    assert_eq!(lab.shell("project", script).await.output.stdout, b"0\n");
}

#[tokio::test]
async fn pipes_and_unreadable_places_do_not_stop_a_checkpoint() {
    let lab = Lab::new();
    let workspace = limited(&lab, Limits::default()).await;
    fs::remove_file(lab.path("project/file.txt")).unwrap();
    nix::unistd::mkfifo(&lab.path("project/file.txt"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    symlink("/dev/zero", lab.path("project/endless")).unwrap();
    let snapshot = workspace.snapshot().await.unwrap();
    assert_eq!(skipped(&snapshot), [("file.txt", SkipReason::Special)]);
    assert_eq!(names(&lab, &snapshot).await, ["endless", "file.txt"]);
}

#[tokio::test]
async fn nested_repositories_are_told() {
    let lab = Lab::new();
    let workspace = limited(&lab, Limits::default()).await;
    lab.repository("project/inner").await;
    lab.repository("project/module").await;
    lab.must("project", &["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "./module"])
        .await;
    lab.must("project", &["commit", "--quiet", "--message", "a module"]).await;
    lab.write("project/module/file.txt", "changed inside\n");
    let snapshot = workspace.checkpoint(&named("1")).await.unwrap().snapshot;
    let nested: Vec<&Path> = snapshot.nested.iter().map(|path| &**path).collect();
    assert_eq!(nested, [Path::new("inner"), Path::new("module")]);
    assert!(!names(&lab, &snapshot).await.contains(&"inner".to_owned()));
}

#[tokio::test]
async fn a_home_folder_is_refused() {
    let lab = Lab::new();
    let home = std::env::home_dir().unwrap().canonicalize().unwrap();
    let repository = lab.repository("project").await;
    let as_home = loopwright_vcs::Repository { work_tree: home, ..repository };
    let refused = lab.git().workspace(&as_home).await.unwrap_err();
    assert_eq!(Fault::from(refused).code, ErrorCode::GitBadFolder);
}

#[tokio::test]
async fn a_change_among_twenty_thousand_files_is_found() {
    let lab = Lab::new();
    lab.repository("project").await;
    for folder in 0..100 {
        fs::create_dir_all(lab.path(format!("project/d{folder}"))).unwrap();
        for file in 0..200 {
            fs::write(lab.path(format!("project/d{folder}/f{file}")), format!("{folder} {file}\n")).unwrap();
        }
    }
    lab.must("project", &["add", "--all"]).await;
    lab.must("project", &["commit", "--quiet", "--message", "many"]).await;
    lab.write("project/d7/f7", "changed\n");
    let git = loopwright_vcs::Git::locate(&search_path()).unwrap().with_home(&lab.path("home"));
    let workspace = git.workspace(&discover(&lab.path("project")).unwrap()).await.unwrap();
    let before = workspace.checkpoint(&named("1")).await.unwrap();
    lab.write("project/d8/f8", "changed too\n");
    let after = workspace.snapshot().await.unwrap();
    let changes = workspace.changes(&before.snapshot.tree, &after.tree).await.unwrap();
    assert_eq!(changes.len(), 1);
}
