//! Finding and starting programs: each way it can fail is told apart.
use std::env;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::support::{file, is_alive, shell};
use loopwright_domain::{ErrorCode, Fault};
use loopwright_process::{
    Command, Exit, ProcessError, find_program, find_program_outside, run, search_path_outside, spawn_detached,
};
use loopwright_testkit::eventually_async;
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

#[test]
fn a_program_in_a_folder_is_passed_over_however_it_is_reached() {
    let dir = tempdir().unwrap();
    let (project, elsewhere) = (dir.path().join("project"), dir.path().join("elsewhere"));
    fs::create_dir_all(project.join("bin")).unwrap();
    fs::create_dir(&elsewhere).unwrap();
    let planted = file(&project.join("bin/tool"), "#!/bin/sh\n", 0o755);
    symlink(&planted, elsewhere.join("tool")).unwrap();
    symlink(project.join("bin"), dir.path().join("linked")).unwrap();
    let entries = [project.join("bin"), dir.path().join("linked"), elsewhere.clone()];
    let path = env::join_paths(&entries).unwrap();
    assert_eq!(find_program("tool", &path), Some(planted.clone()));
    assert_eq!(find_program_outside("tool", &path, Some(&project)), None);
    assert_eq!(
        find_program_outside(&planted, &path, Some(&project)),
        Some(planted),
        "by its full path it is a choice"
    );
    assert_eq!(search_path_outside(&path, Some(&project)), elsewhere.as_os_str());
    let wanted = file(&dir.path().join("tool"), "#!/bin/sh\n", 0o755);
    let path = env::join_paths(entries.iter().map(PathBuf::as_path).chain([dir.path()])).unwrap();
    assert_eq!(find_program_outside("tool", &path, Some(&project)), Some(wanted));
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
    eventually_async("a word from the detached program", async || group.exists()).await;
    assert_eq!(fs::read_to_string(&group).unwrap().trim(), pid);
    assert!(is_alive(&pid).await);
    assert!(run(shell(&format!("kill -KILL -{pid}"), dir.path())).await.unwrap().exit.success());
    assert!(matches!(
        spawn_detached(Command::new(dir.path().join("absent"), dir.path())),
        Err(ProcessError::ProgramMissing { .. })
    ));
}

#[tokio::test]
async fn a_script_that_is_still_open_for_writing_is_started_when_it_is_closed() {
    let dir = tempdir().unwrap();
    let script = file(&dir.path().join("late"), "#!/bin/sh\nexit 7\n", 0o755);
    let open = fs::OpenOptions::new().append(true).open(&script).unwrap();
    let closed = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(20));
        drop(open);
    });
    let ended = run(Command::new(&script, dir.path())).await;
    closed.join().unwrap();
    assert_eq!(ended.unwrap().exit, Exit::Code(7));
}
