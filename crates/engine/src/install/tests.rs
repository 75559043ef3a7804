//! Installed and removed in a real folder.

use super::*;

fn project() -> (tempfile::TempDir, Layout) {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join(".loopwright")).unwrap();
    let layout = Layout::of(folder.path()).unwrap();
    (folder, layout)
}

fn changes(layout: &Layout, request: &InstallRequest) -> Vec<(String, Change)> {
    let done = install(layout, request).unwrap();
    done.into_iter().map(|it| (it.file.display().to_string().replace('\\', "/"), it.change)).collect()
}

fn everything() -> InstallRequest {
    InstallRequest { files: vec!["./CLAUDE.md".into()], commands: true, ..InstallRequest::default() }
}

fn removal() -> InstallRequest {
    InstallRequest { remove: true, ..InstallRequest::default() }
}

#[test]
fn a_dry_run_writes_nothing_and_a_second_call_changes_nothing() {
    let (_folder, layout) = project();
    let dry = InstallRequest { dry_run: true, ..everything() };
    let planned = changes(&layout, &dry);
    assert!(planned.iter().all(|(_, change)| *change == Change::Created), "{planned:?}");
    assert_eq!(planned.len(), 5);
    assert_eq!(fs::read_dir(&layout.root).unwrap().count(), 1);
    assert_eq!(changes(&layout, &everything()), planned);
    assert!(changes(&layout, &everything()).iter().all(|(_, change)| *change == Change::Unchanged));
}

#[test]
fn all_that_was_installed_is_removed_and_what_is_the_users_stays() {
    let (_folder, layout) = project();
    let mine = "# Mine\r\n\r\nBe kind.";
    fs::write(layout.root.join("CLAUDE.md"), mine).unwrap();
    install(&layout, &everything()).unwrap();
    let help = layout.root.join(".claude/commands/loopwright-help.md");
    fs::write(&help, fs::read_to_string(&help).unwrap().replace("briefly", "at length")).unwrap();
    let removed = changes(&layout, &removal());
    assert_eq!(
        removed,
        [
            ("AGENTS.md".to_owned(), Change::Removed),
            ("CLAUDE.md".to_owned(), Change::TakenOut),
            (".claude/commands/loopwright-loop.md".to_owned(), Change::Removed),
            (".claude/commands/loopwright-cancel.md".to_owned(), Change::Removed),
            (".claude/commands/loopwright-help.md".to_owned(), Change::Kept),
        ]
    );
    assert_eq!(fs::read_to_string(layout.root.join("CLAUDE.md")).unwrap(), mine);
    assert!(!layout.root.join("AGENTS.md").exists() && help.exists());
    fs::remove_file(&help).unwrap();
    install(&layout, &InstallRequest { commands: true, ..InstallRequest::default() }).unwrap();
    install(&layout, &removal()).unwrap();
    assert!(!layout.root.join(".claude").exists());
    assert_eq!(changes(&layout, &removal()), []);
}

#[test]
fn a_command_of_ours_is_known_by_its_digest() {
    for (_, text) in commands::all() {
        assert!(commands::is_unchanged(&text) && commands::is_unchanged(&text.replace('\n', "\r\n")));
        assert!(!commands::is_unchanged(&text.replacen("oopwright", "oopwrong", 1)));
        assert!(!commands::is_unchanged(&format!("{text}\nmine\n")));
    }
    assert!(!commands::is_unchanged(""));
}

#[test]
fn broken_marks_change_nothing_anywhere() {
    let (_folder, layout) = project();
    let open = format!("mine\n{}\nmine too\n", block::BEGIN);
    fs::write(layout.root.join("CLAUDE.md"), &open).unwrap();
    for request in [everything(), removal()] {
        let fault = install(&layout, &request).unwrap_err();
        assert_eq!(fault.code, ErrorCode::UsageInvalid);
        assert_eq!(fault.location.unwrap().line, Some(2));
    }
    assert_eq!(fs::read_to_string(layout.root.join("CLAUDE.md")).unwrap(), open);
    assert!(!layout.root.join("AGENTS.md").exists());
}

#[test]
fn files_outside_the_project_are_refused() {
    let (_folder, layout) = project();
    for file in ["../x.md", "/etc/x.md", "a/../../x.md", ""] {
        let request = InstallRequest { files: vec![file.into()], ..InstallRequest::default() };
        assert_eq!(install(&layout, &request).unwrap_err().code, ErrorCode::UsageInvalid, "{file}");
    }
}

#[cfg(unix)]
#[test]
fn links_and_protected_files_are_refused() {
    let (folder, layout) = project();
    let elsewhere = folder.path().join("elsewhere.md");
    fs::write(&elsewhere, "mine\n").unwrap();
    std::os::unix::fs::symlink(&elsewhere, layout.root.join("CLAUDE.md")).unwrap();
    let fault = install(&layout, &everything()).unwrap_err();
    assert!(fault.code == ErrorCode::IoFailed && fault.message.contains("is a link"), "{fault}");
    assert_eq!(fs::read_to_string(&elsewhere).unwrap(), "mine\n");
    install(&layout, &InstallRequest::default()).unwrap();
    assert_eq!(changes(&layout, &removal()), [("AGENTS.md".to_owned(), Change::Removed)]);

    let outside = tempfile::tempdir().unwrap();
    fs::remove_file(layout.root.join("CLAUDE.md")).unwrap();
    std::os::unix::fs::symlink(outside.path(), layout.root.join("docs")).unwrap();
    fs::write(outside.path().join("x.md"), "").unwrap();
    let request = InstallRequest { files: vec!["docs/x.md".into()], ..InstallRequest::default() };
    assert!(install(&layout, &request).unwrap_err().message.contains("outside the project"));

    let agents = layout.root.join("AGENTS.md");
    fs::write(&agents, "mine\n").unwrap();
    let mut permissions = fs::metadata(&agents).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&agents, permissions).unwrap();
    let fault = install(&layout, &InstallRequest::default()).unwrap_err();
    assert!(fault.code == ErrorCode::IoFailed && fault.message.contains("write-protected"), "{fault}");
}
