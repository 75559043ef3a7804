//! Any text at all is either a scenario or an error with a line of that text.

use loopwright_rehearsal::scenario::{Scenario, ScenarioError, step_names};
use proptest::prelude::*;

const SAMPLE: &str = include_str!("../../../engine/sample/files/.loopwright/rehearsal.toml");

fn judge(text: &str) {
    let line = match Scenario::parse("s.toml", text) {
        Ok(scenario) => return assert!(!scenario.scenes.is_empty()),
        Err(ScenarioError::Unreadable { .. }) => panic!("nothing was read"),
        Err(ScenarioError::Syntax { line, .. }) => line,
        Err(ScenarioError::Unknown { line, hint, .. }) => {
            assert!(!hint.is_empty());
            line
        }
        Err(ScenarioError::Invalid { line, .. }) => line,
    };
    let lines = text.split('\n').count();
    assert!(line >= 1 && line as usize <= lines, "line {line} of {lines}");
}

/// Keys that mean something, and some that do not.
fn key() -> impl Strategy<Value = String> {
    let mut names: Vec<&str> = step_names();
    names.extend(["content", "find", "replace", "all", "to", "for", "ignore", "pid_file", "input", "output"]);
    names.extend([
        "failed", "variant", "summary", "reason", "parts", "message", "task", "attempt", "steps", "zzz",
    ]);
    prop::sample::select(names).prop_map(str::to_owned)
}

fn value() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("true".to_owned()),
        Just("1979-05-27".to_owned()),
        Just("nan".to_owned()),
        any::<i64>().prop_map(|number| number.to_string()),
        "\"[a-zäß/.\\\\n]{0,8}\"",
        prop::sample::select(vec![
            "\"1s\"",
            "\"child\"",
            "\"complete\"",
            "\"stdout\"",
            "\"a/b\"",
            "\"../a\""
        ])
        .prop_map(str::to_owned),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|items| format!("[{}]", items.join(", "))),
            (key(), inner).prop_map(|(key, value)| format!("{{ {key} = {value} }}")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text(text in "\\PC*|(?s).{0,200}") {
        judge(&text);
    }

    #[test]
    fn tables_of_any_keys_and_values(
        scene in prop::collection::vec((key(), value()), 0..3),
        steps in prop::collection::vec(prop::collection::vec((key(), value()), 0..4), 0..4),
    ) {
        let mut text = "[[scene]]\n".to_owned();
        for (key, value) in scene {
            text.push_str(&format!("{key} = {value}\n"));
        }
        for step in steps {
            text.push_str("[[scene.steps]]\n");
            for (key, value) in step {
                text.push_str(&format!("{key} = {value}\n"));
            }
        }
        judge(&text);
    }

    #[test]
    fn a_scenario_cut_or_overwritten_anywhere(at in 0..SAMPLE.len(), with in "\\PC{0,3}") {
        let mut text = SAMPLE.to_owned();
        text.replace_range(at..(at + 1).min(SAMPLE.len()), &with);
        judge(&text);
        judge(SAMPLE.get(..at).unwrap_or(SAMPLE));
    }
}

#[test]
fn deep_nesting_is_refused_and_not_followed() {
    for (open, close) in [("[", "]"), ("{ a = ", " }")] {
        let nested = format!("{}1{}", open.repeat(20_000), close.repeat(20_000));
        judge(&format!("[[scene]]\nsteps = [{{ tool = \"t\", input = {{ a = {nested} }} }}]\n"));
    }
}
