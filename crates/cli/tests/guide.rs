//! The commands of README.md and of the first hour, run in their order: what they print is what is written there.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use common::{installed, json, loopwright};
use loopwright_testkit::Sandbox;

/// Stands for claude: it writes what the task asks for and says so, in the form that claude does.
const CLAUDE: &str = r#"#!/bin/sh
case "$*" in *--version*) echo "2.1.0 (Claude Code)"; exit 0 ;; esac
case "$(cat)" in
    *"Add the autumn tea"*) echo chestnut >> teas.txt ;;
    *) printf 'oolong 4.20\nsencha 3.90\n' > prices.txt ;;
esac
cat <<'LINES'
{"type":"system","subtype":"init","session_id":"s1","model":"scripted"}
{"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"All is written.\n<promise>COMPLETE</promise>"}]}}
{"type":"result","subtype":"success","is_error":false,"result":"All is written.\n<promise>COMPLETE</promise>","usage":{"input_tokens":1200,"output_tokens":300},"total_cost_usd":0.02}
LINES
"#;

/// A command of a document with what it prints; "…" stands for anything.
struct Step {
    command: String,
    printed: Vec<String>,
}

fn steps(file: &str) -> Vec<Step> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
    let text = fs::read_to_string(path).unwrap();
    let mut steps: Vec<Step> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        match line.trim().strip_prefix("```") {
            Some("console") => inside = true,
            Some(_) => inside = false,
            None if !inside => {}
            None => match (line.trim_start().strip_prefix("$ "), steps.last_mut()) {
                (Some(command), _) => steps.push(Step { command: command.to_owned(), printed: Vec::new() }),
                (None, Some(step)) => step.printed.push(line.trim().to_owned()),
                (None, None) => {}
            },
        }
    }
    steps
}

/// Whether a line is as it is written; "…" and "[…]" stand for any text.
fn is_line(written: &str, printed: &str) -> bool {
    let mut parts = written.split('…');
    let Some(mut rest) = parts.next().and_then(|first| printed.strip_prefix(first)) else { return false };
    let parts: Vec<&str> = parts.collect();
    for (place, part) in parts.iter().enumerate() {
        let is_last = place + 1 == parts.len();
        match rest.find(part) {
            Some(_) if is_last => return rest.ends_with(part),
            Some(at) => rest = rest.get(at + part.len()..).unwrap_or_default(),
            None => return false,
        }
    }
    rest.is_empty()
}

/// Whether lines are as they are written; a line "…" stands for any lines.
fn are_lines(written: &[String], printed: &[&str]) -> bool {
    match written {
        [] => printed.is_empty(),
        [any, rest @ ..] if any == "…" => (0..=printed.len()).any(|skip| are_lines(rest, &printed[skip..])),
        [line, rest @ ..] => match printed {
            [first, more @ ..] => is_line(line, first.trim()) && are_lines(rest, more),
            [] => false,
        },
    }
}

fn play(sandbox: &Sandbox, file: &str) {
    let mut folder = sandbox.work();
    let path = format!(
        "{}:{}:{}",
        sandbox.root().join("tools").display(),
        installed(sandbox).parent().unwrap().display(),
        std::env::var("PATH").unwrap()
    );
    let steps = steps(file);
    assert!(steps.len() > 3, "{file}: {} commands", steps.len());
    for step in steps {
        if let Some(to) = step.command.strip_prefix("cd ") {
            folder = folder.join(to);
            continue;
        }
        let mut command = sandbox.command("sh");
        command.args(["-c", &format!("{} 2>&1", step.command)]).current_dir(&folder).env("PATH", &path);
        let output = sandbox.run(&mut command);
        let exit = |line: &String| line.strip_prefix("[exit code ")?.strip_suffix(']')?.parse::<i32>().ok();
        let expected = step.printed.iter().find_map(exit).unwrap_or(0);
        assert_eq!(output.code, expected, "{file}: {}\n{}", step.command, output.stdout);
        let written: Vec<String> =
            step.printed.iter().filter(|line| exit(line).is_none() && !line.is_empty()).cloned().collect();
        let printed: Vec<&str> = output.stdout.lines().filter(|line| !line.trim().is_empty()).collect();
        let told = written.is_empty() || are_lines(&written, &printed);
        assert!(
            told,
            "{file}: {}\nwritten:\n{}\nprinted:\n{}",
            step.command,
            written.join("\n"),
            output.stdout
        );
    }
}

/// What the documents take for granted: an agent, and a name for commits.
fn provide(sandbox: &Sandbox) {
    let (tools, home) = (sandbox.root().join("tools"), sandbox.root().join("home"));
    fs::create_dir_all(&tools).unwrap();
    fs::create_dir_all(&home).unwrap();
    fs::write(home.join(".gitconfig"), "[user]\nname = Ada\nemail = ada@example.invalid\n").unwrap();
    let claude = tools.join("claude");
    fs::write(&claude, CLAUDE).unwrap();
    fs::set_permissions(&claude, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn the_first_hour_goes_as_it_is_written() {
    let sandbox = Sandbox::new();
    provide(&sandbox);
    sandbox.write("shop/teas.txt", "oolong\nsencha\n");
    sandbox.write("shop/tests.sh", "test -s teas.txt\n");
    sandbox.git_init("shop");
    play(&sandbox, "docs/guide/first-hour.md");
    let tasks = json(&loopwright(&sandbox, &["-C", "shop", "task", "list", "--json"]));
    let done = tasks.as_array().unwrap().iter().filter(|task| task["status"] == "done").count();
    assert_eq!(done, 2, "{tasks}");
}

#[test]
fn the_samples_of_the_readme_are_true() {
    let sandbox = Sandbox::new();
    provide(&sandbox);
    play(&sandbox, "README.md");
}

#[test]
fn a_sample_that_is_not_true_is_found() {
    let written = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
    assert!(are_lines(&written(&["…", "Done in …, commit …"]), &["a", "b", "Done in 3s, commit ab12"]));
    assert!(!are_lines(&written(&["Done"]), &["Failed"]));
    assert!(!are_lines(&written(&["Done"]), &["Done", "and more"]));
    assert!(!is_line("Done in …s", "Done in 3m"));
}
