//! `loopwright install`: what it says, what it writes, and that it goes without a trace.

mod common;

use common::{installed, json, loopwright};
use loopwright_testkit::Sandbox;

const MINE: &str = "# Mine\r\n\r\nBe kind.";

fn project() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write(".loopwright/config.toml", "name = \"tea\"\n");
    sandbox.write("CLAUDE.md", MINE);
    sandbox
}

#[test]
fn everything_is_installed_once_and_removed_without_a_trace() {
    let sandbox = project();
    let said = |name: &str, args: &[&str]| {
        insta::assert_snapshot!(name, sandbox.snapshot(&loopwright(&sandbox, args)));
    };
    said("help_install", &["install", "--help"]);
    said("install_dry_run", &["install", "--dry-run"]);
    assert!(!sandbox.work().join("AGENTS.md").exists());
    said("install_claude", &["install", "--claude"]);
    said("install_again", &["install", "--claude"]);
    let command = ".claude/commands/loopwright-help.md";
    insta::assert_snapshot!("install_command", sandbox.read(".claude/commands/loopwright-loop.md"));
    sandbox.write(command, "Mine now.\n");
    said("install_over_own", &["install", "--commands"]);
    said("install_remove_dry_run", &["install", "--remove", "--dry-run"]);
    said("install_remove", &["install", "--remove"]);
    assert_eq!(sandbox.read("CLAUDE.md"), MINE);
    assert_eq!(sandbox.read(command), "Mine now.\n");
    assert!(!sandbox.work().join("AGENTS.md").exists());
    std::fs::remove_file(sandbox.work().join(command)).unwrap();
    said("install_remove_nothing", &["install", "--remove"]);
}

#[test]
fn json_names_each_file_with_its_change() {
    let sandbox = project();
    let report = json(&loopwright(&sandbox, &["install", "--file", "docs/AI.md", "--gemini", "--json"]));
    let changes: Vec<(&str, &str)> = report["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["file"].as_str().unwrap(), it["change"].as_str().unwrap()))
        .collect();
    assert_eq!(changes, [("AGENTS.md", "created"), ("docs/AI.md", "created"), ("GEMINI.md", "created")]);
    assert!(sandbox.read("docs/AI.md").contains("loopwright check --prompt"));
    assert_eq!(sandbox.read("CLAUDE.md"), MINE);
}

#[test]
fn what_cannot_be_done_is_said_and_nothing_is_written() {
    let sandbox = project();
    sandbox.write("CLAUDE.md", "mine\n<!-- LOOPWRIGHT:BEGIN -->\nmine too\n");
    let broken = loopwright(&sandbox, &["install", "--claude"]);
    insta::assert_snapshot!("install_broken_marks", sandbox.snapshot(&broken));
    let outside = loopwright(&sandbox, &["install", "--file", "../AGENTS.md", "--json"]);
    assert_eq!((outside.code, json(&outside)["error"]["code"].as_str()), (2, Some("usage.invalid")));
    assert!(!sandbox.work().join("AGENTS.md").exists());
}

#[test]
fn an_agent_may_look_and_not_install() {
    let sandbox = project();
    let mut command = sandbox.command(installed(&sandbox));
    command.env("LOOPWRIGHT_ITERATION", "0190").args(["install", "--json"]);
    let refused = sandbox.run(&mut command);
    assert_eq!(json(&refused)["error"]["code"], "agent.forbidden");
    assert!(!sandbox.work().join("AGENTS.md").exists());
}
