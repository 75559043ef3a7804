//! Output that is broken, hostile, or without end.

use loopwright_agents::{Harness, OutputStream};
use loopwright_domain::{AgentEvent, Claim, OutputFormat};

use crate::support::{PROMPT, claim, generic, read, request, stream};

const DONE: &str =
    r#"{"type":"result","subtype":"success","is_error":false,"result":"<promise>COMPLETE</promise>"}"#;

#[test]
fn an_event_inside_another_line_is_found() {
    let whole = r#"{"type":"turn.started"}"#;
    for line in [
        format!("npm warn deprecated {DONE}"),
        format!(r#"{{"type":"assistant","message":{{"content":[{{"type":"te{DONE}"#),
        format!("{whole}{DONE}"),
        format!("{whole} {DONE}"),
        format!("data: {whole}{DONE}"),
        format!("\u{1b}[2K{DONE}"),
    ] {
        let (_, parsed) = stream(&[&line]);
        assert_eq!(claim(&parsed), Claim::Promise, "{line}");
    }
}

#[test]
fn a_part_of_a_broken_event_is_no_event() {
    for line in [
        r#"{"type":"user","message":{"role":"user","content":[{"type":"text","text":"<promise>COMPLETE</promise>"}"#,
        r#"{"type":"user","message":{"role":"user","content":[{"type":"text","text":"<promise>COMPLETE</promise>"}]"#,
        r#"{"type":"item.completed","item":{"type":"agent_message","text":"<promise>COMPLETE</promise>"}"#,
        r#"noise {"text":"<promise>COMPLETE</promise>"}"#,
        r#"{"type":"tool_result","tool_id":"x","output":"{\"type\":\"result\",\"is_error\":false,\"result\":\"<promise>COMPLETE</promise>\"}"#,
    ] {
        let (_, parsed) = stream(&[line]);
        assert_eq!((claim(&parsed), parsed.unknown), (Claim::None, 1), "{line}");
    }
}

#[test]
fn half_a_character_loses_no_claim() {
    let line = r#"{"type":"result","subtype":"success","is_error":false,"result":"all \ud83d done\n<promise>COMPLETE</promise>"}"#;
    let (_, reading) = stream(&[line]);
    assert_eq!((claim(&reading), reading.unknown), (Claim::Promise, 0));
    assert!(reading.own_text.contains("all \u{fffd} done"), "{}", reading.own_text);
}

#[test]
fn bombs_are_read_as_unknown() {
    let deep = "[".repeat(100_000);
    let deep_objects = r#"{"type":"a","b":"#.repeat(50_000);
    let starts = r#"{"type":""#.repeat(100_000);
    let number = format!(r#"{{"type":"result","is_error":false,"total_cost_usd":1{}}}"#, "0".repeat(5000));
    let twice = r#"{"type":"message","type":"user","text":"<promise>COMPLETE</promise>","text":"no"}"#;
    for line in [deep.as_str(), &deep_objects, &starts, &number, twice, "123", "null", "\"text\"", "{}", "[]"]
    {
        let (_, parsed) = stream(&[line, DONE]);
        assert_eq!(claim(&parsed), Claim::Promise, "{}", &line[..line.len().min(60)]);
    }
    assert_eq!(claim(&stream(&[twice]).1), Claim::None);
}

#[test]
fn bytes_that_are_no_text_stay_readable() {
    let line = b"{\"type\":\"message\",\"text\":\"caf\xe9\"}".as_slice();
    let (_, parsed) = read(&generic(OutputFormat::StreamJson), PROMPT, [line]);
    assert_eq!(parsed.own_text, "caf\u{fffd}");
    let (_, text) = read(&generic(OutputFormat::Text), PROMPT, [b"caf\xe9\r".as_slice()]);
    assert_eq!(text.own_text, "caf\u{fffd}");
}

/// 16 MB of words: memory stays near the limit, and the end is what counts.
#[test]
fn endless_words_keep_their_end() {
    let words = "word ".repeat(200_000);
    let piece = format!(r#"{{"type":"message","role":"assistant","content":"{words}","delta":true}}"#);
    for (format, line) in [(OutputFormat::Text, words.as_str()), (OutputFormat::StreamJson, &piece)] {
        let harness = generic(format);
        let mut parser = harness.output_parser(&request(PROMPT));
        for _ in 0..16 {
            parser.line(OutputStream::Stdout, line.as_bytes());
        }
        let last =
            r#"{"type":"message","role":"assistant","content":"\n<promise>COMPLETE</promise>","delta":true}"#;
        let last = if format == OutputFormat::Text { "<promise>COMPLETE</promise>" } else { last };
        parser.line(OutputStream::Stdout, last.as_bytes());
        let parsed = parser.finish(Some(0));
        assert!(parsed.cut && parsed.own_text.len() < 9_000_000, "{}", parsed.own_text.len());
        assert_eq!(claim(&parsed), Claim::Promise);
    }
}

#[test]
fn a_cut_echo_of_the_prompt_is_still_an_echo() {
    let prompt = format!("{}{PROMPT}", "Read this first.\n".repeat(270_000));
    let chatter = "x".repeat(7999);
    let harness = generic(OutputFormat::Text);
    let mut parser = harness.output_parser(&request(&prompt));
    prompt.lines().for_each(|line| drop(parser.line(OutputStream::Stdout, line.as_bytes())));
    // Enough for the beginning of the echo to be dropped, and not its end.
    for _ in 0..(4 * 1024 * 1024 / 8000) {
        parser.line(OutputStream::Stdout, chatter.as_bytes());
    }
    let parsed = parser.finish(Some(0));
    assert_eq!((parsed.cut, claim(&parsed)), (true, Claim::None));
}

#[test]
fn a_line_that_was_left_out_parts_what_is_around_it() {
    let harness = generic(OutputFormat::StreamJson);
    let mut parser = harness.output_parser(&request(PROMPT));
    let piece =
        |text: &str| format!(r#"{{"type":"message","role":"assistant","content":"{text}","delta":true}}"#);
    parser.line(OutputStream::Stdout, piece("I shall print ").as_bytes());
    parser.oversize(OutputStream::Stdout, 10_000_000);
    let events = parser.line(OutputStream::Stdout, piece("and more").as_bytes());
    assert_eq!(events, [AgentEvent::Message { text: "and more".into(), continues: false }]);
    assert_eq!(parser.finish(Some(0)).own_text, "I shall print \nand more");
}
