//! Summaries of repositories in all their states.

use std::fs;
use std::time::Duration;

use loopwright_domain::{ErrorCode, Fault};
use loopwright_vcs::{Git, MAX_CHANGED, Operation, RepoSummary, VcsError, discover};

use crate::support::Lab;

#[tokio::test]
async fn a_clean_repository_and_a_changed_one() {
    let lab = Lab::new();
    lab.repository("project").await;
    let commit = lab.must("project", &["rev-parse", "--short=7", "HEAD"]).await;
    let clean = RepoSummary {
        branch: Some("main".into()),
        head: Some(commit),
        detached: false,
        unborn: false,
        changed: 0,
        operation: None,
    };
    assert_eq!(lab.summary("project").await.unwrap(), clean);

    lab.write("project/file.txt", "changed\n");
    lab.write("project/new folder/a", "");
    lab.write("project/new folder/b", "");
    lab.write("project/staged", "");
    lab.must("project", &["add", "staged"]).await;
    lab.write("project/.gitignore", "*.log\n");
    lab.write("project/ignored.log", "");
    let changed = lab.summary("project").await.unwrap();
    assert_eq!(changed, RepoSummary { changed: 4, ..clean });
}

#[tokio::test]
async fn before_the_first_commit_and_away_from_all_branches() {
    let lab = Lab::new();
    fs::create_dir(lab.path("new")).unwrap();
    lab.must("new", &["init", "--quiet", "--initial-branch=trunk"]).await;
    lab.write("new/file", "");
    let unborn = lab.summary("new").await.unwrap();
    assert_eq!((unborn.branch.as_deref(), unborn.head, unborn.changed), (Some("trunk"), None, 1));
    assert!(unborn.unborn && !unborn.detached);

    lab.repository("project").await;
    lab.must("project", &["checkout", "--quiet", "--detach"]).await;
    let detached = lab.summary("project").await.unwrap();
    assert!(detached.detached && !detached.unborn && detached.branch.is_none() && detached.head.is_some());
}

#[tokio::test]
async fn in_the_middle_of_things() {
    let lab = Lab::new();
    lab.repository("project").await;
    lab.must("project", &["checkout", "--quiet", "-b", "side"]).await;
    lab.write("project/file.txt", "side\n");
    lab.must("project", &["commit", "--quiet", "--all", "--message", "side"]).await;
    lab.must("project", &["checkout", "--quiet", "main"]).await;
    lab.write("project/file.txt", "main\n");
    lab.must("project", &["commit", "--quiet", "--all", "--message", "main"]).await;
    for (begin, end, operation) in [
        (&["merge", "side"][..], &["merge", "--abort"][..], Operation::Merge),
        (&["rebase", "side"], &["rebase", "--abort"], Operation::Rebase),
        (&["cherry-pick", "side"], &["cherry-pick", "--abort"], Operation::CherryPick),
        (&["revert", "--no-edit", "HEAD~1"], &["revert", "--abort"], Operation::Revert),
        (&["bisect", "start"], &["bisect", "reset"], Operation::Bisect),
    ] {
        lab.plain("project", begin).await;
        let summary = lab.summary("project").await.unwrap();
        assert_eq!(summary.operation, Some(operation), "{begin:?}");
        assert_eq!(summary.changed, u32::from(operation != Operation::Bisect), "{begin:?}");
        lab.must("project", end).await;
        assert_eq!(lab.summary("project").await.unwrap().operation, None, "{end:?}");
    }
}

#[tokio::test]
async fn an_added_work_tree_stands_for_itself() {
    let lab = Lab::new();
    lab.repository("project").await;
    lab.must("project", &["worktree", "add", "--quiet", "-b", "second", "../second"]).await;
    lab.write("second/new", "");
    let (first, second) = (lab.summary("project").await.unwrap(), lab.summary("second").await.unwrap());
    assert_eq!((first.branch.as_deref(), first.changed), (Some("main"), 0));
    assert_eq!((second.branch.as_deref(), second.changed), (Some("second"), 1));
}

#[tokio::test]
async fn thousands_of_new_files_are_counted_up_to_the_limit() {
    let lab = Lab::new();
    lab.repository("project").await;
    for number in 0..5_000 {
        fs::write(lab.path(format!("project/untracked file number {number}")), "").unwrap();
    }
    assert_eq!(lab.summary("project").await.unwrap().changed, MAX_CHANGED);
}

#[tokio::test]
async fn names_of_any_kind_count_once() {
    let lab = Lab::new();
    lab.repository("project").await;
    for name in
        ["größe", "茶.txt", "🫖", "line\nbreak", "tab\t", "\"quoted\"", " leading", "-dash", "? mark", "2 x"]
    {
        lab.write(format!("project/{name}"), "");
    }
    lab.must("project", &["checkout", "--quiet", "-b", "grüner-tee/🫖"]).await;
    let summary = lab.summary("project").await.unwrap();
    assert_eq!((summary.changed, summary.branch.as_deref()), (10, Some("grüner-tee/🫖")));
}

#[tokio::test]
async fn locks_of_others_are_neither_waited_for_nor_touched() {
    let lab = Lab::new();
    let repository = lab.repository("project").await;
    for lock in ["index.lock", "HEAD.lock", "packed-refs.lock", "config.lock"] {
        lab.write(format!("project/.git/{lock}"), "held");
    }
    lab.write("project/file.txt", "content!\n");
    assert_eq!(lab.summary("project").await.unwrap().changed, 1);
    assert_eq!(fs::read(repository.git_dir.join("index.lock")).unwrap(), b"held");
}

#[tokio::test]
async fn other_hashes_and_other_stores_of_branches() {
    let lab = Lab::new();
    for (name, option) in [("sha256", "--object-format=sha256"), ("reftable", "--ref-format=reftable")] {
        fs::create_dir(lab.path(name)).unwrap();
        if !lab.plain(name, &["init", "--quiet", option]).await.exit.success() {
            assert_eq!(name, "reftable", "every supported git knows SHA-256");
            continue;
        }
        lab.write(format!("{name}/file"), "");
        lab.must(name, &["add", "file"]).await;
        lab.must(name, &["commit", "--quiet", "--message", "first"]).await;
        let summary = lab.summary(name).await.unwrap();
        assert_eq!(
            (summary.branch.as_deref(), summary.changed, summary.unborn),
            (Some("main"), 0, false),
            "{name}"
        );
    }
}

#[tokio::test]
async fn the_users_own_list_of_ignored_files_counts() {
    let lab = Lab::new();
    lab.repository("project").await;
    lab.write("project/notes.swp", "");
    assert_eq!(lab.summary("project").await.unwrap().changed, 1);
    lab.append("home/.gitconfig", "[core]\n\texcludesFile = ~/ignored\n");
    lab.write("home/ignored", "*.swp\n");
    assert_eq!(lab.summary("project").await.unwrap().changed, 0);
    lab.must("project", &["config", "core.excludesFile", "/dev/null"]).await;
    assert_eq!(lab.summary("project").await.unwrap().changed, 1, "the repository's own setting goes first");
}

#[tokio::test]
async fn a_git_that_hangs_is_stopped() {
    let lab = Lab::new();
    let repository = lab.repository("project").await;
    nix::unistd::mkfifo(&lab.path("project/.git/pipe.cfg"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    lab.append("project/.git/config", "[include]\n\tpath = pipe.cfg\n");
    let stopped = lab.git().inspect(&repository).timeout(Duration::from_secs(2)).summary().await.unwrap_err();
    assert!(matches!(stopped, VcsError::TimedOut { .. }), "{stopped}");
    assert_eq!(Fault::from(stopped).code, ErrorCode::ProcessTimeout);
}

#[tokio::test]
async fn a_missing_an_old_and_a_strange_git_are_told_apart() {
    let lab = Lab::new();
    lab.repository("project").await;
    let missing = Git::locate(lab.path("home").as_os_str()).unwrap_err();
    assert_eq!(Fault::from(missing).code, ErrorCode::GitMissing);

    let repository = discover(&lab.path("project")).unwrap();
    for (printed, code) in [("git version 2.33.9", ErrorCode::GitTooOld), ("hello", ErrorCode::GitFailed)] {
        lab.script("bin/git", &format!("echo {printed}"));
        let git = Git::locate(lab.path("bin").as_os_str()).unwrap();
        assert_eq!(Fault::from(git.version().await.unwrap_err()).code, code);
        assert_eq!(Fault::from(git.inspect(&repository).summary().await.unwrap_err()).code, code);
    }
    assert!(lab.git().version().await.is_ok());
}
