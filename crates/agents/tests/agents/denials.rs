//! Tools that an agent may not use, as each CLI tells it.

use loopwright_agents::{AdapterOptions, Reading, Request, Stream, adapter};
use loopwright_domain::Automation;

use crate::support::{PROMPT, request};

fn heard(name: &str, request: &Request<'_>, lines: &[&str]) -> Reading {
    let mut reader = adapter(name).unwrap().harness(AdapterOptions::new("/opt/agents/agent")).reader(request);
    for line in lines {
        reader.line(Stream::Stdout, line.as_bytes());
    }
    reader.finish(Some(0))
}

#[test]
fn a_tool_that_opencodes_rules_take_away_or_forbid_is_denied() {
    let part = |tool: &str, state: &str| {
        format!(
            r#"{{"type":"tool_use","sessionID":"s","part":{{"callID":"c","tool":"{tool}","state":{{{state}}}}}}}"#
        )
    };
    let end = r#"{"type":"step_finish","sessionID":"s","part":{"id":"p","reason":"stop"}}"#;
    let denied = |line: &str| heard("opencode", &request(PROMPT), &[line, end]).denied;
    let gone = r#""status":"completed","input":{"tool":"bash","error":"Model tried to call unavailable tool 'bash'. Available tools: read."}"#;
    assert_eq!(denied(&part("invalid", gone)), ["bash"]);
    let rule = r#""status":"error","error":"The user has specified a rule which prevents you from using this specific tool call. Here are some of the relevant rules []""#;
    assert_eq!(denied(&part("edit", rule)), ["edit"]);
    let asked = r#""status":"error","error":"The user rejected permission to use this specific tool call.""#;
    assert_eq!(denied(&part("edit", asked)), ["edit"]);
    for (tool, other) in [
        ("invalid", r#""status":"completed","input":{"tool":"bash","error":"Invalid input for tool bash"}"#),
        ("edit", r#""status":"error","error":"File not found""#),
        (
            "bash",
            r#""status":"completed","output":"Model tried to call unavailable tool","input":{"error":"The user rejected permission"}"#,
        ),
    ] {
        assert!(denied(&part(tool, other)).is_empty(), "{tool} {other}");
    }
}

#[test]
fn a_command_that_codexs_own_sandbox_stops_is_denied() {
    let command = |exit: i32, output: &str| {
        format!(
            r#"{{"type":"item.completed","item":{{"id":"i","type":"command_execution","command":"sh","aggregated_output":"{output}","exit_code":{exit},"status":"{}"}}}}"#,
            if exit == 0 { "completed" } else { "failed" }
        )
    };
    let start = r#"{"type":"item.started","item":{"id":"i","type":"command_execution","command":"sh"}}"#;
    let end = r#"{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}"#;
    let stopped = command(1, "sh: 1: cannot create ../x: Read-only file system");
    let auto = request(PROMPT).automation(Automation::Auto);
    let of = |request: &Request<'_>, line: &str| heard("codex", request, &[start, line, end]).denied;
    assert_eq!(of(&auto, &stopped), ["command_execution"]);
    assert_eq!(of(&auto, &command(1, "touch: x: Operation not permitted")), ["command_execution"]);
    assert!(of(&auto, &command(1, "2 tests failed")).is_empty());
    assert!(of(&auto, &command(0, "The log says: Read-only file system")).is_empty(), "it worked");
    let without = [auto.user(false, true), request(PROMPT).automation(Automation::Yolo)];
    for request in without {
        assert!(of(&request, &stopped).is_empty(), "its own sandbox is off");
    }
    let said = r#"{"type":"item.completed","item":{"id":"m","type":"agent_message","text":"Read-only file system"}}"#;
    assert!(of(&auto, said).is_empty(), "a model's words");
}
