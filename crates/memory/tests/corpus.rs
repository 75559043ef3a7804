//! How well outputs of real tools are read. Files whose name's hash is odd were not looked at while rules were written.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot read its corpus fails"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use loopwright_memory::{classify, pattern};
use sha2::{Digest, Sha256};

/// The share of the half not looked at that must be read rightly, in percent.
const LEAST: usize = 95;

struct Case {
    name: String,
    pattern: String,
    place: Option<(String, u32)>,
    output: String,
}

impl Case {
    fn held_out(&self) -> bool {
        Sha256::digest(format!("{}.txt", self.name).as_bytes())[0] % 2 == 1
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus")
}

fn cases() -> Vec<Case> {
    let labels = fs::read_to_string(folder().join("labels.tsv")).unwrap();
    let case = |line: &str| {
        let mut fields = line.split('\t').map(str::to_owned);
        let (name, pattern) = (fields.next().unwrap(), fields.next().unwrap());
        let place = fields.next().zip(fields.next().map(|line| line.parse().unwrap()));
        let output = fs::read_to_string(folder().join(format!("{name}.txt"))).unwrap();
        Case { name, pattern, place, output }
    };
    labels.lines().map(case).collect()
}

/// What was right of some cases: patterns, categories, files and lines; and what was taken for what.
#[derive(Default)]
struct Score {
    cases: usize,
    patterns: usize,
    categories: usize,
    placed: usize,
    places: usize,
    confused: BTreeMap<(String, String), Vec<String>>,
}

fn score<'c>(cases: impl Iterator<Item = &'c Case>) -> Score {
    let mut score = Score::default();
    for case in cases {
        let found = classify(&case.output, "");
        let category = pattern(&case.pattern).unwrap_or_else(|| panic!("{}", case.pattern)).category;
        score.cases += 1;
        score.categories += usize::from(found.category == category);
        if found.pattern == case.pattern {
            score.patterns += 1;
        } else {
            let pair = (case.pattern.clone(), found.pattern.clone());
            score.confused.entry(pair).or_default().push(format!("{}: {}", case.name, found.cause));
        }
        if let Some((file, line)) = &case.place {
            score.placed += 1;
            let same =
                found.file.as_deref().is_some_and(|found| found.ends_with(file)) && found.line == Some(*line);
            score.places += usize::from(same);
            if !same && std::env::var_os("CORPUS_PLACES").is_some() && !case.held_out() {
                println!("place: {} {file}:{line} as {:?}:{:?}", case.name, found.file, found.line);
            }
        }
    }
    score
}

fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

fn print(title: &str, score: &Score, with_names: bool) {
    println!(
        "{title}: {} outputs, pattern {:.1} %, category {:.1} %, file and line {:.1} % of {}",
        score.cases,
        percent(score.patterns, score.cases),
        percent(score.categories, score.cases),
        percent(score.places, score.placed),
        score.placed,
    );
    for ((label, found), names) in &score.confused {
        println!("  {label} taken for {found}: {}", names.len());
        for name in names.iter().filter(|_| with_names) {
            println!("    {name}");
        }
    }
}

#[test]
fn outputs_that_were_not_looked_at_are_read_rightly() {
    let cases = cases();
    let seen = score(cases.iter().filter(|case| !case.held_out()));
    let held_out = score(cases.iter().filter(|case| case.held_out()));
    print("looked at", &seen, true);
    print("not looked at", &held_out, false);
    assert!(cases.len() >= 200, "{}", cases.len());
    assert!(
        100 * held_out.patterns >= LEAST * held_out.cases,
        "less than {LEAST} % of the half not looked at"
    );
}
