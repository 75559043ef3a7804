//! What is said of failures of git, and which code each has.

use super::*;

fn refusal(stderr: &str) -> VcsError {
    VcsError::from_refusal("git status".to_owned(), Exit::Code(128), stderr.as_bytes())
}

#[test]
fn a_foreign_owner_is_told_apart_in_old_and_new_words() {
    for words in [
        "fatal: detected dubious ownership in repository at '/x'\nTo add an exception…\n",
        "fatal: unsafe repository ('/x' is owned by someone else)\n",
    ] {
        let fault = Fault::from(refusal(words));
        assert_eq!(fault.code, ErrorCode::GitForeignOwner);
        assert!(fault.hint.unwrap().contains("safe.directory"));
    }
}

#[test]
fn the_reason_is_the_last_fatal_line_and_cannot_move_the_cursor() {
    let error = refusal("warning: x\nfatal: bad\u{1b}[2J object HEAD\nhint: y\n");
    assert_eq!(error.to_string(), r"git status failed (exit code 128): fatal: bad\u{1b}[2J object HEAD");
    assert_eq!(refusal("").to_string(), "git status failed (exit code 128): no explanation");
    assert_eq!(Fault::from(error).code, ErrorCode::GitFailed);
}

#[test]
fn a_lock_is_told_apart() {
    let error = refusal("fatal: Unable to create '/p q/.git/index.lock': File exists.\n\nAnother git…\n");
    assert!(
        matches!(&error, VcsError::Locked { path } if path == "/p q/.git/index".as_ref() as &std::path::Path)
    );
    assert_eq!(Fault::from(error).code, ErrorCode::GitLocked);
}

#[test]
fn a_filter_is_told_apart() {
    for words in [
        "error: external filter 'nosuch' failed\nfatal: a.enc: clean filter 'crypt' failed\n",
        "error: external filter 'nosuch' failed 127\n",
        "fatal: a.bin: smudge filter 'lfs' failed\n",
    ] {
        let fault = Fault::from(refusal(words));
        assert_eq!(fault.code, ErrorCode::GitFilter);
        assert!(fault.message.contains("filter '"), "{}", fault.message);
    }
}

#[test]
fn a_full_disk_is_told_apart_in_all_its_words() {
    for words in ["fatal: write error: No space left on device\n", "fatal: write error. Out of diskspace\n"] {
        assert_eq!(Fault::from(refusal(words)).code, ErrorCode::StoreFull);
    }
    let full = VcsError::file("/p/.git/index", &io::ErrorKind::StorageFull.into());
    assert_eq!(Fault::from(full).code, ErrorCode::StoreFull);
}

#[test]
fn each_error_says_what_to_do() {
    let found = Version { major: 2, minor: 1, patch: 0 };
    let errors = [
        VcsError::GitMissing,
        VcsError::GitInsideProject { program: "/p/git".into() },
        VcsError::TooOld { found, needed: found },
        VcsError::UnknownVersion,
        VcsError::TooManyDrivers { count: 9 },
        VcsError::ConfigTooLarge,
        VcsError::UnreadableKey,
        VcsError::AlreadyRepository { dir: "/p".into() },
        VcsError::TimedOut {
            command: "git status".into(),
            limit: Duration::from_secs(30),
            output: Box::default(),
        },
        VcsError::Unexpected { command: "git status" },
        VcsError::Busy { operation: Operation::Rebase },
        VcsError::Conflicts,
        VcsError::HeadMoved { expected: "a".into(), found: "b".into() },
        VcsError::FileMoved { path: "a".into() },
        VcsError::Hook { output: String::new() },
        VcsError::HookEdited {
            hook: "pre-commit".into(),
            tree: Oid::parse(&"1".repeat(40)).unwrap(),
            output: String::new(),
        },
        VcsError::MessageHook { hook: "commit-msg".into(), output: String::new() },
        VcsError::Filter { detail: "fatal: a: clean filter 'x' failed".into() },
        VcsError::HookTimedOut { limit: Duration::from_secs(1), output: String::new() },
        VcsError::Signing { output: "gpg: x".into() },
        VcsError::TooLarge { bytes: 1, limit: 0 },
        VcsError::TooManyFiles,
        VcsError::NoSpace { free: 0, needed: 1 },
        VcsError::DiskFull,
        VcsError::BadFolder { dir: "/".into() },
        VcsError::Locked { path: "/p/.git/index".into() },
        VcsError::Gone { dir: "/p/.git".into() },
        VcsError::BadName { name: "a b".into() },
        VcsError::Exists { name: "refs/heads/a".into() },
        VcsError::Missing { name: "refs/heads/a".into() },
        VcsError::Process(ProcessError::ProgramMissing { program: "/p".into() }),
        VcsError::file("/p", &io::Error::other("x")),
    ];
    for error in errors {
        let fault = Fault::from(error);
        assert!(!fault.message.is_empty() && fault.hint.is_some_and(|hint| hint.ends_with('.')));
    }
}
