//! Steps that write the signal file, rightly and wrongly.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::{Printed, Rehearsal};

fn run(rehearsal: &Rehearsal, nonce: &str) -> (Printed, PathBuf) {
    let file = rehearsal.beside("signal.json");
    let state = rehearsal.beside("state");
    let mut command = rehearsal.command();
    command.env("LOOPWRIGHT_SIGNAL_FILE", &file).env("LOOPWRIGHT_NONCE", nonce).arg("--state").arg(state);
    (Printed::from(command.output().unwrap()), file)
}

fn written(steps: &str) -> Value {
    let rehearsal = Rehearsal::of(steps);
    let (printed, file) = run(&rehearsal, "n-1");
    printed.well();
    serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()
}

#[test]
fn signals_carry_the_nonce_and_add_up() {
    let document = written(
        r#"
        { signal = "learning", category = "tests", description = "Run them twice." },
        { signal = "blocked", reason = "no key" },
        { signal = "complete", summary = "done" },
        "#,
    );
    let expected = json!({ "nonce": "n-1", "signals": [
        { "type": "learning", "category": "tests", "description": "Run them twice." },
        { "type": "blocked", "reason": "no key" },
        { "type": "complete", "summary": "done" },
    ] });
    assert_eq!(document, expected);
}

#[test]
fn wrong_and_missing_nonces_are_written_as_asked() {
    let wrong = written(r#"{ signal = "complete", summary = "x", variant = "wrong_nonce" },"#);
    assert_ne!(wrong["nonce"], "n-1");
    assert_eq!(wrong["signals"][0]["type"], "complete");
    let missing = written(r#"{ signal = "complete", summary = "x", variant = "missing_nonce" },"#);
    assert_eq!(missing, json!({ "signals": [{ "type": "complete", "summary": "x" }] }));
}

#[test]
fn a_good_signal_replaces_one_with_another_nonce() {
    let document = written(
        r#"
        { signal = "blocked", reason = "x", variant = "wrong_nonce" },
        { signal = "complete", summary = "y" },
        "#,
    );
    assert_eq!(document, json!({ "nonce": "n-1", "signals": [{ "type": "complete", "summary": "y" }] }));
}

#[test]
fn a_malformed_signal_is_cut_off_in_the_middle() {
    let rehearsal = Rehearsal::of(r#"{ signal = "complete", summary = "ü", variant = "malformed" },"#);
    let (printed, file) = run(&rehearsal, "n-1");
    printed.well();
    let bytes = std::fs::read(file).unwrap();
    assert!(bytes.starts_with(b"{\"nonce\":\"n-1\""));
    assert!(serde_json::from_slice::<Value>(&bytes).is_err());
}

#[test]
fn a_stale_signal_replays_the_nonce_of_the_attempt_before() {
    let rehearsal = Rehearsal::of(r#"{ signal = "complete", summary = "x", variant = "stale" },"#);
    let (first, file) = run(&rehearsal, "n-1");
    assert_eq!(first.code, Some(1));
    assert!(first.complaint().contains("an earlier attempt to replay"), "{}", first.complaint());
    assert!(!file.exists());
    let (second, file) = run(&rehearsal, "n-2");
    second.well();
    let document: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    assert_eq!(document["nonce"], "n-1");
}

#[test]
fn nothing_is_left_beside_the_signal_file() {
    let rehearsal = Rehearsal::of(r#"{ signal = "complete", summary = "x" },"#);
    let (printed, file) = run(&rehearsal, "n-1");
    printed.well();
    let names = std::fs::read_dir(file.parent().unwrap()).unwrap();
    assert!(
        names.map(|entry| entry.unwrap().file_name()).all(|name| !name.to_str().unwrap().contains("tmp"))
    );
}

#[test]
fn without_a_signal_file_the_scene_goes_on_and_says_so() {
    let rehearsal = Rehearsal::of(r#"{ signal = "complete", summary = "x" }, { say = "after" },"#);
    let printed = rehearsal.run(&[]);
    assert_eq!((printed.code, printed.text()), (Some(0), "after\n"));
    assert_eq!(printed.complaint(), "Rehearsal: no signal was written: LOOPWRIGHT_SIGNAL_FILE is not set.\n");
}
