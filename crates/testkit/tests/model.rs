//! The scripted model over the wire: every service, every trouble.
#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use loopwright_testkit::model::{Call, Rule, Script, Server, Status, StreamPosition, Trouble, Turn};
use serde_json::{Value, json};

const SAID: &str = "All is done: <promise>COMPLETE</promise> 你好";

/// Sends a request and reads until the server has no more to say.
fn send(server: &Server, head: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(server.url().trim_start_matches("http://")).unwrap();
    stream.set_read_timeout(Some(Duration::from_millis(500))).unwrap();
    let length = body.len();
    write!(
        stream,
        "{head} HTTP/1.1\r\nconnection: close\r\nx-api-key: secret\r\ncontent-length: {length}\r\n\r\n{body}"
    )
    .unwrap();
    let mut bytes = Vec::new();
    let mut piece = [0; 65_536];
    while let Ok(count @ 1..) = stream.read(&mut piece) {
        bytes.extend_from_slice(&piece[..count]);
        if bytes.ends_with(b"0\r\n\r\n") {
            break;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn ask(server: &Server, path: &str, body: &Value) -> String {
    send(server, &format!("POST {path}"), &body.to_string())
}

/// The same question to each of the four services, and how their texts are marked in events.
fn questions() -> [(&'static str, Value, &'static str); 4] {
    let tool = json!({ "type": "function", "name": "write", "function": { "name": "write" } });
    let messages = json!([{ "role": "user", "content": "Greet me" }]);
    let declared = json!([{ "functionDeclarations": [{ "name": "write_file" }] }]);
    let contents = json!([{ "role": "user", "parts": [{ "text": "Greet me" }] }]);
    [
        (
            "/v1/messages",
            json!({ "model": "m", "stream": true, "tools": [tool], "messages": messages }),
            "text",
        ),
        (
            "/v1/responses",
            json!({ "model": "m", "stream": true, "tools": [tool], "input": messages }),
            "delta",
        ),
        (
            "/v1/chat/completions",
            json!({ "model": "m", "stream": true, "tools": [tool], "messages": messages }),
            "content",
        ),
        (
            "/v1beta/models/m:streamGenerateContent",
            json!({ "tools": declared, "contents": contents }),
            "text",
        ),
    ]
}

/// Every text under `field` in the events, joined.
fn joined(answer: &str, field: &str) -> String {
    let events = answer.lines().filter_map(|line| line.strip_prefix("data: "));
    events
        .filter_map(|data| serde_json::from_str(data).ok())
        .map(|event: Value| pieces(&event, field))
        .collect()
}

fn pieces(value: &Value, field: &str) -> String {
    let is_repeat = value["type"].as_str().is_some_and(is_repeat);
    match value {
        Value::Object(fields) if !is_repeat => {
            let text = fields.get(field).and_then(Value::as_str).unwrap_or_default();
            let inner = fields.values().filter(|value| !value.is_string()).map(|value| pieces(value, field));
            inner.fold(text.to_owned(), |all, more| all + &more)
        }
        Value::Array(values) => values.iter().map(|value| pieces(value, field)).collect(),
        _ => String::new(),
    }
}

/// Events that say again what others brought in pieces.
fn is_repeat(kind: &str) -> bool {
    kind.ends_with(".done") || kind.ends_with(".added") || kind == "response.completed"
}

#[test]
fn a_text_comes_in_pieces_from_every_service() {
    let server = Server::start(Script::from(vec![Rule::when("Greet").turns([Turn::say(SAID)])]));
    for (path, body, field) in questions() {
        let answer = ask(&server, path, &body);
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        assert_eq!(joined(&answer, field), SAID, "{path}: {answer}");
    }
    let seen = server.turns();
    assert_eq!(seen.len(), 4);
    assert!(seen.iter().all(|seen| seen.has_key && seen.prompt == "Greet me" && seen.depth == 0));
    assert!(!format!("{seen:?}").contains("secret"));
}

#[test]
fn an_answer_without_events_is_one_document() {
    let server = Server::start(Script::always([Turn::call(Call::write("a.txt", "hi")).saying("I write")]));
    for (path, mut body, _) in questions() {
        body["stream"] = json!(false);
        let path = path.replace("streamGenerateContent", "generateContent");
        let answer = ask(&server, &path, &body);
        let (head, document) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.contains("content-type: application/json"), "{head}");
        let document = serde_json::from_str::<Value>(document).unwrap().to_string();
        assert!(document.contains("I write") && document.contains("a.txt"), "{document}");
    }
}

#[test]
fn troubles_come_in_the_services_own_form() {
    for (path, body, _) in questions() {
        let limit = Status::new(429).retry_after(7).resets_in(60);
        let turns =
            [Turn::trouble(Trouble::Status(limit)).times(1), Turn::fail(401).times(1), Turn::say("fine")];
        let server = Server::start(Script::always(turns));
        let refused = ask(&server, path, &body);
        assert!(refused.starts_with("HTTP/1.1 429") && refused.contains("retry-after: 7"), "{refused}");
        assert!(refused.contains("reset") || refused.contains("retryDelay"), "{refused}");
        assert!(ask(&server, path, &body).starts_with("HTTP/1.1 401"));
        assert!(ask(&server, path, &body).starts_with("HTTP/1.1 200"));
        server.use_script(Script::always([Turn::trouble(Trouble::Overload)]));
        let overloaded = ask(&server, path, &body);
        assert!(overloaded.starts_with("HTTP/1.1 200") && overloaded.contains("verloaded"), "{overloaded}");
    }
}

#[test]
fn a_dropped_or_stalled_answer_stops_in_its_text() {
    for (path, body, field) in questions() {
        for trouble in [Trouble::Drop(StreamPosition::Text), Trouble::Stall(StreamPosition::Text)] {
            let server = Server::start(Script::always([Turn::trouble(trouble).saying(SAID)]));
            let answer = ask(&server, path, &body);
            let said = joined(&answer, field);
            assert!(!said.is_empty() && SAID.starts_with(&said) && said != SAID, "{path}: {said}");
            assert!(!answer.ends_with("0\r\n\r\n"), "{path}");
        }
    }
    let server = Server::start(Script::always([Turn::trouble(Trouble::Drop(StreamPosition::Start))]));
    let [(path, body, _), ..] = questions();
    assert_eq!(ask(&server, path, &body), "");
}

#[test]
fn what_is_asked_beside_the_model_takes_no_turn() {
    let server = Server::start(Script::always([Turn::say(SAID)]));
    assert!(send(&server, "HEAD /", "").starts_with("HTTP/1.1 200"));
    assert!(send(&server, "POST /v1/messages/count_tokens", "{}").contains("input_tokens"));
    let upgrade = "GET /v1/responses HTTP/1.1\r\nupgrade: websocket\r\nx:";
    assert!(send(&server, upgrade, "").starts_with("HTTP/1.1 426"));
    let title = json!({ "model": "m", "messages": [{ "role": "user", "content": "Title for this?" }] });
    assert!(ask(&server, "/v1/chat/completions", &title).contains("title"));
    assert!(send(&server, "POST /v1/messages", "no json").starts_with("HTTP/1.1 400"));
    assert_eq!((server.seen().len(), server.turns().len()), (5, 0));
    server.use_script(Script::always([Turn::say(SAID)]).without_tools());
    assert!(ask(&server, "/v1/chat/completions", &title).contains("promise"));
}

#[test]
fn a_script_is_read_from_json() {
    let text = r#"{ "usage": { "input": 5 }, "rules": [
        { "when": "greet", "times": 2, "turns": [
            { "trouble": { "status": { "code": 529 } }, "times": 1 },
            { "trouble": { "stall": "text" }, "say": "I beg", "times": 1 },
            { "trouble": "overload", "times": 1 },
            { "think": "hm", "call": [{ "bash": { "command": "ls" } }, { "tool": { "name": "x", "input": {} } }] },
            { "say": "done", "delay_ms": 1 } ] } ] }"#;
    let script: Script = serde_json::from_str(text).unwrap();
    assert_eq!(script.rules[0].turns.len(), 5);
    assert_eq!((script.usage.input, script.usage.output), (5, 80));
    assert!(serde_json::from_str::<Script>(r#"{ "rule": [] }"#).is_err());
}
