//! `loopwright task import` and `export`.

mod common;

use common::{json, loopwright};
use loopwright_testkit::{Output, Sandbox};
use serde_json::{Value, json as value};

const SCUD: &str = r#"{
  "tag": "tea",
  "created_at": "2026-01-01T00:00:00Z",
  "tasks": [
    {"id": 1, "title": "Boil water", "status": "pending", "complexity": 3, "priority": "high", "depends_on": [], "owner": "me"},
    {"id": 2, "title": "Brew", "status": "in-progress", "complexity": 5, "priority": "medium", "depends_on": [1]}
  ],
  "waves": [{"number": 1, "task_ids": [1]}]
}
"#;

fn project() -> Sandbox {
    let sandbox = Sandbox::new();
    assert_eq!(loopwright(&sandbox, &["init", "--git"]).code, 0);
    sandbox
}

fn good(sandbox: &Sandbox, args: &[&str]) -> Output {
    let output = loopwright(sandbox, args);
    assert_eq!(output.code, 0, "{args:?}: {output:?}");
    output
}

fn tasks(sandbox: &Sandbox) -> Vec<Value> {
    let board = json(&good(sandbox, &["task", "list", "--json"]));
    board.as_array().or_else(|| board["tasks"].as_array()).cloned().unwrap_or_default()
}

#[test]
fn a_scud_file_is_imported_updated_and_written_back_without_loss() {
    let sandbox = project();
    sandbox.write(".scud/tasks/tea.json", SCUD);
    let dry = good(&sandbox, &["task", "import", ".scud/tasks/tea.json", "--dry-run"]);
    insta::assert_snapshot!("task_import_dry_run", sandbox.snapshot(&dry));
    assert!(tasks(&sandbox).is_empty());
    let import = good(&sandbox, &["task", "import", ".scud/tasks/tea.json"]);
    insta::assert_snapshot!("task_import", sandbox.snapshot(&import));
    let exported = good(&sandbox, &["task", "export", "--format", "scud", "--tag", "tea"]);
    let parse = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    assert_eq!(parse(&exported.stdout), parse(SCUD));

    // What was changed here stays; what changed in the file comes; nothing is added twice.
    good(&sandbox, &["task", "edit", "1", "--title", "Boil fresh water"]);
    sandbox.write(".scud/tasks/tea.json", SCUD.replace("\"complexity\": 3", "\"complexity\": 8"));
    let again = json(&good(&sandbox, &["task", "import", ".scud/tasks/tea.json", "--json"]));
    assert_eq!(
        (&again["added"], &again["updated"], &again["unchanged"]),
        (&value!(0), &value!(1), &value!(1))
    );
    let all = tasks(&sandbox);
    assert_eq!((&all[0]["title"], &all[0]["complexity"]), (&value!("Boil fresh water"), &value!(8)));
    assert_eq!((all.len(), &all[1]["status"], &all[1]["depends_on"]), (2, &value!("pending"), &value!([1])));
    let exported = parse(&good(&sandbox, &["task", "export", "--format", "scud"]).stdout);
    assert_eq!(exported["tasks"][0]["title"], "Boil fresh water");
    assert_eq!(exported["tasks"][1]["status"], "in-progress");
}

#[test]
fn what_cannot_be_understood_names_line_and_field_and_changes_nothing() {
    let sandbox = project();
    sandbox.write("tea.json", SCUD.replace("\"depends_on\": [1]", "\"depends_on\": [7]"));
    let unknown = loopwright(&sandbox, &["task", "import", "tea.json"]);
    insta::assert_snapshot!("task_import_unknown", sandbox.snapshot(&unknown));
    sandbox.write("tea.json", SCUD.replace("\"status\": \"in-progress\"", "\"status\": 7"));
    let field = loopwright(&sandbox, &["task", "import", "tea.json"]);
    insta::assert_snapshot!("task_import_field", sandbox.snapshot(&field));
    sandbox.write("notes.txt", "nothing\n");
    for args in [
        &["task", "import", "notes.txt"][..],
        &["task", "import", "no.json"],
        &["task", "export", "notes.txt"],
    ] {
        assert_ne!(loopwright(&sandbox, args).code, 0, "{args:?}");
    }
    assert_eq!(sandbox.read("notes.txt"), "nothing\n");
    assert!(tasks(&sandbox).is_empty());
}

#[test]
fn check_lists_and_parts_become_an_order_of_work() {
    let sandbox = project();
    let list = "# Plan\n\n- [ ] Make tea\n  - [x] Boil\n  - [ ] Brew\n- [ ] Drink\n\nEnd.\n";
    sandbox.write("PLAN.md", list);
    good(&sandbox, &["task", "import", "PLAN.md", "--tag", "tea"]);
    let all = tasks(&sandbox);
    let of = |title: &str| all.iter().find(|task| task["title"] == title).unwrap();
    assert_eq!((&of("Make tea")["depends_on"], &of("Make tea")["tag"]), (&value!([2, 3]), &value!("tea")));
    assert_eq!(of("Boil")["status"], "done");
    good(&sandbox, &["task", "done", "3"]);
    good(&sandbox, &["task", "add", "Wash up"]);
    good(&sandbox, &["task", "export", "PLAN.md"]);
    let expected =
        list.replace("- [ ] Brew", "- [x] Brew").replace("- [ ] Drink\n", "- [ ] Drink\n- [ ] Wash up\n");
    assert_eq!(sandbox.read("PLAN.md"), expected);
}

#[test]
fn our_own_format_holds_everything_and_other_formats_can_be_made_of_it() {
    let sandbox = project();
    good(
        &sandbox,
        &["task", "add", "Boil", "-a", "It bubbles", "--kind", "feature", "--size", "S", "--notes", "hot"],
    );
    good(&sandbox, &["task", "add", "Brew", "--after", "1", "--priority", "2", "--complexity", "5"]);
    good(&sandbox, &["task", "block", "2", "--reason", "no leaves"]);
    good(&sandbox, &["task", "export", "tasks.json"]);
    let again = json(&good(&sandbox, &["task", "import", "tasks.json", "--json"]));
    assert_eq!((&again["added"], &again["unchanged"]), (&value!(0), &value!(2)), "they are here already");
    let other = project();
    other.write("tasks.json", sandbox.read("tasks.json"));
    good(&other, &["task", "import", "tasks.json"]);
    let (here, there) = (tasks(&sandbox), tasks(&other));
    for (here, there) in here.iter().zip(&there) {
        for field in ["title", "status", "priority", "size", "complexity", "kind", "depends_on", "tag"] {
            assert_eq!(here[field], there[field], "{field}");
        }
    }
    assert_eq!(there.iter().find(|task| task["id"] == 2).unwrap()["blocked"]["reason"], "no leaves");
    for format in ["scg", "scud", "scud-map", "task-master", "markdown"] {
        let text = good(&sandbox, &["task", "export", "--format", format]).stdout;
        let third = project();
        let name = format!(
            "tasks.{}",
            if format == "scg" {
                "scg"
            } else if format == "markdown" {
                "md"
            } else {
                "json"
            }
        );
        third.write(&name, &text);
        good(&third, &["task", "import", &name, "--format", format]);
        assert_eq!(tasks(&third).len(), 2, "{format}");
    }
}

#[cfg(unix)]
#[test]
fn a_run_over_a_tag_reads_the_scud_file_and_keeps_it_in_step() {
    let sandbox = Sandbox::new();
    sandbox.write(".loopwright/config.toml", "[run]\nmax_attempts = 1\n");
    sandbox.write(".scud/tasks/tea.json", SCUD);
    sandbox.git("", &["config", "--global", "user.name", "Test"]);
    sandbox.git("", &["config", "--global", "user.email", "test@example.invalid"]);
    sandbox.git_init("");
    sandbox.write(
        "../agent.sh",
        "cat > /dev/null\n[ -f one ] && exit 3\necho x > one\necho 'LOOPWRIGHT_COMPLETE: done'\n",
    );
    let agent = format!("sh {}", sandbox.work().join("../agent.sh").display());
    let run = loopwright(&sandbox, &["run", "--tag", "tea", "--command", &agent, "-c", "gate.always="]);
    assert_eq!(run.code, 4, "{run:?}");
    let file: Value = serde_json::from_str(&sandbox.read(".scud/tasks/tea.json")).unwrap();
    assert_eq!(
        (&file["tasks"][0]["status"], &file["tasks"][1]["status"]),
        (&value!("done"), &value!("blocked")),
        "{run:?}"
    );
    let kept = SCUD.replacen("\"pending\"", "\"done\"", 1).replace("\"in-progress\"", "\"blocked\"");
    assert_eq!(sandbox.read(".scud/tasks/tea.json"), kept);
    let log = sandbox.git("", &["log", "--format=%s"]);
    assert!(log.starts_with("Boil water\n"), "{log}");
    good(&sandbox, &["task", "unblock", "2"]);
    assert!(sandbox.read(".scud/tasks/tea.json").contains("\"Brew\", \"status\": \"pending\""));
}
