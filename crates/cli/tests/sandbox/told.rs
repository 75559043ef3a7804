//! What is said about the sandbox, and what is done where there is none.

use std::fs;

use crate::common::json;
use crate::place::{ProjectFolder, events};
use crate::sandboxed::sandboxed;

/// A search path with what an agent needs and no sandbox.
fn path_without_sandbox(place: &ProjectFolder) -> String {
    let folder = place.beside("tools");
    fs::create_dir_all(&folder).unwrap();
    let from = std::env::var("PATH").unwrap();
    for name in ["sh", "git", "echo", "true"] {
        let program =
            from.split(':').map(|folder| format!("{folder}/{name}")).find(|path| fs::metadata(path).is_ok());
        std::os::unix::fs::symlink(program.unwrap(), folder.join(name)).unwrap();
    }
    folder.display().to_string()
}

#[test]
fn a_sandbox_that_is_demanded_and_missing_is_refused_with_advice() {
    let place = ProjectFolder::git("");
    let path = path_without_sandbox(&place);
    let variables = [("LOOPWRIGHT_SANDBOX", "on"), ("PATH", path.as_str())];
    let refused = place.run_with(&["loop", "--prompt", "Go.", "--command", "echo", "--json"], &variables);
    assert_eq!(refused.code, 1, "{refused:?}");
    let said = refused.stdout + &refused.stderr;
    assert!(said.contains("sandbox.unavailable") && said.contains("Install bubblewrap"), "{said}");
}

#[test]
fn a_run_without_a_sandbox_says_so_first_and_writes_it_down() {
    let place = ProjectFolder::git("");
    let path = path_without_sandbox(&place);
    let variables = [("LOOPWRIGHT_SANDBOX", "auto"), ("PATH", path.as_str())];
    let agent = place.agent("echo x >> menu.txt\necho '<promise>COMPLETE</promise>'\n");
    let start = ["loop", "--prompt", "Go.", "--command", &agent, "--json"];
    let output = place.run_with(&start, &variables);
    assert_eq!(output.code, 0, "{output:?}");
    let names: Vec<String> =
        events(&output).iter().map(|event| event["type"].as_str().unwrap().to_owned()).collect();
    assert_eq!(names[..3], ["run.started", "run.warning", "iteration.started"], "{names:?}");
    let warning = events(&output)[1]["message"].as_str().unwrap().to_owned();
    assert!(warning.contains("There is no sandbox: \"bwrap\" is not installed"), "{warning}");
    assert_eq!(place.iteration(1)["iteration"]["agent"]["confinement"], "unavailable");
    let shown = place.run(&["show", "1"]).stdout;
    assert!(shown.contains("without a sandbox: there was none"), "{shown}");
    let doctor = json(&place.run_with(&["doctor", "--json"], &variables));
    let found =
        doctor["findings"].as_array().unwrap().iter().find(|one| one["name"] == "Sandbox").unwrap().clone();
    assert_eq!(found["status"], "warning", "{found}");
}

#[test]
fn a_sandbox_that_is_off_or_works_needs_no_words_before_the_run() {
    let Some(place) = sandboxed("") else { return };
    for (setting, confinement) in [("off", "off"), ("auto", "sandbox")] {
        let agent = place.agent("echo x >> menu.txt\necho '<promise>COMPLETE</promise>'\n");
        let start = ["loop", "--prompt", "Go.", "--command", &agent, "--json"];
        let output = place.run_with(&start, &[("LOOPWRIGHT_SANDBOX", setting)]);
        assert_eq!(output.code, 0, "{output:?}");
        assert!(events(&output).iter().all(|event| event["type"] != "run.warning"), "{output:?}");
        assert_eq!(place.iteration(1)["iteration"]["agent"]["confinement"], confinement);
    }
}

#[test]
fn a_project_cannot_switch_the_sandbox_off() {
    let place = ProjectFolder::plain("sandbox = \"off\"\n");
    let refused = place.run(&["loop", "--prompt", "Go.", "--command", "echo"]);
    assert_eq!(refused.code, 2, "{refused:?}");
    assert!(refused.stderr.contains("sandbox"), "{refused:?}");
}
