//! When a gate is opened, as a run works by it from its first iteration to its last: what an agent writes into the
//! configuration meanwhile does not count.

use globset::{Glob, GlobSet, GlobSetBuilder};
use loopwright_domain::{ReviewMode, RiskKind};
use serde::{Deserialize, Serialize};

use crate::check::{Check, CheckCommand};
use crate::config::Config;

/// When a person looks at work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct GateRules {
    /// The review mode: `autonomous`, `review_each` or `review_every:N`.
    pub mode: String,
    /// The risks that open a gate in every mode.
    pub always: Vec<RiskKind>,
    /// Patterns of protected paths.
    pub protected: Vec<String>,
    /// A change of more lines than this is large; 0 never.
    pub max_lines: u32,
    /// What the commands of checks name: a file among them is part of its check.
    pub checks: Vec<String>,
}

impl Default for GateRules {
    fn default() -> Self {
        Self {
            mode: "autonomous".to_owned(),
            always: RiskKind::ALL.to_vec(),
            protected: Vec::new(),
            max_lines: 800,
            checks: Vec::new(),
        }
    }
}

impl GateRules {
    /// The rules that are configured.
    pub(crate) fn of(config: &Config) -> Self {
        Self {
            mode: config.text("mode").to_owned(),
            always: config.list("gate.always").iter().filter_map(|word| RiskKind::parse(word)).collect(),
            protected: config.list("gate.protected").to_vec(),
            max_lines: u32::try_from(config.count("gate.max_lines")).unwrap_or(u32::MAX),
            checks: config.checks.iter().filter_map(Check::executes).flat_map(named_files).collect(),
        }
    }

    /// The review mode. One that cannot be read is the careful one.
    pub(crate) fn review(&self) -> ReviewMode {
        ReviewMode::parse(&self.mode).unwrap_or(ReviewMode::Each)
    }

    /// Protected paths. Patterns were checked when they were configured.
    pub(super) fn protected(&self) -> GlobSet {
        let mut set = GlobSetBuilder::new();
        for glob in self.protected.iter().filter_map(|pattern| Glob::new(pattern).ok()) {
            set.add(glob);
        }
        set.build().unwrap_or_default()
    }
}

/// Endings of scripts, which do nothing but what somebody runs them for.
const SCRIPTS: &[&str] = &[".sh", ".bash", ".zsh", ".fish", ".bats", ".ps1", ".bat", ".cmd", ".mk"];
/// Words in the names of programs whose work it is to judge.
const JUDGING: &[&str] = &["check", "lint", "verify", "validate"];

/// The scripts of the project that a check's command names, as paths from the project folder.
fn named_files(command: &CheckCommand) -> Vec<String> {
    let is_judging = |word: &str| {
        let name = word.rsplit('/').next().unwrap_or(word).to_ascii_lowercase();
        SCRIPTS.iter().any(|ending| name.ends_with(ending))
            || (name.contains('.') && JUDGING.iter().any(|part| name.contains(part)))
    };
    let within = |word: &str| {
        let word = word.trim_start_matches("./");
        if command.dir == "." { word.to_owned() } else { format!("{}/{word}", command.dir.trim_matches('/')) }
    };
    let words = command.argv.iter().flat_map(|word| word.split_whitespace());
    words.filter(|word| is_judging(word)).map(within).collect()
}
