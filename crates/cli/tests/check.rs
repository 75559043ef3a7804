//! `loopwright check`: runs all, tells what failed, and executes nothing that is not trusted.
#![cfg(unix)]

mod common;

use common::{installed, json, loopwright};
use loopwright_testkit::{Output, Sandbox, eventually};

const CONFIG: &str = r#"name = "shop"

[[checks]]
name = "lint"
command = "sh lint.sh"
parser = "lines"
order = 2

[[checks]]
name = "format"
command = "true"

[[checks]]
name = "spelling"
command = "sh -c 'echo teh; exit 4'"
required = false

[[checks]]
name = "old"
command = "touch never"
enabled = false

[[checks]]
name = "list"
command = "no-such-program"
required = false
order = 3
"#;

const LINT: &str = "echo '\u{1b}[31msrc/b.rs:12:3: error: late\u{1b}[0m'\necho \"$PWD/src/b.rs:2: warning: early\" >&2\nexit 1\n";

/// A project that a person here wrote and trusted.
fn project() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write(".loopwright/config.toml", CONFIG);
    sandbox.write("lint.sh", LINT);
    sandbox.git_init("");
    assert_eq!(loopwright(&sandbox, &["trust"]).code, 0);
    sandbox
}

/// A snapshot without the time that was taken.
fn timeless(sandbox: &Sandbox, output: &Output) -> String {
    let tenth = |word: &str| word.strip_suffix('s').is_some_and(|time| time.parse::<f32>().is_ok());
    let line = |line: &str| match line.rsplit_once(' ') {
        Some((before, word)) if tenth(word) => format!("{before} [SECONDS]\n"),
        _ => format!("{line}\n"),
    };
    sandbox.snapshot(output).lines().map(line).collect()
}

#[test]
fn all_checks_run_in_their_order_and_say_what_they_found() {
    let sandbox = project();
    let output = loopwright(&sandbox, &["check"]);
    insta::assert_snapshot!("check", timeless(&sandbox, &output));
    assert!(!sandbox.work().join("never").exists());
    let kept = |name: &str| std::fs::read_to_string(sandbox.work().join(".git/loopwright/checks").join(name));
    assert!(kept("check-3-lint.stdout").is_ok_and(|text| text.contains("late")));
    assert!(kept("check-3-lint.stderr").is_ok_and(|text| text.contains("early")));
}

/// dun's check ended with 0 whatever failed.
#[test]
fn dun_a_failed_required_check_is_exit_1_and_an_optional_one_is_not() {
    let sandbox = project();
    for (args, code) in [
        (&["check", "lint"] as &[_], 1),
        (&["check", "spelling"], 0),
        (&["check", "format", "spelling"], 0),
        (&["check", "--prompt"], 1),
        (&["check", "--json"], 1),
    ] {
        assert_eq!(loopwright(&sandbox, args).code, code, "{args:?}");
    }
}

#[test]
fn json_is_one_document_with_every_result() {
    let sandbox = project();
    let round = json(&loopwright(&sandbox, &["check", "--json"]));
    assert_eq!(round["verdict"], "failed");
    let names: Vec<&str> =
        round["checks"].as_array().unwrap().iter().map(|check| check["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["format", "spelling", "lint", "list"]);
    let lint = &round["checks"][2];
    assert_eq!((&lint["status"], &lint["exit_code"]), (&"failed".into(), &1.into()));
    assert_eq!(
        lint["issues"][0],
        serde_json::json!({"severity": "error", "file": "src/b.rs", "line": 12, "message": "late"})
    );
    assert_eq!(lint["issues"][1]["file"], "src/b.rs");
}

#[test]
fn nothing_is_executed_before_the_folder_is_trusted() {
    let sandbox = Sandbox::new();
    sandbox.write(".loopwright/config.toml", "[[checks]]\nname = \"a\"\ncommand = \"touch ran\"\n");
    sandbox.git_init("");
    for args in [&["check", "--json"] as &[_], &["check", "--prompt", "--json"], &["check", "a", "--json"]] {
        let output = loopwright(&sandbox, args);
        assert_eq!((output.code, json(&output)["error"]["code"].as_str()), (2, Some("trust.required")));
    }
    assert!(!sandbox.work().join("ran").exists());
    assert_eq!(loopwright(&sandbox, &["check", "--trust"]).code, 0);
    assert!(sandbox.work().join("ran").exists());
    for line in ["warn = [7]", "env = { A = \"b\" }", "dir = \"..\"", "success = [1]"] {
        let config = format!("[[checks]]\nname = \"a\"\ncommand = \"touch ran\"\n{line}\n")
            .replace("\"..\"", "\".loopwright\"");
        sandbox.write(".loopwright/config.toml", config);
        let output = loopwright(&sandbox, &["check", "--json"]);
        assert_eq!(json(&output)["error"]["code"], "trust.required", "{line}");
    }
    let off = "[[checks]]\nname = \"a\"\ncommand = \"evil\"\nenabled = false\n[[checks]]\nname = \"m\"\nbuiltin = \"merge-markers\"\n";
    sandbox.write(".loopwright/config.toml", off);
    assert_eq!(loopwright(&sandbox, &["check"]).code, 0, "what executes nothing needs no trust");
}

#[test]
fn names_are_checked_and_may_be_those_of_commands() {
    let sandbox = project();
    let unknown = loopwright(&sandbox, &["check", "lnit", "--json"]);
    assert_eq!((unknown.code, json(&unknown)["error"]["hint"].as_str()), (2, Some("Did you mean \"lint\"?")));
    let off = json(&loopwright(&sandbox, &["check", "old", "--json"]));
    assert_eq!(off["error"]["message"], "the check \"old\" is switched off");
    let list = json(&loopwright(&sandbox, &["check", "--json", "--", "list"]));
    assert_eq!(list["checks"][0]["status"], "broken");
    let problem = list["checks"][0]["problem"].as_str().unwrap();
    assert!(
        problem.starts_with("the program \"no-such-program\" was not found on the search path. "),
        "{problem}"
    );
}

#[test]
fn a_folder_without_checks_says_how_to_get_some() {
    let sandbox = Sandbox::new();
    assert_eq!(loopwright(&sandbox, &["init"]).code, 0);
    let output = loopwright(&sandbox, &["check"]);
    assert!(output.code == 0 && output.stdout.contains("loopwright check suggest"), "{output:?}");
    assert!(loopwright(&sandbox, &["check", "--prompt"]).stdout.contains("STATUS: UNCHECKED\n"));
}

/// What an agent leaves undone stays undone: the next iteration is judged by what the run began with.
#[test]
fn a_placeholder_of_one_iteration_is_still_found_in_the_next() {
    let sandbox = Sandbox::new();
    sandbox.write(".loopwright/config.toml", "[[checks]]\nname = \"p\"\nbuiltin = \"placeholders\"\n");
    let placeholder = concat!("todo", "!()");
    sandbox.write("agent.sh", format!("[ -e done.rs ] || echo 'fn f() {{ {placeholder} }}' > done.rs\n"));
    sandbox.git_init("");
    let args = [
        "loop",
        "--prompt",
        "Work",
        "--command",
        "sh agent.sh",
        "--completion-promise",
        "",
        "-n",
        "2",
        "--trust",
    ];
    let output = loopwright(&sandbox, &args);
    assert_eq!(output.code, 3, "{output:?}");
}

#[test]
fn a_built_in_check_without_git_says_what_to_do() {
    let sandbox = Sandbox::new();
    sandbox.write(".loopwright/config.toml", "[[checks]]\nname = \"p\"\nbuiltin = \"placeholders\"\n");
    let round = json(&loopwright(&sandbox, &["check", "--json"]));
    assert_eq!(round["checks"][0]["status"], "broken");
    let problem = round["checks"][0]["problem"].as_str().unwrap();
    assert!(
        problem.ends_with("Run \"git init\", or switch the check off with enabled = false."),
        "{problem}"
    );
}

/// A person presses Ctrl-C: the check ends with all it started, and the program says 130.
#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_the_whole_tree_of_a_check() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "slow.sh",
        "sleep 300 & echo $! > a.pid\nsetsid sleep 300 & echo $! > b.pid\ntouch ready\nsleep 300\n",
    );
    let config = "[[checks]]\nname = \"slow\"\ncommand = \"sh slow.sh\"\n[[checks]]\nname = \"next\"\ncommand = \"touch next\"\n";
    sandbox.write(".loopwright/config.toml", config);
    sandbox.git_init("");
    assert_eq!(loopwright(&sandbox, &["trust"]).code, 0);
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let mut child = sandbox.command(installed(&sandbox)).arg("check").spawn().unwrap();
        eventually("the check runs", || sandbox.work().join("ready").exists());
        let pid = child.id().to_string();
        assert_eq!(sandbox.run(sandbox.command("kill").args([&format!("-{signal}"), &pid])).code, 0);
        assert_eq!(child.wait().unwrap().code(), Some(code));
        for file in ["a.pid", "b.pid"] {
            let pid = sandbox.read(file);
            let cmdline =
                std::fs::read_to_string(format!("/proc/{}/cmdline", pid.trim())).unwrap_or_default();
            assert!(!cmdline.contains("sleep"), "{file} {pid} lives after {signal}");
        }
        assert!(!sandbox.work().join("next").exists());
        std::fs::remove_file(sandbox.work().join("ready")).unwrap();
    }
}

#[test]
fn what_a_person_ran_is_kept_for_the_list_and_an_agents_is_not() {
    let sandbox = project();
    let list = || json(&loopwright(&sandbox, &["check", "list", "--json"]));
    assert_eq!(list()[0]["last"], serde_json::Value::Null);
    for _ in 0..3 {
        assert_eq!(loopwright(&sandbox, &["check"]).code, 1);
    }
    sandbox.write("lint.sh", "exit 0\n");
    assert_eq!(loopwright(&sandbox, &["check", "lint"]).code, 0);
    let mut as_agent = sandbox.command(installed(&sandbox));
    as_agent.args(["check", "lint"]).env("LOOPWRIGHT_ITERATION", "018f");
    assert_eq!(sandbox.run(&mut as_agent).code, 0);
    let after = list();
    let lint = after.as_array().unwrap().iter().find(|check| check["name"] == "lint").unwrap();
    let statuses: Vec<&str> =
        lint["trend"].as_array().unwrap().iter().map(|point| point["status"].as_str().unwrap()).collect();
    assert_eq!(statuses, ["failed", "failed", "failed", "passed"]);
    assert_eq!(
        (&lint["last"]["result"]["status"], &lint["last"]["iteration"]),
        (&"passed".into(), &serde_json::Value::Null)
    );
    let text = loopwright(&sandbox, &["check", "list"]).stdout;
    assert!(text.contains("✗✗✗✓  passed after "), "{text}");
    assert!(text.contains("!!!  failed after "), "an optional one has its own mark: {text}");
}

#[test]
fn a_history_that_cannot_be_written_keeps_no_check_from_running() {
    let sandbox = project();
    sandbox.write("lint.sh", "rm -f .git/loopwright/state.db\n");
    let output = loopwright(&sandbox, &["check", "lint"]);
    assert_eq!(output.code, 0, "{}", output.stderr);
    assert!(output.stdout.contains("Note: these results are not kept for the trend"), "{}", output.stdout);
    assert_eq!(loopwright(&sandbox, &["check", "format"]).code, 0);
}
