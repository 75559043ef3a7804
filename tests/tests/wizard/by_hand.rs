//! Every phase without an agent.

use crate::scene::Scene;

const ANSWERS: &str = r#"{
  "idea": "A menu for the tea house",
  "phases": {
    "vision": {"project_name": "Tea", "target_users": ["Guests"]},
    "functionality": {"features": [{"name": "Menu", "description": "Lists teas", "priority": "must"}]},
    "technical": {"languages": ["text"], "constraints": ["No network"]},
    "gap_analysis": {"findings": [{"title": "No price", "resolution": "Every tea has a price.", "target": "vision.success_criteria"}]},
    "generate": {"sections": [{"title": "Menu", "content": "menu.txt lists Sencha."}],
                 "terms": [{"term": "Guest", "definition": "Who drinks tea"}],
                 "tasks": [{"title": "Second", "depends_on": ["First"], "acceptance": ["It is second"], "sections": ["Menu"]},
                           {"title": "First", "acceptance": ["It is first"], "sections": ["1"]}]},
    "build_test": {"checks": [{"name": "there", "command": "true"}, {"name": "never", "command": "no-such-program-here"}]},
    "iteration_mode": {"mode": "review_each", "max_cost": 3}
  },
  "edits": [{"do": "dismiss_finding", "item": "i4", "reason": "Prices come later"}]
}"#;

#[test]
fn all_nine_are_filled_in_without_an_agent() {
    let scene = Scene::playing("");
    scene.sandbox.write("answers.json", ANSWERS);
    let args = ["new", "tea", "--answers", "answers.json", "--harness", "none", "--yes", "--trust", "--json"];
    let output = scene.ok(&args);
    assert!(output.stdout.contains("\"applied\""), "{output:?}");
    let config = scene.sandbox.read("tea/.loopwright/config.toml");
    assert!(config.contains("mode = \"review_each\"") && config.contains("max_cost = \"3\""), "{config}");
    let tasks = scene.json(&["-C", "tea", "task", "list", "--json"]);
    assert_eq!(tasks[1]["title"], "Second");
    assert_eq!(tasks[1]["depends_on"][0], 2);
    let view = scene.wizard();
    let outcomes: Vec<&str> = view["wizard"]["trials"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|trial| trial["outcome"].as_str())
        .collect();
    assert_eq!(outcomes, ["passed", "cannot_run"]);
    assert_eq!(view["findings"][0]["status"], "dismissed");
    assert_eq!(view["wizard"]["usage"]["input"], 0);
}

#[test]
fn wrong_input_is_told_and_loses_nothing() {
    let scene = Scene::playing("");
    let cases: [(&[&str], &str); 6] = [
        (&["new", "--harness", "none", "--yes"], "nothing was said to start from"),
        (
            &["new", "--idea", "Tea", "--harness", "none", "--yes", "--template", "poem"],
            "there is no template",
        ),
        (&["new", "--idea", "Tea", "--harness", "none", "--yes", "--until", "12"], "there is no phase"),
        (&["new", "--from", "gone.md", "--harness", "none", "--yes"], "does not exist"),
        (&["new", "--resume", "nothing", "--yes"], "there is no wizard"),
        (
            &["new", "--idea", "Tea", "--harness", "none", "--yes"],
            "Vision cannot be accepted: it has no name",
        ),
    ];
    for (args, words) in cases {
        let output = scene.run(args);
        assert_eq!(output.code, 2, "{args:?}: {output:?}");
        assert!(output.stderr.contains(words), "{args:?}: {output:?}");
    }
    scene.sandbox.write("answers.json", r#"{"phases": {"vision": {"projectname": "Tea"}}}"#);
    let output = scene.run(&["new", "tea", "--answers", "answers.json", "--harness", "none", "--yes"]);
    assert!(output.stderr.contains("there is no \"projectname\" here"), "{output:?}");
    let waits = scene.run(&["new", "tea", "--idea", "Tea", "--harness", "none"]);
    assert_eq!(waits.code, 5, "without --yes a person has to accept: {waits:?}");
    let id = scene.wizard()["wizard"]["id"].as_str().unwrap().to_owned();
    scene.ok(&["wizard", "discard", &id]);
    assert_eq!(scene.run(&["wizard", "show", &id]).code, 2);
}

#[test]
fn commands_that_nobody_agreed_to_are_written_down_and_not_started() {
    let scene = Scene::playing("");
    let touched = scene.sandbox.root().join("touched");
    let answers = ANSWERS.replace("\"true\"", &format!("\"touch {}\"", touched.display()));
    assert_ne!(answers, ANSWERS, "the answers have a command");
    scene.sandbox.write("answers.json", answers);
    let args = ["new", "tea", "--answers", "answers.json", "--harness", "none", "--yes", "--start"];
    let output = scene.run(&args);
    assert_eq!(output.code, 2, "the run asks for trust: {output:?}");
    assert!(!touched.exists(), "{output:?}");
    assert!(
        scene.sandbox.read("tea/.loopwright/config.toml").contains("touch "),
        "the check is there to look at"
    );
}
