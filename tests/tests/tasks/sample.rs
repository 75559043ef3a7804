//! The sample project from its first task to its last, with its real scripted agent.

use loopwright_testkit::{Output, Sandbox, built};

/// The sample on a throw-away machine, with the pauses taken out of its script.
fn quick_sample() -> Sandbox {
    let sandbox = Sandbox::new();
    assert_eq!(run(&sandbox, &["demo", "tea"]).code, 0);
    let script = sandbox.work().join("tea/.loopwright/rehearsal.toml");
    let text = std::fs::read_to_string(&script).unwrap();
    let quick = text.lines().map(|line| if line.starts_with("sleep = ") { "sleep = \"1ms\"" } else { line });
    std::fs::write(&script, quick.collect::<Vec<_>>().join("\n")).unwrap();
    sandbox.git("tea", &["commit", "--quiet", "--all", "--message", "Faster"]);
    sandbox
}

fn run(sandbox: &Sandbox, args: &[&str]) -> Output {
    sandbox.run(sandbox.command(built("loopwright")).args(args))
}

#[test]
fn the_sample_plays_whole() {
    let sandbox = quick_sample();
    let run = |args: &[&str]| run(&sandbox, args);
    let played = run(&["-C", "tea", "run", "--trust"]);
    assert_eq!(played.code, 5, "{played:?}");
    for told in [
        "Failed #3 Write the menu page in",
        "checks failed: Prices match the list",
        "#3 Write the menu page, attempt 2...",
        "Failed #4 Write the brewing guide in",
        "Wave 1 is finished",
        "Wave 2 is finished",
        "Learned (other): Copy prices from house/prices.txt",
        "Waiting for your approval: #7 Add the autumn special",
    ] {
        assert!(played.stdout.contains(told), "{told}: {}", played.stdout);
    }
    let approved = run(&["-C", "tea", "approve", "--yes"]);
    assert_eq!(approved.code, 0, "{approved:?}");
    let resumed = run(&["-C", "tea", "resume"]);
    assert_eq!(resumed.code, 0, "{resumed:?}");
    let subjects = sandbox.git("tea", &["log", "--format=%s"]);
    assert_eq!(
        subjects.lines().take(7).collect::<Vec<_>>(),
        [
            "Add the autumn special",
            "Link the pages together",
            "Post the opening hours",
            "Write the brewing guide",
            "Write the menu page",
            "Write the front page",
            "Choose colours and type",
        ]
    );
    assert_eq!(sandbox.git("tea", &["status", "--porcelain"]), "");
    let board = run(&["-C", "tea", "task", "list", "--json"]);
    assert!(!board.stdout.contains("\"pending\""), "{}", board.stdout);
}

#[test]
fn it_plays_by_itself_when_everything_is_agreed_to_beforehand() {
    let sandbox = quick_sample();
    let played = run(&sandbox, &["demo", "tea", "--yes"]);
    assert_eq!(played.code, 0, "{played:?}");
    for told in ["Gate 1: Add the autumn special waits for you.", "house/prices.txt: ", "Approved."] {
        assert!(played.stdout.contains(told), "{told}: {}", played.stdout);
    }
    let board = run(&sandbox, &["-C", "tea", "task", "list", "--json"]);
    assert!(!board.stdout.contains("\"pending\""), "{}", board.stdout);
    assert_eq!(sandbox.git("tea", &["status", "--porcelain"]), "", "everything is committed");
    let again = run(&sandbox, &["demo", "tea", "--yes"]);
    assert!(again.code == 0 && again.stdout.contains("All tasks of the sample are done"), "{again:?}");
}
