//! The report: a line for each class, every wrong scenario with what is wrong, and the figure.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;

use crate::scenario::{Class, Scenario};

/// How one scenario went.
pub(crate) struct Played {
    file: &'static str,
    name: String,
    class: Class,
    outcome: Outcome,
    took: Duration,
}

enum Outcome {
    Right,
    Wrong(Vec<String>),
    /// This machine has no sandbox.
    Skipped,
}

impl Played {
    fn with(file: &'static str, scenario: &Scenario, outcome: Outcome, took: Duration) -> Self {
        Self { file, name: scenario.name.clone(), class: scenario.class, outcome, took }
    }

    pub(crate) fn new(file: &'static str, scenario: &Scenario, wrong: Vec<String>, took: Duration) -> Self {
        let outcome = if wrong.is_empty() { Outcome::Right } else { Outcome::Wrong(wrong) };
        Self::with(file, scenario, outcome, took)
    }

    pub(crate) fn skipped(file: &'static str, scenario: &Scenario) -> Self {
        Self::with(file, scenario, Outcome::Skipped, Duration::ZERO)
    }
}

/// All of them.
pub(crate) struct Table(Vec<Played>);

impl Table {
    pub(crate) fn of(mut played: Vec<Played>) -> Self {
        played.sort_by(|one, other| (one.file, &one.name).cmp(&(other.file, &other.name)));
        Self(played)
    }

    fn count(&self, class: Option<Class>, is: impl Fn(&Outcome) -> bool) -> usize {
        let of_class = self.0.iter().filter(|played| class.is_none_or(|class| played.class == class));
        of_class.filter(|played| is(&played.outcome)).count()
    }

    /// How many are wrong.
    pub(crate) fn wrong(&self) -> usize {
        self.count(None, is_wrong)
    }
}

const fn is_wrong(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Wrong(_))
}

impl fmt::Display for Table {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        for played in &self.0 {
            match &played.outcome {
                Outcome::Right => {}
                Outcome::Skipped => writeln!(text, "SKIPPED, no sandbox on this machine: {}", played.name)?,
                Outcome::Wrong(wrong) => {
                    writeln!(text, "WRONG {}: {}", played.file, played.name)?;
                    for line in wrong.iter().flat_map(|one| one.lines()) {
                        writeln!(text, "    {line}")?;
                    }
                }
            }
        }
        writeln!(text, "\n{:<12} {:>9} {:>7} {:>6}", "class", "scenarios", "passed", "wrong")?;
        let classes: BTreeSet<Class> = self.0.iter().map(|played| played.class).collect();
        for class in classes {
            let name = format!("{class:?}");
            let (all, right) = (
                self.count(Some(class), |_| true),
                self.count(Some(class), |it| matches!(it, Outcome::Right)),
            );
            writeln!(text, "{name:<12} {all:>9} {right:>7} {:>6}", self.count(Some(class), is_wrong))?;
        }
        let slowest = self.0.iter().max_by_key(|played| played.took);
        if let Some(slowest) = slowest {
            writeln!(text, "slowest: {:.1} s, {}", slowest.took.as_secs_f64(), slowest.name)?;
        }
        write!(text, "verdicts: {} scenarios, {} wrong", self.0.len(), self.wrong())
    }
}

/// A name is how a scenario is found again.
pub(crate) fn names_are_unique(all: &[(&'static str, Scenario)]) {
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    for (_, scenario) in all {
        *seen.entry(&scenario.name).or_default() += 1;
    }
    let twice: Vec<&&str> = seen.iter().filter(|(_, times)| **times > 1).map(|(name, _)| name).collect();
    assert!(twice.is_empty(), "names that are there twice: {twice:?}");
}
