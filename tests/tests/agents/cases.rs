//! The cases that hold for every agent CLI.

use std::process::Stdio;

use loopwright_testkit::eventually;
use loopwright_testkit::model::{Call, Rule, Script, Status, StreamPosition, Trouble, Turn};
use serde_json::json;

use crate::cli::{Bounds, Cli};
use crate::scene::{PROMPT, Scene};

const DONE: &str = "All is done.\n<promise>COMPLETE</promise>";
/// What nobody tells the model.
const REMEMBERED: &str = "The last talk decided on zebra stripes.";

fn greets() -> [Turn; 3] {
    [
        Turn::call(Call::write("hello.txt", "Hello!\n")).saying("I write it."),
        Turn::call(Call::bash("cat hello.txt")),
        Turn::say(DONE),
    ]
}

pub(crate) fn edits_a_file_and_completes(cli: &'static Cli) {
    let scene = Scene::new(cli, Script::always(greets()));
    let output = scene.work(PROMPT, &["--max-iterations", "2"]);
    assert_eq!(output.code, 0, "{output:?}\n{:?}", scene.model.seen());
    assert_eq!(scene.read("hello.txt").as_deref().map(str::trim_end), Some("Hello!"));
    let iteration = scene.iteration(1);
    assert_eq!(iteration["outcome"], "succeeded", "{iteration}");
    assert_eq!(iteration["claim"], "promise", "{iteration}");
    let written = iteration["usage"]["output"].as_u64();
    // Some CLIs count what they ask aside, for a title, as well.
    assert!(
        written.is_some_and(|tokens| (240..=246).contains(&tokens)),
        "every answer counts once: {iteration}"
    );
    assert!(scene.model.turns().iter().all(|seen| seen.prompt.contains(PROMPT)));
    assert!(scene.is_alone());
}

/// The wizard asks it for the first three phases, with a schema where it takes one. It reads only.
pub(crate) fn makes_a_plan(cli: &'static Cli) {
    let vision = json!({
        "project_name": "Tea", "elevator_pitch": "A menu.", "problem_statement": "Guests cannot see it.",
        "target_users": ["Guests"], "success_criteria": [], "scope_exclusions": [],
        "sources": [{ "path": "problem_statement", "from": "words", "document": "", "quote": "guests see the menu", "file": "" }],
        "remark": "",
    });
    let functionality = json!({
        "features": [{ "id": "", "name": "Menu", "description": "Lists teas.", "priority": "must" }],
        "later": [], "workflows": [], "sources": [], "remark": "",
    });
    let answers = vec![
        Rule::when("# Vision, phase 1 of 9").turns([Turn::say(vision.to_string())]),
        Rule::when("# Functionality, phase 2 of 9")
            .turns([Turn::say(format!("Here:\n```json\n{functionality}\n```"))]),
    ];
    let scene = Scene::new(cli, answers);
    let mut args =
        vec!["new", "tea", "--idea", "Let guests see the menu.", "--yes", "--until", "2", "--json"];
    args.extend(["--harness", cli.name]);
    if let Some(model) = cli.model {
        args.extend(["--model", model]);
    }
    let output = scene.run(&args);
    assert_eq!(output.code, 0, "{output:?}\n{:?}", scene.model.seen());
    let shown = scene.ok(&["wizard", "list", "--json"]);
    assert!(shown.stdout.contains("\"accepted\": 2"), "{shown:?}");
    assert_eq!(scene.read("tea/.loopwright/config.toml"), None, "nothing is written before the end");
    assert!(scene.is_alone());
}

/// For a CLI without tools, which applies what the model writes down.
pub(crate) fn edits_by_text(cli: &'static Cli) {
    let block = "hello.txt\n```\nHello!\n```";
    let scene = Scene::new(cli, Script::always([Turn::say(format!("{block}\n\n{DONE}"))]));
    let output = scene.work(PROMPT, &["--max-iterations", "1"]);
    assert_eq!(output.code, 0, "{output:?}\n{:?}", scene.model.seen());
    assert_eq!(scene.read("hello.txt").as_deref().map(str::trim_end), Some("Hello!"));
}

pub(crate) fn two_iterations_to_success(cli: &'static Cli) {
    let first = [Turn::call(Call::write("notes.txt", "begun\n")), Turn::say("The rest comes later.")];
    let rules = vec![Rule::any().times(1).turns(first), Rule::any().turns(greets())];
    let scene = Scene::new(cli, rules);
    scene.plant_memory(REMEMBERED);
    let output = scene.work(PROMPT, &["--max-iterations", "3"]);
    assert_eq!(output.code, 0, "{output:?}");
    let reminded = scene.model.seen().into_iter().find(|seen| seen.body.contains(REMEMBERED));
    assert!(reminded.is_none(), "an earlier talk is remembered: {reminded:?}");
    assert_eq!(scene.iteration(1)["claim"], "none");
    assert_eq!(scene.iteration(2)["claim"], "promise");
    let beginnings = scene.beginnings();
    assert_eq!(beginnings.len(), 2, "{beginnings:?}");
    assert!(beginnings.iter().all(|seen| seen.earlier == 0), "nothing crosses iterations: {beginnings:?}");
    assert_ne!(scene.iteration(1)["agent"]["session"], scene.iteration(2)["agent"]["session"]);
}

pub(crate) fn false_completion(cli: &'static Cli) {
    let scene = Scene::new(cli, Script::always([Turn::say(DONE)]));
    scene.ok(&["check", "add", "greeting", "test -f hello.txt"]);
    let output = scene.work(PROMPT, &["--max-iterations", "1", "--dirty", "include"]);
    assert_ne!(output.code, 0, "{output:?}");
    let iteration = scene.iteration(1);
    assert_eq!(iteration["claim"], "promise", "{iteration}");
    assert_eq!(
        (&iteration["outcome"], &iteration["cause"]),
        (&json!("failed"), &json!("checks")),
        "{iteration}"
    );
}

pub(crate) fn login_refused(cli: &'static Cli) {
    let scene = Scene::new(cli, Script::always([Turn::fail(401)]));
    let output = scene.work(PROMPT, &["--max-iterations", "3"]);
    assert_ne!(output.code, 0, "{output:?}");
    let iteration = scene.iteration(1);
    assert_eq!(iteration["agent"]["problem"]["kind"], "login", "{iteration}");
}

pub(crate) fn usage_limit(cli: &'static Cli) {
    limited(cli, &[]);
}

/// What tells of it is there in our sandbox too.
pub(crate) fn usage_limit_in_the_sandbox(cli: &'static Cli) {
    limited(cli, &["-c", "sandbox=on"]);
}

/// The run stops at once and knows why, and the iteration counts for nothing.
fn limited(cli: &'static Cli, more: &[&str]) {
    let status = Status::new(429).retry_after(3_600).resets_in(3_600);
    let scene = Scene::new(cli, Script::always([Turn::trouble(Trouble::Status(status))]));
    let silence = idle_after(cli);
    let limits = ["--max-iterations", "1", "-c", "on_limit=stop", "-c", &silence];
    let output = scene.work(PROMPT, &[&limits[..], more].concat());
    assert_ne!(output.code, 0, "{output:?}");
    assert!(!scene.beginnings().is_empty(), "{output:?}");
    let iteration = scene.iteration(1);
    let kind = &iteration["agent"]["problem"]["kind"];
    assert!(kind == "usage_limit" || kind == "rate_limit", "{iteration}");
    assert_eq!(
        (&iteration["outcome"], &iteration["cause"]),
        (&json!("interrupted"), &json!("limit")),
        "{iteration}"
    );
}

/// The script that Node loads for us is there for the CLI alone.
pub(crate) fn commands_inherit_no_script_of_ours(cli: &'static Cli) {
    // The key among the variables would be a secret in the work, which waits for a person.
    let look = Turn::call(Call::bash("env | grep -e ^LOOPWRIGHT_RUN= -e ^NODE_OPTIONS= > seen.txt"));
    let scene = Scene::new(cli, Script::always([look, Turn::say(DONE)]));
    let output = scene.work(PROMPT, &["--max-iterations", "1"]);
    assert_eq!(output.code, 0, "{output:?}\n{:?}", scene.model.seen());
    let seen = scene.read("seen.txt").unwrap();
    assert!(seen.contains("LOOPWRIGHT_RUN=") && !seen.contains("NODE_OPTIONS"), "{seen}");
}

pub(crate) fn overload_passes(cli: &'static Cli) {
    let turns = [Turn::fail(529).times(1)].into_iter().chain(greets());
    let scene = Scene::new(cli, Script::always(turns));
    let output = scene.work(PROMPT, &["--max-iterations", "1"]);
    assert_eq!(output.code, 0, "{output:?}\n{:?}", scene.model.seen());
    assert_eq!(scene.read("hello.txt").as_deref().map(str::trim_end), Some("Hello!"));
}

pub(crate) fn stall(cli: &'static Cli) {
    let stalls = Turn::trouble(Trouble::Stall(StreamPosition::Text))
        .saying("I begin, and then I say nothing any more.");
    let scene = Scene::new(cli, Script::always([stalls]));
    let output = scene.work(PROMPT, &["--max-iterations", "1", "-c", &idle_after(cli)]);
    assert_ne!(output.code, 0, "{output:?}");
    assert!(!scene.beginnings().is_empty(), "it was ended before it began: {output:?}");
    let iteration = scene.iteration(1);
    assert_eq!(iteration["cause"], "idle_timeout", "{iteration}");
    alone_soon(&scene);
}

pub(crate) fn tool_that_outlives_a_kill(cli: &'static Cli) {
    let sleeps = Turn::call(Call::bash("touch begun.txt; sleep 600"));
    // Some CLIs go on after a while and leave the command in the background.
    let scene =
        Scene::new(cli, Script::always([sleeps, Turn::trouble(Trouble::Stall(StreamPosition::Start))]));
    let mut run = scene.working(PROMPT, &["--max-iterations", "1"]).stdout(Stdio::null()).spawn().unwrap();
    eventually("the command runs", || scene.read("begun.txt").is_some());
    scene.ok(&["cancel"]);
    assert_eq!(run.wait().unwrap().code(), Some(130));
    let iteration = scene.iteration(1);
    assert_eq!(iteration["outcome"], "interrupted", "{iteration}");
    alone_soon(&scene);
}

/// What was told before the agent was ended counts, though its own sum never came.
pub(crate) fn what_was_used_counts_without_a_sum(cli: &'static Cli) {
    let sleeps = Turn::call(Call::bash("touch begun.txt; sleep 600"));
    let turns = [Turn::call(Call::bash("echo one > one.txt")), sleeps];
    let scene = Scene::new(cli, Script::always(turns));
    let mut run = scene.working(PROMPT, &["--max-iterations", "1"]).stdout(Stdio::null()).spawn().unwrap();
    eventually("the second command runs", || scene.read("begun.txt").is_some());
    scene.ok(&["cancel"]);
    assert_eq!(run.wait().unwrap().code(), Some(130));
    let used = &scene.iteration(1)["usage"];
    let tokens = |kind: &str| used[kind].as_u64().unwrap();
    assert!(tokens("input") >= 1_200 && tokens("cache_read") >= 1_000, "{used}");
    assert!(tokens("input") <= 2 * 1_250 && tokens("output") <= 2 * 85, "no answer counts twice: {used}");
}

/// Which of its models answered, how often, and what that costs, of a CLI that chooses by itself.
pub(crate) fn model_and_turns_are_known(cli: &'static Cli) {
    let scene = Scene::new(cli, Script::always(greets()));
    let output = scene.work(PROMPT, &["--max-iterations", "1"]);
    assert_eq!(output.code, 0, "{output:?}\n{:?}", scene.model.seen());
    let iteration = scene.iteration(1);
    let asked = scene.beginnings().pop().unwrap().model;
    assert_eq!(iteration["agent"]["model"], asked, "{iteration}");
    assert_eq!(iteration["agent"]["turns"], 3, "{iteration}");
    assert!(iteration["usage"]["cost_micros"].as_u64().is_some_and(|cost| cost > 0), "{iteration}");
}

/// At a limit the next on the list takes over, in the same run.
pub(crate) fn hands_over_at_a_limit(cli: &'static Cli) {
    let other = cli.other_model.unwrap();
    let status = Status::new(429).retry_after(3_600).resets_in(3_600);
    let refused = Rule::any().turns([Turn::trouble(Trouble::Status(status))]);
    let scene = Scene::new(cli, vec![Rule::any().model(other).turns(greets()), refused]);
    let list = format!("fallback=[\"{}/{other}\"]", cli.name);
    let output = scene.work(PROMPT, &["--max-iterations", "1", "-c", "on_limit=fallback", "-c", &list]);
    assert_eq!(output.code, 0, "{output:?}\n{:?}", scene.model.seen());
    assert_eq!(scene.read("hello.txt").as_deref().map(str::trim_end), Some("Hello!"));
    let models: Vec<String> = scene.beginnings().into_iter().map(|seen| seen.model).collect();
    assert_eq!(models.last().map(String::as_str), Some(other), "{models:?}");
    assert_ne!(models[0], other);
}

pub(crate) fn prompt_of_300_kb(cli: &'static Cli) {
    let scene = Scene::new(cli, Script::always(greets()));
    let long = format!("{PROMPT}\n\n{}", "All work and no play makes a long prompt. ".repeat(7_200));
    let output = scene.work(&long, &["--max-iterations", "1"]);
    assert_eq!(output.code, 0, "{output:?}");
    let longest = scene.model.turns().iter().map(|seen| seen.prompt_bytes).max();
    assert!(longest.is_some_and(|bytes| bytes > 300_000), "{longest:?}");
}

pub(crate) fn unicode(cli: &'static Cli) {
    let text = "Grüße, 你好, שלום, 🎉 and a quote: \"'`$HOME\\\n";
    let turns = [Turn::call(Call::write("grüße 你好.txt", text)), Turn::say(format!("Gut! 🎉 {DONE}"))];
    let scene = Scene::new(cli, Script::always(turns));
    let prompt = format!("{PROMPT} Schreibe „Grüße“ und 你好 🎉.");
    let output = scene.work(&prompt, &["--max-iterations", "1"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(scene.read("grüße 你好.txt").as_deref().map(str::trim_end), Some(text.trim_end()));
    assert!(scene.model.turns().iter().all(|seen| seen.prompt.contains("Schreibe „Grüße“ und 你好 🎉.")));
    assert!(scene.iteration(1)["preview"].as_str().unwrap().contains("Gut! 🎉"));
}

/// The report that all is done: by our tool, or by the command where the model does not see our tools.
fn report(cli: &Cli) -> Call {
    if cli.has_tools {
        Call::tool("report_complete", json!({ "summary": "It is written." }))
    } else {
        Call::bash("loopwright signal complete 'It is written.'")
    }
}

pub(crate) fn signal_by_mcp(cli: &'static Cli) {
    let written = Turn::call(Call::write("hello.txt", "Hello!\n"));
    let reported = Turn::call(report(cli));
    let scene = Scene::new(cli, Script::always([written, reported, Turn::say("I reported it.")]));
    let output = scene.work(PROMPT, &["--max-iterations", "1"]);
    assert_eq!(output.code, 0, "{output:?}\n{:?}", scene.model.seen());
    let iteration = scene.iteration(1);
    assert_eq!(iteration["claim"], "signal", "{iteration}");
}

/// In our sandbox it works and reports as outside, and writes nowhere else.
pub(crate) fn works_in_the_sandbox(cli: &'static Cli) {
    let turns = [
        Turn::call(Call::write("hello.txt", "Hello!\n")),
        Turn::call(Call::bash(
            "echo planted > \"$HOME/planted.txt\"; echo planted >> .git/hooks/post-commit",
        )),
        Turn::call(report(cli)),
        Turn::say("I reported it."),
    ];
    let scene = Scene::new(cli, Script::always(turns));
    let output = scene.work(PROMPT, &["--max-iterations", "1", "-c", "sandbox=on"]);
    assert_eq!(output.code, 0, "{output:?}\n{:?}", scene.model.seen());
    let iteration = scene.iteration(1);
    assert_eq!(iteration["agent"]["confinement"], "sandbox", "{iteration}");
    assert_eq!(iteration["claim"], "signal", "{iteration}");
    assert_eq!(scene.read("hello.txt").as_deref().map(str::trim_end), Some("Hello!"));
    let told = output.stdout + &output.stderr;
    assert!(!told.contains("while the agent worked"), "its first start is no alarm: {told}");
    assert_eq!(scene.read("../home/planted.txt"), None);
    assert_eq!(scene.read(".git/hooks/post-commit"), None);
}

/// In `plan` our sandbox holds the project: commands run there, and change nothing.
pub(crate) fn plans_in_the_sandbox(cli: &'static Cli) {
    let look =
        "echo planted > hello.txt; touch \"$TMPDIR/looked\" && echo it ran > .loopwright/run/looked.txt";
    let scene = Scene::new(cli, Script::always([Turn::call(Call::bash(look)), Turn::say(DONE)]));
    let output = scene.work(PROMPT, &["--max-iterations", "1", "-c", "sandbox=on", "--automation", "plan"]);
    assert_eq!(output.code, 0, "{output:?}\n{:?}", scene.model.seen());
    assert_eq!(scene.read(".loopwright/run/looked.txt").as_deref(), Some("it ran\n"));
    assert_eq!(scene.read("hello.txt"), None);
}

pub(crate) fn permission_denied(cli: &'static Cli) {
    for bounds in cli.bounds {
        denied_by(cli, *bounds);
    }
}

/// Who was denied and claims to be done all the same is not believed.
fn denied_by(cli: &'static Cli, bounds: Bounds) {
    let (said, automation) = match bounds {
        Bounds::ReadOnly => ("I may not.", "plan"),
        Bounds::Sandbox => (DONE, "auto"),
        Bounds::Denied(_) => (DONE, "yolo"),
        Bounds::Told | Bounds::Without(..) => (DONE, cli.automation),
    };
    let scene =
        Scene::new(cli, Script::always([Turn::call(Call::write("../beside.txt", "x\n")), Turn::say(said)]));
    scene.set_bounds(bounds);
    let output = scene.work(PROMPT, &["--max-iterations", "1", "--automation", automation]);
    assert_ne!(output.code, 0, "{output:?}");
    assert_eq!(scene.read("../beside.txt"), None);
    let iteration = scene.iteration(1);
    if bounds != Bounds::ReadOnly {
        assert_eq!(
            (&iteration["outcome"], &iteration["cause"]),
            (&json!("failed"), &json!("denied")),
            "{iteration}"
        );
        assert!(!iteration["agent"]["denied"].as_array().unwrap().is_empty(), "{iteration}");
    }
}

/// What it refuses before it runs, and what its sandbox stops, are denials all the same.
pub(crate) fn refused_before_it_runs(cli: &'static Cli) {
    for call in [
        Call::bash("touch .git/planted"),
        Call::bash("rm -rf ../home/planted"),
        Call::tool("apply_patch", json!("*** Begin Patch\n*** Add File: ../beside.txt\n+x\n*** End Patch\n")),
    ] {
        let told = format!("{call:?}");
        let scene = Scene::new(cli, Script::always([Turn::call(call), Turn::say(DONE)]));
        let output = scene.work(PROMPT, &["--max-iterations", "1", "--automation", "auto"]);
        assert_ne!(output.code, 0, "{told}: {output:?}");
        assert_eq!(scene.iteration(1)["cause"], "denied", "{told}: {}", scene.iteration(1));
    }
}

/// What its events leave out is read from its log, and nothing of that reaches its commands.
pub(crate) fn tells_aside(cli: &'static Cli) {
    let helper =
        Call::tool("spawn_agent", json!({ "message": "Help.", "task_name": "h", "fork_turns": "none" }));
    let wait = Call::tool("wait_agent", json!({ "timeout_ms": 20_000 }));
    let own = [
        Turn::call(Call::bash("printf '%s' \"[$RUST_LOG]\" > hello.txt")),
        Turn::call(helper),
        Turn::call(wait),
        Turn::say(DONE),
    ];
    let helped = Rule::any().turns([Turn::say("Helped.")]);
    let scene = Scene::new(cli, vec![Rule::when(PROMPT).turns(own), helped]);
    let output = scene.work(PROMPT, &["--max-iterations", "1"]);
    assert_eq!(output.code, 0, "{output:?}\n{:?}", scene.model.seen());
    assert_eq!(scene.read("hello.txt").as_deref(), Some("[]"));
    let iteration = scene.iteration(1);
    let model = iteration["agent"]["model"].as_str().unwrap_or_default();
    assert!(!model.is_empty(), "{iteration}");
    let told = output.stdout.contains(&format!("its model {model} has no price"));
    assert!(told || !iteration["usage"]["cost_micros"].is_null(), "{output:?}");
    assert_eq!(iteration["agent"]["turns"], 4, "{iteration}");
    assert_eq!(iteration["usage"]["output"], 5 * 80, "its helper's answer counts too: {iteration}");
}

/// The setting that ends the agent for its silence, once it must have begun.
fn idle_after(cli: &Cli) -> String {
    format!("agent.idle_timeout={}", cli.start)
}

/// Whoever was ended may need a moment until it is gone.
fn alone_soon(scene: &Scene) {
    eventually("nothing is left running", || scene.is_alone());
}
