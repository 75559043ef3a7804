//! What the real CLIs printed, read and judged to the end.

use std::path::Path;

use loopwright_agents::{AdapterOptions, OutputStream, ParsedOutput, adapter};
use loopwright_domain::{AgentEvent, Claim, ProblemKind, Usage};

use crate::support::{claim, request};

const PROMPT: &str = "Create hello.txt with a greeting. When done print <promise>COMPLETE</promise>.";

/// Reads a transcript with the CLI's own parser, with the exit code it had.
fn read(cli: &str, case: &str, exit_code: Option<i32>) -> ParsedOutput {
    told(cli, case, exit_code).1
}

/// The same, with what was told on the way.
fn told(cli: &str, case: &str, exit_code: Option<i32>) -> (Vec<AgentEvent>, ParsedOutput) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts").join(cli);
    let harness = adapter(cli).unwrap().harness(AdapterOptions::new("/bin/agent"));
    let mut parser = harness.output_parser(&request(PROMPT));
    let mut events = Vec::new();
    for (stream, ending) in [(OutputStream::Stderr, "stderr"), (OutputStream::Stdout, "stdout")] {
        let printed = std::fs::read(folder.join(format!("{case}.{ending}"))).unwrap_or_default();
        for line in printed.split(|byte| *byte == b'\n') {
            events.extend(parser.line(stream, line));
        }
    }
    (events, parser.finish(exit_code))
}

#[test]
fn good_ends_are_good_with_every_token_counted_once() {
    // Three requests of 2200 tokens in (1000 of them cached) and 80 out, and what each CLI tells of it.
    let all = Usage { input: 3600, cache_read: 3000, output: 240, ..Usage::default() };
    let cases = [
        ("claude", Usage { cost_micros: Some(15_375), ..all }),
        ("codex", all),
        ("gemini", all),
        ("copilot", Usage::default()),
        ("opencode", Usage { cost_micros: Some(14_400), ..all }),
        ("qwen", all),
        ("pi", Usage { cost_micros: Some(4_380), ..all }),
        ("aider", Usage { input: 2200, output: 80, cost_micros: Some(3_500), ..Usage::default() }),
    ];
    for (cli, usage) in cases {
        let parsed = read(cli, "recommended", Some(0));
        assert_eq!(parsed.error, None, "{cli}");
        assert_eq!(claim(&parsed), Claim::Promise, "{cli}: {}", parsed.own_text);
        assert_eq!(parsed.usage, usage, "{cli}");
        assert!(parsed.denied.is_empty() && parsed.limit.is_none() && parsed.unknown == 0, "{cli}");
        assert!(cli == "aider" || parsed.session.is_some(), "{cli}");
    }
}

#[test]
fn an_exit_code_of_0_after_a_refusal_is_no_success() {
    use ProblemKind::{Login, Other, Permission, RateLimit};
    let cases = [
        ("codex", "api_401", Some(1), Some(Login)),
        ("codex", "api_429", Some(1), Some(RateLimit)),
        ("gemini", "api_401", Some(145), Some(Login)),
        ("gemini", "api_429", Some(173), Some(RateLimit)),
        ("copilot", "api_401", Some(1), Some(Login)),
        ("opencode", "api_401", Some(1), Some(Login)),
        ("opencode", "permission_denied", Some(0), Some(Permission)),
        ("qwen", "api_401", Some(1), Some(Login)),
        ("pi", "api_401", Some(0), Some(Login)),
        // Aider's own service library does not tell a refused key from another bad request here.
        ("aider", "api_401", Some(0), Some(Other)),
        // Stopped while they still tried again: their end says nothing.
        ("claude", "api_401", None, None),
        ("claude", "api_429", None, None),
        ("copilot", "api_429", None, None),
    ];
    for (cli, case, exit_code, kind) in cases {
        let parsed = read(cli, case, exit_code);
        assert_eq!(parsed.error.as_ref().map(|problem| problem.kind), kind, "{cli} {case}: {parsed:?}");
        assert_eq!(claim(&parsed), Claim::None, "{cli} {case}");
    }
}

#[test]
fn denied_tools_are_named_where_the_cli_tells() {
    for (cli, tools) in [
        ("claude", &["Write"][..]),
        ("gemini", &["bash"]),
        ("copilot", &["create"]),
        ("opencode", &["write"]),
        ("codex", &[]),
        ("qwen", &[]),
    ] {
        assert_eq!(read(cli, "permission_denied", Some(0)).denied, tools, "{cli}");
    }
}

#[test]
fn each_result_of_a_tool_has_the_id_and_the_name_of_a_call_before_it() {
    let cases =
        [("claude", 2), ("codex", 2), ("gemini", 2), ("copilot", 2), ("opencode", 2), ("qwen", 2), ("pi", 2)];
    for (cli, count) in cases {
        let (mut calls, mut results) = (Vec::new(), 0);
        for event in told(cli, "recommended", Some(0)).0 {
            match event {
                AgentEvent::ToolCall { id, name, .. } => calls.push((id, Some(name))),
                AgentEvent::ToolResult { id, tool, .. } => {
                    assert!(id.is_some() && calls.contains(&(id, tool)), "{cli}: {calls:?}");
                    results += 1;
                }
                _ => {}
            }
        }
        assert_eq!((calls.len(), results), (count, count), "{cli}");
    }
}

#[test]
fn an_end_without_a_last_word_is_no_success() {
    for cli in ["claude", "codex", "gemini", "copilot", "opencode", "qwen", "pi"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts").join(cli);
        let printed = std::fs::read_to_string(folder.join("recommended.stdout")).unwrap();
        let lines: Vec<&str> = printed.lines().collect();
        let harness = adapter(cli).unwrap().harness(AdapterOptions::new("/bin/agent"));
        for cut in 0..lines.len() / 2 {
            let mut parser = harness.output_parser(&request(PROMPT));
            for line in &lines[..cut] {
                parser.line(OutputStream::Stdout, line.as_bytes());
            }
            let parsed = parser.finish(Some(0));
            assert_eq!(parsed.error.map(|problem| problem.kind), Some(ProblemKind::Output), "{cli} {cut}");
        }
    }
}
