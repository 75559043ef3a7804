//! Repositories that only git can read, and damaged ones: every command that looks tells, and none aborts.
#![cfg(unix)]

mod common;

use common::{json, loopwright};
use loopwright_testkit::Sandbox;

/// The commands that look at a project.
const LOOKS: &[&[&str]] = &[
    &["status"],
    &["status", "--changes"],
    &["status", "--json"],
    &["doctor"],
    &["history"],
    &["watch"],
    &["task", "list"],
    &["wave", "list"],
    &["gate", "list"],
    &["check", "list"],
    &["config", "show"],
    &["trust", "--json"],
    &["recover"],
];

fn project(sandbox: &Sandbox) {
    assert_eq!(loopwright(sandbox, &["init", "--name", "odd"]).code, 0);
    sandbox.git("", &["add", "--all"]);
    sandbox.git("", &["commit", "--quiet", "--allow-empty", "--message", "Begin"]);
}

fn every_look_ends_with_words(sandbox: &Sandbox, what: &str) {
    for args in LOOKS {
        let output = loopwright(sandbox, args);
        assert!((0..=6).contains(&output.code), "{what}: {args:?} {output:?}");
        assert!(!output.stderr.contains("panicked"), "{what}: {args:?} {output:?}");
    }
}

#[test]
fn status_asks_git_where_references_are_no_files() {
    let sandbox = Sandbox::new();
    let init =
        sandbox.command("git").args(["init", "--quiet", "--ref-format=reftable", "-b", "main"]).output();
    if !init.is_ok_and(|init| init.status.success()) {
        eprintln!("this git knows no reftable");
        return;
    }
    project(&sandbox);
    let output = loopwright(&sandbox, &["status"]);
    assert_eq!(output.code, 0, "{output:?}");
    let head = sandbox.git("", &["rev-parse", "--short=7", "HEAD"]);
    assert!(output.stdout.contains(&format!("main at {}", head.trim())), "{output:?}");
    let git = json(&loopwright(&sandbox, &["status", "--json"]))["project"]["git"].take();
    assert_eq!((git["branch"].as_str(), git["head"].as_str()), (Some("main"), Some(head.trim())));
    every_look_ends_with_words(&sandbox, "reftable");
}

#[test]
fn a_damaged_head_or_reference_is_told_and_nothing_aborts() {
    let oid = "0123456789abcdef0123456789abcdef01234567";
    let cases: &[(&str, &[u8])] = &[
        ("HEAD", b""),
        ("HEAD", b"garbage"),
        ("HEAD", b"ref:"),
        ("HEAD", b"ref: refs/heads/"),
        ("HEAD", b"ref: refs/heads/\xff\xfe\n"),
        ("HEAD", b"ref: refs/heads/.invalid\n"),
        ("HEAD", "ref: refs/heads/\u{e4}\u{1f375}\n".as_bytes()),
        ("HEAD", b"\0\0\0\0"),
        ("refs/heads/main", b""),
        ("refs/heads/main", b"123"),
        ("refs/heads/main", "\u{e4}\u{e4}\u{e4}\u{e4}".as_bytes()),
        ("packed-refs", b"^\n# x\n refs/heads/main\nab refs/heads/main\n"),
        ("packed-refs", "\u{e4} refs/heads/main\n".as_bytes()),
        ("MERGE_HEAD", b"\xff"),
        ("rebase-merge/git-rebase-todo", b"\xff\n"),
        ("index", b"DIRC"),
        ("config", b"[core\n"),
    ];
    for (file, content) in cases {
        let sandbox = Sandbox::new();
        sandbox.git("", &["init", "--quiet", "--initial-branch=main"]);
        project(&sandbox);
        let path = sandbox.work().join(".git").join(file);
        if *file == "packed-refs" {
            std::fs::remove_file(sandbox.work().join(".git/refs/heads/main")).unwrap();
        }
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        every_look_ends_with_words(&sandbox, &format!("{file} = {:?}", String::from_utf8_lossy(content)));
    }
    let sandbox = Sandbox::new();
    sandbox.git("", &["init", "--quiet", "--initial-branch=main"]);
    project(&sandbox);
    std::fs::write(sandbox.work().join(".git/HEAD"), oid).unwrap();
    let output = loopwright(&sandbox, &["status"]);
    assert!(output.stdout.contains("detached at 0123456"), "{output:?}");
    std::fs::write(sandbox.work().join(".git/HEAD"), "garbage").unwrap();
    let output = loopwright(&sandbox, &["status"]);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(output.stdout.contains("the repository cannot be read"), "{output:?}");
}
