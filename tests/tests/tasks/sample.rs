//! The sample project from its first task to its last, with its real scripted agent.

use loopwright_testkit::Sandbox;

use crate::scene::built;

#[test]
fn the_sample_plays_whole() {
    let sandbox = Sandbox::new();
    let run = |args: &[&str]| sandbox.run(sandbox.command(built("loopwright")).args(args));
    assert_eq!(run(&["demo", "tea"]).code, 0);
    let script = sandbox.work().join("tea/.loopwright/rehearsal.toml");
    let fast = std::fs::read_to_string(&script).unwrap();
    let fast: Vec<String> = fast
        .lines()
        .map(|line| if line.starts_with("sleep = ") { "sleep = \"1ms\"".to_owned() } else { line.to_owned() })
        .collect();
    std::fs::write(&script, fast.join("\n")).unwrap();
    sandbox.git("tea", &["commit", "--quiet", "--all", "--message", "Faster"]);
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
