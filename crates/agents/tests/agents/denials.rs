//! Tools that an agent may not use, as each CLI tells it.

use loopwright_agents::{AdapterOptions, AgentRequest, OutputStream, ParsedOutput, adapter};
use loopwright_domain::Automation;

use crate::support::{PROMPT, request};

fn heard(name: &str, request: &AgentRequest<'_>, lines: &[&str]) -> ParsedOutput {
    let mut parser =
        adapter(name).unwrap().harness(AdapterOptions::new("/opt/agents/agent")).output_parser(request);
    for line in lines {
        parser.line(OutputStream::Stdout, line.as_bytes());
    }
    parser.finish(Some(0))
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
    let of = |request: &AgentRequest<'_>, line: &str| heard("codex", request, &[start, line, end]).denied;
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

#[test]
fn what_codex_stops_without_an_event_is_in_its_log() {
    let codex = adapter("codex").unwrap().harness(AdapterOptions::new("/opt/agents/codex"));
    let auto = request(PROMPT).automation(Automation::Auto);
    let mut parser = codex.output_parser(&auto);
    let thread = r#"{"type":"thread.started","thread_id":"t1"}"#;
    let answer = r#"{"type":"item.completed","item":{"id":"m","type":"agent_message","text":"Done."}}"#;
    let end = r#"{"type":"turn.completed","usage":{"input_tokens":100,"cached_input_tokens":40,"output_tokens":7}}"#;
    let logged =
        |event: &str| format!("2026-11-17T12:03:33.698Z  INFO codex_otel.trace_safe: event.name={event}");
    let answered = |thread: &str| {
        logged(&format!(
            r#""codex.sse_event" event.kind=response.completed input_token_count=50 output_token_count=3 cached_token_count=20 conversation.id={thread} model=gpt-6"#
        ))
    };
    let stopped = r#""codex.sandbox_outcome" tool_name=exec_command call_id=c outcome=denied"#;
    for (stream, line) in [
        (OutputStream::Stderr, logged(r#""codex.conversation_starts" conversation.id=t1 model=gpt-6"#)),
        (OutputStream::Stdout, thread.to_owned()),
        (OutputStream::Stderr, logged(r#""codex.conversation_starts" conversation.id=t2 model=gpt-6-mini"#)),
        (OutputStream::Stderr, answered("t1")),
        (OutputStream::Stderr, answered("t2")),
        (OutputStream::Stdout, answer.to_owned()),
        (OutputStream::Stderr, logged(stopped)),
        (OutputStream::Stdout, end.to_owned()),
    ] {
        parser.line(stream, line.as_bytes());
    }
    let parsed = parser.finish(Some(0));
    assert_eq!(
        (parsed.denied.as_slice(), parsed.own_text.as_str()),
        (&["exec_command".to_owned()][..], "Done.")
    );
    assert_eq!((parsed.model.as_deref(), parsed.turns), (Some("gpt-6"), Some(1)));
    let used = (parsed.usage.input, parsed.usage.cache_read, parsed.usage.output);
    assert_eq!(used, (60 + 30, 40 + 20, 7 + 3), "its own sum, and what its helper used");
}

#[test]
fn codexs_log_is_not_why_it_failed() {
    let codex = adapter("codex").unwrap().harness(AdapterOptions::new("/opt/agents/codex"));
    let mut parser = codex.output_parser(&request(PROMPT));
    for line in [
        "Error: the configuration is broken",
        r#"2026-11-17T12:03:33.698Z  INFO codex_otel.trace_safe: event.name="codex.startup_phase""#,
    ] {
        parser.line(OutputStream::Stderr, line.as_bytes());
    }
    let problem = parser.finish(Some(1)).error.unwrap();
    assert_eq!(problem.message, "Error: the configuration is broken");
}
