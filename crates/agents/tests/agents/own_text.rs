//! Which words are the agent's own. Each test named after another tool shows what that tool gets wrong.

use loopwright_agents::{AdapterOptions, FieldPaths, Generic, GenericOptions, adapter, adapters};
use loopwright_domain::promise::Expected;
use loopwright_domain::{AgentEvent, Claim, OutputFormat};

use crate::support::{PROMPT, claim, generic, read, stream};

#[test]
fn descartes_takes_incomplete_for_complete() {
    for text in ["The work is incomplete.", "I completed nothing.", "COMPLETE is what I shall say later."] {
        let (_, parsed) = read(&generic(OutputFormat::Text), PROMPT, [text]);
        let plain = parsed.claim(Expected { promise: Some("COMPLETE"), plain: true, words: true }).0;
        assert_eq!(plain, Claim::None, "{text}");
    }
}

#[test]
fn rooda_ends_when_an_agent_quotes_the_tags_of_its_prompt() {
    let line = "Signal <promise>SUCCESS</promise> when done, <promise>FAILURE</promise> when stuck.";
    let prompt = format!("Rules:\n{line}\nBegin.");
    let said = format!("My rules are:\n{line}\n> {line}\nSo I begin.");
    let event = serde_json::json!({"type": "message", "role": "assistant", "content": said}).to_string();
    for (format, printed) in [(OutputFormat::Text, said), (OutputFormat::StreamJson, event)] {
        let (_, parsed) = read(&generic(format), &prompt, printed.lines());
        let expected = Expected { promise: Some("SUCCESS"), plain: true, words: true };
        assert_eq!(parsed.claim(expected).0, Claim::None, "{printed}");
    }
}

#[test]
fn dun_finds_its_exit_signal_in_tool_output() {
    let (_, parsed) = stream(&[
        r#"{"type":"tool_result","output":"EXIT_SIGNAL: true"}"#,
        r#"{"role":"tool","content":"EXIT_SIGNAL: true"}"#,
        r#"{"type":"message","text":"The log says that it is over. It is not."}"#,
    ]);
    assert_eq!(claim(&parsed), Claim::None);
}

#[test]
fn echoed_prompts_are_nobodys_words() {
    for echo in [
        r#"{"type":"message","role":"user","content":"<promise>COMPLETE</promise>"}"#,
        r#"{"type":"user.message","data":{"content":"<promise>COMPLETE</promise>"}}"#,
        r#"{"type":"user","message":{"role":"user","content":"<promise>COMPLETE</promise>"}}"#,
        r#"{"type":"prompt","text":"<promise>COMPLETE</promise>"}"#,
        r#"{"role":"system","text":"<promise>COMPLETE</promise>"}"#,
    ] {
        let (events, parsed) = stream(&[echo]);
        assert_eq!((events, claim(&parsed), parsed.error), (vec![], Claim::None, None), "{echo}");
    }
}

#[test]
fn helpers_and_thoughts_do_not_promise() {
    let (events, parsed) = stream(&[
        r#"{"type":"assistant","parent_tool_use_id":"t1","message":{"id":"m1","content":[{"type":"text","text":"<promise>COMPLETE</promise>"}]}}"#,
        r#"{"type":"assistant","message":{"id":"m2","content":[{"type":"thinking","thinking":"<promise>COMPLETE</promise>"}]}}"#,
        r#"{"type":"item.completed","item":{"id":"i","type":"reasoning","text":"<promise>COMPLETE</promise>"}}"#,
    ]);
    assert_eq!(claim(&parsed), Claim::None);
    assert_eq!(events.len(), 3);
    assert!(events.iter().all(|event| matches!(event, AgentEvent::Aside { .. })), "{events:?}");
}

#[test]
fn pieces_are_joined_and_told_once() {
    let (events, parsed) = stream(&[
        r#"{"type":"stream_event","event":{"type":"content_block_delta","delta":{"type":"text_delta","text":"<promise>COMPL"}}}"#,
        r#"{"type":"stream_event","event":{"type":"content_block_delta","delta":{"type":"text_delta","text":"ETE</promise>"}}}"#,
        r#"{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"<promise>COMPLETE</promise>"}]}}"#,
    ]);
    assert_eq!(parsed.own_text, "<promise>COMPLETE</promise>");
    let told: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            AgentEvent::Message { text, continues } => Some((text.as_str(), *continues)),
            _ => None,
        })
        .collect();
    assert_eq!(told, [("<promise>COMPL", false), ("ETE</promise>", true)]);
}

#[test]
fn a_claim_before_the_last_tool_call_is_overtaken_by_later_words() {
    let (_, parsed) = stream(&[
        r#"{"type":"message","text":"<promise>COMPLETE</promise>"}"#,
        r#"{"type":"tool_call","name":"test"}"#,
        r#"{"type":"tool_result","output":"2 failed","failed":true}"#,
        r#"{"type":"message","text":"Two tests fail."}"#,
        r#"{"type":"message","text":"I go on."}"#,
    ]);
    assert_eq!(parsed.own_text, "Two tests fail.\nI go on.");
}

#[test]
fn simple_programs_are_understood() {
    for line in [
        r#"{"text":"hello"}"#,
        r#"{"type":"message","content":[{"type":"text","text":"hello"}]}"#,
        r#"{"type":"assistant","text":"hello"}"#,
        r#"{"role":"assistant","content":"hello"}"#,
        r#"{"type":"result","result":"hello"}"#,
        r#"{"response":"hello","stats":{"input":1,"output_tokens":2}}"#,
        r#"{"type":"message_end","message":{"role":"assistant","content":[{"type":"text","text":"hello"}]}}"#,
        r#"[{"type":"system","subtype":"init"},{"type":"result","subtype":"success","is_error":false,"result":"hello"}]"#,
    ] {
        for format in [OutputFormat::StreamJson, OutputFormat::Json] {
            assert_eq!(read(&generic(format), PROMPT, [line]).1.own_text, "hello", "{line}");
        }
    }
    let (_, log) = stream(&[r#"{"level":"info","message":"<promise>COMPLETE</promise>"}"#]);
    assert_eq!((claim(&log), log.unknown), (Claim::None, 1));
}

#[test]
fn of_a_known_cli_only_its_own_events_speak() {
    let stray = [
        r#"{"level":"info","text":"<promise>COMPLETE</promise>"}"#,
        r#"{"role":"assistant","content":"<promise>COMPLETE</promise>"}"#,
        r#"{"result":"<promise>COMPLETE</promise>"}"#,
        r#"{"type":"done","error":"no"}"#,
    ];
    for one in adapters() {
        let harness = one.harness(AdapterOptions::new("/opt/agents/agent"));
        let (_, parsed) = read(harness.as_ref(), PROMPT, stray);
        // Words for people are all the words there are where a CLI has no events.
        if !matches!(one.name, "aider" | "kiro") {
            assert_eq!((claim(&parsed), parsed.unknown), (Claim::None, 4), "{}", one.name);
        }
    }
    let codex = adapter("codex").unwrap().harness(AdapterOptions::new("/opt/agents/codex"));
    let of_another =
        r#"{"type":"result","subtype":"success","is_error":false,"result":"<promise>COMPLETE</promise>"}"#;
    let own = r#"{"type":"item.completed","item":{"id":"i","type":"agent_message","text":"I go on."}}"#;
    let (_, parsed) = read(codex.as_ref(), PROMPT, [of_another, own]);
    assert_eq!(parsed.own_text, "I go on.");
    assert_eq!(claim(&stream(&[stray[0]]).1), Claim::Promise, "any other program may speak like this");
}

#[test]
fn a_document_may_be_printed_over_many_lines_and_behind_noise() {
    let printed = "starting up [1]\n[info] loading {x}\n{\n  \"result\": \"done\",\n  \"usage\": {\n    \
                   \"input_tokens\": 7,\n    \"output_tokens\": 2\n  }\n}\n";
    let (_, parsed) = read(&generic(OutputFormat::Json), PROMPT, printed.lines());
    assert_eq!((parsed.own_text.as_str(), parsed.usage.input, parsed.usage.output), ("done", 7, 2));
    let (events, none) = read(&generic(OutputFormat::Json), PROMPT, ["{ \"result\": "]);
    assert_eq!((events, none.own_text.as_str()), (vec![], ""));
    assert_eq!(none.error.unwrap().kind.as_str(), "output");
}

#[test]
fn places_of_a_programs_own_come_first() {
    let fields = FieldPaths {
        text: Some("out.words".into()),
        input_tokens: Some("cost.read".into()),
        output_tokens: Some("cost.wrote".into()),
        cost_usd: Some("cost.usd".into()),
        ..FieldPaths::default()
    };
    let options = GenericOptions {
        output_format: OutputFormat::StreamJson,
        fields,
        ..GenericOptions::new("mine", "/bin/agent")
    };
    let line =
        r#"{"id":"a","out":{"words":"hello"},"text":"not this","cost":{"read":5,"wrote":6,"usd":0.25}}"#;
    let (_, parsed) = read(&Generic::new(options), PROMPT, [line, line]);
    assert_eq!(parsed.own_text, "hello\nhello");
    let usage = parsed.usage;
    assert_eq!((usage.input, usage.output, usage.cost_micros), (5, 6, Some(250_000)));
}

#[test]
fn plain_text_is_told_in_paragraphs_and_never_as_one_endless_message() {
    let words = ["one", "two", "", "three"].map(str::to_owned).into_iter();
    let lines: Vec<String> = words.chain((4..60).map(|n| n.to_string())).collect();
    let (events, parsed) = read(&generic(OutputFormat::Text), PROMPT, &lines);
    let beginning = |event: &AgentEvent| match event {
        AgentEvent::Message { text, continues: false } => Some(text.trim().to_owned()),
        _ => None,
    };
    let beginnings: Vec<String> = events.iter().filter_map(beginning).collect();
    assert_eq!(beginnings, ["one", "three", "23", "43"]);
    assert_eq!(parsed.own_text.lines().count(), lines.len());
}

#[test]
fn the_last_line_of_the_last_message_is_the_claim() {
    let say = |text: &str| serde_json::json!({"type": "message", "text": text}).to_string();
    for (messages, expected) in [
        (vec!["<promise>COMPLETE</promise>", "Bye."], Claim::Misplaced),
        (vec!["```\nan open fence", "Done.\n<promise>COMPLETE</promise>"], Claim::Promise),
        (vec!["Two tests fail, so I do not print", "<promise>COMPLETE</promise>"], Claim::Promise),
        (vec!["When it works I will print\n<promise>COMPLETE</promise>"], Claim::None),
        (vec!["<promise>FAILURE</promise>", "<promise>COMPLETE</promise>"], Claim::Failure),
    ] {
        let lines: Vec<String> = messages.iter().map(|text| say(text)).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        assert_eq!(claim(&stream(&lines).1), expected, "{messages:?}");
    }
    let text = |printed: &str| claim(&read(&generic(OutputFormat::Text), PROMPT, printed.lines()).1);
    assert_eq!(text("I did it.\n\u{1b}[32m<promise>COMPLETE</promise>\u{1b}[0m\n\n"), Claim::Promise);
    assert_eq!(text("<promise>COMPLETE</promise>\nremoving the lock\n"), Claim::Misplaced);
}

#[test]
fn parts_of_an_echo_are_no_claim() {
    let prompt = format!("{PROMPT}Begin.\n");
    let lines: Vec<&str> = prompt.lines().collect();
    let numbered: Vec<String> = lines.iter().enumerate().map(|(n, line)| format!("{n}\t{line}")).collect();
    let quoted: Vec<String> = lines.iter().map(|line| format!("> {line}")).collect();
    for echo in [
        lines[..4].join("\n"),
        lines[2..4].join("\n"),
        lines.iter().rev().copied().collect::<Vec<_>>().join("\n"),
        lines[3..].iter().rev().copied().collect::<Vec<_>>().join("\n"),
        numbered[..4].join("\n"),
        quoted[..4].join("\n"),
    ] {
        let (_, parsed) = read(&generic(OutputFormat::Text), &prompt, echo.lines());
        assert_eq!(claim(&parsed), Claim::None, "{echo}");
    }
}

#[test]
fn an_error_behind_the_claim_is_how_it_ended() {
    let said = r#"{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"<promise>COMPLETE</promise>"}]}}"#;
    let good =
        r#"{"type":"result","subtype":"success","is_error":false,"result":"<promise>COMPLETE</promise>"}"#;
    for error in [
        r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
        r#"{"type":"error","message":"the stream broke"}"#,
        r#"{"type":"error"}"#,
    ] {
        for harness in [
            adapter("claude").unwrap().harness(AdapterOptions::new("/opt/agents/claude")),
            Box::new(generic(OutputFormat::StreamJson)),
        ] {
            let name = harness.name();
            assert!(read(harness.as_ref(), PROMPT, [said, error]).1.error.is_some(), "{name}: {error}");
            assert!(read(harness.as_ref(), PROMPT, [said, good, error]).1.error.is_some(), "{name}: {error}");
            let overcome = read(harness.as_ref(), PROMPT, [error, said, good]).1;
            assert_eq!((overcome.error.clone(), claim(&overcome)), (None, Claim::Promise), "{name}: {error}");
        }
    }
}
