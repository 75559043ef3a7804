//! What the program prints is what the published schema says.
#![expect(clippy::unwrap_used, reason = "in a test that is the report")]

use std::collections::HashMap;
use std::path::Path;
use std::sync::{LazyLock, Mutex, PoisonError};

use jsonschema::Validator;
use loopwright_testkit::Output;
use serde_json::{Value, json};

static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/loopwright.schema.json");
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
});

static VALIDATORS: LazyLock<Mutex<HashMap<String, &'static Validator>>> = LazyLock::new(Mutex::default);

/// Looks whether the documents that a command printed are those of the schema. `args` are its words.
pub(crate) fn validate(args: &[&str], output: &Output) {
    let follows = args.contains(&"--follow") || args.contains(&"-f");
    if !args.contains(&"--json") || follows || output.stdout.trim().is_empty() {
        return;
    }
    let Some(command) = command(args) else { return };
    let documents: Vec<Value> = match serde_json::from_str(&output.stdout) {
        Ok(document) => vec![document],
        Err(_) => output.stdout.lines().filter_map(|line| serde_json::from_str(line).ok()).collect(),
    };
    assert!(!documents.is_empty(), "{args:?} printed no JSON: {output:?}");
    let validator = validator(&command);
    for document in documents {
        let wrong: Vec<String> = validator
            .iter_errors(&document)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(
            wrong.is_empty(),
            "{args:?} is not \"loopwright {command}\" of the schema:\n{wrong:#?}\n{document:#}"
        );
    }
}

/// The command of a command line as the schema calls it; a wrong one has only the error.
fn command(args: &[&str]) -> Option<String> {
    let mut words = Vec::new();
    let mut rest = args.iter();
    while let Some(word) = rest.next() {
        match *word {
            // What follows are arguments.
            "--" => break,
            "-C" | "-c" | "--dir" | "--config" | "--log-level" => drop(rest.next()),
            word if word.starts_with('-') => {}
            word => words.push(word),
        }
    }
    let known = |count: usize| {
        let name = words.get(..count)?.join(" ");
        SCHEMA["$defs"].get(format!("loopwright {name}")).map(|_| name)
    };
    [3, 2, 1].into_iter().find_map(known)
}

fn validator(command: &str) -> &'static Validator {
    let mut all = VALIDATORS.lock().unwrap_or_else(PoisonError::into_inner);
    all.entry(command.to_owned()).or_insert_with(|| {
        let reference = format!("#/$defs/loopwright%20{}", command.replace(' ', "%20"));
        let schema = json!({ "$schema": SCHEMA["$schema"], "$ref": reference, "$defs": SCHEMA["$defs"] });
        Box::leak(Box::new(jsonschema::validator_for(&schema).unwrap()))
    })
}
