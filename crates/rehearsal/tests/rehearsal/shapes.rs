//! The JSON shapes: event names, order and fields as the real agent CLIs print them.

use serde_json::{Value, json};

use crate::support::Rehearsal;

/// A short piece of work: say, write, run, edit, delete, say in two pieces, report usage twice.
const WORK: &str = r#"
    { say = "I will create the file." },
    { write = "hello.txt", content = "hello\n" },
    { usage = { input = 100, cached = 40, output = 7, cost_usd = 0.25 } },
    { run = ["git", "--version"] },
    { edit = "hello.txt", find = "hello", replace = "bye" },
    { tool = "web_search", input = { query = "tea" }, output = "none", failed = true },
    { delete = "hello.txt" },
    { usage = { input = 10, output = 3, cost_usd = 0.5 } },
    { say = "All done.\n<promise>COMPLETE</promise>", parts = 2 },
"#;

fn lines(shape: &str, steps: &str) -> Vec<Value> {
    Rehearsal::of(steps).run(&["--output", shape, "the prompt"]).json()
}

/// The names of the events, with runs of the same name as they come.
fn names(lines: &[Value], name: impl Fn(&Value) -> String) -> Vec<String> {
    lines.iter().map(name).collect()
}

fn text<'a>(line: &'a Value, pointer: &str) -> &'a str {
    line.pointer(pointer).and_then(Value::as_str).unwrap_or_else(|| panic!("no text at {pointer} in {line}"))
}

fn has(line: &Value, pointers: &[&str]) {
    for pointer in pointers {
        assert!(line.pointer(pointer).is_some(), "no {pointer} in {line}");
    }
}

#[test]
fn claude_prints_one_line_per_block_and_a_result() {
    let lines = lines("claude", WORK);
    let name = |line: &Value| match text(line, "/type") {
        "system" => format!("system/{}", text(line, "/subtype")),
        kind @ ("assistant" | "user") => format!("{kind}/{}", text(line, "/message/content/0/type")),
        kind => kind.to_owned(),
    };
    let mut expected = vec!["system/init", "assistant/text"];
    expected.extend(["assistant/tool_use", "user/tool_result"].repeat(5));
    expected.extend(["assistant/text", "result"]);
    assert_eq!(names(&lines, name), expected);

    has(&lines[0], &["/cwd", "/session_id", "/tools", "/model", "/permissionMode", "/apiKeySource", "/uuid"]);
    has(&lines[1], &["/message/id", "/message/role", "/message/usage/output_tokens", "/session_id", "/uuid"]);
    let (write, result) = (&lines[2], &lines[3]);
    assert_eq!(lines[1]["message"]["id"], write["message"]["id"], "one message, one id");
    assert_ne!(write["message"]["id"], lines[4]["message"]["id"], "a tool result ends the message");
    assert_eq!(text(write, "/message/content/0/name"), "Write");
    assert!(text(write, "/message/content/0/input/file_path").ends_with("/work/hello.txt"));
    assert_eq!(write["message"]["content"][0]["id"], result["message"]["content"][0]["tool_use_id"]);
    assert_eq!(result["tool_use_result"]["type"], "create");
    let tools: Vec<&str> = [4, 6, 8, 10].map(|at| text(&lines[at], "/message/content/0/name")).into();
    assert_eq!(tools, ["Bash", "Edit", "web_search", "Bash"]);
    assert_eq!(lines[9]["message"]["content"][0]["is_error"], true);

    let result = lines.last().unwrap();
    assert_eq!(result["result"], "All done.\n<promise>COMPLETE</promise>");
    assert_eq!(
        (&result["subtype"], &result["is_error"], &result["total_cost_usd"]),
        (&json!("success"), &json!(false), &json!(0.75))
    );
    let usage = &result["usage"];
    assert_eq!(
        [&usage["input_tokens"], &usage["cache_read_input_tokens"], &usage["output_tokens"]],
        [&json!(110), &json!(40), &json!(10)]
    );
    has(result, &["/num_turns", "/modelUsage/loopwright-rehearsal/costUSD", "/permission_denials"]);
}

#[test]
fn codex_prints_items_of_one_turn() {
    let lines = lines("codex", WORK);
    let name = |line: &Value| match line.pointer("/item/type").and_then(Value::as_str) {
        Some(item) => format!("{} {item}", text(line, "/type")),
        None => text(line, "/type").to_owned(),
    };
    let mut expected = vec!["thread.started", "turn.started", "item.completed agent_message"];
    for kind in [
        ["item.started file_change", "item.completed file_change"],
        ["item.started command_execution", "item.completed command_execution"],
        ["item.started file_change", "item.completed file_change"],
        ["item.started command_execution", "item.completed command_execution"],
        ["item.started file_change", "item.completed file_change"],
    ] {
        expected.extend(kind);
    }
    expected.extend(["item.completed agent_message", "turn.completed"]);
    assert_eq!(names(&lines, name), expected);

    has(&lines[0], &["/thread_id"]);
    assert_eq!(lines[4]["item"]["changes"][0]["kind"], "add");
    let (started, completed) = (&lines[5]["item"], &lines[6]["item"]);
    assert_eq!(
        (&started["id"], &started["status"], &started["exit_code"]),
        (&completed["id"], &json!("in_progress"), &Value::Null)
    );
    assert_eq!((&completed["exit_code"], &completed["status"]), (&json!(0), &json!("completed")));
    assert!(text(completed, "/aggregated_output").starts_with("git version"));
    assert_eq!(lines[10]["item"]["status"], "failed");
    assert_eq!(lines[12]["item"]["changes"][0]["kind"], "delete");
    assert_eq!(
        lines.last().unwrap()["usage"],
        json!({ "input_tokens": 150, "cached_input_tokens": 40, "cache_write_input_tokens": 0,
                "output_tokens": 10, "reasoning_output_tokens": 0 })
    );
}

#[test]
fn gemini_echoes_the_prompt_and_cuts_messages() {
    let lines = lines("gemini", WORK);
    let name = |line: &Value| match line.get("role").and_then(Value::as_str) {
        Some(role) => format!("message/{role}"),
        None => text(line, "/type").to_owned(),
    };
    let mut expected = vec!["init", "message/user", "message/assistant"];
    expected.extend(["tool_use", "tool_result"].repeat(5));
    expected.extend(["message/assistant", "message/assistant", "result"]);
    assert_eq!(names(&lines, name), expected);

    assert!(lines.iter().all(|line| text(line, "/timestamp").ends_with('Z')));
    has(&lines[0], &["/session_id", "/model"]);
    assert_eq!(lines[1]["content"], "the prompt");
    assert_eq!(text(&lines[3], "/tool_name"), "write_file");
    assert_eq!(lines[3]["tool_id"], lines[4]["tool_id"]);
    assert_eq!(text(&lines[5], "/tool_name"), "run_shell_command");
    assert_eq!(text(&lines[7], "/tool_name"), "replace");
    assert_eq!((&lines[10]["status"], &lines[10]["error"]["message"]), (&json!("error"), &json!("none")));
    let said: String = lines[13..15].iter().map(|line| text(line, "/content")).collect();
    assert_eq!(said, "All done.\n<promise>COMPLETE</promise>");
    assert!(lines[13..15].iter().all(|line| line["delta"] == true));
    let result = lines.last().unwrap();
    assert_eq!((&result["status"], &result["stats"]["tool_calls"]), (&json!("success"), &json!(5)));
    has(result, &["/stats/models/loopwright-rehearsal/total_tokens", "/stats/duration_ms"]);
    assert_eq!(result["stats"]["total_tokens"], 160);
}

#[test]
fn opencode_prints_steps_that_finish() {
    let lines = lines("opencode", WORK);
    let name = |line: &Value| text(line, "/type").to_owned();
    let mut expected = vec!["step_start", "text", "tool_use", "step_finish"];
    expected.extend(["step_start", "tool_use", "step_finish"].repeat(4));
    expected.extend(["step_start", "text", "step_finish"]);
    assert_eq!(names(&lines, name), expected);

    let session = &lines[0]["sessionID"];
    for line in &lines {
        assert!(line["timestamp"].is_i64() && line["sessionID"] == *session, "{line}");
        has(line, &["/part/id", "/part/messageID", "/part/sessionID", "/part/type"]);
    }
    assert_eq!(text(&lines[2], "/part/tool"), "write");
    assert_eq!(text(&lines[2], "/part/state/status"), "completed");
    assert_eq!(text(&lines[5], "/part/tool"), "bash");
    assert_eq!(lines[5]["part"]["state"]["metadata"]["exit"], 0);
    assert_eq!(text(&lines[11], "/part/state/status"), "error");
    let finishes: Vec<&Value> = lines.iter().filter(|line| line["type"] == "step_finish").collect();
    let reasons: Vec<&str> = finishes.iter().map(|line| text(line, "/part/reason")).collect();
    assert_eq!(reasons, ["tool-calls", "tool-calls", "tool-calls", "tool-calls", "tool-calls", "stop"]);
    let sum =
        |pointer: &str| finishes.iter().map(|line| line.pointer(pointer).unwrap().as_f64().unwrap()).sum();
    let sums: [f64; 4] =
        ["/part/tokens/input", "/part/tokens/cache/read", "/part/tokens/output", "/part/cost"].map(sum);
    assert_eq!(sums, [110.0, 40.0, 10.0, 0.75]);
}

#[test]
fn copilot_prints_turns_of_many_events() {
    let lines = lines("copilot", WORK);
    let name = |line: &Value| text(line, "/type").to_owned();
    let head = ["assistant.turn_start", "model.call_start", "assistant.message_start"];
    let mut expected = vec!["session.mcp_servers_loaded", "session.tools_updated", "user.message"];
    expected.extend(head);
    expected.extend(["assistant.message_delta", "assistant.message", "assistant.turn_end"]);
    for _ in 0..5 {
        expected.extend(head);
        expected.extend(["assistant.message", "tool.execution_start", "tool.execution_complete"]);
        expected.push("assistant.turn_end");
    }
    expected.extend(head);
    expected.extend(["assistant.message_delta", "assistant.message_delta", "assistant.message"]);
    expected.extend(["assistant.turn_end", "assistant.idle", "result"]);
    assert_eq!(names(&lines, name), expected);

    let (result, events) = lines.split_last().unwrap();
    for event in events {
        has(event, &["/data", "/id", "/timestamp", "/parentId"]);
    }
    assert_eq!(lines[2]["data"]["content"], "the prompt");
    let of = |kind: &str| events.iter().filter(|line| line["type"] == kind).collect::<Vec<_>>();
    let tools: Vec<&str> =
        of("tool.execution_start").iter().map(|line| text(line, "/data/toolName")).collect();
    assert_eq!(tools, ["create", "bash", "edit", "web_search", "bash"]);
    let done = of("tool.execution_complete");
    assert_eq!(done[1]["data"]["shellExecution"]["exitCode"], 0);
    assert_eq!(
        (&done[3]["data"]["success"], &done[3]["data"]["error"]["message"]),
        (&json!(false), &json!("none"))
    );
    let last = of("assistant.message").into_iter().rfind(|line| line["data"]["toolRequests"] == json!([]));
    assert_eq!(last.unwrap()["data"]["content"], "All done.\n<promise>COMPLETE</promise>");
    has(result, &["/timestamp", "/sessionId", "/usage/codeChanges/filesModified"]);
    assert_eq!(result["exitCode"], 0);
}

#[test]
fn a_failed_ending_is_told_as_each_cli_tells_it() {
    let steps = "{ say = \"hm\" }, { exit = 1, message = \"API Error: 529\" },";
    let end = |shape: &str| lines(shape, steps).pop().unwrap();
    let claude = end("claude");
    assert_eq!((&claude["is_error"], &claude["result"]), (&json!(true), &json!("API Error: 529")));
    assert_eq!(end("codex"), json!({ "type": "turn.failed", "error": { "message": "API Error: 529" } }));
    let gemini = end("gemini");
    assert_eq!((&gemini["status"], &gemini["error"]["message"]), (&json!("error"), &json!("API Error: 529")));
    let opencode = end("opencode");
    assert_eq!(
        (&opencode["type"], &opencode["error"]["data"]["message"]),
        (&json!("error"), &json!("API Error: 529"))
    );
    assert_eq!(end("copilot")["exitCode"], 1);
    let copilot = lines("copilot", steps);
    assert!(copilot.iter().any(|line| line["type"] == "session.error"));
}

#[test]
fn the_shape_comes_from_the_flag_then_the_scene_then_the_scenario() {
    let scenario = "output = \"codex\"\n[[scene]]\ntask = 1\noutput = \"gemini\"\nsteps = [{ say = \"x\" }]\n\
                    [[scene]]\nsteps = [{ say = \"x\" }]\n";
    let rehearsal = Rehearsal::new(scenario);
    let first = |arguments: &[&str]| rehearsal.run(arguments).well().json()[0]["type"].clone();
    assert_eq!(first(&[]), "thread.started");
    assert_eq!(first(&["--task", "1"]), "init");
    assert_eq!(first(&["--task", "1", "--output", "opencode"]), "step_start");
}

#[test]
fn without_a_frame_only_the_steps_are_printed() {
    let rehearsal =
        Rehearsal::new("output = \"claude\"\nframe = false\n[[scene]]\nsteps = [{ say = \"x\" }]\n");
    let lines = rehearsal.run(&[]).well().json();
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0]["type"], "assistant");
}

#[test]
fn the_session_is_the_iteration_and_the_model_is_no_model() {
    let rehearsal = Rehearsal::of("{ say = \"x\" },");
    let output = rehearsal
        .command()
        .env("LOOPWRIGHT_ITERATION", "it-9")
        .args(["--output", "claude"])
        .output()
        .unwrap();
    let first: Value =
        serde_json::from_slice(output.stdout.split(|byte| *byte == b'\n').next().unwrap()).unwrap();
    assert_eq!((&first["session_id"], &first["model"]), (&json!("it-9"), &json!("loopwright-rehearsal")));
}
