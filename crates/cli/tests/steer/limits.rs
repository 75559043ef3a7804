//! A run whose agent is at its limit, seen and steered from another terminal.

use std::process::Command;

use loopwright_testkit::eventually;

use crate::live::Live;

/// At its limit the first time, done the second.
const AGENT: &str = r#"
echo start >> "$SCENE/started"
if [ "$(wc -l < "$SCENE/started")" -eq 1 ]; then
    echo '{"type":"system","subtype":"api_retry","attempt":3,"max_retries":10,"retry_delay_ms":20000,"error_status":529,"error":"overloaded"}'
    echo '{"type":"limit","message":"five hours are used"}'
else
    echo tea > menu.txt
    echo '{"type":"result","subtype":"success","is_error":false,"result":"<promise>COMPLETE</promise>"}'
fi
"#;

fn limited(live: &Live, more: &[&str]) -> Command {
    live.outside("agent.sh", &format!("SCENE='{}'\n{AGENT}", live.sandbox.root().display()));
    let mut command = live.looping(&["--output-format", "stream-json", "-c", "limit.recheck=1h"]);
    command.args(more);
    command
}

#[test]
fn everybody_is_told_what_a_run_waits_for_and_resume_tries_at_once() {
    let live = Live::new();
    let worker = live.start(&mut limited(&live, &[]));
    eventually("the run waits", || live.status() == "waiting");
    let watcher = live.start(&mut live.command(&["watch"]));
    let run = live.last_run();
    assert_eq!((run["waiting"].as_str(), run["holds"][0]["agent"].as_str()), (Some("limit"), Some("sh")));
    let shown = live.run(&["status"]).stdout;
    assert!(shown.contains("sh rests until ") && shown.contains(" (in "), "{shown}");
    assert!(shown.contains("its account is used up for now: five hours are used"), "{shown}");
    assert!(shown.contains("Try again now (loopwright resume)"), "{shown}");
    let history = live.run(&["history"]).stdout;
    assert!(history.contains("waits until "), "{history}");
    let paused = live.run(&["pause"]);
    assert_eq!(paused.code, 0, "{paused:?}");
    eventually("the run is paused", || live.status() == "paused");
    assert_eq!(live.run(&["resume"]).stdout, "The run goes on.\n");
    eventually("the run waits again", || live.status() == "waiting");
    assert_eq!(live.run(&["resume"]).stdout, "The agent is tried again now.\n");
    let output = worker.finish();
    assert_eq!(output.code, 0, "{output:?}");
    for words in [
        "agent retry: overloaded, status 529, try 3 of 10, in 20.0s",
        "agent limit: five hours are used",
        "Iteration 1/2 stopped: the agent's account is used up for now: five hours are used",
        "Sh rests, its account is used up for now; waiting 1h00m until ",
        "Trying sh again",
    ] {
        assert!(output.stdout.contains(words), "{words}: {}", output.stdout);
    }
    let watched = watcher.finish().stdout;
    for words in ["agent retry: overloaded, status 529", "Sh rests, its account", "Paused."] {
        assert!(watched.contains(words), "{words}: {watched}");
    }
}

#[test]
fn a_waiting_run_ends_at_a_signal_and_one_that_is_to_stop_with_its_own_code() {
    let live = Live::new();
    let worker = live.start(&mut limited(&live, &[]));
    eventually("the run waits", || live.status() == "waiting");
    worker.signal(&live, "TERM");
    assert_eq!(worker.finish().code, 143);
    let shown = live.run(&["status"]).stdout;
    assert!(shown.contains("interrupted") && shown.contains("sh rests until "), "{shown}");

    let live = Live::new();
    let output = live.sandbox.run(&mut limited(&live, &["-c", "on_limit=stop"]));
    assert_eq!(output.code, 3, "{output:?}");
    assert!(output.stdout.contains("Sh cannot go on, its account is used up for now"), "{output:?}");
    assert!(output.stdout.contains("Resume with: loopwright resume"), "{output:?}");
    assert_eq!(live.run(&["resume"]).code, 0);
}

#[test]
fn where_another_agent_took_over_it_is_named() {
    let live = Live::new();
    let done =
        r#"{"type":"result","subtype":"success","is_error":false,"result":"<promise>COMPLETE</promise>"}"#;
    let init = r#"{"type":"system","subtype":"init","model":"tea-2"}"#;
    live.outside(
        "other.sh",
        &format!("cat > /dev/null\necho tea > menu.txt\necho '{init}'\necho '{done}'\n"),
    );
    let command = format!("sh {}/other.sh", live.sandbox.root().display());
    live.sandbox.write(
        ".loopwright/config.toml",
        format!("[harness.other]\ncommand = \"{command}\"\noutput_format = \"stream-json\"\n"),
    );
    assert_eq!(live.run(&["trust", "--yes"]).code, 0);
    let output = live.start(&mut limited(&live, &["-c", "fallback=other", "--dirty", "include"])).finish();
    assert_eq!(output.code, 0, "{output:?}");
    let shown = live.run(&["show"]).stdout;
    for words in ["interrupted  sh           ", "succeeded    other/tea-2  "] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    let iteration = live.run(&["show", "1"]).stdout;
    assert!(iteration.contains("  agent other/tea-2, "), "{iteration}");
    assert!(live.run(&["history"]).stdout.contains("  completed    sh  "));
}
