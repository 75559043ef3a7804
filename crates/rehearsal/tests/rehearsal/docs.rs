//! The documentation agrees with the program.

use loopwright_rehearsal::scenario::{Scenario, step_names};

const DOCS: &str = include_str!("../../../../docs/rehearsal.md");

#[test]
fn every_step_is_described() {
    for name in step_names() {
        assert!(DOCS.contains(&format!("| `{name}")), "docs/rehearsal.md does not describe \"{name}\"");
    }
}

#[test]
fn every_example_is_a_scenario() {
    let examples: Vec<&str> =
        DOCS.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(examples.len() >= 2);
    for example in examples {
        Scenario::parse("docs/rehearsal.md", example).unwrap();
    }
}
