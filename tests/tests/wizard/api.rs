//! An OpenAI-compatible HTTP API as the wizard's agent.

use std::io::{Read, Write};
use std::net::TcpListener;

use loopwright_testkit::Output;
use loopwright_testkit::model::{Rule, Script, Server, Turn};

use crate::scene::{IDEA, SCENARIO, Scene};

/// The answers of the scenario as a model's script.
fn script() -> Script {
    let scenes = SCENARIO.split("[[scene]]").skip(1);
    let rules = scenes.filter_map(|scene| {
        let words = scene.split_once("prompt_contains = \"")?.1.split_once('"')?.0;
        let say = scene.split_once("say = '''")?.1.split_once("'''")?.0;
        Some(Rule::when(words).turns([Turn::say(say)]))
    });
    Script::from(rules.collect::<Vec<_>>()).without_tools()
}

fn plan(scene: &Scene, url: &str, more: &[&str]) -> Output {
    let mut args = vec![
        "new",
        "tea",
        "--idea",
        IDEA,
        "--yes",
        "--harness",
        "api",
        "--model",
        "tea-1",
        "--base-url",
        url,
    ];
    args.extend(more);
    scene.sandbox.run(
        scene
            .command(&args)
            .env("OPENAI_API_KEY", "no-real-key")
            .env("HTTP_PROXY", "")
            .env("NO_PROXY", "127.0.0.1"),
    )
}

#[test]
fn a_plan_is_made_through_an_api_on_loopback() {
    let scene = Scene::playing("");
    let model = Server::start(script());
    let output = plan(&scene, &format!("{}/v1", model.url()), &[]);
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(scene.json(&["-C", "tea", "task", "list", "--json"]).as_array().unwrap().len(), 2);
    let wizard = scene.wizard();
    assert!(wizard["wizard"]["usage"]["input"].as_u64().unwrap() > 0, "{wizard}");
    let mut kept = Vec::new();
    collect(scene.sandbox.root(), &mut kept);
    assert!(!kept.iter().any(|text| text.contains("no-real-key")), "the key is in no file");
}

fn collect(folder: &std::path::Path, into: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, into);
        } else if path.is_file() {
            into.extend(std::fs::read(&path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned()));
        }
    }
}

/// Reads a whole request, so that an answer is not lost with the connection.
fn read_request(stream: &mut std::net::TcpStream) -> String {
    let mut request = Vec::new();
    let mut piece = [0; 65536];
    loop {
        let count = stream.read(&mut piece).unwrap_or(0);
        request.extend_from_slice(&piece[..count]);
        let text = String::from_utf8_lossy(&request).to_lowercase();
        let Some((head, _)) = text.split_once("\r\n\r\n") else {
            if count == 0 {
                return text;
            }
            continue;
        };
        let length =
            head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
        if count == 0 || request.len() - head.len() - 4 >= length.unwrap_or(0) {
            return text;
        }
    }
}

/// A server that says the same to everybody.
fn answering(response: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            read_request(&mut stream);
            let _ = stream.write_all(response.as_bytes());
        }
    });
    url
}

fn status(line: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 {line}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
}

#[test]
fn every_trouble_of_an_api_has_its_own_code() {
    let error = r#"{"error": {"message": "so it is"}}"#;
    let cases = [
        (status("401 Unauthorized", error), "agent.login"),
        (status("404 Not Found", error), "api.model_not_found"),
        (status("429 Too Many Requests", error), "agent.limit"),
        (status("500 Internal Server Error", error), "agent.overload"),
        (status("503 Service Unavailable", "busy"), "agent.overload"),
        (status("504 Gateway Timeout", ""), "process.timeout"),
        (status("400 Bad Request", error), "api.bad_answer"),
        (status("200 OK", "<html>A login page</html>"), "api.bad_answer"),
        (status("200 OK", error), "api.bad_answer"),
    ];
    for (response, code) in cases {
        let scene = Scene::playing("");
        let output = plan(&scene, &answering(response.clone()), &["--until", "1", "--json"]);
        assert_eq!(output.code, 1, "{response}: {output:?}");
        assert!(output.stdout.contains(code), "{response}: {output:?}");
        assert!(!output.stdout.contains("no-real-key"));
    }
    let scene = Scene::playing("");
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let output = plan(&scene, &format!("http://{closed}/v1"), &["--until", "1", "--json"]);
    assert!(output.stdout.contains("api.unreachable"), "{output:?}");
    let output = plan(&scene, "ftp://nowhere", &["--until", "1", "--json"]);
    assert!(output.stdout.contains("usage.invalid"), "{output:?}");
}

#[test]
fn an_answer_that_is_not_streamed_counts_too() {
    let answer = serde_json::json!({ "choices": [{ "message": { "content": "{\"project_name\":\"Tea\",\"elevator_pitch\":\"\",\"problem_statement\":\"\",\"target_users\":[],\"success_criteria\":[],\"scope_exclusions\":[],\"sources\":[],\"remark\":\"\"}" } }],
        "usage": { "prompt_tokens": 7, "completion_tokens": 3 } });
    let scene = Scene::playing("");
    let output = plan(&scene, &answering(status("200 OK", &answer.to_string())), &["--until", "1"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(scene.wizard()["wizard"]["usage"]["output"], 3);
}

/// A proxy that tells which hosts it was asked for, and answers in their place.
fn proxy(response: String) -> (String, std::sync::mpsc::Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let line = read_request(&mut stream).lines().next().unwrap_or_default().to_owned();
            if line.starts_with("connect") {
                let _ = stream.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n");
                read_request(&mut stream);
            }
            let _ = tell.send(line);
            let _ = stream.write_all(response.as_bytes());
        }
    });
    (url, told)
}

#[test]
fn a_company_proxy_is_used_but_not_for_a_model_on_this_machine() {
    let asked = |scene: &Scene, url: &str, proxy: &str| {
        let args = ["new", "tea", "--idea", IDEA, "--yes", "--until", "1", "--json", "--harness", "api"];
        let mut command = scene.command(&args);
        command.args(["--model", "tea-1", "--base-url", url]).env("OPENAI_API_KEY", "no-real-key");
        for name in
            ["NO_PROXY", "no_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "http_proxy"]
        {
            command.env_remove(name);
        }
        scene.sandbox.run(command.env("HTTP_PROXY", proxy))
    };
    let (url, told) = proxy(status("429 Too Many Requests", "{}"));
    let output = asked(&Scene::playing(""), "http://model.invalid/v1", &url);
    assert!(output.stdout.contains("agent.limit"), "{output:?}");
    assert!(told.try_recv().is_ok_and(|line| line.contains("model.invalid")), "the proxy was asked");
    let output = asked(&Scene::playing(""), &answering(status("503 Service Unavailable", "")), &url);
    assert!(output.stdout.contains("agent.overload"), "{output:?}");
    assert!(told.try_recv().is_err(), "loopback goes past the proxy");
}
