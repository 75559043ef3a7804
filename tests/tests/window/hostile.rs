//! Opening a folder of someone else's making.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use crate::machine::Machine;
use crate::page::{id, journey};

/// Git settings that make git run a program.
const TRAPS: &[(&str, &str)] = &[
    ("core.fsmonitor", "fsmonitor"),
    ("core.pager", "pager"),
    ("core.editor", "editor"),
    ("core.sshCommand", "ssh"),
    ("gpg.program", "gpg"),
    ("credential.helper", "credential"),
    ("diff.external", "diff"),
    ("filter.evil.clean", "clean"),
    ("filter.evil.smudge", "smudge"),
    ("filter.evil.process", "process"),
    ("diff.evil.textconv", "textconv"),
];

/// A project in a repository full of traps; each leaves a file in `canaries` if it is ever sprung.
fn trapped_project(machine: &Machine, canaries: &Path) -> PathBuf {
    let folder = machine.project("trapped");
    machine.sandbox().write("trapped/notes.txt", "notes\n");
    machine.sandbox().git(&folder, &["add", "--all"]);
    machine.sandbox().git(&folder, &["commit", "--quiet", "--message", "Notes"]);
    let trap = |name: &str| format!("touch {}", canaries.join(name).display());
    for (setting, name) in TRAPS {
        machine.sandbox().git(&folder, &["config", setting, &trap(name)]);
    }
    for hook in ["post-checkout", "post-index-change", "fsmonitor-watchman", "reference-transaction"] {
        let path = folder.join(".git/hooks").join(hook);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, format!("#!/bin/sh\n{}\n", trap(hook))).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    machine.sandbox().write("trapped/.gitattributes", "* filter=evil diff=evil\n");
    machine.sandbox().write("trapped/notes.txt", "changed, so that git has to look\n");
    machine.sandbox().write("trapped/.envrc", trap("envrc"));
    machine.sandbox().write("trapped/.mcp.json", r#"{"mcpServers":{"x":{"command":"sh"}}}"#);
    let config = format!(
        "name = \"trapped\"\ndefault_harness = \"own\"\n[harness.own]\ncommand = \"sh\"\nargs = [\"-c\", \"{}\"]\n\
         [[checks]]\nname = \"trap\"\ncommand = \"sh -c '{}'\"\n",
        trap("harness"),
        trap("check"),
    );
    machine.sandbox().write("trapped/.loopwright/config.toml", config);
    folder
}

#[test]
fn nothing_runs_before_it_is_trusted() {
    let machine = Machine::new();
    let canaries = machine.sandbox().root().join("canaries");
    std::fs::create_dir(&canaries).unwrap();
    let folder = trapped_project(&machine, &canaries);
    // Setting the traps may have sprung some; from here on none may be.
    std::fs::remove_dir_all(&canaries).unwrap();
    std::fs::create_dir(&canaries).unwrap();
    journey("hostile", &machine, Some(&folder), async |page| {
        page.see(&id("trust-banner")).await;
        page.see_text(&id("git-section"), "main").await;
        page.click(&id("trust-review")).await;
        page.see_text(&id("executable"), "sh -c").await;
        assert!(page.count(&id("trust-finding")).await >= 5, "what git would run is listed");
        page.picture("listed").await;
        page.click(&id("trust-cancel")).await;
        page.see(&id("start-untrusted")).await;
        page.ctrl(',').await;
        page.click(&id("section-doctor")).await;
        page.see_text(&id("doctor"), "Trust").await;
        page.ctrl('1').await;
        page.ctrl('r').await;
        page.see(&id("trust-banner")).await;
    });
    let sprung: Vec<_> =
        std::fs::read_dir(&canaries).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(sprung.is_empty(), "these ran: {sprung:?}");
    assert_eq!(machine.last_event(&folder, "project.trusted"), None);
}
