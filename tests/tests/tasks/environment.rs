//! The environment's faults are not the agent's: the run waits once, the work is kept, and a resume goes on from there.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use crate::scene::Scene;

const WORKS: &str = r#"echo "$task" > "done-$task.txt"; complete "done""#;

fn agents(scene: &Scene) -> usize {
    let names = std::fs::read_dir(scene.sandbox.root()).unwrap().filter_map(Result::ok);
    names.filter(|entry| entry.file_name().to_string_lossy().starts_with("prompt-")).count()
}

/// Writes a program.
fn program(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, format!("#!/bin/sh\n{text}\n")).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

fn hook(scene: &Scene, name: &str) -> PathBuf {
    scene.sandbox.work().join(".git/hooks").join(name)
}

/// Runs with a folder of one's own first on the search path.
fn on_path(scene: &Scene, folder: &Path, mut command: std::process::Command) -> loopwright_testkit::Output {
    let path = std::env::var("PATH").unwrap();
    command.env("PATH", format!("{}:{path}", folder.display()));
    scene.sandbox.run(&mut command)
}

/// The run waits for a person, and nothing of the first attempt is lost.
fn waits(scene: &Scene, output: &loopwright_testkit::Output, code: &str) {
    assert_eq!(output.code, 5, "{output:?}");
    assert!(output.stdout.contains("loopwright resume"), "{output:?}");
    let run = scene.ask(&["status", "--json"])["run"].take();
    let stands = ["status", "waiting", "exit_reason", "code"].map(|key| run[key].as_str().unwrap_or("none"));
    assert_eq!(stands, ["waiting", "environment", "environment", code], "{run}");
    assert_eq!(agents(scene), 1, "one agent worked");
    assert_eq!(scene.read("done-1.txt").as_deref(), Some("1\n"), "its work is in the files");
    let refused = scene.start(&[]);
    assert_eq!(refused.code, 2, "{refused:?}");
    assert!(refused.stderr.contains("--resume"), "{refused:?}");
}

/// The run went on without another agent and without a lost attempt.
fn went_on(scene: &Scene, output: &loopwright_testkit::Output) {
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(agents(scene), 1, "no other agent");
    assert_eq!(scene.status_of(1), "done");
    let shown = scene.shown(1);
    assert_eq!((shown["attempts"].as_u64(), shown["failures"].as_u64()), (Some(1), Some(0)), "{shown}");
    assert_eq!(scene.files_of("HEAD"), ["done-1.txt"]);
    assert_eq!(scene.changed(), "");
}

#[test]
fn a_check_whose_program_vanishes_stops_the_run_once() {
    for at in [None, Some("checks.unable"), Some("ended.before")] {
        let scene = Scene::new("");
        let bin = scene.sandbox.root().join("tools");
        let tool = bin.join("own-linter");
        program(&tool, "exit 0");
        scene.check("lint", "own-linter");
        scene.agent(&format!("rm -f '{}'; {WORKS}", tool.display()));
        scene.task("One", &[]);
        let mut command = scene.running(&[]);
        if let Some(at) = at {
            command.env("LOOPWRIGHT_CRASH_AT", at);
        }
        let output = on_path(&scene, &bin, command);
        if at.is_none() {
            waits(&scene, &output, "check.program_missing");
            assert!(output.stdout.contains("The check \"lint\" cannot be run"), "{output:?}");
            let shown = scene.ask(&["show", "1", "--json"])["checks"].take();
            assert_eq!(
                (&shown[0]["status"], &shown[0]["code"]),
                (&"broken".into(), &"check.program_missing".into())
            );
        }
        let still = on_path(&scene, &bin, scene.command(&["resume"]));
        waits(&scene, &still, "check.program_missing");
        program(&tool, "exit 0");
        went_on(&scene, &on_path(&scene, &bin, scene.command(&["resume"])));
    }
}

#[test]
fn a_program_of_the_project_that_the_agent_deletes_is_its_own_failure() {
    let scene = Scene::new("");
    program(&scene.sandbox.work().join("lint.sh"), "exit 0");
    scene.check("lint", "./lint.sh");
    scene.agent(&format!("rm lint.sh; {WORKS}"));
    scene.task("One", &[]);
    let output = scene.start(&["--max-attempts", "1"]);
    assert_eq!(output.code, 4, "{output:?}");
    assert_eq!(scene.status_of(1), "blocked");
}

#[test]
fn a_hook_that_wants_another_message_stops_the_run_once() {
    for before in [false, true] {
        let scene = Scene::new(WORKS);
        scene.task("One", &[]);
        if before {
            program(&hook(&scene, "pre-commit"), "exit 0");
        }
        program(
            &hook(&scene, "commit-msg"),
            "grep -q TICKET- \"$1\" || { echo 'no ticket number' >&2; exit 1; }",
        );
        let output = scene.start(&["--trust"]);
        waits(&scene, &output, "git.message_hook");
        assert!(
            output.stdout.contains("commit-msg refused the commit message: no ticket number"),
            "{output:?}"
        );
        program(&hook(&scene, "commit-msg"), "exit 0");
        scene.ok(&["trust", "--yes"]);
        went_on(&scene, &scene.run(&["resume"]));
    }
}

#[test]
fn a_pre_commit_hook_that_refuses_is_a_failed_attempt() {
    let scene = Scene::new(WORKS);
    scene.task("One", &[]);
    program(&hook(&scene, "pre-commit"), "echo 'too ugly' >&2; exit 1");
    program(&hook(&scene, "commit-msg"), "exit 0");
    let output = scene.start(&["--trust", "--max-attempts", "1"]);
    assert_eq!(output.code, 4, "{output:?}");
    assert!(output.stdout.contains("a git hook refused the commit: too ugly"), "{output:?}");
}

#[test]
fn signing_that_does_not_work_stops_the_run_once_wherever_it_is_killed() {
    for at in [None, Some("committing.after"), Some("ended.before")] {
        let scene = Scene::new(WORKS);
        scene.task("One", &[]);
        scene.sandbox.git("", &["config", "commit.gpgSign", "true"]);
        scene.sandbox.git("", &["config", "gpg.program", "no-such-gpg"]);
        let mut command = scene.running(&[]);
        if let Some(at) = at {
            command.env("LOOPWRIGHT_CRASH_AT", at);
        }
        let output = scene.sandbox.run(&mut command);
        if at.is_none() {
            waits(&scene, &output, "git.signing");
        }
        waits(&scene, &scene.run(&["resume"]), "git.signing");
        scene.sandbox.git("", &["config", "commit.gpgSign", "false"]);
        went_on(&scene, &scene.run(&["resume"]));
    }
}

#[test]
fn a_filter_that_is_not_there_stops_the_run_once() {
    let scene = Scene::new(WORKS);
    scene.sandbox.write(".gitattributes", "done-*.txt filter=own\n");
    scene.commit_all("Attributes");
    scene.task("One", &[]);
    for (key, value) in [("clean", "no-such-filter"), ("smudge", "no-such-filter"), ("required", "true")] {
        scene.sandbox.git("", &["config", &format!("filter.own.{key}"), value]);
    }
    let output = scene.start(&["--trust"]);
    waits(&scene, &output, "git.filter");
    for (key, value) in [("clean", "cat"), ("smudge", "cat")] {
        scene.sandbox.git("", &["config", &format!("filter.own.{key}"), value]);
    }
    scene.ok(&["trust", "--yes"]);
    went_on(&scene, &scene.run(&["resume"]));
}

#[test]
fn the_commit_of_a_wave_waits_for_the_environment_too() {
    let scene = Scene::new(WORKS);
    scene.task("One", &[]);
    program(&hook(&scene, "commit-msg"), "exit 1");
    let output = scene.start(&["--trust", "--commit", "wave"]);
    assert_eq!(output.code, 5, "{output:?}");
    program(&hook(&scene, "commit-msg"), "exit 0");
    scene.ok(&["trust", "--yes"]);
    went_on(&scene, &scene.run(&["resume"]));
}

#[test]
fn a_loop_waits_for_the_environment_and_keeps_its_work() {
    let scene = Scene::new(r#"echo x > made.txt; echo "<promise>COMPLETE</promise>""#);
    program(&hook(&scene, "commit-msg"), "exit 1");
    let agent = format!("sh {}/agent.sh", scene.sandbox.root().display());
    let args =
        ["loop", "--prompt", "x", "--command", &agent, "--prompt-mode", "stdin", "--auto-commit", "--trust"];
    let output = scene.run(&args);
    assert_eq!(output.code, 5, "{output:?}");
    assert_eq!(scene.read("made.txt").as_deref(), Some("x\n"));
    program(&hook(&scene, "commit-msg"), "exit 0");
    scene.ok(&["trust", "--yes"]);
    let output = scene.run(&["resume"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(scene.files_of("HEAD"), ["made.txt"]);
}

/// A small disk in the place of git's folder.
struct SmallDisk(PathBuf);

impl SmallDisk {
    /// None where this user may not mount anything.
    fn mount(scene: &Scene, size: &str) -> Option<Self> {
        let (folder, kept) = (scene.sandbox.work().join(".git"), scene.sandbox.root().join("kept"));
        let copy = |from: &Path, to: &Path| {
            let mut command = scene.sandbox.command("cp");
            command.arg("-a").arg(from.join(".")).arg(to);
            assert_eq!(scene.sandbox.run(&mut command).code, 0);
        };
        std::fs::create_dir(&kept).unwrap();
        copy(&folder, &kept);
        let mut mount = scene.sandbox.command("mount");
        mount.args(["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"]).arg(&folder);
        let mounted = mount.output().is_ok_and(|output| output.status.success());
        let disk = mounted.then_some(Self(folder.clone()))?;
        copy(&kept, &folder);
        Some(disk)
    }
}

impl Drop for SmallDisk {
    #[expect(clippy::disallowed_methods, reason = "the machine is left as it was found")]
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}

#[test]
fn a_disk_that_is_full_after_the_agent_stops_the_run_once() {
    let scene = Scene::new("");
    scene.agent(&format!("head -c 70M /dev/zero > .git/filler; {WORKS}"));
    scene.task("One", &[]);
    let Some(_disk) = SmallDisk::mount(&scene, "1080m") else {
        loopwright_testkit::skipped("this user may not mount a small disk");
        return;
    };
    let output = scene.start(&[]);
    waits(&scene, &output, "store.full");
    // A GiB, and what the agent made.
    assert!(
        output.stdout.contains("MiB are free") && output.stdout.contains("1025 MiB are needed"),
        "{output:?}"
    );
    std::fs::remove_file(scene.sandbox.work().join(".git/filler")).unwrap();
    went_on(&scene, &scene.run(&["resume"]));
    // Where there is too little from the start, nothing is begun.
    std::fs::write(scene.sandbox.work().join(".git/filler"), vec![0; 70 * 1024 * 1024]).unwrap();
    scene.task("Two", &[]);
    let output = scene.start(&[]);
    assert_eq!(output.code, 1, "{output:?}");
    assert!(output.stderr.contains("1024 MiB are needed"), "{output:?}");
    assert!(scene.run(&["doctor"]).stdout.contains("1024 MiB are needed"));
}
