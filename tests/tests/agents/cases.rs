//! The cases that hold for every agent CLI.

use std::time::{Duration, Instant};

use loopwright_testkit::model::{Call, Place, Rule, Script, Status, Trouble, Turn};
use serde_json::json;

use crate::cli::{Bounds, Cli};
use crate::scene::{PROMPT, Scene};

const DONE: &str = "All is done. <promise>COMPLETE</promise>";

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

pub(crate) fn two_iterations_to_success(cli: &'static Cli) {
    let first = [Turn::call(Call::write("notes.txt", "begun\n")), Turn::say("The rest comes later.")];
    let rules = vec![Rule::any().times(1).turns(first), Rule::any().turns(greets())];
    let scene = Scene::new(cli, rules);
    let output = scene.work(PROMPT, &["--max-iterations", "3"]);
    assert_eq!(output.code, 0, "{output:?}");
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
    let status = Status::new(429).retry_after(3_600).resets_in(3_600);
    let scene = Scene::new(cli, Script::always([Turn::trouble(Trouble::Status(status))]));
    let output = scene.work(PROMPT, &["-c", "on_limit=stop", "-c", "agent.idle_timeout=15s"]);
    assert_ne!(output.code, 0, "{output:?}");
    let iteration = scene.iteration(1);
    let kind = &iteration["agent"]["problem"]["kind"];
    assert!(kind == "usage_limit" || kind == "rate_limit", "{iteration}");
}

pub(crate) fn overload_passes(cli: &'static Cli) {
    let turns = [Turn::fail(529).times(1)].into_iter().chain(greets());
    let scene = Scene::new(cli, Script::always(turns));
    let output = scene.work(PROMPT, &["--max-iterations", "1"]);
    assert_eq!(output.code, 0, "{output:?}\n{:?}", scene.model.seen());
    assert_eq!(scene.read("hello.txt").as_deref().map(str::trim_end), Some("Hello!"));
}

pub(crate) fn stall(cli: &'static Cli) {
    let stalls =
        Turn::trouble(Trouble::Stall(Place::Text)).saying("I begin, and then I say nothing any more.");
    let scene = Scene::new(cli, Script::always([stalls]));
    let output = scene.work(PROMPT, &["--max-iterations", "1", "-c", "agent.idle_timeout=12s"]);
    assert_ne!(output.code, 0, "{output:?}");
    let iteration = scene.iteration(1);
    assert!(["idle_timeout", "start_timeout"].contains(&iteration["cause"].as_str().unwrap()), "{iteration}");
    alone_soon(&scene);
}

pub(crate) fn tool_that_outlives_a_kill(cli: &'static Cli) {
    let sleeps = Turn::call(Call::bash("touch begun.txt; sleep 600"));
    let scene = Scene::new(cli, Script::always([sleeps, Turn::say(DONE)]));
    let output = scene.work(PROMPT, &["--max-iterations", "1", "-c", "agent.timeout=25s"]);
    assert_ne!(output.code, 0, "{output:?}");
    assert!(scene.read("begun.txt").is_some(), "the tool never ran: {:?}", scene.model.seen());
    let iteration = scene.iteration(1);
    assert_eq!(iteration["cause"], "wall_timeout", "{iteration}");
    alone_soon(&scene);
}

pub(crate) fn prompt_of_300_kb(cli: &'static Cli) {
    let scene = Scene::new(cli, Script::always([Turn::say(DONE)]));
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

pub(crate) fn signal_by_mcp(cli: &'static Cli) {
    let turns = [
        Turn::call(Call::write("hello.txt", "Hello!\n")),
        Turn::call(Call::tool("report_complete", json!({ "summary": "It is written." }))),
        Turn::say("I told it by the tool."),
    ];
    let scene = Scene::new(cli, Script::always(turns));
    let output = scene.work(PROMPT, &["--max-iterations", "1"]);
    assert_eq!(output.code, 0, "{output:?}\n{:?}", scene.model.seen());
    let iteration = scene.iteration(1);
    assert_eq!(iteration["claim"], "signal", "{iteration}");
}

pub(crate) fn permission_denied(cli: &'static Cli) {
    // Who was denied and claims to be done all the same is not believed.
    let is_told = cli.bounds != Bounds::ReadOnly;
    let (said, automation) = if is_told { (DONE, cli.automation) } else { ("I may not.", "plan") };
    let scene = Scene::new(cli, Script::always([Turn::call(Call::write("../beside.txt", "x\n")), Turn::say(said)]));
    scene.set_bounds();
    let output = scene.work(PROMPT, &["--max-iterations", "1", "--automation", automation]);
    assert_ne!(output.code, 0, "{output:?}");
    assert_eq!(scene.read("../beside.txt"), None);
    let iteration = scene.iteration(1);
    if is_told {
        assert_eq!((&iteration["outcome"], &iteration["cause"]), (&json!("failed"), &json!("denied")), "{iteration}");
        assert!(!iteration["agent"]["denied"].as_array().unwrap().is_empty(), "{iteration}");
    }
}

/// Whoever was ended may need a moment until it is gone.
fn alone_soon(scene: &Scene) {
    let begun = Instant::now();
    while !scene.is_alone() {
        assert!(begun.elapsed() < Duration::from_secs(10), "something is left running");
        std::thread::sleep(Duration::from_millis(100));
    }
}
