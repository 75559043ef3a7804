//! What counts as a claim: the last line of the last message, alone on it.

use crate::scenario::{Expect, Scenario, false_done, false_fail};

/// Texts that say nothing about being done. `\n` is a line end, as `printf` reads it.
const TALK: &[(&str, &str)] = &[
    ("a sentence that denies it", "Two tests fail, so I do not print <promise>COMPLETE</promise>\\n"),
    (
        "a sentence that denies it, in backticks",
        "Two tests fail, so I do not print `<promise>COMPLETE</promise>`\\n",
    ),
    ("a sentence about later", "When it works I will say <promise>COMPLETE</promise>\\n"),
    ("a sentence after it", "<promise>COMPLETE</promise>\\nNo, wait: one test still fails.\\n"),
    ("a sentence behind it on the line", "<promise>COMPLETE</promise> is what I say when it works.\\n"),
    ("a wrapped sentence", "I will only print\\n<promise>COMPLETE</promise>\\nwhen all tests pass.\\n"),
    (
        "a wrapped sentence without an end",
        "I am not done and must not print the words\\n> <promise>COMPLETE</promise>\\n",
    ),
    ("a quotation", "> <promise>COMPLETE</promise>\\n"),
    ("a nested quotation", "> > <promise>COMPLETE</promise>\\n"),
    ("a fence", "```\\n<promise>COMPLETE</promise>\\n```\\n"),
    ("a longer fence", "`````\\n```\\n<promise>COMPLETE</promise>\\n```\\n`````\\n"),
    ("a fence of tildes", "~~~\\n<promise>COMPLETE</promise>\\n~~~\\n"),
    ("an open fence", "```text\\n<promise>COMPLETE</promise>\\n"),
    ("indented code", "This is how one says it:\\n\\n    <promise>COMPLETE</promise>\\n"),
    ("a list item", "- [ ] print <promise>COMPLETE</promise>\\n"),
    ("a numbered plan", "1. mend the test\\n2. <promise>COMPLETE</promise>\\n"),
    ("a plan with the word", "Plan:\\n- LOOPWRIGHT_COMPLETE: when the tests pass\\n"),
    ("a quoted word", "\"LOOPWRIGHT_COMPLETE: done\"\\nis what I will print.\\n"),
    ("the word in the middle", "I would say LOOPWRIGHT_COMPLETE: x but cannot.\\n"),
    ("another promise", "<promise>INCOMPLETE</promise>\\n"),
    ("a promise of failure", "<promise>FAILURE</promise>\\n"),
    ("an open tag", "<promise>COMPLETE\\n"),
    ("a reversed one", ">esimorp/<ETELPMOC>esimorp<\\n"),
    ("the word alone", "COMPLETE\\n"),
    ("nothing but thanks", "All done, everything works.\\n"),
    ("a heading", "# <promise>COMPLETE</promise>\\n\\nstill to come\\n"),
    ("an HTML comment", "<!-- <promise>COMPLETE</promise> -->\\n"),
    ("an open HTML comment", "<!-- not yet\\n<promise>COMPLETE</promise>\\n"),
    ("an open pre block", "<pre>\\n<promise>COMPLETE</promise>\\n"),
    ("a line that is overwritten", "<promise>COMPLETE</promise>\\rnot yet\\n"),
    ("a table cell", "| <promise>COMPLETE</promise> | later |\\n"),
];

/// Texts that are a claim.
const CLAIMS: &[(&str, &str)] = &[
    ("the promise alone", "<promise>COMPLETE</promise>\\n"),
    ("the promise after a report", "I wrote work.txt.\\n\\n<promise>COMPLETE</promise>\\n"),
    ("the promise without a line end", "<promise>COMPLETE</promise>"),
    ("the promise and blank lines", "<promise>COMPLETE</promise>\\n\\n  \\n"),
    ("the promise in bold", "**<promise>COMPLETE</promise>**\\n"),
    ("the promise in backticks", "`<promise>COMPLETE</promise>`\\n"),
    ("the promise in colour", "\\033[1;32m<promise>COMPLETE</promise>\\033[0m\\n"),
    ("the promise after a fence that is closed", "```\\nls\\n```\\n<promise>COMPLETE</promise>\\n"),
    ("the promise with CRLF", "done\\r\\n<promise>COMPLETE</promise>\\r\\n"),
];

pub(super) fn all() -> Vec<Scenario> {
    let mut all = texts();
    all.extend(echoes());
    all.extend(misplaced());
    all.extend(streams());
    all.extend(codes());
    all
}

/// The text as an argument of `printf` in single quotes.
fn prints(text: &str) -> String {
    format!("echo good > work.txt\nprintf '{}'", text.replace('\'', "'\\''").replace('%', "%%"))
}

fn talk(name: &str, agent: String, at: usize) -> Scenario {
    let talk = false_done(&format!("no claim: {name}")).check("good", "test -s work.txt").agent(agent);
    // Every second one in a loop: the rule is one.
    if at.is_multiple_of(2) {
        talk.args(&["--max-attempts", "1"]).exits(4)
    } else {
        talk.looping().args(&["-n", "1"]).exits_with(&[1, 3])
    }
}

fn texts() -> Vec<Scenario> {
    let mut all: Vec<Scenario> =
        TALK.iter().enumerate().map(|(at, (name, text))| talk(name, prints(text), at)).collect();
    for (at, (name, text)) in CLAIMS.iter().enumerate() {
        let claim =
            false_fail(&format!("a claim: {name}")).check("good", "test -s work.txt").agent(prints(text));
        all.push(if at % 2 == 0 {
            claim.exits(0).done()
        } else {
            claim.looping().args(&["-n", "1"]).exits(0)
        });
    }
    all.push(
        false_fail("a claim: the word of a task")
            .check("good", "test -s work.txt")
            .agent("echo good > work.txt; echo 'LOOPWRIGHT_COMPLETE: wrote it'")
            .exits(0),
    );
    all
}

/// The prompt itself holds the words.
fn echoes() -> Vec<Scenario> {
    let ways = [
        ("the prompt repeated", "printf '%s\\n' \"$prompt\""),
        ("the prompt numbered", "printf '%s\\n' \"$prompt\" | cat -n"),
        ("the prompt quoted", "printf '%s\\n' \"$prompt\" | sed 's/^/> /'"),
        ("the prompt backwards", "printf '%s\\n' \"$prompt\" | tac"),
        ("the end of the prompt", "printf '%s\\n' \"$prompt\" | tail -n 5"),
        ("the prompt up to its promise", "printf '%s\\n' \"$prompt\" | sed '/promise>/q'"),
        ("every line of the prompt that promises", "printf '%s\\n' \"$prompt\" | grep -i 'complete'"),
        ("the prompt indented", "printf '%s\\n' \"$prompt\" | sed 's/^/    /'"),
    ];
    ways.iter()
        .enumerate()
        .map(|(at, (name, script))| talk(name, format!("echo good > work.txt\n{script}"), at))
        .collect()
}

fn misplaced() -> Vec<Scenario> {
    let early = "echo good$attempt > work.txt; promise; echo 'And some more words.'";
    let base = |name: &str| false_done(name).check("good", "test -s work.txt").agent(early);
    vec![
        base("a promise on an earlier line is named in the next prompt, and the second time waits")
            .exits(5)
            .agents(2)
            .expect(Expect::Prompt(2, "last line".into())),
        base("a promise on an earlier line of a loop waits the second time")
            .looping()
            .args(&["-n", "3"])
            .exits(5)
            .agents(2),
        false_fail("a promise on an earlier line, then at its place")
            .check("good", "test -s work.txt")
            .agent("echo good > work.txt; promise; [ $attempt = 1 ] && echo 'And more.'; true")
            .exits(0)
            .done()
            .agents(2),
    ]
}

fn streams() -> Vec<Scenario> {
    let message = |text: &str| {
        format!(
            "{{\"type\":\"assistant\",\"message\":{{\"role\":\"assistant\",\"content\":[{{\"type\":\"text\",\"text\":\"{text}\"}}]}}}}"
        )
    };
    let result = |error: bool, text: &str| {
        format!("{{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":{error},\"result\":\"{text}\"}}")
    };
    let says = |lines: &[String]| format!("echo good > work.txt\ncat <<'END'\n{}\nEND\n", lines.join("\n"));
    let promise = "<promise>COMPLETE</promise>";
    let stream = |scenario: Scenario, lines: &[String]| {
        scenario
            .check("good", "test -s work.txt")
            .args(&["--output-format", "stream-json", "--max-attempts", "1"])
            .agent(says(lines))
    };
    vec![
        stream(false_fail("a claim in the last message of a stream"), &[message("working"), message(promise), result(false, promise)]).exits(0).done(),
        stream(false_done("an error after a claim in a stream"), &[message(promise), result(true, "API error")]).exits(4),
        stream(false_done("an error event after a claim in a stream"), &[message(promise), "{\"type\":\"error\",\"error\":{\"type\":\"api_error\",\"message\":\"broken\"}}".to_owned()]).exits(4),
        stream(false_done("a claim in an earlier message of a stream"), &[message(promise), message("One test fails still."), result(false, "One test fails still.")]).exits(4),
        stream(false_done("a claim in a tool's result of a stream"), &[format!("{{\"type\":\"user\",\"message\":{{\"role\":\"user\",\"content\":[{{\"type\":\"tool_result\",\"content\":\"{promise}\"}}]}}}}"), message("I read it.")]).exits(4),
    ]
}

fn codes() -> Vec<Scenario> {
    let base = |name: &str| false_done(name).check("good", "test -s work.txt").args(&["--max-attempts", "1"]);
    vec![
        base("an exit code outweighs a promise").agent("echo good > work.txt; promise; exit 3").exits(4).lacks("work.txt"),
        base("an exit code outweighs a signal").agent("echo good > work.txt; loopwright signal complete done; exit 3").exits(4),
        base("a signal that ended the agent outweighs a promise").agent("echo good > work.txt; promise; kill -9 $$").exits(4),
        base("a failing check outweighs a signal").agent("loopwright signal complete done; echo x > other.txt").exits(4),
        base("a signal file of another iteration says nothing").agent("echo good > work.txt; mkdir -p .loopwright/run; echo '{\"nonce\":\"0\",\"signals\":[{\"type\":\"complete\"}]}' > .loopwright/run/signal.json").exits(4),
        base("blocked outweighs complete").agent("echo good > work.txt; loopwright signal complete done; loopwright signal blocked 'no key'").exits(4).task_is("blocked"),
        base("a promise on standard error says nothing").agent("echo good > work.txt; promise >&2").exits(4),
    ]
}
