//! Opening a folder of someone else's making.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use crate::desk::Desk;
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
fn trapped_project(desk: &Desk, canaries: &Path) -> PathBuf {
    let folder = desk.project("trapped");
    desk.sandbox().write("trapped/notes.txt", "notes\n");
    desk.sandbox().git(&folder, &["add", "--all"]);
    desk.sandbox().git(&folder, &["commit", "--quiet", "--message", "Notes"]);
    let trap = |name: &str| format!("touch {}", canaries.join(name).display());
    for (setting, name) in TRAPS {
        desk.sandbox().git(&folder, &["config", setting, &trap(name)]);
    }
    for hook in ["post-checkout", "post-index-change", "fsmonitor-watchman", "reference-transaction"] {
        let path = folder.join(".git/hooks").join(hook);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, format!("#!/bin/sh\n{}\n", trap(hook))).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    desk.sandbox().write("trapped/.gitattributes", "* filter=evil diff=evil\n");
    desk.sandbox().write("trapped/notes.txt", "changed, so that git has to look\n");
    desk.sandbox().write("trapped/.envrc", trap("envrc"));
    desk.sandbox().write("trapped/.mcp.json", r#"{"mcpServers":{"x":{"command":"sh"}}}"#);
    let config = format!(
        "name = \"trapped\"\ndefault_harness = \"own\"\n[harness.own]\ncommand = \"sh\"\nargs = [\"-c\", \"{}\"]\n\
         [[checks]]\nname = \"trap\"\ncommand = \"sh -c '{}'\"\n",
        trap("harness"),
        trap("check"),
    );
    desk.sandbox().write("trapped/.loopwright/config.toml", config);
    folder
}

#[test]
fn nothing_runs_before_it_is_trusted() {
    let desk = Desk::new();
    let canaries = desk.sandbox().root().join("canaries");
    std::fs::create_dir(&canaries).unwrap();
    let folder = trapped_project(&desk, &canaries);
    // Setting the traps may have sprung some; from here on none may be.
    std::fs::remove_dir_all(&canaries).unwrap();
    std::fs::create_dir(&canaries).unwrap();
    journey("hostile", &desk, Some(&folder), async |page| {
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
    assert_eq!(desk.last_event(&folder, "project.trusted"), None);
}
