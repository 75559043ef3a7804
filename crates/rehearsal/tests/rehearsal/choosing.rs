//! Which scene is played: task, attempt, prompt, and the counter that stands in for the attempt.

use crate::support::Rehearsal;

const SCENARIO: &str = r#"
[[scene]]
name = "first try of three"
task = 3
attempt = 1
steps = [{ say = "3.1" }]

[[scene]]
name = "second try of anything"
attempt = 2
steps = [{ say = "*.2" }]

[[scene]]
prompt_contains = "Teekanne \u00fc"
steps = [{ say = "asked" }]

[[scene]]
task = 5
steps = [{ say = "5.*" }]
"#;

fn said(rehearsal: &Rehearsal, arguments: &[&str]) -> String {
    rehearsal.run(arguments).well().text().trim_end().to_owned()
}

#[test]
fn flags_pick_the_scene() {
    let rehearsal = Rehearsal::new(SCENARIO);
    assert_eq!(said(&rehearsal, &["--task", "3"]), "3.1");
    assert_eq!(said(&rehearsal, &["--task", "3", "--attempt", "2"]), "*.2");
    assert_eq!(said(&rehearsal, &["--task", "5", "--attempt", "9"]), "5.*");
    assert_eq!(said(&rehearsal, &["--task", "4", "eine Teekanne ü bitte"]), "asked");
}

#[test]
fn variables_pick_the_scene_and_flags_beat_them() {
    let rehearsal = Rehearsal::new(SCENARIO);
    let mut command = rehearsal.command();
    command.env("LOOPWRIGHT_TASK", "5").env("LOOPWRIGHT_ATTEMPT", "4");
    assert_eq!(command.output().unwrap().stdout, b"5.*\n");
    command.args(["--attempt", "2"]);
    assert_eq!(command.output().unwrap().stdout, b"*.2\n");
}

#[test]
fn without_an_attempt_the_state_folder_counts_per_task() {
    let rehearsal = Rehearsal::new(SCENARIO);
    let state = rehearsal.beside("state");
    let state = state.to_str().unwrap();
    assert_eq!(said(&rehearsal, &["--state", state, "--task", "3"]), "3.1");
    assert_eq!(said(&rehearsal, &["--state", state, "--task", "5"]), "5.*");
    assert_eq!(said(&rehearsal, &["--state", state, "--task", "3"]), "*.2");
    assert_eq!(rehearsal.run(&["--state", state, "--task", "3"]).code, Some(2));
    assert_eq!(said(&rehearsal, &["--state", state, "--task", "3", "--attempt", "1"]), "3.1");
}

#[test]
fn no_fitting_scene_is_said_and_nothing_is_done() {
    let rehearsal = Rehearsal::new(SCENARIO);
    let printed = rehearsal.run(&["--task", "8", "--attempt", "3"]);
    assert_eq!((printed.code, printed.text()), (Some(2), ""));
    assert_eq!(
        printed.complaint(),
        "error: no scene fits task 8, attempt 3\n  Add one to the scenario. It has the scenes \"first try of \
         three\" (line 2), \"second try of anything\" (line 8), of line 13, of line 17.\nNothing was done.\n"
    );
}

#[test]
fn the_scenario_is_looked_for_in_the_project() {
    let rehearsal = Rehearsal::new("");
    let project = rehearsal.work().join(".loopwright");
    std::fs::create_dir(&project).unwrap();
    std::fs::write(project.join("rehearsal.toml"), SCENARIO).unwrap();
    let mut command = crate::support::rehearsal();
    let output = command.current_dir(rehearsal.work()).args(["--task", "5"]).output().unwrap();
    assert_eq!(output.stdout, b"5.*\n");
}
