//! `loopwright mcp`, spoken to over pipes as an agent CLI does.
#![expect(clippy::unwrap_used, reason = "helpers of tests report failure by panicking")]

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use common::installed;
#[cfg(unix)]
use common::{json as document, loopwright};
use loopwright_testkit::Sandbox;
use serde_json::{Value, json};

const NONCE: &str = "0123456789abcdef";

/// A server and the client that talks to it.
struct Session {
    server: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    asked: u64,
}

impl Session {
    fn start(sandbox: &Sandbox, variables: &[(&str, PathBuf)]) -> Self {
        let mut command = sandbox.command(installed(sandbox));
        for name in ["HOME", "LOOPWRIGHT_CONFIG_DIR", "LOOPWRIGHT_DATA_DIR", "PATH"] {
            command.env_remove(name);
        }
        command.arg("mcp").envs(variables.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut server = command.spawn().unwrap();
        let output = BufReader::new(server.stdout.take().unwrap());
        let input = server.stdin.take();
        Self { server, input, output, asked: 0 }
    }

    fn bound(sandbox: &Sandbox) -> Self {
        let mut session = Self::start(
            sandbox,
            &[
                ("LOOPWRIGHT_SIGNAL_FILE", signal_file(sandbox)),
                ("LOOPWRIGHT_NONCE", NONCE.into()),
                ("LOOPWRIGHT_TASK_FILE", sandbox.work().join("task.json")),
            ],
        );
        session.greet();
        session
    }

    fn raw(&mut self, line: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line).unwrap();
        input.write_all(b"\n").unwrap();
        input.flush().unwrap();
    }

    fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        self.raw(
            json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string().as_bytes(),
        );
        let answer = self.hear();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    fn greet(&mut self) {
        let client = json!({ "name": "test", "version": "1" });
        let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client });
        let answer = self.ask("initialize", &hello);
        assert_eq!(answer["result"]["serverInfo"]["name"], "loopwright", "{answer}");
        assert_eq!(answer["result"]["protocolVersion"], "2025-06-18");
        self.raw(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    }

    /// Calls a tool: whether it worked, and what it said.
    fn call(&mut self, tool: &str, arguments: &Value) -> (bool, String) {
        let answer = self.ask("tools/call", &json!({ "name": tool, "arguments": arguments }));
        let result = &answer["result"];
        let said = result["content"][0]["text"].as_str().unwrap_or_default().to_owned();
        (result["isError"] == Value::Bool(false) || result["isError"].is_null(), said)
    }

    /// Closes its input: it must end by itself, and well.
    fn end(mut self) -> String {
        self.input = None;
        let mut told = String::new();
        self.server.stderr.take().unwrap().read_to_string(&mut told).unwrap();
        assert!(self.server.wait().unwrap().success(), "{told}");
        told
    }
}

fn signal_file(sandbox: &Sandbox) -> PathBuf {
    sandbox.work().join(".loopwright/run/signal.json")
}

fn signals(sandbox: &Sandbox) -> Vec<Value> {
    let content: Value = serde_json::from_str(&sandbox.read(".loopwright/run/signal.json")).unwrap();
    assert_eq!(content["nonce"], NONCE);
    content["signals"].as_array().unwrap().clone()
}

#[test]
fn an_agent_asks_and_reports_by_tools() {
    let sandbox = Sandbox::new();
    let task = json!({
        "task": 3, "title": "Brew tea", "description": "Green.", "acceptance": ["it is warm"],
        "test_strategy": "", "checks": [{ "name": "test", "command": "make test", "red_before": false, "required": true }],
    });
    sandbox.write("task.json", task.to_string());
    let mut session = Session::bound(&sandbox);
    let tools = session.ask("tools/list", &json!({}))["result"]["tools"].clone();
    let names: Vec<&str> =
        tools.as_array().unwrap().iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(names, ["report_complete", "report_blocked", "record_learning", "current_task"]);
    assert_eq!(tools[2]["inputSchema"]["required"], json!(["category", "text"]));

    let (worked, told) = session.call("current_task", &json!({}));
    assert!(worked);
    assert_eq!(serde_json::from_str::<Value>(&told).unwrap(), task);
    assert!(session.call("record_learning", &json!({ "category": "Weather", "text": " it rains " })).0);
    let (worked, told) = session.call("report_complete", &json!({ "summary": "Tea is ready." }));
    assert!(worked && told.contains("runs the checks"), "{told}");
    assert_eq!(session.end(), "");
    let learning = json!({ "type": "learning", "category": "other", "description": "it rains" });
    assert_eq!(signals(&sandbox), [learning, json!({ "type": "complete", "summary": "Tea is ready." })]);
}

#[test]
fn without_an_iteration_every_call_says_so() {
    let sandbox = Sandbox::new();
    let mut session = Session::start(&sandbox, &[]);
    session.greet();
    for tool in ["report_complete", "report_blocked", "record_learning", "current_task"] {
        let (worked, told) = session.call(tool, &json!({ "reason": "x", "text": "x" }));
        assert!(!worked && told.contains("no iteration is going on here"), "{tool}: {told}");
    }
    assert!(session.end().contains("no iteration is going on here"));
    assert!(!signal_file(&sandbox).exists());
}

#[test]
fn what_is_missing_is_named_and_nothing_is_reported() {
    let sandbox = Sandbox::new();
    let mut session = Session::bound(&sandbox);
    for (tool, arguments, word) in [
        ("report_blocked", json!({}), "\"reason\" is missing"),
        ("report_blocked", json!({ "reason": ["x"] }), "\"reason\" is missing"),
        ("record_learning", json!({ "category": "test", "text": " " }), "\"text\" is missing"),
        ("current_task", json!({}), "task.json"),
    ] {
        let (worked, told) = session.call(tool, &arguments);
        assert!(!worked && told.contains(word), "{tool}: {told}");
    }
    session.end();
    assert!(!signal_file(&sandbox).exists());
}

#[test]
fn it_survives_whatever_comes_in() {
    let sandbox = Sandbox::new();
    let mut session = Session::bound(&sandbox);
    for quiet in [&b""[..], b" \r", b"{\"result\":1,\"id\":9}"] {
        session.raw(quiet);
    }
    for unreadable in [&b"hello?"[..], b"\xff\xfe\x00", b"{\"jsonrpc\":", b"x\"\r"] {
        session.raw(unreadable);
        let answer = session.hear();
        assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32700), &json!(null)));
    }
    session.raw(br#"{"jsonrpc":"2.0","method":"notifications/unheard_of","params":[1]}"#);
    session.raw(b"[]");
    assert_eq!(session.hear()["error"]["code"], -32600);
    session.raw(br#"{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}"#);
    assert_eq!(session.hear()["error"]["code"], -32600);
    session.raw(&vec![b'x'; 5 * 1024 * 1024]);
    assert!(session.hear()["error"]["message"].as_str().unwrap().contains("was skipped"));
    assert_eq!(session.ask("gates/open", &json!({}))["error"]["code"], -32601);
    assert_eq!(session.ask("tools/call", &json!([1]))["error"]["code"], -32602);
    assert_eq!(session.ask("tools/call", &json!({ "name": "approve" }))["error"]["code"], -32602);
    assert_eq!(session.ask("ping", &json!({}))["result"], json!({}));
    assert!(session.call("report_complete", &json!({ "summary": "☕".repeat(500_000) })).0);
    session.end();
    let summary = signals(&sandbox)[0]["summary"].as_str().unwrap().chars().count();
    assert_eq!(summary, 2000);
}

#[test]
fn half_a_character_does_not_lose_a_report() {
    let sandbox = Sandbox::new();
    let mut session = Session::bound(&sandbox);
    let call = br#"{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"report_complete","arguments":{"summary":"all \ud83d done"}}}"#;
    session.raw(call);
    assert_eq!(session.hear()["id"], 77);
    session.end();
    assert_eq!(signals(&sandbox)[0]["summary"], "all \u{fffd} done");
}

#[test]
fn whoever_leaves_before_greeting_ends_it() {
    let sandbox = Sandbox::new();
    Session::start(&sandbox, &[]).end();
    let mut session = Session::start(&sandbox, &[]);
    session.raw(br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#);
    assert!(session.hear()["error"].is_object());
    session.end();
}

#[test]
fn tools_and_commands_may_report_at_once() {
    let sandbox = Sandbox::new();
    let mut session = Session::bound(&sandbox);
    let said = std::thread::scope(|scope| {
        let by_command = scope.spawn(|| {
            for number in 0..10 {
                let mut command = sandbox.command(installed(&sandbox));
                command.env("LOOPWRIGHT_SIGNAL_FILE", signal_file(&sandbox)).env("LOOPWRIGHT_NONCE", NONCE);
                assert!(
                    command
                        .args(["signal", "learning", &format!("command {number}")])
                        .output()
                        .unwrap()
                        .status
                        .success()
                );
            }
        });
        for number in 0..30 {
            assert!(session.call("record_learning", &json!({ "text": format!("tool {number}") })).0);
        }
        assert!(session.call("report_blocked", &json!({ "reason": "no water" })).0);
        by_command.join().unwrap();
        signals(&sandbox)
    });
    session.end();
    assert_eq!(said.len(), 41);
    assert!(said.contains(&json!({ "type": "blocked", "reason": "no water" })));
}

/// Stands for an agent CLI: starts the server as its configuration says, with nothing but the variables that stand
/// there, and reports.
#[cfg(unix)]
const CLAUDE: &str = r#"#!/bin/sh
[ "$1" = --version ] && echo "2.1.197 (Claude Code)" && exit
prompt=$(cat)
while [ $# -gt 0 ]; do [ "$1" = --mcp-config ] && config=$2; shift; done
value() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p" "$config"; }
case $prompt in *'MCP server "loopwright"'*) summary='I was told how.';; *) summary='Nobody told me.';; esac
{
  echo '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}'
  echo '{"jsonrpc":"2.0","method":"notifications/initialized"}'
  echo '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"current_task","arguments":{}}}'
  echo '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"report_complete","arguments":{"summary":"'"$summary"'"}}}'
} | env -i LOOPWRIGHT_NONCE="$(value LOOPWRIGHT_NONCE)" LOOPWRIGHT_TASK_FILE="$(value LOOPWRIGHT_TASK_FILE)" \
  LOOPWRIGHT_SIGNAL_FILE="$(value LOOPWRIGHT_SIGNAL_FILE)" "$(value command)" mcp > answers.txt
echo '{"type":"result","subtype":"success","is_error":false,"result":"Done.","session_id":"s","num_turns":1}'
"#;

#[cfg(unix)]
#[test]
fn an_agent_is_given_the_server_and_its_report_ends_the_loop() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::new();
    let program = installed(&sandbox);
    let bin = program.parent().unwrap();
    std::fs::write(bin.join("claude"), CLAUDE).unwrap();
    std::fs::set_permissions(bin.join("claude"), std::fs::Permissions::from_mode(0o755)).unwrap();
    sandbox.write(".loopwright/config.toml", "name = \"tea\"\n");
    let others = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([bin.to_owned()].into_iter().chain(std::env::split_paths(&others)));
    let mut command = sandbox.command(&program);
    command.env("PATH", path.unwrap()).args(["loop", "--harness", "claude", "-n", "1", "-p", "Brew tea."]);
    let output = sandbox.run(&mut command);
    assert_eq!(output.code, 0, "{output:?}");
    let iteration = document(&loopwright(&sandbox, &["show", "1", "--json"]));
    assert_eq!(iteration["iteration"]["claim"], "signal", "{iteration}");
    assert_eq!(iteration["iteration"]["claim_text"], "I was told how.", "{iteration}");
    assert!(sandbox.read("answers.txt").contains("Brew tea."));
}
