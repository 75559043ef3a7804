//! Whether what is called done is done: the checks in a fresh clone, or, where nothing is committed, on the files without
//! those that git ignores.

use std::fs;
use std::path::{Path, PathBuf};

use crate::machine::Machine;
use crate::scenario::{Layout, Scenario, Verb};
use crate::world::run as git;

/// What fails there.
pub(crate) fn fails(machine: &Machine, scenario: &Scenario) -> Vec<String> {
    let required = scenario.checks.iter().filter(|(_, _, lines)| !lines.contains("required = false"));
    let required: Vec<_> = required.collect();
    if required.is_empty() {
        return Vec::new();
    }
    let folder = if commits(scenario) { cloned(machine, scenario) } else { copied(machine, scenario) };
    let mut wrong = Vec::new();
    for (name, command, lines) in required {
        let _ = fs::remove_file(machine.sandbox.root().join("talk/asks"));
        let variables = exports(lines);
        let output = machine.shell(&format!("{variables}\n{command}"), &folder);
        if output.code != 0 {
            let from = if commits(scenario) { "a fresh clone" } else { "a copy of the files" };
            wrong.push(format!("done, and check {name} fails in {from}: {output:?}"));
        }
    }
    wrong
}

/// Whether the scenario's work is in commits.
fn commits(scenario: &Scenario) -> bool {
    let mode = scenario.args.windows(2).find(|pair| pair[0] == "--commit").map(|pair| &*pair[1]);
    let automatic = scenario.args.iter().any(|word| word == "--auto-commit");
    match (scenario.layout, scenario.verb) {
        (Layout::NoGit, _) => false,
        (_, Verb::Run) => mode != Some("none"),
        (_, Verb::Loop | Verb::Fix) => automatic,
    }
}

fn cloned(machine: &Machine, scenario: &Scenario) -> PathBuf {
    let root = machine.sandbox.root();
    let place = root.join("clone");
    let _ = fs::remove_dir_all(&place);
    let top = git(&machine.sandbox, &machine.project, &["rev-parse", "--show-toplevel"]).unwrap_or_default();
    let head = git(&machine.sandbox, &machine.project, &["rev-parse", "HEAD"]).unwrap_or_default();
    let to = place.display().to_string();
    machine.sandbox.git(root, &["clone", "--quiet", "--no-checkout", top.trim(), &to]);
    machine.sandbox.git(&place, &["checkout", "--quiet", "--detach", head.trim()]);
    if scenario.layout == Layout::Subfolder { place.join("app") } else { place }
}

fn copied(machine: &Machine, scenario: &Scenario) -> PathBuf {
    let place = machine.sandbox.root().join("copy");
    let _ = fs::remove_dir_all(&place);
    fs::create_dir(&place).unwrap();
    if scenario.layout == Layout::NoGit {
        copy_all(&machine.project, &place);
        return place;
    }
    let names = machine.sandbox.git(&machine.project, &["ls-files", "-z", "-c", "-o", "--exclude-standard"]);
    for name in names.split('\0').filter(|name| !name.is_empty()) {
        let (from, to) = (machine.project.join(name), place.join(name));
        if from.is_file() {
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::copy(from, to).unwrap();
        }
    }
    place
}

fn copy_all(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            fs::create_dir_all(&target).unwrap();
            copy_all(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// The variables of a check's table as a shell takes them.
fn exports(lines: &str) -> String {
    let table = lines.lines().find_map(|line| line.strip_prefix("env = {")).unwrap_or_default();
    let pairs = table.trim_end_matches('}').split(',').filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, value)| format!("export {}={}\n", name.trim(), value.trim())).collect()
}
