//! A search path that names folders of a project: what lies there is never taken for a program of this machine.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

#[expect(dead_code, reason = "shared with tests that set no search path")]
mod common;

use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use common::{installed, json};
use loopwright_testkit::{Output, Sandbox};

/// What Loopwright looks up by name, and what those programs look up themselves.
const PLANTED: &[&str] =
    &["git", "claude", "codex", "gemini", "bwrap", "loopwright-app", "vi", "node", "sh", "env", "xdg-open"];

struct Scene {
    sandbox: Sandbox,
    search_path: OsString,
}

impl Scene {
    /// A repository with planted programs, and a search path that leads to them in every way.
    fn new() -> Self {
        let sandbox = Sandbox::new();
        sandbox.git_init("");
        let folder = sandbox.work().join("bin");
        for name in PLANTED {
            program(
                &folder.join(name),
                &format!("#!/bin/sh\necho {name} >> '{}'\n", ran(&sandbox).display()),
            );
        }
        symlink(&folder, sandbox.root().join("linked")).unwrap();
        let single = sandbox.root().join("single");
        fs::create_dir(&single).unwrap();
        symlink(folder.join("claude"), single.join("claude")).unwrap();
        let interpreted = sandbox.root().join("home/.local/bin/claude");
        program(&interpreted, "#!/usr/bin/env node\n");
        let own = std::env::split_paths(&std::env::var_os("PATH").unwrap()).collect::<Vec<_>>();
        let planted = [folder, "bin".into(), "".into(), ".".into(), sandbox.root().join("linked"), single];
        let search_path = std::env::join_paths(planted.into_iter().chain(own)).unwrap();
        Self { sandbox, search_path }
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut command = self.sandbox.command(installed(&self.sandbox));
        command.env("PATH", &self.search_path).env("LOOPWRIGHT_SANDBOX", "auto");
        self.sandbox.run(command.args(args))
    }

    fn ran(&self) -> Option<String> {
        fs::read_to_string(ran(&self.sandbox)).ok()
    }
}

fn ran(sandbox: &Sandbox) -> PathBuf {
    sandbox.root().join("ran")
}

fn program(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    fs::set_permissions(path, Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn looking_at_a_folder_starts_no_program_of_it() {
    let scene = Scene::new();
    let looks: &[&[&str]] = &[&["doctor"], &["open"], &["status"], &["trust", "--json"]];
    for args in looks {
        let _outside_of_a_project = scene.run(args);
        assert_eq!(scene.ran(), None, "{args:?} before init");
    }
    let begun = scene.run(&["init", "--name", "planted"]);
    assert_eq!((begun.code, scene.ran()), (0, None), "{begun:?}");
    let looks: &[&[&str]] = &[
        &["doctor"],
        &["-C", "bin", "doctor", "--json"],
        &["open"],
        &["open", "."],
        &["status", "--changes"],
        &["history"],
        &["recover"],
    ];
    for args in looks {
        let output = scene.run(args);
        assert_eq!(scene.ran(), None, "{args:?} {output:?}");
    }
    let report = json(&scene.run(&["doctor", "--json"]));
    let git = report["findings"].as_array().unwrap().iter().find(|finding| finding["name"] == "Git").unwrap();
    assert_eq!(git["status"], "ok", "the machine's own git is found behind the planted one: {git}");
}

/// The counterpart: a check is the project's own command, and what it names may lie in the project.
#[test]
fn a_check_finds_programs_of_the_project() {
    let scene = Scene::new();
    assert_eq!(scene.run(&["init", "--name", "planted"]).code, 0);
    program(&scene.sandbox.work().join("bin/own-tests"), "#!/bin/sh\nexit 0\n");
    assert_eq!(scene.run(&["check", "add", "own", "own-tests"]).code, 0);
    let output = scene.run(&["check"]);
    assert_eq!(output.code, 0, "{output:?}");
}
