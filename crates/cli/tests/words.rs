//! The command line as people and scripts type it: wrong words, other systems' words, documents, notifications.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

mod common;

use common::{json, loopwright};
use loopwright_testkit::{Sandbox, eventually};

fn project(config: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write(".loopwright/config.toml", format!("name = \"teas\"\n{config}"));
    sandbox.write(".loopwright/.gitignore", "/run/\n/state/\n");
    sandbox.write("teas.txt", "oolong\n");
    sandbox.git_init("");
    assert_eq!(loopwright(&sandbox, &["trust", "--yes"]).code, 0);
    sandbox
}

fn agent(sandbox: &Sandbox, script: &str) -> String {
    let path = sandbox.root().join("agent.sh");
    std::fs::write(&path, script).unwrap();
    format!("sh {}", path.display())
}

const DONE: &str = "echo done > done.txt\necho '<promise>COMPLETE</promise>'\n";

#[test]
fn wrong_usage_is_a_document_where_documents_are_asked_for() {
    let sandbox = Sandbox::new();
    let refused = loopwright(&sandbox, &["run", "--bogus", "--json"]);
    assert_eq!((refused.code, refused.stderr.as_str()), (2, ""));
    let error = &json(&refused)["error"];
    assert_eq!(error["code"], "usage.invalid");
    assert!(error["message"].as_str().unwrap().contains("--bogus"), "{error}");
}

#[test]
fn words_of_other_systems_name_the_command_that_does_it_here() {
    let sandbox = Sandbox::new();
    for (words, here) in [
        (vec!["loop", "start", "x"], "loopwright loop --prompt TEXT"),
        (vec!["auto-run"], "loopwright run"),
        (vec!["run", "--backend", "claude"], "--harness NAME"),
    ] {
        let refused = loopwright(&sandbox, &words);
        assert_eq!(refused.code, 2, "{refused:?}");
        assert!(refused.stderr.contains(&format!("Here that is: {here}")), "{refused:?}");
    }
}

#[test]
fn help_has_a_command_of_its_own_and_the_version_tells_what_a_report_needs() {
    let sandbox = Sandbox::new();
    let help = loopwright(&sandbox, &["help", "run"]);
    assert!(help.code == 0 && help.stdout.contains("wave by wave"), "{help:?}");
    let topic = loopwright(&sandbox, &["help", "exit-codes"]);
    assert!(topic.code == 0 && topic.stdout.contains("waits for a person"), "{topic:?}");
    let topics = loopwright(&sandbox, &["help", "topics"]);
    assert!(topics.code == 0 && topics.stdout.contains("environment"), "{topics:?}");
    let unknown = loopwright(&sandbox, &["help", "nothing"]);
    assert!(unknown.code == 2 && unknown.stderr.contains("exit-codes"), "{unknown:?}");
    let version = loopwright(&sandbox, &["--version", "--verbose"]);
    assert!(version.code == 0 && version.stdout.contains("system  linux"), "{version:?}");
}

#[test]
fn a_variable_of_ours_that_is_no_setting_is_no_mistake() {
    let sandbox = project("");
    let mut command = sandbox.command(common::installed(&sandbox));
    let output = sandbox.run(command.args(["config", "get", "mode"]).env("LOOPWRIGHT_PAGER", "less"));
    assert_eq!((output.code, output.stdout.as_str()), (0, "autonomous\n"), "{output:?}");
}

#[test]
fn a_dry_run_of_fix_shows_the_work_list() {
    let sandbox = project("[[checks]]\nname = \"tests\"\ncommand = \"sh tests.sh\"\n");
    sandbox.write("tests.sh", "echo 'teas.txt:1: error: no sencha'\nexit 1\n");
    assert_eq!(loopwright(&sandbox, &["trust", "--yes"]).code, 0);
    let dry = loopwright(&sandbox, &["fix", "--dry-run", "--command", "true"]);
    assert!(dry.code == 0 && dry.stdout.contains("no sencha"), "{dry:?}");
    assert!(json(&loopwright(&sandbox, &["history", "--json"])).as_array().unwrap().is_empty());
    sandbox.write("tests.sh", "exit 0\n");
    let passes = loopwright(&sandbox, &["fix", "--dry-run", "--command", "true"]);
    assert!(passes.stdout.contains("no agent would be started"), "{passes:?}");
}

#[test]
fn a_file_that_is_not_there_is_wrong_usage_whatever_the_command() {
    let sandbox = project("");
    for words in [
        vec!["task", "import", "missing.md"],
        vec!["spec", "import", "missing.md"],
        vec!["loop", "--prompt-file", "missing.md", "--command", "true"],
        vec!["pattern", "test", "missing.log"],
    ] {
        let refused = loopwright(&sandbox, &words);
        assert!(refused.code == 2 && refused.stderr.contains("missing."), "{words:?}: {refused:?}");
    }
}

#[test]
fn a_plan_that_is_not_there_is_told_before_anything_starts() {
    let sandbox = project("");
    assert_eq!(loopwright(&sandbox, &["task", "add", "Brew"]).code, 0);
    let agent = agent(&sandbox, DONE);
    let refused = loopwright(&sandbox, &["run", "--plan", "missing.md", "--command", &agent]);
    assert_ne!(refused.code, 0, "{refused:?}");
    assert!(refused.stderr.contains("missing.md"), "{refused:?}");
    assert!(json(&loopwright(&sandbox, &["history", "--json"])).as_array().unwrap().is_empty());
}

#[test]
fn documents_hold_documents_and_logs_are_some() {
    let sandbox = project("");
    let agent = agent(&sandbox, DONE);
    let run =
        ["loop", "--prompt", "x", "--command", &agent, "--prompt-mode", "stdin", "-n", "1", "--auto-commit"];
    assert_eq!(loopwright(&sandbox, &run).code, 0);
    let runs = json(&loopwright(&sandbox, &["history", "--json"]));
    assert_eq!(runs[0]["options"]["prompt"], "x", "{runs}");
    let log = json(&loopwright(&sandbox, &["log", "--json"]));
    assert_eq!((&log["iteration"], &log["part"]), (&1.into(), &"output".into()));
    assert!(log["content"].as_str().unwrap().contains("COMPLETE"), "{log}");
    let events = json(&loopwright(&sandbox, &["log", "--json", "--part", "transcript"]));
    assert!(events["content"].as_array().is_some_and(|events| !events.is_empty()), "{events}");
    let reverted = loopwright(&sandbox, &["revert", "1", "--yes"]);
    assert!(reverted.code == 0 && reverted.stdout.contains("Reverted"), "{reverted:?}");
}

#[test]
fn a_project_inside_a_project_is_made_only_when_asked_for() {
    let sandbox = project("");
    std::fs::create_dir(sandbox.work().join("sub")).unwrap();
    let refused = loopwright(&sandbox, &["-C", "sub", "init"]);
    assert!(refused.code == 2 && refused.stderr.contains("--nested"), "{refused:?}");
    assert_eq!(loopwright(&sandbox, &["-C", "sub", "init", "--nested"]).code, 0);
}

#[test]
fn a_failed_check_shows_the_end_of_what_it_printed() {
    let check = "[[checks]]\nname = \"tests\"\ncommand = \"sh tests.sh\"\n";
    let sandbox = project(check);
    sandbox.write("tests.sh", "seq 1 50\necho 'assert 3 == 4'\nexit 1\n");
    sandbox.git("", &["add", "-A"]);
    sandbox.git("", &["commit", "-qm", "tests"]);
    assert_eq!(loopwright(&sandbox, &["trust", "--yes"]).code, 0);
    let agent = agent(&sandbox, DONE);
    let run = ["loop", "--prompt", "x", "--command", &agent, "--prompt-mode", "stdin", "-n", "1"];
    assert_ne!(loopwright(&sandbox, &run).code, 0);
    let shown = loopwright(&sandbox, &["show", "1"]);
    assert!(shown.stdout.contains("\n      assert 3 == 4\n"), "{}", shown.stdout);
    assert!(!shown.stdout.contains("\\n"), "{}", shown.stdout);
}

#[test]
fn a_command_of_the_user_hears_of_the_end_and_cannot_spoil_it() {
    let sandbox = project("");
    let heard = sandbox.root().join("heard");
    let script = sandbox.root().join("notify.sh");
    let text =
        format!("cat >> '{0}'; echo \" $LOOPWRIGHT_NOTIFY_EVENT\" >> '{0}'; exit 7\n", heard.display());
    std::fs::write(&script, text).unwrap();
    let unset = loopwright(&sandbox, &["notify", "test"]);
    assert!(unset.code == 2 && unset.stderr.contains("not set"), "{unset:?}");
    let command = format!("sh {}", script.display());
    assert_eq!(loopwright(&sandbox, &["config", "set", "--user", "notify.command", &command]).code, 0);
    let tried = loopwright(&sandbox, &["notify", "test"]);
    assert!(tried.code == 1 && tried.stderr.contains("exit code 7"), "{tried:?}");
    let agent = agent(&sandbox, DONE);
    let run = ["loop", "--prompt", "x", "--command", &agent, "--prompt-mode", "stdin", "-n", "1"];
    assert_eq!(loopwright(&sandbox, &run).code, 0, "a failing command changes nothing");
    eventually("it heard of the end", || {
        std::fs::read_to_string(&heard).is_ok_and(|text| text.contains("} done"))
    });
    let text = std::fs::read_to_string(&heard).unwrap();
    let last: serde_json::Value =
        serde_json::from_str(text.lines().last().unwrap().trim_end_matches(" done")).unwrap();
    assert_eq!((&last["event"], &last["project"]), (&"done".into(), &"teas".into()), "{text}");
}

#[test]
fn a_notification_holds_no_secret() {
    let sandbox = project("");
    let heard = sandbox.root().join("heard");
    let script = sandbox.root().join("notify.sh");
    std::fs::write(&script, format!("cat >> '{0}'; env >> '{0}'\n", heard.display())).unwrap();
    let command = format!("sh {}", script.display());
    assert_eq!(loopwright(&sandbox, &["config", "set", "--user", "notify.command", &command]).code, 0);
    let program = common::installed(&sandbox);
    let says = format!("'{}' signal blocked 'the key hunter2hunter2 is refused'\n", program.display());
    let agent = agent(&sandbox, &says);
    let mut command = sandbox.command(common::installed(&sandbox));
    command.args(["loop", "--prompt", "x", "--command", &agent, "--prompt-mode", "stdin", "-n", "1"]);
    let output = sandbox.run(command.env("TEA_API_KEY", "hunter2hunter2"));
    assert_eq!(output.code, 4, "{output:?}");
    eventually("it heard of the end", || heard.exists());
    let text = std::fs::read_to_string(&heard).unwrap();
    let told = |start: &str| text.lines().find(|line| line.starts_with(start)).unwrap_or_default();
    for told in [told("{"), told("LOOPWRIGHT_NOTIFY_MESSAGE=")] {
        assert!(!told.is_empty() && !told.contains("hunter2"), "{told}");
    }
}

#[test]
fn a_project_cannot_name_the_command() {
    let sandbox = project("");
    sandbox.write(".loopwright/config.toml", "name = \"teas\"\n[notify]\ncommand = \"touch stolen\"\n");
    for words in [vec!["trust", "--yes"], vec!["notify", "test"]] {
        let refused = loopwright(&sandbox, &words);
        assert!(refused.code == 2 && !sandbox.work().join("stolen").exists(), "{refused:?}");
    }
}

#[test]
fn in_github_actions_attempts_are_groups_and_failures_annotations() {
    let sandbox = project("[[checks]]\nname = \"tests\"\ncommand = \"sh tests.sh\"\n");
    sandbox.write("tests.sh", "echo '::add-mask::x'\necho 'teas.txt:1: error: no sencha'\nexit 1\n");
    sandbox.git("", &["add", "-A"]);
    sandbox.git("", &["commit", "-qm", "tests"]);
    assert_eq!(loopwright(&sandbox, &["trust", "--yes"]).code, 0);
    let agent = agent(&sandbox, "echo '::set-env name=X::y'\necho x > x.txt\n");
    let mut command = sandbox.command(common::installed(&sandbox));
    command.args([
        "loop",
        "--prompt",
        "x",
        "--command",
        &agent,
        "--prompt-mode",
        "stdin",
        "-n",
        "1",
        "--stream",
        "all",
    ]);
    let output = sandbox.run(command.env("GITHUB_ACTIONS", "true"));
    let commands: Vec<&str> =
        output.stdout.lines().filter(|line| line.trim_start().starts_with("::")).collect();
    assert!(
        matches!(commands[..], ["::group::Iteration 1/1", "::endgroup::", error] if error.starts_with("::error ")),
        "{output:?}"
    );
    assert!(output.stdout.contains("|            ::set-env name=X::y"), "{}", output.stdout);
}
