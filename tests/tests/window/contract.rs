//! The contract of the UI's backend, kept by the real shell. Its cases are in `ui/src/testing/contract`, where the same
//! ones are run against the mock; here they run as a script in the app's own window.

use std::path::Path;

use serde_json::json;

use crate::machine::{Machine, built};
use crate::page::{Page, id, journey};
use crate::screen::{ENTER, Screen, TAB};

/// How the CLI ends when a run waits for a person.
const WAITS_FOR_A_PERSON: i32 = 5;

/// The script with all cases.
fn script() -> String {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").unwrap();
    let script = Path::new(&package).join("../ui/dist-contract/contract.js");
    std::fs::read_to_string(&script)
        .unwrap_or_else(|error| panic!("{}: {error}: run \"cargo xtask e2e\"", script.display()))
}

/// Runs every case of a state in the window, and says which ones do not hold.
async fn keep(page: &Page, state: &str) {
    page.script(&script(), vec![]).await;
    let cases = page.script("return contract.cases(arguments[0]);", vec![json!(state)]).await;
    let cases = cases.as_array().unwrap();
    assert!(!cases.is_empty(), "there are no cases of {state}");
    let mut broken = Vec::new();
    for case in cases {
        let name = case["name"].clone();
        page.script("contract.begin(arguments[0], arguments[1]);", vec![json!(state), name.clone()]).await;
        if case["asks"] == true {
            say_yes();
        }
        let outcome = page.script_answering("contract.outcome().then(arguments[0]);", vec![]).await;
        if let Some(wrong) = outcome.as_str() {
            broken.push(format!("{name}: {wrong}"));
        }
    }
    assert!(broken.is_empty(), "the shell does not keep the contract:\n{}", broken.join("\n"));
}

fn say_yes() {
    let screen = Screen::open();
    let dialog = screen.dialog();
    screen.strike(dialog, &[], TAB);
    screen.strike(dialog, &[], ENTER);
    screen.no_dialog();
}

#[test]
fn the_shell_keeps_the_contract_on_the_start_page() {
    let machine = Machine::new();
    journey("contract-start", &machine, None, async |page| {
        page.see(&id("view-start")).await;
        keep(page, "start").await;
    });
}

#[test]
fn the_shell_keeps_the_contract_in_a_project_nobody_trusts() {
    let machine = Machine::new();
    let sample = machine.quick_sample();
    journey("contract-untrusted", &machine, Some(&sample), async |page| {
        page.see(&id("view-overview")).await;
        keep(page, "untrusted").await;
    });
}

#[test]
fn the_shell_keeps_the_contract_in_the_sample() {
    let machine = Machine::new();
    let sample = machine.quick_sample();
    machine.cli(&sample, &["trust", "--yes"]);
    journey("contract-sample", &machine, Some(&sample), async |page| {
        page.see(&id("view-overview")).await;
        keep(page, "sample").await;
    });
}

#[test]
fn the_shell_keeps_the_contract_while_work_waits_for_review() {
    let machine = Machine::new();
    let sample = machine.quick_sample();
    machine.cli(&sample, &["trust", "--yes"]);
    let mut run = machine.sandbox().command(built("loopwright"));
    let output = machine.sandbox().run(run.arg("run").current_dir(&sample));
    assert_eq!(output.code, WAITS_FOR_A_PERSON, "{}", output.stderr);
    journey("contract-review", &machine, Some(&sample), async |page| {
        page.see(&id("view-overview")).await;
        keep(page, "review").await;
    });
}
