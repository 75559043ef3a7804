//! `loopwright check list`, `add`, `edit`, `move`, `enable`, `disable`, `remove` and `suggest`.

mod common;

use common::{installed, json, loopwright};
use loopwright_testkit::Sandbox;

const FILE: &str = ".loopwright/config.toml";

fn project() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("Cargo.toml", "[package]\nname = \"app\"\n");
    assert_eq!(loopwright(&sandbox, &["init", "--git", "--check", "test"]).code, 0);
    sandbox
}

#[test]
fn checks_are_added_listed_and_removed_and_comments_stay() {
    let sandbox = project();
    let before = sandbox.read(FILE);
    let add = [
        "check",
        "add",
        "types",
        "tsc --noEmit",
        "--optional",
        "--timeout",
        "5m",
        "--order",
        "-2",
        "--folder",
        "web",
    ];
    assert_eq!(loopwright(&sandbox, &add).code, 0);
    assert_eq!(loopwright(&sandbox, &["check", "add", "tidy", "--builtin", "merge-markers"]).code, 0);
    insta::assert_snapshot!("check_list", sandbox.snapshot(&loopwright(&sandbox, &["check", "list"])));
    let list = json(&loopwright(&sandbox, &["check", "list", "--json"]));
    assert_eq!(list[0]["name"], "types");
    assert_eq!((&list[0]["timeout_seconds"], &list[0]["required"]), (&300.into(), &false.into()));
    assert_eq!(list[2]["builtin"], "merge-markers");
    assert_eq!(
        json(&loopwright(&sandbox, &["status", "--json"]))["trust"]["state"],
        "trusted",
        "it is one's own work"
    );
    for name in ["types", "tidy"] {
        assert_eq!(loopwright(&sandbox, &["check", "remove", name]).code, 0);
    }
    assert_eq!(sandbox.read(FILE), before);
    let activity = json(&loopwright(&sandbox, &["status", "--json"]))["activity"].clone();
    assert_eq!(activity[0]["event"]["key"], "checks.tidy");
}

#[test]
fn help_tells_all_of_it() {
    let sandbox = Sandbox::new();
    for (name, args) in [
        ("help_check", &["check", "--help"] as &[_]),
        ("help_check_add", &["check", "add", "--help"]),
        ("help_check_edit", &["check", "edit", "--help"]),
    ] {
        insta::assert_snapshot!(name, sandbox.snapshot(&loopwright(&sandbox, args)));
    }
    for args in [
        &["check", "--automation", "auto"] as &[_],
        &["check", "add", "a", "x", "--builtin", "clean-tree"],
        &["check", "--prompt", "list"],
        &["check", "edit", "a"],
        &["check", "edit", "a", "--required", "--optional"],
        &["check", "move", "a", "0"],
    ] {
        assert_eq!(loopwright(&sandbox, args).code, 2, "{args:?}");
    }
}

#[test]
fn mistakes_are_told_and_write_nothing() {
    let sandbox = project();
    let before = sandbox.read(FILE);
    let cases: &[(&[&str], &str)] = &[
        (&["check", "add", "test", "x"], "there is a check called \"test\" already"),
        (
            &["check", "add", "a", "say 'hi"],
            "\"checks[2].command\" must be a program with its arguments; close every quote",
        ),
        (
            &["check", "add", "a", "x", "--timeout", "soon"],
            "\"checks[2].timeout\" must be a time, like \"90s\" or \"10m\"",
        ),
        (
            &["check", "add", "a", "x", "--parser", "regex"],
            "\"checks[2].parser\" needs a \"pattern\" with the groups file, line, message and severity",
        ),
        (&["check", "remove", "tset"], "there is no check called \"tset\""),
        (&["check", "edit", "tset", "--optional"], "there is no check called \"tset\""),
        (
            &["check", "edit", "test", "--timeout", "soon"],
            "\"checks[1].timeout\" must be a time, like \"90s\" or \"10m\"",
        ),
        (&["check", "move", "test", "2"], "there is only one check"),
        (&["check", "enable", "tset"], "there is no check called \"tset\""),
        (&["check", "suggest", "--add", "nothing"], "no check called \"nothing\" is proposed here"),
    ];
    for (args, message) in cases {
        let mut args = args.to_vec();
        args.push("--json");
        let output = loopwright(&sandbox, &args);
        assert_eq!(
            (output.code, json(&output)["error"]["message"].as_str()),
            (2, Some(*message)),
            "{args:?}"
        );
    }
    assert_eq!(
        loopwright(&sandbox, &["check", "add", "a"]).code,
        2,
        "a command or a built-in check is needed"
    );
    assert_eq!(sandbox.read(FILE), before);
}

#[test]
fn checks_are_changed_moved_and_switched_and_the_rest_of_the_file_stays() {
    let sandbox = project();
    sandbox.write(FILE, format!("# Ours.\n{}# The end.\n", sandbox.read(FILE).trim_start()));
    assert_eq!(loopwright(&sandbox, &["trust"]).code, 0);
    assert_eq!(loopwright(&sandbox, &["check", "add", "tidy", "--builtin", "merge-markers"]).code, 0);
    let before = sandbox.read(FILE);
    let said = |args: &[&str]| {
        let output = loopwright(&sandbox, args);
        assert_eq!(output.code, 0, "{args:?} {}", output.stderr);
        output.stdout
    };
    assert_eq!(said(&["check", "move", "tidy", "1"]), "The check \"tidy\" is number 1 now.\n");
    let order = |list: serde_json::Value| -> Vec<String> {
        list.as_array().unwrap().iter().map(|check| check["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(order(json(&loopwright(&sandbox, &["check", "list", "--json"]))), ["tidy", "test"]);
    said(&["check", "move", "tidy", "2"]);
    assert_eq!(sandbox.read(FILE), before);
    assert_eq!(said(&["check", "disable", "test"]), "Switched the check \"test\" off.\n");
    assert_eq!(sandbox.read(FILE), before.replace("\"cargo test\"\n", "\"cargo test\"\nenabled = false\n"));
    assert_eq!(said(&["check", "enable", "test"]), "Switched the check \"test\" on: cargo test\n");
    assert_eq!(sandbox.read(FILE), before);
    said(&[
        "check",
        "edit",
        "test",
        "--rename",
        "unit",
        "--command",
        "cargo test --lib",
        "--optional",
        "--timeout",
        "5m",
    ]);
    let changed = "name = \"unit\"\ncommand = \"cargo test --lib\"\nrequired = false\ntimeout = \"5m\"\n";
    assert_eq!(sandbox.read(FILE), before.replace("name = \"test\"\ncommand = \"cargo test\"\n", changed));
    assert_eq!(
        json(&loopwright(&sandbox, &["status", "--json"]))["trust"]["state"],
        "trusted",
        "it is one's own work"
    );
    said(&[
        "check",
        "edit",
        "unit",
        "--rename",
        "test",
        "--command",
        "cargo test",
        "--required",
        "--timeout",
        "",
    ]);
    assert_eq!(sandbox.read(FILE), before);
}

#[test]
fn a_folder_that_was_not_trusted_does_not_become_so_by_a_change() {
    let sandbox = Sandbox::new();
    sandbox.write(FILE, "[[checks]]\nname = \"a\"\ncommand = \"touch ran\"\nenabled = false\n");
    sandbox.git_init("");
    sandbox.write(FILE, sandbox.read(FILE) + "\n[[checks]]\nname = \"b\"\ncommand = \"touch ran\"\n");
    assert_eq!(loopwright(&sandbox, &["check", "enable", "a"]).code, 0);
    assert_eq!(json(&loopwright(&sandbox, &["check", "--json"]))["error"]["code"], "trust.required");
}

#[test]
fn suggestions_leave_out_what_is_there_and_can_be_added() {
    let sandbox = project();
    insta::assert_snapshot!("check_suggest", sandbox.snapshot(&loopwright(&sandbox, &["check", "suggest"])));
    let added = loopwright(&sandbox, &["check", "suggest", "--add", "format"]);
    assert_eq!(added.stdout, "Added \"format\" to .loopwright/config.toml.\n");
    let left = json(&loopwright(&sandbox, &["check", "suggest", "--json"]));
    assert_eq!(left.as_array().map(Vec::len), Some(1));
    assert_eq!(loopwright(&sandbox, &["check", "suggest", "--add", "all"]).code, 0);
    let names: Vec<String> = json(&loopwright(&sandbox, &["check", "list", "--json"]))
        .as_array()
        .unwrap()
        .iter()
        .map(|check| check["name"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(names, ["test", "format", "lint"]);
    assert!(loopwright(&sandbox, &["check", "suggest"]).stdout.starts_with("Nothing more is proposed"));
}

#[test]
fn an_agent_may_run_checks_and_not_change_them() {
    let sandbox = project();
    assert_eq!(loopwright(&sandbox, &["check", "add", "tidy", "--builtin", "merge-markers"]).code, 0);
    let before = sandbox.read(FILE);
    let as_agent = |args: &[&str]| {
        let mut command = sandbox.command(installed(&sandbox));
        // What the harness of an agent sets besides.
        command.envs([
            ("LOOPWRIGHT_AUTOMATION", "auto"),
            ("LOOPWRIGHT_MODEL", "m"),
            ("LOOPWRIGHT_PROMPT_FILE", "p"),
        ]);
        sandbox.run(command.args(args).arg("--json").env("LOOPWRIGHT_ITERATION", "018f"))
    };
    for args in [
        &["check", "add", "a", "x"] as &[_],
        &["check", "remove", "test"],
        &["check", "edit", "test", "--command", "x"],
        &["check", "disable", "test"],
        &["check", "move", "test", "2"],
        &["check", "suggest", "--add", "all"],
    ] {
        let output = as_agent(args);
        assert_eq!(
            (output.code, json(&output)["error"]["code"].as_str()),
            (2, Some("agent.forbidden")),
            "{args:?}"
        );
    }
    assert_eq!(sandbox.read(FILE), before);
    assert_eq!(as_agent(&["check", "tidy"]).code, 0);
}
