//! `loopwright demo`, `status`, `doctor` and `open` on the sample project.

mod common;

use common::{installed, json, loopwright};
use loopwright_testkit::{Sandbox, eventually};

#[test]
fn the_sample_is_made_shown_and_kept() {
    let sandbox = Sandbox::new();
    let made = loopwright(&sandbox, &["demo", "tea"]);
    insta::assert_snapshot!("demo", sandbox.snapshot(&made));
    insta::assert_snapshot!("demo_status", sandbox.snapshot(&loopwright(&sandbox, &["-C", "tea", "status"])));
    assert_eq!(sandbox.git("tea", &["status", "--porcelain"]), "", "everything is committed");
    assert_eq!(sandbox.git("tea", &["rev-list", "--count", "HEAD"]).trim(), "1");
    let status = json(&loopwright(&sandbox, &["-C", "tea", "status", "--json"]));
    assert_eq!(status["waves"].as_array().map(Vec::len), Some(3));
    assert_eq!(status["project"]["sample"], true);
    assert_eq!(status["agent"]["scripted"], true);
    assert_eq!(status["trust"]["state"], "untrusted");
    assert!(status["checks"].as_array().is_some_and(|checks| checks.len() >= 3));
    assert_eq!(status["spec_files"][0]["exists"], true);
    let again = loopwright(&sandbox, &["demo", "tea", "--json"]);
    assert_eq!((again.code, json(&again)["error"]["code"].as_str()), (2, Some("folder.not_empty")));
    let found = loopwright(&sandbox, &["demo", "tea", "--existing-ok"]);
    assert!(found.code == 0 && found.stdout.starts_with("Found the sample"), "{found:?}");
    let after = json(&loopwright(&sandbox, &["-C", "tea", "status", "--json"]));
    assert_eq!(after["tasks"], status["tasks"], "finding it again adds no tasks");
}

#[test]
fn a_folder_with_files_is_left_alone_and_an_empty_one_is_used() {
    let sandbox = Sandbox::new();
    sandbox.write("mine/notes.txt", "keep");
    let refused = loopwright(&sandbox, &["demo", "mine", "--existing-ok", "--json"]);
    assert_eq!(json(&refused)["error"]["code"], "folder.not_empty");
    assert_eq!(std::fs::read_dir(sandbox.work().join("mine")).unwrap().count(), 1);
    std::fs::create_dir(sandbox.work().join("empty")).unwrap();
    assert_eq!(loopwright(&sandbox, &["-C", "empty", "demo", "."]).code, 0);
    assert_eq!(sandbox.git("empty", &["status", "--porcelain"]), "");
    assert_eq!(std::fs::read_dir(sandbox.work()).unwrap().count(), 2, "no draft is left");
}

#[test]
fn a_data_folder_that_cannot_be_used_leaves_no_half_made_sample() {
    let sandbox = Sandbox::new();
    std::fs::write(sandbox.root().join("data"), "a file").unwrap();
    let output = loopwright(&sandbox, &["demo", "tea", "--json"]);
    assert_eq!((output.code, json(&output)["error"]["code"].as_str()), (1, Some("io.failed")));
    assert_eq!(std::fs::read_dir(sandbox.work()).unwrap().count(), 0);
}

#[test]
fn without_git_the_sample_says_so_and_leaves_nothing_behind() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(installed(&sandbox));
    let output = sandbox.run(command.args(["demo", "tea", "--json"]).env("PATH", sandbox.work()));
    assert_eq!((output.code, json(&output)["error"]["code"].as_str()), (1, Some("git.missing")));
    assert_eq!(std::fs::read_dir(sandbox.work()).unwrap().count(), 0);
}

#[test]
fn doctor_tells_what_is_well_and_what_to_fix() {
    let sandbox = Sandbox::new();
    assert_eq!(loopwright(&sandbox, &["demo", "tea"]).code, 0);
    let finding = |output: &loopwright_testkit::Output, name: &str| {
        let findings = json(output)["findings"].as_array().cloned().unwrap_or_default();
        findings.into_iter().find(|finding| finding["name"] == name).unwrap_or_default()
    };
    let well = loopwright(&sandbox, &["-C", "tea", "doctor", "--json"]);
    assert_eq!(finding(&well, "Git")["status"], "ok");
    assert_eq!(finding(&well, "State")["status"], "ok");
    assert_eq!(finding(&well, "Trust")["status"], "warning");
    sandbox.write("tea/.loopwright/config.toml", "nmae = 3\n");
    let ill = loopwright(&sandbox, &["-C", "tea", "doctor", "--json"]);
    assert_eq!(ill.code, 1);
    assert_eq!(finding(&ill, "Settings")["status"], "problem");
    let outside = loopwright(&sandbox, &["doctor"]);
    assert!(outside.stdout.contains("none here"), "{}", outside.stdout);
}

#[cfg(unix)]
#[test]
fn doctor_shows_agents_and_asks_one_of_them() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::new();
    let program = sandbox.root().join("tools/claude");
    std::fs::create_dir_all(sandbox.root().join("tools")).unwrap();
    let script = "#!/bin/sh\ncase \"$1\" in --version) echo '2.5.0 (Claude Code)';; auth) echo '{\"loggedIn\": false}';;\n\
                  *) echo '{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"ready\"}';; esac\n";
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", sandbox.root().join("tools").display());
    let doctor = |args: &[&str]| {
        sandbox.run(sandbox.command(installed(&sandbox)).arg("doctor").args(args).env("PATH", &path))
    };
    insta::assert_snapshot!("doctor_agents", sandbox.snapshot(&doctor(&["--agents"])));
    let report = json(&doctor(&["--agents", "--json"]));
    assert_eq!(
        (&report["agents"][0]["version"], &report["agents"][0]["login"]),
        (&"2.5.0".into(), &"logged_out".into())
    );
    let trial = doctor(&["--try", "claude"]);
    assert!(trial.code == 0 && trial.stdout.contains("claude answered in"), "{trial:?}");
    assert_eq!(json(&doctor(&["--try", "claude", "--json"]))["answered"], true);
    let missing = doctor(&["--try", "codex", "--json"]);
    assert_eq!((missing.code, &json(&missing)["error"]["code"]), (1, &"agent.missing".into()));
}

#[test]
fn a_damaged_state_is_set_aside_and_told_once() {
    let sandbox = Sandbox::new();
    assert_eq!(loopwright(&sandbox, &["demo", "tea"]).code, 0);
    for leftover in ["state.db-wal", "state.db-shm"] {
        let _ = std::fs::remove_file(sandbox.work().join("tea/.git/loopwright").join(leftover));
    }
    sandbox.write("tea/.git/loopwright/state.db", vec![7_u8; 5000]);
    let first = loopwright(&sandbox, &["-C", "tea", "status"]);
    assert!(first.stderr.contains("a new one was begun"), "{first:?}");
    assert_eq!(first.code, 1);
    let second = loopwright(&sandbox, &["-C", "tea", "status", "--json"]);
    assert_eq!(second.code, 0);
    assert_eq!(json(&second)["activity"][0]["event"]["type"], "store.recovered");
    let kept = std::fs::read_dir(sandbox.work().join("tea/.git/loopwright")).unwrap().flatten();
    assert!(kept.into_iter().any(|entry| entry.file_name().to_string_lossy().contains("damaged")));
}

/// Whichever page of the state is damaged, `status` either has no use for it or deals with it as every other command does.
#[test]
fn status_of_damaged_state_tells_the_truth() {
    let sandbox = Sandbox::new();
    assert_eq!(loopwright(&sandbox, &["demo", "tea"]).code, 0);
    let state = sandbox.work().join("tea/.git/loopwright");
    let whole = std::fs::read(state.join("state.db")).unwrap();
    let sound = loopwright(&sandbox, &["-C", "tea", "status"]);
    let mut told = 0;
    for page in 1..whole.len() / 4096 {
        std::fs::remove_dir_all(&state).unwrap();
        let mut bytes = whole.clone();
        bytes[page * 4096..(page + 1) * 4096].fill(0xa5);
        sandbox.write("tea/.git/loopwright/state.db", bytes);
        let output = loopwright(&sandbox, &["-C", "tea", "status"]);
        if output.code == 0 {
            assert_eq!(output.stdout, sound.stdout, "page {page}");
        } else {
            assert!(output.stderr.contains("a new one was begun"), "page {page}: {output:?}");
            told += 1;
        }
    }
    assert!(told > 2, "{told}");
}

#[test]
fn status_alone_says_what_status_with_options_says() {
    let sandbox = Sandbox::new();
    let outside = loopwright(&sandbox, &["status"]);
    assert_eq!(outside, loopwright(&sandbox, &["-C", ".", "status"]));
    assert_eq!(loopwright(&sandbox, &["init"]).code, 0);
    let inside = loopwright(&sandbox, &["status"]);
    assert_eq!(inside, loopwright(&sandbox, &["-C", ".", "status"]));
    assert_eq!((outside.code, inside.code), (2, 0), "{outside:?} {inside:?}");
}

#[test]
fn open_without_the_app_says_what_to_do() {
    let sandbox = Sandbox::new();
    assert_eq!(loopwright(&sandbox, &["demo", "tea"]).code, 0);
    let output = loopwright(&sandbox, &["open", "tea", "--json"]);
    assert_eq!((output.code, json(&output)["error"]["code"].as_str()), (1, Some("app.missing")));
}

#[cfg(unix)]
#[test]
fn open_hands_the_project_to_the_app_and_lets_it_live() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::new();
    assert_eq!(loopwright(&sandbox, &["demo", "tea"]).code, 0);
    let app = installed(&sandbox).with_file_name("loopwright-app");
    std::fs::write(&app, "#!/bin/sh\nprintf '%s\\n' \"$@\" > \"$HOME/opened.part\"\nmv \"$HOME/opened.part\" \"$HOME/opened\"\n")
        .unwrap();
    std::fs::set_permissions(&app, std::fs::Permissions::from_mode(0o755)).unwrap();
    let opened = |args: &[&str]| {
        let file = sandbox.root().join("home/opened");
        let output = loopwright(&sandbox, args);
        assert_eq!(output.code, 0, "{output:?}");
        eventually("the app was started", || file.exists());
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::remove_file(file).unwrap();
        text.trim().to_owned()
    };
    let project = sandbox.work().join("tea").display().to_string();
    assert_eq!(opened(&["open", "tea"]), project);
    assert_eq!(opened(&["-C", "tea/site", "open"]), project, "from below, too");
    assert_eq!(opened(&["open"]), "", "outside of a project it is the start page");
    let nowhere = loopwright(&sandbox, &["open", "nowhere", "--json"]);
    assert_eq!((nowhere.code, json(&nowhere)["error"]["code"].as_str()), (2, Some("project.bad_folder")));
}
