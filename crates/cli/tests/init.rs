//! `loopwright init`.

mod common;

use common::{json, loopwright};
use loopwright_testkit::Sandbox;

fn rust_project(sandbox: &Sandbox) {
    sandbox.write("app/Cargo.toml", "[package]\nname = \"app\"\n");
    sandbox.write("app/AGENTS.md", "Run `cargo test --workspace` before you stop.\n");
    sandbox.git_init("app");
}

#[test]
fn it_proposes_checks_and_enables_none_unasked() {
    let sandbox = Sandbox::new();
    rust_project(&sandbox);
    let output = loopwright(&sandbox, &["init", "app"]);
    insta::assert_snapshot!("init_proposes", sandbox.snapshot(&output));
    insta::assert_snapshot!("init_config", sandbox.read("app/.loopwright/config.toml"));
    let status = json(&loopwright(&sandbox, &["-C", "app", "status", "--json"]));
    assert_eq!(status["checks"], serde_json::json!([]));
    assert_eq!(status["trust"]["state"], "not_needed");
    assert_eq!(status["activity"][0]["event"]["type"], "project.created");
}

#[test]
fn picked_checks_are_written_and_trusted_as_the_persons_own_work() {
    let sandbox = Sandbox::new();
    rust_project(&sandbox);
    let output = loopwright(&sandbox, &["init", "app", "--check", "format", "--name", "My app", "--json"]);
    assert_eq!(json(&output)["checks"], serde_json::json!(["format"]));
    let config = sandbox.read("app/.loopwright/config.toml");
    assert!(config.contains("[[checks]]\nname = \"format\"\ncommand = \"cargo fmt --check\"\n"), "{config}");
    let status = json(&loopwright(&sandbox, &["-C", "app", "status", "--json"]));
    assert_eq!(status["project"]["name"], "My app");
    assert_eq!(status["trust"]["state"], "trusted");
}

#[test]
fn a_second_init_an_unknown_check_and_a_file_are_refused_and_nothing_changes() {
    let sandbox = Sandbox::new();
    rust_project(&sandbox);
    let unknown = loopwright(&sandbox, &["init", "app", "--check", "nope"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.stderr.contains("Proposed here: test, test-2, lint, format"), "{}", unknown.stderr);
    assert!(!sandbox.work().join("app/.loopwright").exists());
    assert_eq!(loopwright(&sandbox, &["init", "app"]).code, 0);
    let before = sandbox.read("app/.loopwright/config.toml");
    let again = loopwright(&sandbox, &["init", "app", "--json"]);
    assert_eq!((again.code, json(&again)["error"]["code"].clone()), (2, "project.exists".into()));
    assert_eq!(sandbox.read("app/.loopwright/config.toml"), before);
    let on_file = loopwright(&sandbox, &["init", "app/Cargo.toml"]);
    assert!(on_file.code != 0 && on_file.stderr.starts_with("Error:"), "{on_file:?}");
}

#[test]
fn without_git_it_says_what_is_off_and_with_git_it_makes_a_repository() {
    let sandbox = Sandbox::new();
    let plain = loopwright(&sandbox, &["init", "plain"]);
    assert!(plain.stdout.contains("checkpoints and commits are off"), "{}", plain.stdout);
    assert!(sandbox.work().join("plain/.loopwright/state/state.db").is_file());
    let status = loopwright(&sandbox, &["-C", "plain", "status"]);
    assert!(status.stdout.contains("not in a git repository"), "{}", status.stdout);
    assert_eq!(loopwright(&sandbox, &["init", "new/deep", "--git"]).code, 0);
    assert_eq!(sandbox.git("new/deep", &["branch", "--show-current"]).trim(), "main");
    assert!(sandbox.work().join("new/deep/.git/loopwright/state.db").is_file());
    let tracked = sandbox.git("new/deep", &["status", "--porcelain", "--untracked-files=all"]);
    assert_eq!(tracked, "?? .loopwright/.gitignore\n?? .loopwright/config.toml\n");
}

#[test]
fn a_bare_repository_is_no_place_for_a_project() {
    let sandbox = Sandbox::new();
    sandbox.git("", &["init", "--quiet", "--bare"]);
    let refused = loopwright(&sandbox, &["init"]);
    assert!(refused.code == 2 && refused.stderr.contains("bare git repository"), "{refused:?}");
    assert!(!sandbox.work().join(".loopwright").exists());
}
