//! The commands as the webview calls them: through Tauri's own checks of permissions and arguments, with a toolkit
//! that shows nothing.
#![expect(clippy::unwrap_used, clippy::panic, reason = "in a test a panic is the report")]

mod memory_calls;
mod support;

use proptest::prelude::*;
use serde_json::{Value, json};
use support::{App, git_project};

#[test]
fn the_start_page_makes_the_sample_and_its_window_shows_it() {
    let app = App::start();
    let page = app.call("start", "start_page", json!({})).unwrap();
    assert_eq!((&page["recents"], &page["sample_exists"]), (&json!([]), &json!(false)));
    let sample = app.call("start", "create_sample", json!({})).unwrap();
    let label = app.label_of(sample["path"].as_str().unwrap());
    let overview = app.call(&label, "overview", json!({})).unwrap();
    assert_eq!(overview["project"]["sample"], true);
    assert_eq!(overview["trust"]["state"], "untrusted");
    let page = app.call(&label, "start_page", json!({})).unwrap();
    assert_eq!((&page["sample_exists"], &page["recents"][0]["path"]), (&json!(true), &sample["path"]));
    app.call(&label, "forget_recent", json!({ "path": sample["path"] })).unwrap();
    assert_eq!(app.call(&label, "start_page", json!({})).unwrap()["recents"], json!([]));
}

#[test]
fn a_window_has_its_own_project_and_the_start_page_has_none() {
    let app = App::start();
    let (first, second) = (git_project(&app, "first"), git_project(&app, "second"));
    let names: Vec<String> = [&first, &second]
        .map(|path| {
            let label = app.open(path);
            app.call(&label, "overview", json!({})).unwrap()["project"]["name"].as_str().unwrap().to_owned()
        })
        .into();
    assert_eq!(names, ["first", "second"]);
    for command in ["overview", "reveal_project"] {
        let refusal = app.call("start", command, json!({})).unwrap_err();
        assert!(refusal.to_string().contains("not allowed"), "{refusal}");
    }
}

#[test]
fn a_folder_has_one_window() {
    let app = App::start();
    let path = git_project(&app, "one");
    let label = app.open(&path);
    let inner = path.join("src");
    std::fs::create_dir(&inner).unwrap();
    assert_eq!(app.open(&inner), label, "a folder inside the project is the project");
    assert_eq!(app.open(&path), label);
    assert_eq!(app.labels(), [label.as_str(), "start"]);
}

#[test]
fn trust_is_bound_to_what_was_shown() {
    let app = App::start();
    let sample = app.call("start", "create_sample", json!({})).unwrap();
    let path = std::path::PathBuf::from(sample["path"].as_str().unwrap());
    let label = app.label_of(sample["path"].as_str().unwrap());
    let shown = app.call(&label, "overview", json!({})).unwrap()["trust"]["digest"].clone();
    let file = path.join(".loopwright/config.toml");
    let before = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, format!("{before}\n[[checks]]\nname = \"late\"\ncommand = \"curl evil\"\n"))
        .unwrap();
    let refused = app.call(&label, "trust_project", json!({ "digest": shown })).unwrap_err();
    assert_eq!(refused["code"], "trust.changed");
    assert_eq!(app.desktop.questions().len(), 0, "what was not shown is not asked");
    std::fs::write(&file, before).unwrap();
    let declined = app.call(&label, "trust_project", json!({ "digest": shown })).unwrap_err();
    assert_eq!(declined["code"], "confirmation.declined");
    assert_eq!(app.call(&label, "overview", json!({})).unwrap()["trust"]["state"], "untrusted");
    app.desktop.agree();
    let trusted = app.call(&label, "trust_project", json!({ "digest": shown })).unwrap();
    assert_eq!(trusted["trust"]["state"], "trusted");
    assert_eq!(trusted["activity"][0]["event"]["type"], "project.trusted");
    let asked = app.desktop.questions();
    assert!(asked[1].text.contains(&shown.as_str().unwrap()[..12]), "{asked:?}");
}

#[test]
fn the_sandbox_is_opened_only_after_a_native_yes() {
    let app = App::start();
    let label = app.open(&git_project(&app, "plain"));
    let set = |key: &str, value: Value| {
        app.call(&label, "set_setting", json!({ "request": { "scope": "user", "key": key, "value": value } }))
    };
    for (key, value) in [("sandbox", "off"), ("sandbox_write", "/srv")] {
        assert_eq!(set(key, json!(value)).unwrap_err()["code"], "confirmation.declined");
        assert!(!app.user_config().exists(), "{key}");
    }
    set("sandbox", json!("on")).unwrap();
    assert_eq!(app.desktop.questions().len(), 2, "what closes it is not asked");
    app.desktop.agree();
    set("sandbox", json!("off")).unwrap();
    set("sandbox_write", json!("/srv")).unwrap();
    let written = std::fs::read_to_string(app.user_config()).unwrap();
    assert!(written.contains("sandbox = \"off\"") && written.contains("/srv"), "{written}");
    assert!(app.desktop.questions()[3].text.contains("/srv"));
}

#[test]
fn a_program_is_written_only_after_a_native_yes() {
    let app = App::start();
    let program = app.folder().join("claude");
    std::fs::write(&program, "#!/bin/sh\n").unwrap();
    let set = |name: &str| {
        app.call("start", "set_agent_program", json!({ "request": { "name": name, "program": program } }))
    };
    assert_eq!(set("claude").unwrap_err()["code"], "confirmation.declined");
    assert!(!app.user_config().exists());
    app.desktop.agree();
    let report = set("claude").unwrap();
    let row = |setting: &&Value| setting["key"] == "harness.claude.command";
    assert_eq!(report["settings"].as_array().unwrap().iter().find(row).unwrap()["value"], json!(program));
    assert!(std::fs::read_to_string(app.user_config()).unwrap().contains("[harness.claude]"));
    let asked = app.desktop.questions();
    assert_eq!(asked.len(), 2);
    assert!(asked[1].text.starts_with(program.to_str().unwrap()), "{asked:?}");
    assert_eq!(set("bash").unwrap_err()["code"], "usage.invalid");
    let relative = json!({ "request": { "name": "claude", "program": "claude" } });
    assert_eq!(app.call("start", "set_agent_program", relative).unwrap_err()["code"], "usage.invalid");
    assert_eq!(app.desktop.questions().len(), 2, "what cannot be written is not asked");
}

#[test]
fn plain_settings_are_changed_and_anything_that_names_a_program_is_refused() {
    let app = App::start();
    let label = app.open(&git_project(&app, "plain"));
    let set = |scope: &str, key: &str, value: &str| {
        app.call(&label, "set_setting", json!({ "request": { "scope": scope, "key": key, "value": value } }))
    };
    set("user", "ui.theme", "dark").unwrap();
    assert!(std::fs::read_to_string(app.user_config()).unwrap().contains("theme = \"dark\""));
    let seen = app.call(&label, "events_since", json!({ "seq": 0, "limit": 4_000_000_000u32 })).unwrap();
    let last = seen.as_array().unwrap().last().unwrap();
    assert_eq!((&last["event"]["type"], &last["event"]["origin"]), (&json!("config.changed"), &json!("app")));
    for key in ["harness.claude.command", "harness.x.args", "checks", "harness", "", "ui"] {
        for scope in ["user", "project"] {
            assert_eq!(set(scope, key, "/bin/sh").unwrap_err()["code"], "config.unknown_key", "{key}");
        }
    }
    assert_eq!(set("user", "ui.theme", "pink").unwrap_err()["code"], "config.bad_value");
}

#[test]
fn a_new_project_gets_suggested_checks_and_never_a_command_from_the_page() {
    let app = App::start();
    let path = app.folder().join("new");
    std::fs::create_dir(&path).unwrap();
    std::fs::write(path.join("Makefile"), "test:\n\techo ok\n").unwrap();
    let report = app.call("start", "inspect_folder", json!({ "path": path })).unwrap();
    assert_eq!(report["suggestions"][0]["command"], "make test");
    let create = |checks: Value| {
        let request = json!({ "path": path, "name": "New", "git": true, "checks": checks });
        app.call("start", "create_project", json!({ "request": request }))
    };
    assert_eq!(create(json!(["rm -rf /"])).unwrap_err()["code"], "usage.invalid");
    assert!(!path.join(".loopwright").exists());
    assert_eq!(create(json!(["test"])).unwrap_err()["code"], "confirmation.declined");
    assert!(!path.join(".loopwright").exists());
    app.desktop.agree();
    assert_eq!(create(json!(["test"])).unwrap()["name"], "New");
    let asked = app.desktop.questions();
    assert!(asked.last().unwrap().text.starts_with("test: make test\n"), "{asked:?}");
    assert!(std::fs::read_to_string(path.join(".loopwright/config.toml")).unwrap().contains("make test"));
    assert!(path.join(".git").is_dir());
    let overview = app.call(&app.label_of(path.to_str().unwrap()), "overview", json!({})).unwrap();
    assert_eq!(overview["trust"]["state"], "trusted", "what a person picks is theirs");
    assert_eq!(create(json!([])).unwrap_err()["code"], "project.exists");
}

#[test]
fn tricks_with_paths_are_refused() {
    let app = App::start();
    let inside = app.folder().display().to_string();
    let tricks = [
        String::new(),
        ".".into(),
        "../..".into(),
        format!("{inside}/../../etc"),
        format!("{inside}\0/etc"),
        format!("{inside}\n"),
        r"\\?\C:\Windows".into(),
        r"\\server\share".into(),
        r"C:\Windows".into(),
        "file:///etc".into(),
        "x".repeat(1 << 20),
    ];
    for path in tricks {
        for command in ["inspect_folder", "open_project", "forget_recent"] {
            let refused = app.call("start", command, json!({ "path": path })).unwrap_err();
            assert_eq!(refused["code"], "project.bad_folder", "{command} {path:.60}");
        }
        let request = json!({ "path": path, "name": "x", "git": false, "checks": [] });
        let refused = app.call("start", "create_project", json!({ "request": request })).unwrap_err();
        assert_eq!(refused["code"], "project.bad_folder", "create_project {path:.60}");
    }
    assert_eq!(app.labels(), ["start"]);
}

#[test]
fn files_open_outside_when_they_are_the_projects_own_and_would_not_be_run() {
    let app = App::start();
    let project = git_project(&app, "tea");
    let label = app.open(&project);
    for (name, text) in [("notes.md", "tea"), ("steep.sh", "echo tea")] {
        std::fs::write(project.join(name), text).unwrap();
    }
    let choose = |editor: &str| {
        let request = json!({ "scope": "user", "key": "app.editor", "value": editor });
        app.call(&label, "set_setting", json!({ "request": request })).unwrap();
    };
    let open = |window: &str, path: &str| app.call(window, "open_file", json!({ "path": path, "line": 3 }));
    let code = |answer: Result<Value, Value>| answer.unwrap_err()["code"].clone();
    choose("system");
    open(&label, "notes.md").unwrap();
    let file = dunce::canonicalize(project.join("notes.md")).unwrap();
    assert_eq!(app.desktop.opened(), [file.display().to_string()]);
    assert_eq!(code(open(&label, "steep.sh")), "process.missing");
    assert_eq!(code(open(&label, "../config/config.toml")), "usage.invalid");
    assert_eq!(code(open(&label, "gone.md")), "usage.invalid");
    assert!(open("start", "notes.md").is_err(), "the start page has no files");
    choose("bbedit");
    assert_eq!(code(open(&label, "notes.md")), "process.missing");
    assert_eq!(app.desktop.opened().len(), 1);
}

#[test]
fn a_link_opens_after_the_person_has_seen_it_whole() {
    let app = App::start();
    let label = app.open(&git_project(&app, "tea"));
    let open = |url: &str| app.call(&label, "open_link", json!({ "url": url }));
    assert_eq!(open("file:///etc/passwd").unwrap_err()["code"], "usage.invalid");
    assert!(app.desktop.questions().is_empty(), "nobody is asked about what is never opened");
    assert_eq!(open("https://example.org/a").unwrap_err()["code"], "confirmation.declined");
    assert!(app.desktop.opened().is_empty());
    app.desktop.agree();
    open("https://example.org/\u{202e}a").unwrap();
    assert_eq!(app.desktop.opened(), ["https://example.org/%E2%80%AEa"]);
    assert_eq!(app.desktop.questions()[1].text, "https://example.org/%E2%80%AEa");
}

#[test]
fn tasks_and_documents_are_imported_after_a_look_at_what_changes() {
    let app = App::start();
    let root = git_project(&app, "tea");
    std::fs::write(root.join("todo.md"), "- [ ] Warm the pot\n- [x] Weigh the leaves\n").unwrap();
    std::fs::write(root.join("SPEC.md"), "# Tea\n\nHot.\n\n## Water\n\n95 degrees.\n").unwrap();
    let label = app.open(&root);
    let tasks = |dry_run: bool, file: &str| {
        app.call(
            &label,
            "import_tasks",
            json!({ "request": { "file": file, "tag": null, "dry_run": dry_run } }),
        )
    };
    let look = tasks(true, "todo.md").unwrap();
    assert_eq!((&look["added"], &look["changes"][0]["title"]), (&json!(2), &json!("Warm the pot")));
    assert_eq!(app.call(&label, "task_board", json!({})).unwrap()["tasks"], json!([]));
    tasks(false, "todo.md").unwrap();
    assert_eq!(app.call(&label, "task_board", json!({})).unwrap()["tasks"].as_array().unwrap().len(), 2);
    assert_eq!(tasks(true, "todo.md").unwrap()["changes"], json!([]), "nothing is new any more");

    let spec = |dry_run: bool| {
        let request = json!({ "files": ["SPEC.md"], "replace": false, "dry_run": dry_run });
        app.call(&label, "import_spec", json!({ "request": request })).unwrap()
    };
    assert_eq!(spec(true)["changes"][1]["title"], "Water");
    assert_eq!(app.call(&label, "sections", json!({})).unwrap(), json!([]));
    spec(false);
    assert_eq!(app.call(&label, "sections", json!({})).unwrap().as_array().unwrap().len(), 2);

    let outside = tempfile::tempdir().unwrap();
    let file = outside.path().join("more.md");
    std::fs::write(&file, "- [ ] Pour\n").unwrap();
    let path = file.to_str().unwrap();
    let refusal = tasks(true, path).unwrap_err();
    assert!(refusal["message"].as_str().unwrap().contains("outside of the project"), "{refusal}");
    *app.desktop.files.lock().unwrap() = vec![file.clone()];
    assert_eq!(app.call(&label, "choose_files", json!({ "purpose": "tasks" })).unwrap(), json!([path]));
    assert_eq!(tasks(true, path).unwrap()["added"], 1, "the person chose it");
}

#[test]
fn an_agent_of_ones_own_is_written_only_after_a_native_yes() {
    let app = App::start();
    let program = std::env::current_exe().unwrap();
    let agent = json!({ "name": "mine", "program": program, "args": ["--quiet"], "prompt_mode": "arg",
        "output_format": "text" });
    let save = || app.call("start", "save_own_agent", json!({ "request": agent }));
    assert_eq!(save().unwrap_err()["code"], "confirmation.declined");
    assert!(app.desktop.questions()[0].text.contains("--quiet"));
    app.desktop.agree();
    let report = save().unwrap();
    let choices = report["settings"].as_array().unwrap().iter().find(|row| row["key"] == "default_harness");
    assert!(choices.unwrap().to_string().contains("mine"), "it can be chosen");
}

#[test]
fn tasks_are_added_edited_moved_and_ordered_in_a_window() {
    let app = App::start();
    let label = app.open(&git_project(&app, "tea"));
    let call = |command: &str, arguments: Value| app.call(&label, command, arguments);
    let draft = |title: &str, after: Value| {
        json!({
            "title": title, "description": "", "acceptance": ["it is hot"], "test_strategy": "", "priority": 5,
            "size": "M", "complexity": 3, "kind": "feature", "tag": "tea", "sections": [], "depends_on": after,
            "notes": "",
        })
    };
    for (title, after) in [("Boil water", json!([])), ("Find cups", json!([])), ("Brew", json!([1]))] {
        call("add_task", json!({ "draft": draft(title, after) })).unwrap();
    }
    call("place_task", json!({ "id": 2, "before": 1 })).unwrap();
    let board = call("task_board", json!({})).unwrap();
    let order: Vec<&Value> = board["tasks"].as_array().unwrap().iter().map(|row| &row["id"]).collect();
    assert_eq!((order, &board["next"]), (vec![&json!(2), &json!(1), &json!(3)], &json!(2)));

    let seen = call("task", json!({ "id": 1 })).unwrap()["task"]["updated_at"].clone();
    let edit = |title: &str, after: Value| json!({ "id": 1, "seen": seen, "draft": draft(title, after) });
    let circle = call("edit_task", edit("Boil water", json!([3]))).unwrap_err();
    assert_eq!(circle["code"], "task.cycle");
    assert_eq!(call("edit_task", edit("Boil milk", json!([]))).unwrap()["task"]["title"], "Boil milk");
    assert_eq!(call("edit_task", edit("Boil tea", json!([]))).unwrap_err()["code"], "task.changed");
    let cancelled = call("move_tasks", json!({ "ids": [1], "to": { "kind": "cancel" } })).unwrap();
    assert_eq!(cancelled["held"], json!([{ "task": 3, "by": [1] }]));
    let edit = json!({ "priority": 1, "tag": "", "kind": null, "size": null });
    assert_eq!(call("edit_tasks", json!({ "ids": [2, 3], "edit": edit })).unwrap()["changed"], json!([2, 3]));
    let many: Vec<u32> = (1..=10_001).collect();
    let refused = call("move_tasks", json!({ "ids": many, "to": { "kind": "done" } })).unwrap_err();
    assert_eq!(refused["code"], "usage.invalid");
}

/// Any JSON, with strings that mean something to some command among them. No string is an absolute path: the
/// commands would be right to use it.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        prop_oneof!["[^/]\\PC{0,30}", "[a-z_.]{1,12}"].prop_map(Value::from),
        prop::sample::select(vec![
            "user",
            "project",
            "open",
            "ui.theme",
            "claude",
            "../x",
            "\\\\?\\x",
            "\0",
            "' OR 1=1 --"
        ])
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 6, |inner| {
        let key = prop::sample::select(vec![
            "path", "request", "scope", "key", "value", "name", "program", "checks", "git",
        ]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((key, inner), 0..5)
                .prop_map(|pairs| pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()),
        ]
    })
}

const COMMANDS: &[&str] = &[
    "app_info",
    "first_paint",
    "ready",
    "start_page",
    "forget_recent",
    "choose_folder",
    "choose_files",
    "import_tasks",
    "import_spec",
    "failures",
    "solutions",
    "solution",
    "save_solution",
    "retire_solution",
    "learnings",
    "save_learning",
    "remove_learning",
    "failure_patterns",
    "metrics",
    "health",
    "inspect_folder",
    "create_project",
    "open_project",
    "overview",
    "trust_project",
    "search_tasks",
    "task_board",
    "task",
    "add_task",
    "edit_task",
    "edit_tasks",
    "move_tasks",
    "place_task",
    "events_since",
    "spec_view",
    "spec_section",
    "section_history",
    "search_spec",
    "judge_section",
    "save_section",
    "add_section",
    "remove_sections",
    "accept_tasks",
    "put_term",
    "remove_term",
    "wizard",
    "new_wizard",
    "edit_wizard",
    "add_wizard_documents",
    "survey_code",
    "run_wizard_phase",
    "stop_wizard",
    "wizard_launch",
    "discard_wizard",
    "reveal_project",
    "open_file",
    "open_link",
    "settings",
    "set_setting",
    "set_agent_program",
    "doctor",
    "no_such_command",
];
const ARGUMENTS: &[&str] = &["path", "purpose", "request", "digest", "text", "seq", "limit", "line", "url"];

#[test]
fn any_call_is_answered() {
    let app = App::start();
    let project = git_project(&app, "fuzz");
    let label = app.open(&project);
    let strategy = (
        prop::sample::select(COMMANDS),
        prop::collection::vec((prop::sample::select(ARGUMENTS), any_json()), 0..4),
        any::<bool>(),
    );
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(3000));
    runner
        .run(&strategy, |(command, arguments, from_start)| {
            let window = if from_start { "start" } else { &label };
            let arguments: Value =
                arguments.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
            // Any answer is fine; none would end the test.
            let _answer = app.call(window, command, arguments);
            Ok(())
        })
        .unwrap();
    let huge = "x".repeat(100 << 20);
    for (command, argument) in
        [("search_tasks", "text"), ("trust_project", "digest"), ("open_project", "path")]
    {
        assert!(app.call(&label, command, json!({ argument: huge })).is_err(), "{command}");
    }
    let overview = app.call(&label, "overview", json!({})).unwrap();
    assert_eq!(overview["project"]["name"], "fuzz");
    assert_eq!(app.labels(), [label.as_str(), "start"]);
}
