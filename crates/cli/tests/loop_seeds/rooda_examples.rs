//! rooda's five examples, word for word but for times and names.

use std::fs;

use crate::place::{ProjectFolder, exit_codes};

/// A project with a procedure that has no promise, as rooda's have.
fn place() -> ProjectFolder {
    let place = ProjectFolder::plain("");
    let procedure = r#"
observe = [{ text = "Look at the menu." }]
orient = [{ text = "Which teas sell?" }]
decide = [{ text = "Choose one." }]
act = [{ text = "Price it." }]
"#;
    place.sandbox.write(".loopwright/procedures/price.toml", procedure);
    place
}

fn args<'a>(agent: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["loop", "--procedure", "price", "--command", agent], more].concat()
}

#[test]
fn rooda_example_1_limited_iterations() {
    let place = place();
    let agent = place.agent("true\n");
    let output = place.run(&args(&agent, &["--max-iterations", "3"]));
    insta::assert_snapshot!("rooda_example_1", place.shown(&output));
    let run = place.last_run();
    assert_eq!((&run["status"], &run["procedure_name"]), (&"completed".into(), &"price".into()));
    assert_eq!(run["elapsed_per_iteration"].as_array().unwrap().len(), 3);
    assert_eq!(place.run(&["resume"]).code, 2, "nothing to resume");
}

#[test]
fn rooda_example_2_consecutive_failure_abort() {
    let place = place();
    let agent = place.agent("test $LOOPWRIGHT_ATTEMPT -le 3\n");
    let output = place.run(&args(&agent, &["--max-iterations", "10"]));
    insta::assert_snapshot!("rooda_example_2", place.shown(&output));
    let run = place.last_run();
    assert_eq!((&run["status"], &run["iteration"]), (&"aborted".into(), &6.into()));
}

#[test]
fn rooda_example_3_resume_after_interruption() {
    let place = place();
    fs::write(place.beside("hold"), "").unwrap();
    let script = r#"
        test $LOOPWRIGHT_ATTEMPT = 5 && test -e ../hold || exit 0
        touch ../started
        exec sleep 300
    "#;
    let agent = place.agent(script);
    let live = place.launch(&args(&agent, &["--max-iterations", "7", "-c", "agent.interrupt_grace=50ms"]));
    live.wait_for("started");
    live.signal("INT");
    let output = live.end();
    insta::assert_snapshot!("rooda_example_3_interrupted", place.shown(&output));
    assert_eq!(place.last_run()["status"], "interrupted");
    fs::remove_file(place.beside("hold")).unwrap();
    let output = place.run(&["resume"]);
    insta::assert_snapshot!("rooda_example_3_resumed", place.shown(&output));
    assert_eq!(place.last_run()["iteration"], 7);
}

#[test]
fn rooda_example_4_dry_run() {
    let place = place();
    let agent = place.agent("touch ../started\n");
    let output = place.run(&args(&agent, &["--dry-run"]));
    insta::assert_snapshot!("rooda_example_4", place.shown(&output));
    assert!(!place.beside("started").exists());
}

#[test]
fn rooda_example_5_unlimited_iterations_with_recovery() {
    let place = place();
    let script = r#"
        test $LOOPWRIGHT_ATTEMPT != 5 || loopwright pause --after-iteration
        test $LOOPWRIGHT_ATTEMPT != 3
    "#;
    let agent = place.agent(script);
    let live = place.launch(&args(&agent, &[]));
    live.wait_for_words("Paused.");
    assert_eq!(place.last_run()["consecutive_failures"], 0);
    live.signal("INT");
    let output = live.end();
    insta::assert_snapshot!("rooda_example_5", place.shown(&output));
    assert_eq!(exit_codes(&place.last_run()), [Some(0), Some(0), Some(1), Some(0), Some(0)]);
}
