//! Finding and starting programs: each way it can fail is told apart.
use std::env;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::support::{eventually, file, is_alive, shell};
use loopwright_domain::{ErrorCode, Fault};
use loopwright_process::{Command, ProcessError, find_program, run, spawn_detached};
use tempfile::tempdir;

async fn error_of(program: &Path, dir: &Path) -> ProcessError {
    run(Command::new(program, dir)).await.unwrap_err()
}

#[tokio::test]
async fn each_reason_not_to_start_has_its_own_error() {
    let dir = tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let plain = file(&at("plain"), "#!/bin/sh\n", 0o644);
    let orphan = file(&at("orphan"), "#!/no/such/interpreter\n", 0o755);
    let garbage = file(&at("garbage"), "\u{1}\u{2}\u{3}", 0o755);
    symlink("nowhere", at("dangling")).unwrap();

    let error = error_of(&at("absent"), dir.path()).await;
    assert!(matches!(error, ProcessError::ProgramMissing { .. }), "{error:?}");
    let error = error_of(&at("dangling"), dir.path()).await;
    assert!(matches!(error, ProcessError::ProgramMissing { .. }), "{error:?}");
    let error = error_of(&plain, dir.path()).await;
    assert!(matches!(error, ProcessError::ProgramNotExecutable { .. }), "{error:?}");
    let error = error_of(dir.path(), dir.path()).await;
    assert!(matches!(error, ProcessError::ProgramIsFolder { .. }), "{error:?}");
    let error = error_of(&orphan, dir.path()).await;
    assert!(matches!(error, ProcessError::ProgramBroken { .. }), "{error:?}");
    let error = error_of(&garbage, dir.path()).await;
    assert!(matches!(error, ProcessError::ProgramBroken { .. }), "{error:?}");
    let error = error_of(Path::new("sh"), dir.path()).await;
    assert!(matches!(error, ProcessError::ProgramNotAbsolute { .. }), "{error:?}");
    let error = error_of(Path::new("/bin/sh"), &at("absent")).await;
    assert!(matches!(error, ProcessError::FolderMissing { .. }), "{error:?}");
    assert_eq!(Fault::from(error).code, ErrorCode::ProcessSpawn);
}

#[test]
fn a_program_is_found_in_order_and_only_when_it_can_run() {
    let dir = tempdir().unwrap();
    let folder = |name: &str| {
        let path = dir.path().join(name);
        fs::create_dir(&path).unwrap();
        path
    };
    let (first, second, third) = (folder("first"), folder("second"), folder("third"));
    file(&first.join("tool"), "", 0o644);
    fs::create_dir(second.join("tool")).unwrap();
    let wanted = file(&third.join("tool"), "#!/bin/sh\n", 0o755);
    let path = env::join_paths([&first, &second, &third]).unwrap();
    assert_eq!(find_program("tool", &path), Some(wanted.clone()));
    assert_eq!(find_program(&wanted, &OsString::new()), Some(wanted.clone()));
    assert_eq!(find_program(first.join("tool"), &path), None);
    assert_eq!(find_program("other", &path), None);
    assert_eq!(find_program("../third/tool", &path), None);
}

/// The test's own working folder is the crate's, so a relative entry that leads to a real program is at hand.
#[test]
fn the_current_folder_and_relative_entries_are_never_searched() {
    let here = env::current_dir().unwrap();
    let up = "../".repeat(here.components().count());
    let relative = format!("{up}bin");
    assert!(Path::new(&relative).join("sh").exists(), "the relative way to the shell should exist");
    for entry in [relative.as_str(), "", ".", "./", ":", &format!(".:{relative}:")] {
        assert_eq!(find_program("sh", entry.as_ref()), None, "{entry:?}");
    }
    assert_eq!(find_program("sh", format!("{relative}:/bin").as_ref()), Some("/bin/sh".into()));
}

#[tokio::test]
async fn a_detached_program_runs_in_its_own_group_and_is_not_ended() {
    let dir = tempdir().unwrap();
    let script = r#"ps -o pgid= -p $$ > group.part; mv group.part group; read line; sleep 60"#;
    let pid = spawn_detached(shell(script, dir.path())).unwrap().to_string();
    let group = dir.path().join("group");
    eventually("a word from the detached program", async || group.exists()).await;
    assert_eq!(fs::read_to_string(&group).unwrap().trim(), pid);
    assert!(is_alive(&pid).await);
    assert!(run(shell(&format!("kill -KILL -{pid}"), dir.path())).await.unwrap().exit.success());
    assert!(matches!(
        spawn_detached(Command::new(dir.path().join("absent"), dir.path())),
        Err(ProcessError::ProgramMissing { .. })
    ));
}
