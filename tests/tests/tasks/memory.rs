//! Memory as people and scripts use it: what failed, what fixed it, what was learned, what the next prompt holds.

use serde_json::Value;

use crate::scene::Scene;

/// Wrong at the first attempt, right at the second.
const LEARNS: &str = r#"
[ "$attempt" = 1 ] && echo wrong > "part-$task.txt" || echo right > "part-$task.txt"
complete "Write the word right into every part"
"#;

fn scene(tasks: u32) -> Scene {
    let scene = Scene::new(LEARNS);
    scene.sandbox.write(
        "check.sh",
        "if grep -qs wrong part-*.txt; then echo 'AssertionError: a part is wrong'; exit 1; fi\n",
    );
    let agent = scene.sandbox.root().join("agent.sh").display().to_string();
    let own = format!("default_harness = \"writer\"\n[harness.writer]\ncommand = \"sh {agent}\"\n");
    std::fs::create_dir_all(scene.sandbox.config_dir()).unwrap();
    std::fs::write(scene.sandbox.config_dir().join("config.toml"), own).unwrap();
    scene.check("parts", "sh check.sh");
    for number in 1..=tasks {
        scene.task(&format!("Write part number {number}"), &[]);
    }
    scene
}

fn list(scene: &Scene, args: &[&str]) -> Vec<Value> {
    scene.ask(args).as_array().unwrap().clone()
}

#[test]
fn a_run_fills_memory_and_every_verb_tells_of_it() {
    let scene = scene(3);
    assert_eq!(scene.start(&[]).code, 0);
    let failures = list(&scene, &["failure", "list", "--json"]);
    assert_eq!(failures.len(), 3);
    assert!(failures.iter().all(|it| it["pattern"] == "assertion_failed" && it["check"] == "parts"));
    assert_eq!(list(&scene, &["failure", "list", "--task", "2", "--json"]).len(), 1);
    assert!(list(&scene, &["failure", "list", "--pattern", "lint", "--json"]).is_empty());
    assert_eq!(scene.run(&["failure", "list", "--pattern", "no_such"]).code, 2);
    let shown = scene.ok(&["failure", "show", "1"]).stdout;
    assert!(shown.contains("AssertionError: a part is wrong") && shown.contains("fingerprint"), "{shown}");

    let solution = scene.ask(&["solution", "show", "1", "--json"]);
    assert_eq!(solution["trust"], 0.6, "{solution}");
    assert_eq!(solution["state"], "trusted", "{solution}");
    assert_eq!(solution["history"].as_array().map(Vec::len), Some(3));
    assert!(solution["effect_text"].as_str().unwrap().ends_with("too few to measure"), "{solution}");
    let text = scene.ok(&["solution", "show", "1"]).stdout;
    for told in ["assertion_failed (test)", "0.60  helped", "0.30  made"] {
        assert!(text.contains(told), "{told}: {text}");
    }

    scene.ok(&["solution", "retire", "1", "--reason", "it is in the linter now"]);
    assert!(scene.ok(&["solution", "list"]).stdout.contains("There are no solutions yet"));
    assert!(scene.ok(&["solution", "list", "--all"]).stdout.contains("retired"));
    scene.ok(&["solution", "restore", "1"]);
    scene.ok(&["solution", "edit", "1", "--text", "Write right"]);
    scene.ok(&["solution", "refresh", "1"]);
    let reasons: Vec<String> = scene.ask(&["solution", "show", "1", "--json"])["history"]
        .as_array()
        .unwrap()
        .iter()
        .map(|change| change["reason"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(reasons, ["refreshed", "edited", "restored", "retired", "helped", "helped", "made"]);

    scene.ok(&["solution", "export", "solutions.json"]);
    let elsewhere = Scene::new("");
    let file = scene.sandbox.work().join("solutions.json").display().to_string();
    assert!(elsewhere.ok(&["solution", "import", &file]).stdout.starts_with("Added 1 on trial; 0 known"));
    assert!(elsewhere.ok(&["solution", "import", &file]).stdout.starts_with("Added 0 on trial; 1 known"));
    let imported = elsewhere.ask(&["solution", "show", "1", "--json"]);
    assert_eq!(imported["trust"], 0.3, "{imported}");
    assert_eq!(imported["origin"], "import");
    assert_eq!(imported["provenance"], "from scene, where its trust was 0.60 and it helped 2 of 2 times");
}

#[test]
fn learnings_are_added_found_changed_and_made_into_solutions() {
    let scene = Scene::new("");
    let learned = scene.ok(&[
        "learn",
        "Run tests with TZ=UTC. Else one fails at night.",
        "--category",
        "test",
        "--pattern",
        "assertion_failed",
    ]);
    assert_eq!(learned.stdout, "Learning 1: Run tests with TZ=UTC.\n");
    assert!(
        scene
            .ok(&["learn", "run the tests with TZ=UTC, else one fails at night"])
            .stdout
            .contains("known already")
    );
    scene.ok(&["learn", "Pour slowly", "--category", "gotcha"]);
    assert_eq!(list(&scene, &["learning", "list", "--category", "test", "--json"]).len(), 1);
    assert_eq!(list(&scene, &["learning", "search", "night", "--json"]).len(), 1);
    scene.ok(&["learning", "edit", "2", "--title", "Patience", "--scope", "everywhere"]);
    let shown = scene.ok(&["learning", "show", "2"]).stdout;
    assert!(shown.contains("Learning 2: Patience") && shown.contains("everywhere"), "{shown}");
    scene.ok(&["solution", "add", "--learning", "1"]);
    let made = scene.ask(&["solution", "show", "1", "--json"]);
    assert_eq!(made["origin"], "learning", "{made}");
    assert_eq!(made["pattern"], "assertion_failed");
    assert_eq!(scene.run(&["solution", "add", "--learning", "2"]).code, 2, "it names no pattern");
    assert_eq!(scene.run(&["solution", "add"]).code, 2);
    scene.ok(&["learning", "remove", "1", "2"]);
    assert!(list(&scene, &["learning", "list", "--json"]).is_empty());
    for wrong in
        [vec!["learn", ""], vec!["learn", "x", "--pattern", "no_such"], vec!["learning", "show", "9"]]
    {
        assert_eq!(scene.run(&wrong).code, 2, "{wrong:?}");
    }
}

#[test]
fn patterns_of_ones_own_go_from_suggested_to_trusted() {
    let scene = Scene::new(LEARNS);
    scene.sandbox.write(
        "check.sh",
        "if grep -qs wrong part-*.txt; then echo 'kettle refused: pressure sensor offline'; exit 1; fi\n",
    );
    scene.check("parts", "sh check.sh");
    for number in 1..=3 {
        scene.task(&format!("Write part number {number}"), &[]);
    }
    assert_eq!(scene.start(&[]).code, 0);
    let suggested = scene.ok(&["pattern", "suggest", "--add"]).stdout;
    assert!(suggested.starts_with("kettle_refused_pressure_sensor (3 failures)"), "{suggested}");
    let name = "kettle_refused_pressure_sensor";
    assert!(scene.ok(&["pattern", "list"]).stdout.contains("suggested kettle.*refused"));
    let promoted = scene.ok(&["pattern", "promote", name]).stdout;
    assert!(promoted.contains("confirmed") && promoted.contains("3 failures without a pattern have it now"));
    assert_eq!(list(&scene, &["failure", "list", "--pattern", name, "--json"]).len(), 3);
    assert!(scene.ok(&["pattern", "promote", name]).stdout.contains("trusted"));
    assert_eq!(scene.run(&["pattern", "promote", name]).code, 2);
    scene.sandbox.write("saved.log", "src/a.c:3: kettle was refused: pressure of sensor\n");
    let tested = scene.ask(&["pattern", "test", "saved.log", "--json"]);
    assert_eq!(tested[0]["pattern"], name, "{tested}");
    assert_eq!(tested[0]["line"], 3, "{tested}");
    let config = scene.read(".loopwright/config.toml").unwrap();
    assert!(config.contains(&format!("[patterns.{name}]")), "{config}");
    scene.ok(&["pattern", "remove", name]);
    assert_eq!(scene.run(&["pattern", "show", name]).code, 2);
    scene.ok(&[
        "pattern",
        "add",
        "cold_tea",
        "tea is \\d+ degrees",
        "--category",
        "test",
        "--about",
        "It got cold",
    ]);
    let shown = scene.ok(&["pattern", "show", "cold_tea"]).stdout;
    assert!(shown.contains("suggested: It got cold") && shown.contains("tea is"), "{shown}");
    assert_eq!(scene.run(&["pattern", "add", "other", "("]).code, 2);
}

#[test]
fn the_preview_names_every_item_and_is_what_the_agent_gets() {
    let scene = scene(2);
    let before = scene.ask(&["preview", "--json"]);
    assert_eq!(before["task"], 1, "{before}");
    assert_eq!(before["budget"], 8_000);
    let told = scene.ok(&["preview", "2"]).stdout;
    for word in ["Always in", "Task and criteria", "context tokens"] {
        assert!(told.contains(word), "{word}: {told}");
    }
    let dry = scene.ask(&["run", "--dry-run", "--json"]);
    assert_eq!(dry["preview"]["items"].as_array().map(Vec::len), before["items"].as_array().map(Vec::len));
    let preview = before["prompt"].as_str().unwrap();
    assert_eq!(scene.run(&["run"]).code, 0);
    assert_eq!(scene.prompt(1, 1), preview, "the agent gets what was shown");
    assert_eq!(scene.run(&["preview"]).code, 2, "nothing is left to do");
    let health = scene.ok(&["health"]).stdout;
    assert!(health.contains("not enough data"), "{health}");
    assert_eq!(scene.ask(&["health", "--json"])["factors"].as_array().map(Vec::len), Some(6));
    let stats = scene.ask(&["stats", "--format", "json"]);
    assert_eq!(stats["tasks_done"], 2, "{stats}");
    assert_eq!(stats["failures_resolved"], 2, "{stats}");
    let csv = scene.ok(&["stats", "--format", "csv", "--trend", "7"]).stdout;
    assert!(csv.starts_with("date,iterations,") && csv.lines().count() > 1, "{csv}");
    assert!(scene.ok(&["stats", "--trend", "7"]).stdout.contains("By failure"));
    assert!(list(&scene, &["task", "chronic", "--json"]).is_empty());
}

/// The prompts of every attempt, in an environment of its own.
fn prompts(variables: &[(&str, &str)]) -> Vec<String> {
    let scene = scene(4);
    let mut command = scene.running(&[]);
    command.envs(variables.iter().copied());
    assert_eq!(scene.sandbox.run(&mut command).code, 0);
    scene.task("Write a part about the parts", &[]);
    let mut command = scene.command(&["preview", "--prompt", "--json"]);
    command.envs(variables.iter().copied());
    let preview: Value = serde_json::from_str(&scene.sandbox.run(&mut command).stdout).unwrap();
    let mut prompts: Vec<String> = (1..=4)
        .flat_map(|task| [(task, 1), (task, 2)])
        .map(|(task, attempt)| scene.prompt(task, attempt))
        .collect();
    prompts.push(preview["prompt"].as_str().unwrap().to_owned());
    // A commit's name depends on when it was made.
    let without_commits = |prompt: &String| {
        let pieces: Vec<&str> = prompt.split("(commit ").collect();
        let rest = |piece: &&str| piece.split_once(')').map_or("", |(_, rest)| rest).to_owned();
        pieces[..1].iter().map(|it| (*it).to_owned()).chain(pieces[1..].iter().map(rest)).collect::<String>()
    };
    prompts.iter().map(without_commits).collect()
}

#[test]
fn prompts_are_the_same_whatever_the_clone_the_locale_and_the_time_zone() {
    let here = prompts(&[("TZ", "UTC"), ("LANG", "C"), ("LC_ALL", "C")]);
    let there = prompts(&[("TZ", "Pacific/Kiritimati"), ("LANG", "tr_TR.UTF-8"), ("LC_ALL", "tr_TR.UTF-8")]);
    assert_eq!(here.len(), 9);
    assert!(here[8].contains("Write the word right into every part"), "{}", here[8]);
    assert_eq!(here, there);
}
