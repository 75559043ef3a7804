//! A project whose agents are in the sandbox.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use loopwright_testkit::Output;

use crate::common::{installed, json};
use crate::place::ProjectFolder;

/// Says that the work is done.
pub(crate) const DONE: &str = "\necho done >> done.txt\necho '<promise>COMPLETE</promise>'\n";

/// A project in git, unless this machine has no sandbox: then the tests say so and pass.
pub(crate) fn sandboxed(config: &str) -> Option<ProjectFolder> {
    let place = ProjectFolder::git(config).trusted();
    let home = place.beside("home");
    for folder in [".ssh", ".config/fish", ".claude"] {
        fs::create_dir_all(home.join(folder)).unwrap();
    }
    fs::write(home.join(".bashrc"), "# mine\n").unwrap();
    fs::create_dir_all(place.beside("outside")).unwrap();
    let report = place.run_with(&["doctor", "--json"], &[("LOOPWRIGHT_SANDBOX", "auto")]);
    let findings = json(&report)["findings"].clone();
    let found = findings.as_array().unwrap().iter().find(|one| one["name"] == "Sandbox").unwrap().clone();
    if found["status"] == "ok" {
        return Some(place);
    }
    println!("SKIPPED, no sandbox on this machine: {}", found["message"]);
    None
}

impl ProjectFolder {
    /// The program with the sandbox on.
    pub(crate) fn fenced_command(&self, args: &[&str]) -> Command {
        let mut command = self.command(args);
        command.env("LOOPWRIGHT_SANDBOX", "on");
        command
    }

    /// Runs Loopwright with some variables.
    pub(crate) fn run_with(&self, args: &[&str], variables: &[(&str, &str)]) -> Output {
        let mut command = self.command(args);
        self.sandbox.run(command.envs(variables.iter().copied()))
    }

    /// One iteration of an agent in the sandbox, which must come to a good end. `$L` is the program.
    pub(crate) fn one_turn(&self, script: &str, more: &[&str]) -> Output {
        let program = installed(&self.sandbox);
        let agent = self.agent(&format!("L={}\n{script}\n{DONE}", program.display()));
        let args =
            [&["loop", "--prompt", "Go.", "--command", &agent, "--max-iterations", "1"], more].concat();
        let output = self.sandbox.run(&mut self.fenced_command(&args));
        assert_eq!(output.code, 0, "{output:?}");
        output
    }

    /// A script as a program of its own, by which an agent is recognised.
    pub(crate) fn program(&self, name: &str, script: &str) -> String {
        let path = self.beside(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n{DONE}")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path.display().to_string()
    }
}
