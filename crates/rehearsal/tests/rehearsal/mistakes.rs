//! Scenarios with mistakes: file, line and nearest name are told, the exit code is 2 and nothing happens.

use crate::support::{Rehearsal, rehearsal};

/// A scene that would leave a trace comes first; the mistake begins on line 4.
fn with_mistake(text: &str) -> Rehearsal {
    Rehearsal::new(&format!(
        "[[scene]]\ntask = 1\nsteps = [{{ write = \"trace.txt\", content = \"\" }}]\n{text}\n"
    ))
}

fn complaint(text: &str) -> String {
    let rehearsal = with_mistake(text);
    let printed = rehearsal.run(&["--task", "1"]);
    assert_eq!((printed.code, printed.text()), (Some(2), ""), "{text}");
    assert!(rehearsal.names().is_empty(), "{text} left a trace");
    let file = rehearsal.beside("scenario.toml");
    let complaint = printed.complaint().replace(file.to_str().unwrap(), "FILE");
    let complaint = complaint.strip_suffix("Nothing was done.\n").unwrap();
    let checked = crate::support::rehearsal().arg("--check").arg(&file).output().unwrap();
    assert_eq!(checked.status.code(), Some(2), "--check took {text}");
    complaint.strip_prefix("error: ").unwrap().to_owned()
}

#[test]
fn names_get_the_nearest_valid_one() {
    let cases = [
        ("[[scen]]", "FILE:4: a scenario has no key \"scen\"\n  Did you mean \"scene\"?\n"),
        (
            "[[scene]]\nattemt = 1\nsteps = []",
            "FILE:5: a scene has no key \"attemt\"\n  Did you mean \"attempt\"?\n",
        ),
        (
            "[[scene]]\n[[scene.steps]]\nsay = \"a\"\n[[scene.steps]]\n\nwirte = \"a\"\ncontent = \"\"",
            "FILE:9: a scenario has no step \"wirte\"\n  Did you mean \"write\"?\n",
        ),
        (
            "[[scene]]\nsteps = [\n  { say = \"a\" },\n  { write = \"a\", contents = \"b\" },\n]",
            "FILE:7: the step \"write\" has no key \"contents\"\n  Did you mean \"content\"?\n",
        ),
        (
            "[[scene]]\nsteps = [{ spawn = \"dubble_fork\", for = \"1s\" }]",
            "FILE:5: \"spawn\" cannot be \"dubble_fork\"\n  Did you mean \"double_fork\"?\n",
        ),
        (
            "[[scene]]\nsteps = [{ usage = { inputs = 3 } }]",
            "FILE:5: \"usage\" has no key \"inputs\"\n  Did you mean \"input\"?\n",
        ),
        (
            "[[scene]]\noutput = \"zzz\"\nsteps = [{ say = \"\" }]",
            "FILE:5: \"output\" cannot be \"zzz\"\n  Valid here: text, claude, codex, gemini, copilot, opencode.\n",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(complaint(text), expected);
    }
}

#[test]
fn a_step_does_exactly_one_thing() {
    let two = complaint("[[scene]]\nsteps = [{ say = \"a\", write = \"b\", content = \"\" }]");
    assert_eq!(
        two,
        "FILE:5: a step does one thing, but this one has \"say\" and \"write\"\n  Make two steps of it.\n"
    );
    for none in ["{}", "{ content = \"a\" }"] {
        let text = complaint(&format!("[[scene]]\nsteps = [{none}]"));
        assert!(
            text.starts_with("FILE:5: a step has to say what to do\n  Valid here: say, claim, "),
            "{text}"
        );
    }
}

#[test]
fn values_are_checked() {
    let cases = [
        ("{ say = 3 }", "\"say\" must be a text, not a whole number"),
        ("{ say = \"a\", parts = 0 }", "\"parts\" must be a number from 1 up"),
        ("{ claim = 3 }", "\"claim\" must be true or the text to say"),
        ("{ claim = false }", "\"claim\" can only be true; leave the step out instead"),
        ("{ tool = \"t\", input = 3 }", "\"input\" must be a table, not a whole number"),
        ("{ usage = { input = -1 } }", "\"input\" cannot be negative"),
        ("{ usage = { cost_usd = nan } }", "\"cost_usd\" must be 0 or more"),
        ("{ bytes = [256] }", "\"bytes\" may hold only numbers from 0 to 255"),
        ("{ flood_bytes = \"1MB\" }", "\"flood_bytes\" must be a whole number, not a text"),
        ("{ write = \"a\" }", "the step \"write\" needs \"content\""),
        ("{ edit = \"a\", find = \"\", replace = \"b\" }", "\"find\" cannot be empty"),
        ("{ run = \"git status\" }", "\"run\" must be a list of texts, not a text"),
        ("{ run = [] }", "\"run\" needs a program: [\"git\", \"status\"]"),
        ("{ run = [\"git\", 3] }", "\"run\" may hold only texts"),
        ("{ spawn = \"child\" }", "the step \"spawn\" needs \"for\""),
        ("{ hang = false }", "\"hang\" can only be true; leave the step out instead"),
        ("{ exit = 256 }", "an exit code goes from 0 to 255"),
        ("{ signal = \"complete\" }", "the step \"signal\" needs \"summary\""),
        (
            "{ signal = \"complete\", summary = \"a\", reason = \"b\" }",
            "\"reason\" belongs to the signal \"blocked\"",
        ),
    ];
    for (step, expected) in cases {
        assert_eq!(complaint(&format!("[[scene]]\nsteps = [{step}]")), format!("FILE:5: {expected}\n"));
    }
    let time = complaint("[[scene]]\nsteps = [{ sleep = \"1 hour\" }]");
    let hint = "Write a whole number and ms, s or m, for example \"250ms\".";
    assert_eq!(time, format!("FILE:5: \"1 hour\" is not a time\n  {hint}\n"));
}

#[test]
fn paths_have_to_stay_inside() {
    for step in ["write", "append", "delete", "edit", "save_prompt"] {
        let more = match step {
            "write" | "append" => ", content = \"\"",
            "edit" => ", find = \"a\", replace = \"b\"",
            _ => "",
        };
        for path in ["/etc/passwd", "../up.txt", "a/../../up.txt", "C:/x", "a\\\\b", ""] {
            let text = complaint(&format!("[[scene]]\nsteps = [{{ {step} = \"{path}\"{more} }}]"));
            assert!(text.starts_with("FILE:5: the path \""), "{text}");
        }
    }
}

#[test]
fn scenes_have_to_make_sense() {
    let empty = complaint("[[scene]]\ntask = 2");
    assert_eq!(empty, "FILE:4: a scene needs at least one step in \"steps\"\n");
    assert_eq!(
        complaint("[[scene]]\nsteps = 3"),
        "FILE:5: \"steps\" must be a list of tables, not a whole number\n"
    );
    assert_eq!(complaint("[[scene]]\nsteps = [\n3]"), "FILE:6: \"steps\" may hold only tables\n");
    let text = complaint("[[scene]]\ntask = 0\nsteps = [{ say = \"\" }]");
    assert_eq!(text, "FILE:5: \"task\" must be a number from 1 up\n");
    let text = complaint("[[scene]]\nsteps = [{ say = \"a }]");
    assert!(text.starts_with("FILE:5: not valid TOML: "), "{text}");
}

#[test]
fn unread_prompts_cannot_choose_a_scene() {
    let rehearsal = Rehearsal::new(
        "read_prompt = false\n[[scene]]\nprompt_contains = \"x\"\nsteps = [{ say = \"a\" }]\n",
    );
    let printed = rehearsal.run(&[]);
    assert_eq!(printed.code, Some(2));
    assert!(
        printed.complaint().contains(":3: \"prompt_contains\" needs the prompt"),
        "{}",
        printed.complaint()
    );
}

#[test]
fn a_missing_or_empty_scenario_is_told() {
    let printed = Rehearsal::new("").run(&[]);
    assert_eq!(printed.code, Some(2));
    assert!(printed.complaint().contains(":1: a scenario needs at least one [[scene]]"));
    let output = rehearsal().args(["--scenario", "none.toml"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("error: none.toml: the scenario cannot be read: "), "{text}");
}

#[test]
fn check_counts_and_plays_nothing() {
    let rehearsal = Rehearsal::of("{ write = \"trace.txt\", content = \"\" }, { exit = 9 },");
    let file = rehearsal.beside("scenario.toml");
    let printed = rehearsal.run(&["--check", file.to_str().unwrap()]).well();
    assert_eq!(printed.text(), format!("{}: no mistakes found. Scenes: 1. Steps: 2.\n", file.display()));
    assert!(rehearsal.names().is_empty());
}

#[test]
fn a_fault_carries_code_file_line_and_hint() {
    use loopwright_domain::{ErrorCode, Fault, Location};
    use loopwright_rehearsal::scenario::Scenario;

    let fault: Fault = Scenario::parse("s.toml", "\n[[scen]]\n").unwrap_err().into();
    assert_eq!(fault.code, ErrorCode::ConfigUnknownKey);
    assert_eq!(fault.location, Some(Location { file: "s.toml".into(), line: Some(2) }));
    assert_eq!(fault.hint.as_deref(), Some("Did you mean \"scene\"?"));
}
