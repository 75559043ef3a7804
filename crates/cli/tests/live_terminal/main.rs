//! A run on a real pseudo terminal: the agent's stream, the status area, gates that are decided right there.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

#[path = "../common/mod.rs"]
mod common;
mod pty;

use std::process::Command;

use common::{installed, loopwright};
use loopwright_testkit::Sandbox;
use pty::Terminal;

/// Says something, reads a file, fails a command, writes `done.txt` and claims to be done.
const AGENT: &str = r#"
cat <<'LINES'
{"type":"system","subtype":"init","session_id":"s1","model":"scripted"}
{"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"I read the list of teas first. 茶室 is written with two characters."}]}}
{"type":"assistant","message":{"id":"m2","content":[{"type":"tool_use","id":"t1","name":"Read","input":{"file_path":"teas.txt"}}]}}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"oolong\nsencha\n"}]}}
{"type":"assistant","message":{"id":"m3","content":[{"type":"tool_use","id":"t2","name":"Bash","input":{"command":"npm test"}}]}}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t2","is_error":true,"content":"missing script: test"}]}}
LINES
while [ -e "$HOLD" ]; do sleep 0.02; done
echo done > done.txt
cat <<'LINES'
{"type":"assistant","message":{"id":"m4","content":[{"type":"text","text":"All is written.\n<promise>COMPLETE</promise>"}]}}
{"type":"result","subtype":"success","is_error":false,"result":"All is written.\n<promise>COMPLETE</promise>","usage":{"input_tokens":1200,"output_tokens":300},"total_cost_usd":0.02}
LINES
"#;

struct Scene {
    sandbox: Sandbox,
}

impl Scene {
    fn new(config: &str) -> Self {
        let sandbox = Sandbox::new();
        let config = format!(
            "name = \"teas\"\n{config}\n[[checks]]\nname = \"present\"\ncommand = \"test -e teas.txt\"\n"
        );
        sandbox.write(".loopwright/config.toml", config);
        sandbox.write(".loopwright/.gitignore", "/run/\n/state/\n");
        sandbox.write("teas.txt", "oolong\nsencha\n");
        let hold = sandbox.root().join("hold");
        std::fs::write(sandbox.root().join("agent.sh"), format!("HOLD='{}'\n{AGENT}", hold.display()))
            .unwrap();
        sandbox.git_init("");
        let scene = Self { sandbox };
        assert_eq!(loopwright(&scene.sandbox, &["trust", "--yes"]).code, 0);
        scene
    }

    fn looping(&self, more: &[&str]) -> Command {
        let agent = format!("sh {}/agent.sh", self.sandbox.root().display());
        let mut command = self.sandbox.command(installed(&self.sandbox));
        command.args(["loop", "--prompt", "List the teas", "--command", &agent]);
        command.args(["--prompt-mode", "stdin", "--output-format", "stream-json", "-n", "2"]).args(more);
        command
    }

    /// The agent stays at work until it is let go.
    fn hold(&self) {
        std::fs::write(self.sandbox.root().join("hold"), "").unwrap();
    }

    fn let_go(&self) {
        std::fs::remove_file(self.sandbox.root().join("hold")).unwrap();
    }
}

fn count(lines: &[String], text: &str) -> usize {
    lines.iter().filter(|line| line.contains(text)).count()
}

#[test]
fn a_terminal_shows_what_the_agent_does_and_where_the_run_stands() {
    let scene = Scene::new("");
    scene.hold();
    let terminal = Terminal::start(&scene.sandbox, &scene.looping(&[]), 100);
    terminal.wait_for("missing script: test");
    terminal.wait_for("iteration 1/2");
    terminal.wait_for("agent working");
    scene.let_go();
    let (code, lines) = terminal.finish();
    assert_eq!(code, 0, "{lines:#?}");
    for text in
        ["I read the list of teas first", "✓ Read teas.txt", "✗ Bash npm test", "check present: passed"]
    {
        assert_eq!(count(&lines, text), 1 + usize::from(text.starts_with("check")), "{text}: {lines:#?}");
    }
    assert_eq!(count(&lines, "agent working"), 0, "nothing of the status area is left: {lines:#?}");
    assert_eq!(count(&lines, "of $25.00"), 0, "{lines:#?}");
    assert_eq!(count(&lines, "In all:"), 1, "{lines:#?}");
}

#[test]
fn every_width_keeps_the_scrollback_whole() {
    for columns in [60, 80, 250] {
        let scene = Scene::new("");
        let (code, lines) = Terminal::start(&scene.sandbox, &scene.looping(&[]), columns).finish();
        assert_eq!(code, 0, "{columns}: {lines:#?}");
        for text in ["Starting loop", "✓ Read teas.txt", "All is written", "In all:"] {
            assert_eq!(count(&lines, text), 1, "{text} at {columns}: {lines:#?}");
        }
        assert!(lines.iter().any(|line| line.contains("茶室")), "{columns}: {lines:#?}");
    }
}

#[test]
fn a_terminal_that_becomes_narrower_or_wider_is_drawn_for_its_new_width() {
    let scene = Scene::new("");
    scene.hold();
    let mut terminal = Terminal::start(&scene.sandbox, &scene.looping(&[]), 100);
    terminal.wait_for("agent working");
    for columns in [60, 250] {
        terminal.resize(&scene.sandbox, columns);
        terminal.wait_for("agent working");
        let wide =
            terminal.lines().iter().all(|line| line.trim_end().chars().count() <= usize::from(columns));
        assert!(wide, "{columns}: {:#?}", terminal.lines());
    }
    scene.let_go();
    let (code, lines) = terminal.finish();
    assert_eq!(code, 0, "{lines:#?}");
    for text in ["All is written", "check present: passed", "In all:"] {
        assert_eq!(count(&lines, text), 1, "{text}: {lines:#?}");
    }
    assert_eq!(count(&lines, "agent working"), 0, "nothing of the status area is left: {lines:#?}");
}

#[test]
fn lines_that_stay_end_where_their_text_ends() {
    let scene = Scene::new("");
    let terminal = Terminal::start(&scene.sandbox, &scene.looping(&[]), 100);
    terminal.wait_for("In all:");
    let drawn = String::from_utf8_lossy(&terminal.bytes()).into_owned();
    let padded = drawn.split("\r\n").any(|line| line.ends_with("   "));
    assert!(!padded, "a wider terminal would join them: {drawn:?}");
    assert_eq!(terminal.finish().0, 0);
}

#[test]
fn the_stream_can_be_narrowed_or_switched_off() {
    for (mode, words, tools) in [("text", 1, 0), ("tools", 0, 1), ("none", 0, 0)] {
        let scene = Scene::new("");
        let (code, lines) =
            Terminal::start(&scene.sandbox, &scene.looping(&["--stream", mode]), 100).finish();
        assert_eq!(code, 0, "{mode}: {lines:#?}");
        let seen = (count(&lines, "I read the list"), count(&lines, "Read teas.txt"));
        assert_eq!(seen, (words, tools), "{mode}: {lines:#?}");
    }
}

#[test]
fn without_a_terminal_lines_are_plain() {
    let scene = Scene::new("");
    let quiet = scene.sandbox.run(&mut scene.looping(&[]));
    assert_eq!(quiet.code, 0, "{quiet:?}");
    assert!(!quiet.stdout.contains('\u{1b}') && !quiet.stdout.contains("Read teas.txt"), "{quiet:?}");
    let other = Scene::new("");
    let streamed = other.sandbox.run(&mut other.looping(&["--stream", "all"]));
    assert!(
        streamed.stdout.contains("✓ Read teas.txt") && !streamed.stdout.contains('\u{1b}'),
        "{streamed:?}"
    );
}

#[test]
fn whoever_wants_no_colour_gets_plain_lines_on_a_terminal_too() {
    let scene = Scene::new("");
    let mut command = scene.sandbox.command("env");
    let looping = scene.looping(&[]);
    command.arg("NO_COLOR=1").arg(looping.get_program()).args(looping.get_args());
    command.envs(looping.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.current_dir(scene.sandbox.work());
    let terminal = Terminal::start(&scene.sandbox, &command, 100);
    terminal.wait_for("In all:");
    let bytes = terminal.bytes();
    assert!(!bytes.contains(&0x1b), "{}", String::from_utf8_lossy(&bytes));
    assert_eq!(terminal.finish().0, 0);
}

#[test]
fn a_gate_is_decided_where_the_run_reached_it() {
    let scene = Scene::new("[gate]\nprotected = [\"done.txt\"]\n");
    let mut terminal = Terminal::start(&scene.sandbox, &scene.looping(&["--auto-commit"]), 100);
    terminal.wait_for("[a]pprove");
    terminal.wait_for("protected path");
    terminal.type_in("x\n");
    terminal.type_in("a\n");
    let (code, lines) = terminal.finish();
    assert_eq!(code, 0, "{lines:#?}");
    assert_eq!(count(&lines, "Approved and committed"), 1, "{lines:#?}");
    assert_eq!(scene.sandbox.git("", &["show", "HEAD:done.txt"]).trim(), "done");
}

#[test]
fn a_gate_that_is_left_open_waits() {
    let scene = Scene::new("[gate]\nprotected = [\"done.txt\"]\n");
    let mut terminal = Terminal::start(&scene.sandbox, &scene.looping(&["--auto-commit"]), 100);
    terminal.wait_for("[q]uit");
    terminal.type_in("q\n");
    let (code, lines) = terminal.finish();
    assert_eq!(code, 5, "{lines:#?}");
    let gates = loopwright(&scene.sandbox, &["gate", "list"]);
    assert!(gates.stdout.contains("1 gate"), "{gates:?}");
    let patch = loopwright(&scene.sandbox, &["gate", "show", "--diff"]);
    assert!(patch.stdout.contains("+done"), "{patch:?}");
}
