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

#[test]
fn every_file_that_has_the_guide_is_found_and_no_other_is_touched() {
    let (_folder, layout) = project();
    let write = |file: &str, text: &str| {
        let path = layout.root.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let told = format!("It stands between `{}` and `{}`.\n", block::BEGIN, block::END);
    write("docs/about.md", &told);
    write("docs/AI.md", "mine\n");
    let named = ["docs/AI.md", ".cursorrules", "docs/deep/er/new.md"].map(PathBuf::from).to_vec();
    install(&layout, &InstallRequest { files: named, ..InstallRequest::default() }).unwrap();
    let with = fs::read_to_string(layout.root.join(".cursorrules")).unwrap();
    let others = ["node_modules/x/AI.md", "other/AI.md", "source.rs"];
    others.iter().for_each(|file| write(file, &with));
    fs::create_dir(layout.root.join("other/.git")).unwrap();
    let removed = changes(&layout, &removal());
    let expected = [
        ("AGENTS.md", Change::Removed),
        (".cursorrules", Change::Removed),
        ("docs/AI.md", Change::TakenOut),
        ("docs/deep/er/new.md", Change::Removed),
    ];
    assert_eq!(removed, expected.map(|(file, change)| (file.to_owned(), change)));
    assert_eq!(fs::read_to_string(layout.root.join("docs/AI.md")).unwrap(), "mine\n");
    assert_eq!(fs::read_to_string(layout.root.join("docs/about.md")).unwrap(), told);
    for file in others {
        assert_eq!(fs::read_to_string(layout.root.join(file)).unwrap(), with, "{file}");
    }
}

#[cfg(unix)]
#[test]
fn links_are_followed_inside_of_the_project() {
    let (_folder, layout) = project();
    let root = &layout.root;
    fs::write(root.join("CLAUDE.md"), "mine\n").unwrap();
    fs::create_dir(root.join("docs")).unwrap();
    std::os::unix::fs::symlink("CLAUDE.md", root.join("AGENTS.md")).unwrap();
    std::os::unix::fs::symlink("docs", root.join("texts")).unwrap();
    let request =
        InstallRequest { files: vec!["CLAUDE.md".into(), "texts/AI.md".into()], ..InstallRequest::default() };
    let done = changes(&layout, &request);
    assert_eq!(done, [("CLAUDE.md".to_owned(), Change::Updated), ("docs/AI.md".to_owned(), Change::Created)]);
    assert!(root.join("AGENTS.md").is_symlink());
    assert!(fs::read_to_string(root.join("AGENTS.md")).unwrap().contains(block::BEGIN));
    let removed = changes(&layout, &removal());
    assert_eq!(
        removed,
        [("CLAUDE.md".to_owned(), Change::TakenOut), ("docs/AI.md".to_owned(), Change::Removed)]
    );
    assert_eq!(fs::read_to_string(root.join("CLAUDE.md")).unwrap(), "mine\n");
}

#[cfg(unix)]
#[test]
fn links_that_lead_elsewhere_are_refused_and_in_the_way_of_no_removal() {
    let (_folder, layout) = project();
    let outside = tempfile::tempdir().unwrap();
    let elsewhere = outside.path().join("x.md");
    fs::write(&elsewhere, "mine\n").unwrap();
    fs::write(layout.root.join(".loopwright/config.toml"), "").unwrap();
    std::os::unix::fs::symlink(outside.path(), layout.root.join("docs")).unwrap();
    let agents = layout.root.join("AGENTS.md");
    for (target, reason) in [
        (elsewhere.as_path(), "leads out of the project"),
        (Path::new("nowhere.md"), "leads nowhere"),
        (Path::new(".loopwright/config.toml"), "no guide belongs"),
    ] {
        std::os::unix::fs::symlink(target, &agents).unwrap();
        let fault = install(&layout, &InstallRequest::default()).unwrap_err();
        assert!(fault.code == ErrorCode::IoFailed && fault.message.contains(reason), "{fault}");
        assert!(fault.hint.is_some());
        assert_eq!(changes(&layout, &removal()), []);
        fs::remove_file(&agents).unwrap();
    }
    for file in ["docs/x.md", "docs/new.md"] {
        let request = InstallRequest { files: vec![file.into()], ..InstallRequest::default() };
        assert!(install(&layout, &request).unwrap_err().message.contains("out of the project"), "{file}");
    }
    assert_eq!(fs::read_to_string(&elsewhere).unwrap(), "mine\n");
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
    install(&layout, &InstallRequest::default()).unwrap();
}

#[cfg(unix)]
#[test]
fn protected_files_are_refused() {
    let (_folder, layout) = project();
    let agents = layout.root.join("AGENTS.md");
    fs::write(&agents, "mine\n").unwrap();
    let mut permissions = fs::metadata(&agents).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&agents, permissions).unwrap();
    let fault = install(&layout, &InstallRequest::default()).unwrap_err();
    assert!(fault.code == ErrorCode::IoFailed && fault.message.contains("write-protected"), "{fault}");
}
